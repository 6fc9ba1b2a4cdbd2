//! Games of the engine with itself, whose positions are what networks learn from: `hasami selfplay`.
//!
//! - `plan`: the conditions; `game`: one game by them; `run`: many of them in threads
//! - `rescore`: the scores of another network for such games
//! - `file`: where they go, in their order, so that the file says which games are done
//!
//! A game depends on nothing but the plan and its number. The file is therefore the same to the byte for any number of
//! threads, and a run that was broken off goes on where the file ends.

mod file;
mod game;
mod plan;
mod rescore;
mod run;

pub use game::play;
pub use plan::{Adjudication, SelfPlayPlan};
pub use rescore::rescore;
pub use run::{SelfPlayProgress, SelfPlayWriter, run};
