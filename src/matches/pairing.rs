//! Games of a match, before and after they are played.

use hasami_api::{Ending, Outcome};
use serde::{Deserialize, Serialize};

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// Number of the game from 0, in the order of play.
    pub game: u32,
    /// Round from 1.
    pub round: u32,
    /// Group number, which games of one opening between the same two engines share.
    pub group: u32,
    /// The engines that move first and second.
    pub engines: [usize; 2],
    /// Index into the openings; `None` without openings.
    pub opening: Option<usize>,
}

/// The facts about a finished game that the statistics and the schedule use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinishedGame {
    pub pairing: Pairing,
    pub outcome: Outcome,
    pub ending: Ending,
}
