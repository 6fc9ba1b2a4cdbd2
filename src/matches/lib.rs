//! Matches between engines: `hasami match`.
//!
//! # The course of a game
//! ```text
//!   schedule: game 17 -> engine_pool: two players -> talk: a new game -> game: request -> talk: `position`, `go`
//!   player's thread: `bestmove` -> PlayerNotice -> runner -> talk: OpponentNews -> game: answer -> the next request,
//!   or the end
//!   the end: journal (synchronized to the disk) -> records -> scores -> statistics -> the watcher (progress bar, report)
//! ```
//!
//! - Modules without threads, processes, files or clocks: [`schedule`], `control`, `clock`, `game`, `adjudicate`,
//!   `talk`, [`scores`], [`stats`], [`faults`], [`lender`], `limits`, `report`, `chart`, `summary`
//! - The game: [`hasami_catalog::GameRules`] and the referee that it creates
//! - Files: [`openings`], `record`, [`journal`], [`identity`]; engine processes: `player`, `engine_pool`, `lanes`
//! - [`runner`]: games in progress; [`recorder`]: finished games; [`run`]: a match on this machine (on other machines:
//!   `src/remote`)
//!
//! The pairing and the opening of a game depend only on its number, and a game is in the journal, on disk, before it is
//! counted, so a match that continues after a kill plays exactly the missing games. A move is timed from the writing of
//! `go` to the arrival of `bestmove` on the engine's thread, so that a busy match loop costs no player time.
//!
//! ```
//! use hasami_matches::stats::ResultTally;
//!
//! let mut tally = ResultTally::default();
//! for half_points in [2, 1, 2, 0] {
//!     tally.add_game(half_points);
//! }
//! assert_eq!(tally.points(), 2.5);
//! ```

mod adjudicate;
pub mod archive;
pub mod by_machine;
pub(crate) mod chart;
mod clock;
pub mod contradiction;
pub mod control;
pub mod declared;
pub mod deviations;
pub mod engine_pool;
pub mod events;
pub mod faults;
mod game;
pub mod identity;
pub mod journal;
pub mod lanes;
pub mod lender;
mod limits;
pub mod log;
pub mod machine;
pub mod names;
pub mod notices;
pub mod openings;
pub mod player;
pub mod record;
pub mod recorder;
mod repeats;
pub mod report;
pub mod run;
pub mod runner;
pub mod schedule;
pub mod scores;
pub mod search;
pub mod settings;
mod setup;
pub mod spec;
pub mod stats;
mod summary;
pub mod talk;
pub mod tuning;
pub mod warnings;

pub use adjudicate::{AdjudicationRules as Adjudication, DrawRule, ResignRule};
pub use setup::{read_openings, terms};
pub use talk::Patience;
