//! `hasami selfplay`: games of Hasami against itself, whose positions are used to train networks.
//!
//! - `plan`: the conditions; `game`: one game; `soft_limit`: when the search of a move ends
//! - `run`: many games in threads; `in_order`: runs jobs in threads and keeps their results in order
//! - `distillation`: labelled positions near those of games
//! - `file`: stores the games ordered by number, so that the file shows which games are done
//!
//! Because a game depends only on the plan and the game's number, the game file is the same for any number of threads,
//! and an interrupted run continues where the file ends.
//!
//! ```
//! use hasami_protocol::Settings;
//! use hasami_selfplay::{Adjudication, SelfPlayPlan, USUAL_OPENING_SCORE, play};
//!
//! let chess = hasami_games::GAMES.first();
//! let plan = SelfPlayPlan {
//!     game: chess.name(),
//!     evaluation: "the built-in network".to_owned(),
//!     seed: 1,
//!     nodes: 10,
//!     random_plies: 8,
//!     most_opening_score: USUAL_OPENING_SCORE,
//!     hash_mb: 1,
//!     adjudication: Adjudication { most_plies: 20, ..Adjudication::default() },
//!     openings: Vec::new(),
//!     openings_file: None,
//! };
//! let mut engine = chess.engines(&Settings::default())();
//! let game = play(chess, &plan, 0, engine.as_mut(), &|| false)?.expect("the game is not interrupted");
//! assert!((1..=20).contains(&game.moves.len()));
//! # Ok::<(), String>(())
//! ```

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
