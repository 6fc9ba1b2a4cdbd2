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
//! # Layers
//! - Without threads, processes, files or clocks: [`schedule`] (the pairings, from the number of a game alone),
//!   `control` and `clock` (time), `game` (one game), `adjudicate`, `talk` (a clock and a
//!   [`hasami_protocol::client::EngineClient`], which converts replies and times to lines and events), [`scores`],
//!   [`stats`], [`faults`], [`lender`] (what a machine that plays for others announces), `limits` (limits on nodes or
//!   plies that engines ignored), `report`, `chart`, `summary`
//! - Rules of the game: [`hasami_catalog::Referee`]; no other part of this crate depends on the game
//! - Files: [`openings`] are read; `record` and [`journal`] are written; [`identity`] hashes files and stores the names
//!   that engines report; [`deviations`] lists their options that were set differently
//! - Processes: `player` (one engine, through [`hasami_child`]), `engine_pool` (all engines), `notices` (from engines to
//!   the loop), `lanes` (their processors)
//! - `setup`, `warnings`, [`declared`]: everything that is read, asked or printed before the first game
//! - [`runner`]: games in progress; sleeps until an engine has moved or is overdue, while the thread of each engine
//!   collects its lines and wakes the runner once per move
//! - [`recorder`]: handles finished games; [`run`]: a match on this machine (on other machines: `src/remote`)
//!
//! # Invariants
//! 1. The pairing and the opening of a game depend only on its number, and the journal lists the finished games, so a
//!    match that continues after a kill plays exactly the missing games. An interrupted game is replayed from the
//!    start.
//! 2. A game is in the journal, on disk, before it is counted or written anywhere else.
//! 3. Every state of a conversation in which an engine owes an answer has a deadline.
//! 4. A move is timed from the writing of `go` to the arrival of `bestmove` on the engine's thread, so that a busy
//!    match loop costs no player time.
//! 5. A misbehaving engine affects only its own games.
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
