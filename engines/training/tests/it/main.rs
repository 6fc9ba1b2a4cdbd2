//! Compares the file formats with those of other programs, and tests the trainer with Hasami's own networks.
#![allow(clippy::unwrap_used)]

mod chess_files;
mod garbage;
mod played;
mod shogi_files;
mod text;
mod training;
