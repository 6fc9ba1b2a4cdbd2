//! Plays games on other machines: `hasami match --machines`, `hasami tune --machines`, and `hasami worker --games`
//! (docs/guide/games.md, docs/design/games.md).
//!
//! - [`task`]: the messages; [`queue`]: their transport over JetStream, which holds all asynchronous code of `games`
//! - [`remote_match`]: the caller's side; [`match_place`]: the description of a match for other machines;
//!   `known_machines`: the machines that a caller has heard from
//! - [`host`]: what the owner of a machine allows; [`program_hashes`]: the hashes of its engines; [`lender`]: which
//!   match is next on a machine; `slot`: a thread that plays one game at a time, with the same code as local matches
//!   ([`hasami_matches`]); [`running`]: the games in progress; [`load`]: the speed of the machine
//!
//! # Invariants
//! 1. The caller's journal is authoritative. A task stays in the queue until its answer is in the queue, and an answer
//!    stays in the queue until its games are in the journal. Duplicate games are recognised by their numbers.
//! 2. All games of one opening between two engines form one task, so they are played on one machine.
//! 3. No part of a message becomes a command or a path: engines are given by name, and files by hash.

pub mod host;
mod known_machines;
pub mod lender;
pub mod load;
pub mod match_place;
pub mod program_hashes;
pub mod queue;
pub mod remote_match;
pub mod running;
mod slot;
pub mod task;
