//! The integration tests of the program: one file a topic.
#![allow(clippy::unwrap_used)]

mod cli;
mod docs;
mod dialogues;
mod imports;
mod search;
