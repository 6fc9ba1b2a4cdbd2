//! Games on other machines: `hasami match --machines`, `hasami tune`, `hasami selfplay`, and `hasami worker --games`
//! (docs/guide/games.md, docs/design/games.md).
//!
//! - [`task`]: what travels; [`queue`]: how, over JetStream, and the only asynchronous code here
//! - [`remote_match`], [`remote_self_play`]: the caller's side; [`match_place`]: what
//!   machines are told of a match; `known_machines`: the machines that it has heard of; `elsewhere`: what they play of it;
//!   `machine_settings`: how engines are set there; [`wanted_options`]: what they must have
//! - [`host`]: what the owner of a machine allows; [`engine_file`]: whether a file can be an engine; [`lender`]: whose turn it is there; `slot`: a thread that plays one game
//!   at a time with the runner of [`hasami_matches`]; [`running`]: what it tells of it; [`load`]: what else the machine does
//!
//! # Invariants
//! 1. The caller's journal is authoritative. A task stays in the queue until its answer is there, and an answer until
//!    it is in the journal. Duplicates are recognised by their numbers.
//! 2. All games of one opening between two engines form one task, so they are played on one machine.
//! 3. Nothing in a message becomes a command or a path: engines are given by name, and files by hash.

mod elsewhere;
pub mod engine_file;
pub mod host;
mod known_machines;
pub mod lender;
pub mod load;
mod machine_settings;
pub mod match_place;
pub mod queue;
pub mod remote_match;
pub mod remote_self_play;
pub mod running;
mod self_play;
mod slot;
pub mod task;
pub mod wanted_options;
