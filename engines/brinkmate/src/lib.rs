//! Brinkmates (hisshi): attacks by checks and threats to mate after which no defence is left.
//!
//! The length of a brinkmate is the number of plies up to the attacker's last move before the mates: after it every defence
//! is mated by checks. A move of the attacker that does not check must threaten mate: if the defender passed, checks would
//! mate.

mod brink;
mod proof;
mod solver;
mod told;
pub use brink::{Brink, ENDLESS};
pub use solver::ProofSolver;
mod taco_h;

pub use taco_h::{InnerCounts, TacoAnswer, TacoFound, TacoH, TacoLimit, TacoOptions};
