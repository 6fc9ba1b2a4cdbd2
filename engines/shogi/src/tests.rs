//! Tests of the rules, many of them against other programs.

#![allow(clippy::unwrap_used)]

mod crowded;
mod oracle;
mod perft;
