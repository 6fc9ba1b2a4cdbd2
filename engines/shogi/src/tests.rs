//! The rules against other programs.

#![allow(clippy::unwrap_used)]

mod oracle;
mod perft;
