//! Tests certificates of small problems that were solved by brute force. Correct certificates must be accepted, and
//! corrupt certificates must be rejected.
#![allow(clippy::unwrap_used)]

mod attack;
mod brute;
mod file;
mod mutate;
mod mutations;
mod none;
mod refute;
mod samples;
