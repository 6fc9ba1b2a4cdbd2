//! Tunes the options of engines by games (`hasami tune`), with simultaneous perturbation stochastic approximation
//! (SPSA, Spall 1992) and the step sizes of fishtest.
//!
//! - `parameter`: an option, its range and its step; `spsa`: the walk, a pure function of its results
//! - `journal`: the results on disk, one line per iteration, from which an interrupted tuning is replayed

mod journal;
mod parameter;
mod spsa;

pub use journal::{TuningJournal, replay};
pub use parameter::TunedOption;
pub use spsa::{Iteration, Spsa, SpsaPlan};
