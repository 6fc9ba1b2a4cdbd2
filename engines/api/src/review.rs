//! The result of analysing a game: the values of its moves, the better alternatives, and the severity of each mistake.
//!
//! As on lichess and in ShogiHome, a move is judged by the winning chances that it loses, so that losing a pawn matters
//! in an equal position but not in a won one.

use crate::{Line, MoveText, Score, ScoreKind, Side};

/// How values are converted to winning chances in one game, such as chess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judging {
    /// The value in centipawns at which the odds of winning are e to 1.
    pub scale: f64,
    /// Values are limited to this many centipawns when losses are averaged.
    pub most: i32,
}

impl Judging {
    /// The curve that lichess fitted to its games, `2 / (1 + exp(-0.00368208 cp)) - 1`, and its limit of 10 pawns.
    pub const CHESS: Self = Self { scale: 271.6, most: 1000 };
    /// The winning-chance curve that shogi programs commonly use (a sigmoid with a scale of 600 centipawns), capped at
    /// about the same winning chance as the chess curve.
    pub const SHOGI: Self = Self { scale: 600.0, most: 2200 };

    /// Expected points, from 0 to 1, of a side whose position has the value `score`.
    pub fn chance(self, score: Score) -> f64 {
        match score.kind() {
            ScoreKind::Mate(_) => f64::from(u8::from(score.is_win())),
            ScoreKind::Cp(cp) => 1.0 / (1.0 + (-f64::from(cp) / self.scale).exp()),
        }
    }

    fn capped(self, score: Score) -> i32 {
        score.raw().clamp(-self.most, self.most)
    }

    /// Returns the mark for a move with the value `played` if the best move has the value `best`; `None` if the move is
    /// no mistake.
    pub fn mark(self, best: Score, played: Score) -> Option<MoveMark> {
        let lost = self.chance(best) - self.chance(played);
        MoveMark::ALL.into_iter().rev().find(|mark| lost >= mark.least_loss())
    }
}

/// The severity of a mistake.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MoveMark {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl MoveMark {
    /// All marks, from the least to the most severe.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The smallest loss of winning chances that deserves the mark, as on lichess.
    const fn least_loss(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.05,
            Self::Mistake => 0.1,
            Self::Blunder => 0.15,
        }
    }

    /// Returns the symbol that stands for the mark in annotated games.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// The result of searching a position of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedPosition {
    /// Value of the position for the side to move.
    pub value: Score,
    /// The best line from the position; empty if the game is over.
    pub line: Vec<MoveText>,
    /// Search depth, in plies; 0 if the game is over.
    pub depth: u16,
    /// Number of positions searched.
    pub nodes: u64,
}

/// A move of a game with the results of its analysis; all values are for the side that made the move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// The move that was played.
    pub played: MoveText,
    /// The side that played the move.
    pub side: Side,
    /// Value of the move, found by searching the position after the move.
    pub value: Score,
    /// The best line in the position before the move.
    pub best: Vec<MoveText>,
    /// The value of the best line.
    pub best_value: Score,
    /// The best line in the position after the move.
    pub reply: Vec<MoveText>,
    /// Depth of the search of the position after the move, in plies.
    pub depth: u16,
    /// Number of positions searched after the move.
    pub nodes: u64,
    /// How much value the move loses, in centipawns.
    pub loss: i32,
    /// The mark of the move; `None` if the move is not a mistake.
    pub mark: Option<MoveMark>,
}

impl MoveReview {
    /// Reviews the move `played` by `side`, which leads from the position `before` to the position `after`.
    pub fn new(played: MoveText, side: Side, [before, after]: [&JudgedPosition; 2], judging: Judging) -> Self {
        let value = after.value.for_parent();
        let is_best = before.line.first() == Some(&played);
        // A move that the search of `before` recommends loses nothing, even if the search of `after` finds a lower
        // value.
        let best_value = if is_best { value } else { before.value };
        Self {
            played,
            side,
            value,
            best: before.line.clone(),
            best_value,
            reply: after.line.clone(),
            depth: after.depth,
            nodes: after.nodes,
            loss: (judging.capped(best_value) - judging.capped(value)).max(0),
            mark: judging.mark(best_value, value),
        }
    }

    /// Did the search of the position before the move recommend the move?
    pub fn is_best(&self) -> bool {
        self.best.first() == Some(&self.played)
    }

    /// Value of the move from the first player's point of view.
    pub fn value_for_first(&self) -> Score {
        if self.side == Side::First { self.value } else { Score::from_raw(-self.value.raw()) }
    }

    /// Value of the position after the move from the first player's point of view, with the distance to a mate counted
    /// from that position. Returns `None` if the move mates.
    pub fn value_after_for_first(&self) -> Option<Score> {
        let value = self.value_for_first();
        match value.kind() {
            ScoreKind::Cp(_) => Some(value),
            ScoreKind::Mate(1 | -1) => None,
            ScoreKind::Mate(plies) if plies > 0 => Some(Score::win_in(plies - 1)),
            ScoreKind::Mate(plies) => Some(Score::loss_in(-plies - 1)),
        }
    }

    /// Value of the best line from the first player's point of view.
    pub fn best_value_for_first(&self) -> Score {
        if self.side == Side::First { self.best_value } else { Score::from_raw(-self.best_value.raw()) }
    }
}

/// A game and the reviews of its moves, beginning with the first move. If the analysis was stopped early, the last
/// moves have no reviews.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameReview {
    /// The game.
    pub line: Line,
    /// Reviews of the moves of the game, in order.
    pub moves: Vec<MoveReview>,
}

/// A summary of how well one player played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerReview {
    /// Number of the player's moves that were judged.
    pub moves: usize,
    /// Number of the player's moves that were the best move in their position.
    pub best: usize,
    /// Average loss per move, in centipawns.
    pub loss: f64,
    /// Numbers of inaccuracies, mistakes and blunders.
    pub marks: [usize; 3],
}

impl GameReview {
    /// Summarizes how well `side` played.
    pub fn of(&self, side: Side) -> PlayerReview {
        let moves: Vec<&MoveReview> = self.moves.iter().filter(|one| one.side == side).collect();
        let lost: i64 = moves.iter().map(|one| i64::from(one.loss)).sum();
        PlayerReview {
            moves: moves.len(),
            best: moves.iter().filter(|one| one.is_best()).count(),
            loss: lost as f64 / moves.len().max(1) as f64,
            marks: MoveMark::ALL.map(|mark| moves.iter().filter(|one| one.mark == Some(mark)).count()),
        }
    }

    /// Returns for each move its ply, counted from 1, and the first player's expected points afterwards, in percent.
    pub fn chances(&self, judging: Judging) -> Vec<(f64, f64)> {
        let chance = |one: &MoveReview| 100.0 * judging.chance(one.value_for_first());
        self.moves.iter().enumerate().map(|(index, one)| ((index + 1) as f64, chance(one))).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn position(value: Score, line: &str) -> JudgedPosition {
        let line = line.split_whitespace().map(|m| m.parse().unwrap()).collect();
        JudgedPosition { value, line, depth: 9, nodes: 100 }
    }

    fn review(before: Score, after: Score, best: &str) -> MoveReview {
        let positions = [&position(before, best), &position(after, "e7e5")];
        MoveReview::new("e2e4".parse().unwrap(), Side::First, positions, Judging::CHESS)
    }

    #[test]
    fn a_move_is_judged_by_the_winning_chances_it_gives_away() {
        // On lichess, a drop from +0.00 to -0.60 is an inaccuracy, a drop to -1.20 a mistake, and a drop to -2.00 a
        // blunder.
        for (after, mark) in [
            (30, None),
            (60, Some(MoveMark::Inaccuracy)),
            (120, Some(MoveMark::Mistake)),
            (200, Some(MoveMark::Blunder)),
        ] {
            assert_eq!(review(Score::DRAW, Score::cp(after), "d2d4").mark, mark, "{after}");
        }
        // In a won position, a loss of 200 centipawns is not a mistake.
        assert_eq!(review(Score::cp(1500), Score::cp(-1300), "d2d4").mark, None);
        let lost_mate = review(Score::win_in(3), Score::cp(200), "d2d4");
        assert_eq!((lost_mate.mark, lost_mate.loss), (Some(MoveMark::Blunder), 1200));
    }

    #[test]
    fn the_recommended_move_loses_nothing() {
        let best = review(Score::cp(50), Score::cp(300), "e2e4 e7e5");
        assert!(best.is_best());
        assert_eq!((best.loss, best.mark, best.value, best.best_value), (0, None, Score::cp(-300), Score::cp(-300)));
        // A move that is better than expected loses nothing.
        assert_eq!(review(Score::cp(50), Score::cp(-80), "d2d4").loss, 0);
    }

    #[test]
    fn a_mate_is_counted_from_the_position_after_the_move() {
        let after = |value: Score| review(Score::DRAW, value, "d2d4").value_after_for_first();
        assert_eq!(after(Score::loss_in(0)), None, "the move mates");
        assert_eq!(after(Score::loss_in(2)), Some(Score::win_in(2)));
        assert_eq!(after(Score::win_in(3)), Some(Score::loss_in(3)));
        assert_eq!(after(Score::cp(-35)), Some(Score::cp(35)));
    }

    #[test]
    fn the_moves_of_each_player_are_summarized() {
        let mut game = GameReview::default();
        game.moves.extend([
            review(Score::cp(20), Score::cp(-20), "e2e4"),
            MoveReview { side: Side::Second, ..review(Score::cp(-20), Score::cp(300), "d2d4") },
            review(Score::cp(20), Score::cp(100), "d2d4"),
        ]);
        let [first, second] = [Side::First, Side::Second].map(|side| game.of(side));
        assert_eq!((first.moves, first.best, first.loss, first.marks), (2, 1, 60.0, [0, 1, 0]));
        assert_eq!((second.moves, second.best, second.loss, second.marks), (1, 0, 280.0, [0, 0, 1]));
        let chances: Vec<_> = game.chances(Judging::CHESS).iter().map(|point| point.1.round() as i32).collect();
        assert_eq!(chances, [52, 75, 41]);
        assert_eq!(GameReview::default().of(Side::First).loss, 0.0);
    }
}
