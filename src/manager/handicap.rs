//! Deliberately weak play: few nodes, several lines, and a random choice among them.
//!
//! With few nodes, Hasami overlooks deep lines. The random choice sometimes picks a worse move; the worse the move, the
//! rarer the choice. Neither the node limit nor the choice depends on the machine's speed or the clock, so a level is
//! equally strong everywhere.

use super::core::Manager;
use super::go::{ChosenLine, MoveSearch};
use hasami_api::{Bound, Game, MoveText, Report, Score};
use hasami_protocol::{Go, Settings, Strength};
use hasami_tree::NodeValue;
use hasami_tree::event::Time;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Scores beyond this number of centipawns count as equal, so a mate is played as reliably as a move that wins a queen.
const MOST: i32 = 2_000;

/// The parameters of a weakened search and of the random choice of its move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Handicap {
    /// Node limit of the search.
    pub nodes: u64,
    /// Number of moves to choose from.
    pub lines: u16,
    /// Temperature of the random choice: a move that is worse by this many centipawns is 2.7 times less likely.
    temperature: f64,
}

impl Handicap {
    /// Returns `None` at full strength. Analyses and mate searches are never weakened.
    pub fn of(settings: &Settings, go: &Go) -> Option<Self> {
        let is_earnest = settings.analyse_mode || go.infinite || go.mate.is_some();
        Strength::of(settings).filter(|_| !is_earnest).map(|strength| Self::at(strength.level()))
    }

    fn at(level: f64) -> Self {
        let rest = 1.0 - level / f64::from(Strength::FULL);
        Self {
            nodes: (1_000.0 * (0.4 * level).exp2()) as u64,
            lines: (4.0 + 4.0 * rest * rest).round() as u16,
            temperature: 120.0 * rest.powf(1.5),
        }
    }

    /// Returns the index of one of the `scores`, drawn at random with `seed`. The order of the scores does not affect
    /// the probabilities.
    fn draw(self, scores: &[Score], seed: u64) -> Option<usize> {
        let value = |score: &Score| f64::from(score.raw().clamp(-MOST, MOST));
        let best = scores.iter().map(value).max_by(f64::total_cmp)?;
        let weights: Vec<f64> = scores.iter().map(|score| ((value(score) - best) / self.temperature).exp()).collect();
        let mut rest = SmallRng::seed_from_u64(seed).random::<f64>() * weights.iter().sum::<f64>();
        weights.iter().position(|weight| {
            rest -= weight;
            rest < 0.0
        })
    }
}

impl<G: Game> Manager<G> {
    /// Chooses the move of a weakened search; `None` at full strength, or if no line is known.
    pub(super) fn weaker_choice(&mut self, now: Time, search: &MoveSearch) -> Option<ChosenLine> {
        let handicap = search.handicap?;
        let mut lines = self.known_lines(search);
        lines.truncate(handicap.lines.into());
        let scores: Vec<Score> = lines.iter().map(|line| line.value.score).collect();
        let index = handicap.draw(&scores, self.position.noise(now))?;
        Some(lines.swap_remove(index))
    }

    /// All lines known at the root, the best first: those of the last complete MultiPV block or, without a complete
    /// block, the newest line of each move.
    fn known_lines(&mut self, search: &MoveSearch) -> Vec<ChosenLine> {
        let found = self.assignment.tree.node(search.request.focus).value;
        let block = self.block(search, found);
        let reports: Vec<&Report> =
            if block.is_empty() { search.lines.iter().collect() } else { block.iter().collect() };
        let reports = reports.into_iter().filter(|report| report.bound == Bound::Exact);
        let mut lines: Vec<ChosenLine> = self.child_lines(search);
        for report in reports {
            let line = self.assignment.line_of_report(&search.request, report);
            lines.push(ChosenLine { line, value: NodeValue::of_report(report) });
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.value.score));
        let mut seen: Vec<MoveText> = Vec::new();
        lines.retain(|line| {
            let is_new = line.line.first().is_some_and(|&m| search.request.allows(m) && !seen.contains(&m));
            seen.extend(line.line.first().filter(|_| is_new));
            is_new
        });
        lines
    }

    /// The lines of moves that have their own nodes.
    pub(super) fn child_lines(&mut self, search: &MoveSearch) -> Vec<ChosenLine> {
        let root = self.assignment.tree.searched(search.request.focus);
        let children = self.assignment.tree.node(root).children.clone();
        let mut lines = Vec::new();
        for child in children {
            let node = self.assignment.tree.node(child);
            let (Some(value), Some(text)) = (node.value, node.text()) else { continue };
            let mut line = vec![text];
            line.extend(self.assignment.tree.variation(child));
            lines.push(ChosenLine { line, value: value.for_parent() });
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn cp(values: &[i32]) -> Vec<Score> {
        values.iter().map(|&value| Score::cp(value)).collect()
    }

    /// How often each of the `scores` is chosen in 2,000 draws.
    fn drawn(level: f64, scores: &[Score]) -> Vec<usize> {
        let mut counts = vec![0; scores.len()];
        for seed in 0..2_000 {
            let index = Handicap::at(level).draw(scores, seed).unwrap();
            assert_eq!(Handicap::at(level).draw(scores, seed), Some(index), "the seed decides");
            counts[index] += 1;
        }
        counts
    }

    #[test]
    fn worse_moves_are_rarer_and_rarer_still_at_higher_levels() {
        let scores = cp(&[60, 20, -40, -300]);
        let by_level = [0.0, 7.0, 14.0, 19.0].map(|level| drawn(level, &scores));
        for counts in &by_level {
            assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
        }
        let best = by_level.map(|counts| counts[0]);
        assert!(best.is_sorted_by(|a, b| a < b) && best[0] > 500 && best[3] > 1_990, "{best:?}");
    }

    #[test]
    fn the_order_of_the_lines_does_not_matter() {
        let (down, up) = (drawn(5.0, &cp(&[50, -50])), drawn(5.0, &cp(&[-50, 50])));
        assert!(down[0].abs_diff(up[1]) < 120, "{down:?} {up:?}");
    }

    #[test]
    fn a_mate_counts_like_any_won_position() {
        let scores = [Score::win_in(1), Score::cp(2_500), Score::cp(0)];
        let counts = drawn(0.0, &scores);
        assert!(counts[0].abs_diff(counts[1]) < 150 && counts[2] < 20, "{counts:?}");
        assert_eq!(Handicap::at(3.0).draw(&[], 1), None);
    }

    #[test]
    fn effort_grows_with_every_level() {
        let levels: Vec<_> = (0..Strength::FULL).map(|level| Handicap::at(level.into())).collect();
        assert!(levels.is_sorted_by(|a, b| a.nodes < b.nodes && a.temperature > b.temperature && a.lines >= b.lines));
    }
}
