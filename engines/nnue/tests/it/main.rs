//! Networks of every format, generated, against other people's programs, and each instruction set against plain arithmetic.
#![allow(clippy::unwrap_used)]

mod engines;
mod generated;
mod moves;
mod of_chess;
mod of_own;
mod of_shogi;
mod refused;
