//! Solvers for mates by checks over [`hasami_api::MateGame`]: the attacker checks, the defender tries everything.
//!
//! `dfpn` is the search, `table` its memory, `line` turns a proof into a main line and replays it, `solver` is the seam
//! to the program. Deliberately absent: domination between hands, shortest mates, futile interpositions.

mod dfpn;
mod line;
mod solver;
mod table;

pub use solver::MateSolver;

#[cfg(test)]
mod graph;
#[cfg(test)]
mod tests;
