//! Generated networks of every format are compared with other people's programs, and each instruction set with plain
//! arithmetic.
#![allow(clippy::unwrap_used)]

mod engines;
mod generated;
mod moves;
mod of_chess;
mod of_own;
mod of_shogi;
mod refused;
