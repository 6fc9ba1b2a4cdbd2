//! Tests the rules, mostly by comparison with other programs.

#![allow(clippy::unwrap_used)]

mod crowded;
mod oracle;
mod perft;
