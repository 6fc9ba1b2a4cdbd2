//! Signs at the root of the tree that thinking longer is worth it, or not.

use std::time::Duration;

/// The state of the root at one moment. The default is "nothing known".
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Signs {
    /// Some worker has reported a value, so the best move is more than a guess.
    pub known: bool,
    /// There is one legal move.
    pub forced: bool,
    /// The answer to our move is worth knowing: the search goes on after it.
    pub ponders: bool,
    /// Nothing still being searched can change the move: a mate is found, every root move is solved, or the other moves
    /// could not catch up in the time left.
    pub settled: bool,
    /// How long the best move has been the best.
    pub stable_for: Duration,
    /// How far the score lies below that of our last move (or of this search's best), centipawns; negative: it rose.
    pub drop_cp: i32,
    /// Distance to the second best move, centipawns, where it is known.
    pub gap_cp: Option<i32>,
    /// Part of the root's nodes that went below the best move, 0 to 1, where it is known.
    pub share: Option<f64>,
    /// How long this position was searched before the clock ran.
    pub carried: Duration,
}

impl Signs {
    /// The move cannot change any more, and nothing else is to be found out.
    pub fn is_final(&self) -> bool {
        self.known && (self.settled || self.forced && !self.ponders)
    }

    /// Factor on the usual time, 0.3 to 2.5: below 1 when the choice looks clear, above 1 when it is in doubt.
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
