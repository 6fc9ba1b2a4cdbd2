//! Probes Syzygy endgame tables at the root and at the other nodes of a search.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::{Chess, Move, Tables};
use hasami_api::{EndgameTables, Game, Verdict};
use shakmaty::Position;
use shakmaty_syzygy::{Dtz, Tablebase, Wdl};

/// Rank of a move that wins before the fifty-move rule applies.
const WINS: i32 = 1_000;
/// A win counts only if the next capture, pawn move or mate comes at most this many plies after the last capture or
/// pawn move.
const CLOCK: i32 = 99;

/// Endgame tables, with the conditions under which a search probes them.
pub struct SearchTables {
    tables: Tables,
    /// Largest number of pieces, including the kings, for which tables are probed.
    limit: usize,
    /// Positions with exactly `limit` pieces are probed only at nodes with at least this depth, in plies.
    depth: i32,
    /// Whether a win counts as a draw if it takes longer than the fifty-move rule allows.
    fifty_moves: bool,
}

impl SearchTables {
    /// Creates tables that a search probes if at most `limit` pieces, kings included, are on the board. With exactly
    /// `limit` pieces, the search probes only at depths of at least `depth` plies. If `fifty_moves` is true, wins that
    /// the fifty-move rule prevents count as draws.
    pub fn new(tables: Tables, limit: usize, depth: i32, fifty_moves: bool) -> Self {
        Self { limit: limit.min(tables.0.max_pieces()), tables, depth, fifty_moves }
    }

    fn pieces(game: &Chess) -> usize {
        game.position().board().occupied().count()
    }

    fn verdict(&self, wdl: Wdl) -> Verdict {
        match wdl {
            Wdl::Win => Verdict::Win,
            Wdl::Loss => Verdict::Loss,
            Wdl::CursedWin if !self.fifty_moves => Verdict::Win,
            Wdl::BlessedLoss if !self.fifty_moves => Verdict::Loss,
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Verdict::Draw,
        }
    }

    /// Returns the value of a root whose best move has the rank `rank`. Under the fifty-move rule, a win that takes
    /// more than [`CLOCK`] plies is a draw.
    fn value(&self, rank: i32) -> Verdict {
        let bound = if self.fifty_moves { WINS - CLOCK } else { 1 };
        match rank {
            _ if rank >= bound => Verdict::Win,
            _ if rank <= -bound => Verdict::Loss,
            _ => Verdict::Draw,
        }
    }
}

/// Returns the rank of a move at the root, where a higher rank is better. `plies` is the result of
/// [`plies_to_zeroing`], and `clock` the number of plies since the last capture or pawn move, before the ranked move.
///
/// All moves that win within the fifty-move rule have the same rank, so that the search may choose among them, unless
/// `wants_shortest` is set. If the fifty-move rule turns a win into a draw, shorter wins and longer losses have higher
/// ranks, since the opponent may make a mistake.
fn rank(plies: i32, clock: i32, wants_shortest: bool) -> i32 {
    match plies {
        0 => 0,
        1.. if plies + clock <= CLOCK && !wants_shortest => WINS,
        1.. => WINS - (plies + clock),
        _ if clock - 2 * plies <= CLOCK => -WINS,
        _ => -WINS + (clock - plies),
    }
}

/// Does the side to move play against a bare king, without pawns on the board? Against a bare king without pawns, the
/// number of plies to the next capture, pawn move or mate is the distance to mate.
fn hunts_bare_king(position: &shakmaty::Chess) -> bool {
    let board = position.board();
    board.pawns().is_empty() && board.by_color(!position.turn()).count() == 1
}

/// Returns the number of plies to the next capture or pawn move, or to the mate if the mate comes first, counted from
/// the position before the last move of `game`. The result is positive if the side that made the last move wins,
/// negative if it loses, and 0 for a draw.
fn plies_to_zeroing(tables: &Tablebase<shakmaty::Chess>, game: &Chess) -> Option<i32> {
    let position = game.position();
    if position.is_checkmate() {
        return Some(1);
    }
    if position.halfmoves() == 0 {
        let wdl = tables.probe_wdl_after_zeroing(position).ok()?;
        return Some(-Dtz::before_zeroing(wdl).0);
    }
    if game.verdict_in_search(1) == Verdict::Draw {
        return Some(0);
    }
    let plies = -tables.probe_dtz(position).ok()?.ignore_rounding().0;
    Some(plies + plies.signum())
}

impl EndgameTables<Chess> for SearchTables {
    fn probe(&self, game: &Chess, depth: i32) -> Option<Verdict> {
        let (position, pieces) = (game.position(), Self::pieces(game));
        if pieces > self.limit || position.halfmoves() != 0 || position.castles().any() {
            return None;
        }
        if pieces == self.limit && depth < self.depth {
            return None;
        }
        self.tables.0.probe_wdl_after_zeroing(position).ok().map(|wdl| self.verdict(wdl))
    }

    fn keep_best(&self, game: &Chess, moves: &mut Vec<Move>) -> Option<Verdict> {
        let position = game.position();
        if Self::pieces(game) > self.limit || position.castles().any() {
            return None;
        }
        let clock = i32::try_from(position.halfmoves()).ok()?;
        let wants_shortest = game.has_repeated() || hunts_bare_king(position);
        let mut after = game.clone();
        let mut plies_after = |&m: &Move| {
            after.make(m);
            let plies = plies_to_zeroing(&self.tables.0, &after);
            after.unmake();
            plies
        };
        let plies: Vec<i32> = moves.iter().map(&mut plies_after).collect::<Option<_>>()?;
        let ranks: Vec<i32> = plies.into_iter().map(|plies| rank(plies, clock, wants_shortest)).collect();
        let best = *ranks.iter().max()?;
        let mut kept = ranks.iter().map(|&rank| rank == best);
        moves.retain(|_| kept.next() == Some(true));
        Some(self.value(best))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::tables::test_files;
    use hasami_api::Moves;

    fn tables(limit: usize, depth: i32) -> (test_files::Folder, SearchTables) {
        let folder = test_files::rook("search");
        let tables = Tables::open(std::slice::from_ref(&folder.path)).unwrap();
        (folder, SearchTables::new(tables, limit, depth, true))
    }

    fn at(fen: &str) -> Chess {
        Chess::from_fen(fen).unwrap()
    }

    const WON: &str = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1";

    #[test]
    fn nodes_are_probed_within_the_limits() {
        let (_folder, all) = tables(7, 1);
        assert_eq!(all.probe(&at(WON), 0), None, "exactly `limit` pieces, but too little depth");
        assert_eq!(all.probe(&at(WON), 1), Some(Verdict::Win));
        assert_eq!(all.probe(&at(&WON.replace("0 1", "3 2")), 9), None, "the clock is not at zero");
        assert_eq!(all.probe(&at("8/8/8/3k4/8/8/8/R3K2R w K - 0 1"), 9), None);
        assert_eq!(all.probe(&at("8/8/8/8/8/2k5/1R6/4K3 b - - 0 1"), 1), Some(Verdict::Draw));
        let (_folder, few) = tables(2, 1);
        assert_eq!(few.probe(&at(WON), 9), None, "more pieces than the limit");
    }

    #[test]
    fn a_root_without_dtz_tables_keeps_all_moves() {
        let game = at("8/8/8/8/8/2k5/1R6/4K3 b - - 0 1");
        let mut moves = Moves::new();
        game.legal_moves(&mut moves);
        let mut moves = moves.to_vec();
        let all = moves.clone();
        assert_eq!(tables(7, 1).1.keep_best(&game, &mut moves), None);
        assert_eq!(moves, all);
    }

    #[test]
    fn ranks_follow_the_fifty_move_rule() {
        let ranks =
            [rank(9, 0, false), rank(99, 0, false), rank(100, 0, false), rank(101, 0, false), rank(0, 0, false)];
        assert!(ranks[0] == ranks[1] && ranks.is_sorted_by(|a, b| a >= b), "{ranks:?}");
        let losses = [rank(-101, 0, false), rank(-60, 0, false), rank(-40, 0, false), rank(-3, 0, false)];
        assert!(losses[2] == losses[3] && losses.is_sorted_by(|a, b| a >= b), "{losses:?}");
        assert!(rank(9, 90, false) == WINS && rank(10, 90, false) < WINS, "the clock counts");
        assert!(rank(7, 0, true) > rank(9, 0, true), "the shortest win is wanted");
        for (fen, hunts) in
            [(WON, true), ("8/8/8/3k4/8/8/P7/R3K3 w - - 0 1", false), ("8/8/8/3k3n/8/8/8/R3K3 w - - 0 1", false)]
        {
            assert_eq!(hunts_bare_king(at(fen).position()), hunts, "{fen}");
        }
        let value = |rank| tables(7, 1).1.value(rank);
        assert_eq!([9, 0, -9].map(|plies| value(rank(plies, 0, false))), [Verdict::Win, Verdict::Draw, Verdict::Loss]);
        assert_eq!(
            [110, -110].map(|plies| value(rank(plies, 0, false))),
            [Verdict::Draw; 2],
            "drawn by the fifty-move rule"
        );
        assert_eq!(value(rank(7, 20, true)), Verdict::Win);
    }
}
