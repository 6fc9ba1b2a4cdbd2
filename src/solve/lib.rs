//! Reads mate problems, solves them one after another, formats the results, and checks claimed solutions.
//!
//! - `problem`: lists of positions, each with a name and optionally the recorded length of its mate
//! - `stipulation`: detects problems that ask for something other than a mate against every defence; they are rejected
//! - `solver`: solves one problem after another with one table, each within its time limit; `watch` ends
//!   searches; `many`: runs several solvers at once
//! - `solution`: formats a result as a line or as JSON; `tally`: counts results and compares them with the record
//! - `open`: reasons why a problem is undecided
//! - `extras`: additional facts for composers: other moves that mate, and the pieces left in hand
//! - `levels`: additional results of a level-synchronous search
//! - `claim`: reads the solutions of any solver; `replay`: checks that a line mates; `verify`: compares claims with
//!   problems
//! - `picture`: draws a position and its main line as SVG; `proof_picture`: draws the first moves of a proof
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
pub mod extras;
pub mod levels;
pub mod many;
pub mod open;
pub mod picture;
pub mod problem;
pub mod proof_picture;
pub mod replay;
pub mod solution;
pub mod solver;
pub mod stipulation;
pub mod tally;
pub mod verify;
mod watch;

pub use watch::SolverStop;
