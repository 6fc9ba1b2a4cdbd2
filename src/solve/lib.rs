//! Mate problems: read, solved one after another, told, and solutions replayed.
//!
//! - `problem`: lists of positions with a name and, where it is known, the length of the mate
//! - `stipulation`: problems that ask for something else than a mate against every defence, which are refused
//! - `solver`: one problem after another on one table, each within its time; `deadline` and `watch` end searches; `many`:
//!   several solvers at once
//! - `solution`: what was found, as a line or as JSON; `tally`: the sum of them, and what differs from the record
//! - `open`: why a problem is open
//! - `recorded`: answers read again, when a list goes on
//! - `extras`: what composers want to know beside the answer: other moves that mate, and what is left in hand
//! - `levels`: what a search level after level tells beside its answer
//! - `claim`: solutions of any solver, read; `replay`: whether a line mates; `verify`: claims beside their problems
//! - `picture`: a position and its main line as SVG; `proof_picture`: the beginning of a proof
//!
//! ```
//! use hasami_solve::problem::MateProblem;
//!
//! let shogi = hasami_games::find("shogi").expect("a game of the table");
//! assert!(MateProblem::new("gold", "4k4/9/4P4/9/9/9/9/9/9 b G 1", shogi).is_ok());
//! assert!(MateProblem::new("nothing", "4k4", shogi).is_err());
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod claim;
mod deadline;
pub mod extras;
pub mod levels;
pub mod many;
pub mod open;
pub mod picture;
pub mod problem;
pub mod proof_picture;
pub mod recorded;
pub mod replay;
pub mod solution;
pub mod solver;
pub mod stipulation;
pub mod tally;
pub mod verify;
mod watch;

pub use watch::Ender;
