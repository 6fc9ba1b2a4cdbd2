//! `hasami selfplay`: games of Hasami against itself, whose positions are used to train networks.
//!
//! - `plan`: the conditions; `game`: one game; `soft_limit`: when the search of a move ends
//! - `run`: many games in threads; `in_order`: runs jobs in threads and keeps their results in order
//! - `distillation`: labelled positions near those of games
//! - `file`: stores the games ordered by number, so that the file shows which games are done
//!
//! Because a game depends only on the plan and the game's number, the game file is the same for any number of threads,
//! and an interrupted run continues where the file ends.

mod distillation;
mod file;
mod game;
mod in_order;
mod plan;
mod run;
mod soft_limit;

pub use distillation::Distillation;
pub use game::play;
pub use plan::{Adjudication, SelfPlayPlan, USUAL_OPENING_SCORE, usual_hash};
pub use run::{SelfPlayProgress, run};
