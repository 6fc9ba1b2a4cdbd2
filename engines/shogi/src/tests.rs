//! The rules against other programs.

#![allow(clippy::unwrap_used)]

mod crowded;
mod oracle;
mod perft;
