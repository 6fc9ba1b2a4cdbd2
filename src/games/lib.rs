//! The table of Hasami's games. A new game needs one crate and one entry; no other code in `src` names a game.
//!
//! - [`GAMES`]: every game, the default one first
//! - [`Entry`]: a game's entry, in a file of its own; `entry`, `solvers`: the only files that name searches and solvers
//! - [`book`]: opening books, on disk and built in
//!
//! ```
//! use hasami_api::Line;
//! use hasami_games::find;
//!
//! let chess = find("chess").expect("a game of the table");
//! let line = chess.typed_line(&Line::default(), "1. e4 e5 2. Nf3").expect("legal moves");
//! assert_eq!(chess.notation(&line).expect("legal moves"), ["e4", "e5", "Nf3"]);
//! ```
//!
//! Only the program `hasami`, the laboratory `hasami-lab` and tests use this crate. All other code gets the table as
//! [`Games`], or one game as [`Catalog`].

pub mod book;
mod chess;
mod entry;
mod shogi;
mod solvers;

pub use chess::ENTRY as CHESS;
pub use entry::{Brinkmates, Entry};
pub use shogi::ENTRY as SHOGI;
pub use solvers::certified_position;

use hasami_catalog::{Catalog, Games};

/// Every game, the default one first.
pub static GAMES: Games = Games::new(&[&CHESS, &SHOGI]);

pub fn find(name: &str) -> Option<&'static dyn Catalog> {
    GAMES.find(name)
}

#[cfg(test)]
mod tests;
