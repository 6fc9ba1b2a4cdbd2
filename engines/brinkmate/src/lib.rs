//! Brinkmates (hisshi): attacks by checks and threats to mate after which no defence is left.
//!
//! The length of a brinkmate is the number of plies up to the attacker's last move before the mates: after it every defence
//! is mated by checks. A move of the attacker that does not check must threaten mate: if the defender passed, checks would
//! mate.
//!
//! - `interface`: what a solver is asked and what it finds
//! - `brink`: a game whose attacker need not check and whose defender may pass, to be searched by proof numbers
//! - `proof`: the attacker's whole strategy out of a table, as a certificate; `told`: as people see it; `refutation`: the
//!   defender's
//! - `solver`: the solver with a guarantee; `floating`: as one that looks at the leaves of a game's tree
//! - `taco_h`: the algorithm of Hashimoto et al. 2001, without one; `taco_solver`: as the program sees it
#![warn(missing_docs)]

mod brink;
mod floating;
mod interface;
mod proof;
mod refutation;
mod solver;
mod taco_h;
mod taco_solver;
mod told;

pub use brink::{Brink, BrinkProver, ENDLESS, ThreatRules};
pub use floating::FloatingSolver;
pub use interface::{
    BrinkmateAnswer, BrinkmateFindings, BrinkmateRequest, BrinkmateSearch, BrinkmateSolver, InnerSearches,
};
pub use solver::ProofSolver;
pub use taco_h::{TacoAnswer, TacoFound, TacoH, TacoLimit, TacoOptions};
pub use taco_solver::TacoSolver;
