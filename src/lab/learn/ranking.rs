//! Extracts the ranking of the moves from the `info` lines of a search with MultiPV.

use hasami_api::{Bound, MoveText, Score};
use hasami_protocol::client::ChildInfo;

/// The moves that a search has ranked, the best move first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ranking {
    /// Depth of the best line, in plies.
    pub depth: u16,
    pub lines: Vec<(MoveText, Score)>,
}

/// The number (from 1), depth, first move and score of a variation that a search reported.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RankedLine {
    pub number: u16,
    pub depth: u16,
    pub first: MoveText,
    pub score: Score,
}

impl RankedLine {
    /// Converts an `info` line; `None` if its score is a bound, or if it lacks a score or a move.
    pub fn of_info(info: &ChildInfo) -> Option<Self> {
        let exact = info.bound == Bound::Exact;
        let (score, first) = (info.score.filter(|_| exact)?, *info.pv.first()?);
        Some(Self { number: info.multipv.unwrap_or(1).max(1), depth: info.depth.unwrap_or(0), first, score })
    }
}

impl Ranking {
    /// Returns the last complete run of variations (numbered 1, 2, ...) that a search reported.
    ///
    /// A search stopped by its limit mixes variations of its last two depths, and scores of different depths differ by
    /// more than those of different moves. The last complete run whose variations all have the same depth is preferred
    /// if it is at most one ply shallower.
    pub fn of(variations: &[RankedLine]) -> Self {
        let rounds = rounds(variations);
        let longest = rounds.iter().map(|round| round.len()).max().unwrap_or(0);
        let whole = || rounds.iter().rev().filter(|round| round.len() == longest && is_of_different_moves(round));
        let Some(last) = whole().next() else { return Self::default() };
        let even = |round: &&&[RankedLine]| {
            round.iter().all(|line| line.depth == round[0].depth) && round[0].depth + 1 >= last[0].depth
        };
        let best = whole().find(even).unwrap_or(last);
        Self { depth: best[0].depth, lines: best.iter().map(|line| (line.first, line.score)).collect() }
    }
}

/// Splits the variations into runs numbered 1, 2, 3, ...
fn rounds(variations: &[RankedLine]) -> Vec<&[RankedLine]> {
    let mut rounds = Vec::new();
    let mut from = 0;
    while from < variations.len() {
        let length = variations[from..].iter().zip(1..).take_while(|(line, number)| line.number == *number).count();
        if length > 0 {
            rounds.push(&variations[from..from + length]);
        }
        from += length.max(1);
    }
    rounds
}

fn is_of_different_moves(round: &[RankedLine]) -> bool {
    round.iter().enumerate().all(|(at, line)| round[..at].iter().all(|other| other.first != line.first))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_protocol::Protocol;
    use hasami_protocol::client::{self, Reply};

    fn variations_of(text: &str) -> Vec<RankedLine> {
        let read = |line| match client::parse(Protocol::Uci, line) {
            Reply::Info(info) => RankedLine::of_info(&info),
            _ => None,
        };
        text.lines().filter_map(|line| read(line.trim())).collect()
    }

    fn moves(ranking: &Ranking) -> String {
        ranking.lines.iter().map(|(m, score)| format!("{m} {} ", score.raw())).collect::<String>().trim().to_owned()
    }

    const ROUND: &str = "info depth 7 multipv 1 score cp 30 nodes 9 pv e2e4 e7e5
                         info depth 7 multipv 2 score cp 20 nodes 9 pv d2d4
                         info depth 7 multipv 3 score cp 10 nodes 9 pv c2c4\n";

    #[test]
    fn a_round_of_one_depth_is_preferred_to_a_mixed_one() {
        let mixed = "info depth 8 multipv 1 score cp 90 pv d2d4
                     info depth 7 multipv 2 score cp 30 pv e2e4
                     info depth 7 multipv 3 score cp 10 pv c2c4\n";
        let ranking = Ranking::of(&variations_of(&format!("{ROUND}{mixed}")));
        assert_eq!((ranking.depth, moves(&ranking).as_str()), (7, "e2e4 30 d2d4 20 c2c4 10"));
        assert_eq!(moves(&Ranking::of(&variations_of(mixed))), "d2d4 90 e2e4 30 c2c4 10");
        let far = mixed.replace("depth 8", "depth 9");
        assert_eq!(
            Ranking::of(&variations_of(&format!("{ROUND}{far}"))).depth,
            9,
            "a round two plies behind is too old"
        );
    }

    #[test]
    fn incomplete_rounds_bounds_and_repeated_moves_do_not_count() {
        let cut = format!("{ROUND}info depth 8 multipv 1 score cp 50 pv g1f3\n");
        assert_eq!(Ranking::of(&variations_of(&cut)).lines.len(), 3);
        let bound = format!("{ROUND}{}", ROUND.replace("depth 7", "depth 8").replace("cp 20", "cp 20 lowerbound"));
        assert_eq!(Ranking::of(&variations_of(&bound)).depth, 7);
        let twice = format!("{ROUND}{}", ROUND.replace("depth 7", "depth 8").replace("c2c4", "e2e4"));
        assert_eq!(Ranking::of(&variations_of(&twice)).depth, 7);
        assert_eq!(Ranking::of(&[]), Ranking::default());
    }

    #[test]
    fn an_engine_with_one_line_may_leave_the_number_out() {
        let ranking = Ranking::of(&variations_of("info depth 3 score cp 5 pv a2a3\ninfo depth 4 score mate 3 pv b2b3"));
        assert_eq!((ranking.depth, ranking.lines.len()), (4, 1));
        assert!(ranking.lines[0].1.is_win());
    }
}
