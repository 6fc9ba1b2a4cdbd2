//! The games that a program has.

use super::Catalog;
use crate::protocol::Protocol;

/// A table of games, the default one first. It is handed in by whoever starts the program, so that a program with one more
/// game differs in its `main` only.
#[derive(Clone, Copy)]
pub struct Games(&'static [&'static dyn Catalog]);

impl Games {
    /// Panics on an empty table: there is no program without a game.
    pub const fn new(games: &'static [&'static dyn Catalog]) -> Self {
        assert!(!games.is_empty());
        Self(games)
    }

    /// The default one.
    pub fn first(self) -> &'static dyn Catalog {
        self.0[0]
    }

    /// In the order of the table.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = &'static dyn Catalog> {
        self.0.iter().copied()
    }

    /// The words of `--game`.
    pub fn names(self) -> Vec<&'static str> {
        self.iter().map(Catalog::name).collect()
    }

    pub fn find(self, name: &str) -> Option<&'static dyn Catalog> {
        self.iter().find(|game| game.name() == name)
    }

    /// The first game whose protocol begins with this word: `uci`, `usi`.
    pub fn greeted(self, word: &str) -> Option<&'static dyn Catalog> {
        self.iter().find(|game| game.dialect().greeting() == word)
    }

    /// The games of a protocol.
    pub fn speaking(self, protocol: Protocol) -> impl Iterator<Item = &'static dyn Catalog> {
        self.iter().filter(move |game| game.dialect().protocol() == protocol)
    }
}
