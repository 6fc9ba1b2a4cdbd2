//! What one game offers to the program around it: the only way from the protocol side to a concrete game.

use crate::manager::Manage;
use crate::protocol::{Dialect, Settings};
use hasami_api::{InvalidPosition, Line, MoveText, Searcher, Start};

/// A game, its dialect, and the engines on offer. One entry of the table in `games.rs`.
pub trait Catalog: Send + Sync {
    /// `chess`, `shogi`.
    fn name(&self) -> &'static str;

    fn dialect(&self) -> &'static dyn Dialect;

    fn manager(&self, settings: &Settings) -> Box<dyn Manage>;

    /// A maker of sequential engines for thread workers: every call gives one more, all on one table if
    /// [`Settings::shared_hash`] says so.
    fn engines(&self, settings: &Settings) -> Box<dyn FnMut() -> Box<dyn Searcher> + Send>;

    /// A solver for [`hasami_api::Goal::Mate`] and [`hasami_api::Goal::MateWithin`].
    fn mate_solver(&self, settings: &Settings) -> Box<dyn Searcher>;

    /// Leaf counts below each legal move, in the order of generation.
    fn perft(&self, start: &Start, depth: u32) -> Result<Vec<(MoveText, u64)>, InvalidPosition>;

    /// Checks a line against the rules.
    fn check(&self, line: &Line) -> Result<(), String>;
}
