//! The integration tests of the program: one file a topic.
#![allow(clippy::unwrap_used)]

mod cli;
mod dialogues;
mod docs;
mod imports;
mod search;
