//! Checks file formats against the readers of other programs, and the trainer against the program's own networks.
#![allow(clippy::unwrap_used)]

mod chess_files;
mod garbage;
mod played;
mod shogi_files;
mod text;
mod training;
