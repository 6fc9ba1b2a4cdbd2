//! Signs at the root of the tree that show whether longer thinking is worthwhile.

use std::time::Duration;

/// What is known about the root at a certain time. By default, nothing is known about the root.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Signs {
    /// True if a worker has reported a value. Before the first report, the best move is only a guess.
    pub known: bool,
    /// True if there is only one legal move.
    pub forced: bool,
    /// True if pondering is on, so that even a forced move is searched until the expected reply is known.
    pub ponders: bool,
    /// True if no running search can change the best move any more: a mate was found, every root move is solved, or the
    /// other moves cannot catch up in the remaining time.
    pub settled: bool,
    /// Time since the best move last changed.
    pub stable_for: Duration,
    /// Number of centipawns by which the score has dropped since the search began, negative if it rose. The initial
    /// score comes from an earlier search if there is one; if not, it is the first score of this search.
    pub drop_cp: i32,
    /// Gap between the best and the second best move in centipawns, if known.
    pub gap_cp: Option<i32>,
    /// Share of the root's nodes that were searched below the best move, from 0 to 1, if known.
    pub share: Option<f64>,
    /// How long the root position was searched before the clock started.
    pub carried: Duration,
}

impl Signs {
    /// Returns whether the search may end at once: the move cannot change, and no expected reply has to be found.
    pub fn is_final(&self) -> bool {
        self.known && (self.settled || self.forced && !self.ponders)
    }

    /// Multiplier for the usual search time, from 0.3 if the best move is clear to 2.5 if it is in doubt.
    pub fn doubt(&self, elapsed: Duration) -> f64 {
        let product = self.by_stability(elapsed) * self.by_drop() * self.by_gap() * self.by_share();
        product.clamp(0.3, 2.5)
    }

    fn by_stability(&self, elapsed: Duration) -> f64 {
        let searched = (elapsed + self.carried).as_secs_f64();
        let age = if searched > 0.0 { (self.stable_for.as_secs_f64() / searched).min(1.0) } else { 0.0 };
        1.3 - 0.5 * age
    }

    fn by_drop(&self) -> f64 {
        1.0 + f64::from(self.drop_cp.clamp(-20, 80)) / 100.0
    }

    fn by_gap(&self) -> f64 {
        self.gap_cp.map_or(1.0, |gap| 1.15 - 0.5 * f64::from(gap.clamp(0, 150)) / 150.0)
    }

    fn by_share(&self) -> f64 {
        self.share.map_or(1.0, |share| 1.3 - 0.6 * share.clamp(0.0, 1.0))
    }
}
