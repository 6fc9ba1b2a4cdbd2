//! A game to be played, and one that is over.

use hasami_api::{Ending, Outcome};

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// From 0, in the order of play.
    pub game: u32,
    /// From 1.
    pub round: u32,
    /// The games of one opening between two engines have the same number.
    pub group: u32,
    /// Engines with the first and the second move.
    pub engines: [usize; 2],
    /// Index into the openings; `None` without openings.
    pub opening: Option<usize>,
}

/// A finished game, as far as the statistics and the schedule need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinishedGame {
    pub pairing: Pairing,
    pub outcome: Outcome,
    pub ending: Ending,
}

impl FinishedGame {
    /// Half points of these two engines, if they played it.
    pub fn half_points(&self, engines: [usize; 2]) -> Option<[u32; 2]> {
        use hasami_api::Side::{First, Second};
        let [a, b] = self.pairing.engines;
        let of = |side| self.outcome.half_points(side).map(u32::from);
        let points = [of(First)?, of(Second)?];
        match engines {
            _ if engines == [a, b] => Some(points),
            _ if engines == [b, a] => Some([points[1], points[0]]),
            _ => None,
        }
    }
}
