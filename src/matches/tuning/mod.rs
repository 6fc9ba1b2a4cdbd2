//! Tuning of engine options by games: simultaneous perturbation stochastic approximation (SPSA, Spall 1992), with the step
//! sizes that fishtest made usual: `hasami tune`.
//!
//! - `parameter`: an option, its range and its step; `spsa`: the walk, a pure function of its results
//! - `journal`: the results on the disk, one line an iteration; a tuning that was broken off is their replay

mod journal;
mod parameter;
mod spsa;

pub use journal::{OldJournal, TuningJournal, read_journal, replay};
pub use parameter::TunedOption;
pub use spsa::{Iteration, Spsa, SpsaPlan};
