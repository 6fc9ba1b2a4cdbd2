//! Compares generated networks of every format with other programs, and each instruction set with plain arithmetic.
#![allow(clippy::unwrap_used)]

mod engines;
mod generated;
mod moves;
mod of_chess;
mod of_own;
mod of_shogi;
mod refused;
