//! Games of the engine with itself, whose positions are what networks learn from: `hasami selfplay`.
//!
//! - `plan`: the conditions; `game`: one game by them; `soft_limit`: when the search of a move ends
//! - `run`: many games in threads, `in_order` like all that is done so
//! - `rescore`: the scores of another network for such games; `distillation`: labelled positions around those of games
//! - `file`: where they go, in their order, so that the file says which games are done
//!
//! A game depends on nothing but the plan and its number. The file is therefore the same to the byte for any number of
//! threads, and a run that was broken off goes on where the file ends.

mod distillation;
mod file;
mod game;
mod in_order;
mod plan;
mod rescore;
mod run;
mod soft_limit;

pub use distillation::{Distillation, seed_of_game};
pub use game::play;
pub use in_order::in_order;
pub use plan::{Adjudication, SelfPlayPlan, USUAL_OPENING_SCORE, usual_hash};
pub use rescore::rescorer;
pub use run::{SelfPlayProgress, SelfPlayWriter, run};
