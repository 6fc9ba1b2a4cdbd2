//! Solvers for mates over [`hasami_api::MateGame`]: by checks, where the attacker checks and the defender tries
//! everything, and within so many moves of any kind.
//!
//! By checks: `dfpn` is the search, `frame` a node on its path, `look` a position's first value, `combine` that of a node with
//! children, `hands` what of the attacker's hand a value needs, `path` the detection of cycles, `table` the memory of `value`s;
//! `line` turns a proof into a main line and replays it. `within` is the search of any moves; `solver` is the seam to the
//! program. `shortest` proves that no mate is shorter; `tsume` counts as composers do; `others` finds further keys and cooks, and
//! `proof` tells the beginning of a proof as a tree.
//!
//! For other searches: `prover` decides positions whose attacks need not be checks, where `sample` tries what proves an attack
//! against one answer against others; `inner` answers about one position after the other.
//!
//! By several processors, which a `machine` runs on threads or in virtual time: `parallel`, ours, over one table, where
//! `beside` keeps the searches apart; `aohpas` in pincers; `cells`, a host and cells that share no memory; `levels`, all positions of
//! a level at once.

mod algorithm;
mod aohpas;
mod beside;
mod cells;
mod combine;
mod dfpn;
mod frame;
mod hands;
mod inner;
mod levels;
mod line;
mod look;
mod machine;
mod others;
mod parallel;
mod path;
mod proof;
mod prover;
mod sample;
mod shortest;
mod solver;
mod style;
mod table;
mod tsume;
mod value;
mod within;

pub use algorithm::Algorithm;
pub use cells::MateCell;
pub use inner::{InnerMate, InnerMates, InnerMemory};
pub use prover::{Known, Prover, Searched};
pub use solver::{MateSolver, play_line};

#[cfg(test)]
mod tests;
