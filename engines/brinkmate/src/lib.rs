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
//!
//! ```
//! use hasami_api::{Limits, Line, Start, Stop, Task};
//! use hasami_brinkmate::{BrinkmateAnswer, BrinkmateRequest, BrinkmateSolver, ProofSolver};
//! use hasami_mate::SolverOptions;
//! use hasami_shogi::Shogi;
//!
//! // A lone pawn threatens nothing.
//! let start = Start { text: Some("4k4/9/9/9/9/9/4P4/9/9 b - 1".into()), ..Start::default() };
//! let limits = Limits { nodes: Some(10_000), ..Limits::default() };
//! let task = Task { line: Line { start, moves: Vec::new() }, limits, ..Task::default() };
//! let mut solver = ProofSolver::<Shogi>::new(&SolverOptions { hash_mb: 1, ..SolverOptions::default() });
//! let found = solver.solve(&task, BrinkmateRequest::default(), &Stop::new(), &mut |_| {}).expect("a position");
//! assert_eq!(found.answer, BrinkmateAnswer::None { within: None });
//! ```
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
