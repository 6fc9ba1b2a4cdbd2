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
