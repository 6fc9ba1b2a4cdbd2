//! A sample treats a position as a choice among the moves that a search has ranked and "out of rank", which represents
//! all other moves.

use super::journal::Rankings;
use super::positions::{GamePosition, LearningGames};
use super::ranking::Ranking;
use hasami_api::Score;
use hasami_tree::Sight;
use hasami_words::text::At;

/// A choice among the moves of a position. The alternatives are the ranked moves, followed by "out of rank" if
/// `has_out`.
#[derive(Clone, PartialEq, Debug)]
pub struct RankSample {
    pub game: u32,
    pub ply: u32,
    /// The gaps of the ranked moves, best move first: how many centipawns each move is worse than the best.
    pub gaps: Vec<i32>,
    /// The score of the best move, in centipawns for the side to move.
    pub value: i32,
    /// True if "out of rank" is an alternative: as many moves were ranked as requested (section 5 of Yokoyama et al.
    /// 2014), even in the rare case that all legal moves were ranked.
    pub has_out: bool,
    /// Number of legal moves that were not ranked.
    pub rest: u32,
    /// Index of the alternative that was played.
    pub played: usize,
    /// Depth of the search in plies.
    pub depth: u16,
    /// See [`GamePosition::phase`].
    pub phase: f64,
}

/// Counts the positions that the models cannot learn from, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExcludedPositions {
    /// Positions where the best move has a mate score, so that gaps are undefined.
    pub mates: usize,
    /// Positions for which the search reported no score.
    pub without_value: usize,
    /// Positions where fewer moves were ranked than requested, and the played move was not among them.
    pub without_move: usize,
}

impl ExcludedPositions {
    pub fn total(&self) -> usize {
        self.mates + self.without_value + self.without_move
    }
}

impl RankSample {
    pub fn alternatives(&self) -> usize {
        self.gaps.len() + usize::from(self.has_out)
    }

    /// Returns the data that determine the features of the logit.
    pub fn sight(&self) -> Sight<'_> {
        let rest = self.has_out.then_some(self.rest);
        Sight { gaps: &self.gaps, value: self.value, rest, depth: self.depth, phase: self.phase }
    }

    /// The gap of the played move; `None` if the played move is not ranked.
    pub fn played_gap(&self) -> Option<i32> {
        self.gaps.get(self.played).copied()
    }

    /// Creates a sample for every position that was searched with `multipv` variations, in the order of the games.
    pub fn select(
        games: &LearningGames,
        rankings: &Rankings,
        multipv: u16,
    ) -> Result<(Vec<Self>, ExcludedPositions), String> {
        let (mut samples, mut left_out) = (Vec::new(), ExcludedPositions::default());
        let mut several = false;
        for (&at, ranking) in rankings {
            let position = &games.positions[at];
            several |= ranking.lines.len() > 1 || position.moves < 2;
            samples.extend(Self::of(position, ranking, usize::from(multipv), &mut left_out));
        }
        if !several && multipv > 1 {
            let why = "the engine does not show several lines (MultiPV) within the --nodes";
            return Err(why.at("--engine"));
        }
        match samples.is_empty() {
            true => Err(format!("no positions to learn from ({} unfit)", left_out.total())),
            false => Ok((samples, left_out)),
        }
    }

    /// Creates the sample of a position. If nothing can be learned from the position, counts it in `left_out` and
    /// returns `None`.
    fn of(
        position: &GamePosition,
        ranking: &Ranking,
        multipv: usize,
        left_out: &mut ExcludedPositions,
    ) -> Option<Self> {
        let Some(best) = ranking.lines.iter().map(|(_, score)| *score).max() else {
            left_out.without_value += 1;
            return None;
        };
        if best.is_decisive() {
            left_out.mates += 1;
            return None;
        }
        // A move that allows mate gets a larger gap (its loss against the best move) than any difference of evaluations.
        let gap = |score: Score| best.raw().saturating_sub(score.raw()).max(0);
        let gaps: Vec<i32> = ranking.lines.iter().map(|(_, score)| gap(*score)).collect();
        let has_out = gaps.len() >= multipv;
        let rank = ranking.lines.iter().position(|(m, _)| *m == position.played);
        let Some(played) = rank.or(has_out.then_some(gaps.len())) else {
            left_out.without_move += 1;
            return None;
        };
        Some(Self {
            game: position.game,
            ply: position.ply,
            value: best.raw(),
            rest: position.moves.saturating_sub(gaps.len() as u32),
            depth: ranking.depth,
            phase: position.phase,
            gaps,
            has_out,
            played,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn position(played: &str) -> GamePosition {
        GamePosition { game: 0, index: 0, played: played.parse().unwrap(), ply: 30, moves: 25, phase: 0.5 }
    }

    fn ranking(lines: &[(&str, Score)]) -> Ranking {
        Ranking { depth: 9, lines: lines.iter().map(|(m, score)| (m.parse().unwrap(), *score)).collect() }
    }

    fn select(
        played: &str,
        lines: &[(&str, Score)],
        multipv: u16,
    ) -> Result<(Vec<RankSample>, ExcludedPositions), String> {
        let games = LearningGames { positions: vec![position(played)], ..LearningGames::default() };
        RankSample::select(&games, &Rankings::from([(0, ranking(lines))]), multipv)
    }

    const LINES: [(&str, Score); 3] = [("a", Score::cp(40)), ("b", Score::cp(28)), ("c", Score::loss_in(6))];

    #[test]
    fn gaps_are_relative_to_the_best_and_mates_are_far_behind() {
        let sample = select("b", &LINES, 3).unwrap().0.remove(0);
        assert_eq!((sample.gaps[0], sample.gaps[1], sample.played, sample.value), (0, 12, 1, 40));
        assert!(sample.gaps[2] > 10_000 && sample.has_out && sample.rest == 22);
        assert_eq!((sample.alternatives(), sample.played_gap()), (4, Some(12)));
    }

    #[test]
    fn out_of_rank_needs_as_many_moves_as_requested() {
        let sample = select("d", &LINES, 3).unwrap().0.remove(0);
        assert_eq!((sample.played, sample.played_gap()), (3, None));
        assert!(!select("c", &LINES, 4).unwrap().0[0].has_out);
        assert!(select("d", &LINES, 4).is_err(), "a move that was not ranked");
    }

    #[test]
    fn mates_and_missing_values_are_left_out() {
        let mated = [("a", Score::loss_in(2)), ("b", Score::loss_in(4))];
        assert!(select("a", &mated, 2).err().unwrap().contains("(1 unfit)"));
        assert!(select("a", &[("a", Score::win_in(3)), ("b", Score::cp(0))], 2).is_err());
        assert!(select("a", &LINES[..1], 3).err().unwrap().contains("several lines"));
    }
}
