//! Solvers for mates over [`hasami_api::MateGame`]: by checks, where the attacker checks and the defender tries
//! everything, and within so many moves of any kind.
//!
//! `dfpn` is the search by checks, `table` its memory, `line` turns a proof into a main line and replays it, `within`
//! the one of any moves; `solver` is the seam to the program. Deliberately absent: domination between hands, shortest mates, futile interpositions.

mod dfpn;
mod line;
mod solver;
mod table;
mod within;

pub use solver::MateSolver;

#[cfg(test)]
mod tests;
