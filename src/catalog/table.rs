//! The table of the games that a program supports.

use super::Catalog;
use hasami_protocol::option::option_line;
use hasami_protocol::{OptionError, Protocol, Settings};

/// A table of games, beginning with the default game. The table comes from `main`, so only `main` changes when a game
/// is added.
#[derive(Clone, Copy)]
pub struct Games(&'static [&'static dyn Catalog]);

impl Games {
    /// Creates a table.
    ///
    /// # Panics
    /// Panics if `games` is empty.
    pub const fn new(games: &'static [&'static dyn Catalog]) -> Self {
        assert!(!games.is_empty());
        Self(games)
    }

    pub fn first(self) -> &'static dyn Catalog {
        self.0[0]
    }

    /// All games, in table order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = &'static dyn Catalog> {
        self.0.iter().copied()
    }

    /// The names of the games, which are the values of `--game`.
    pub fn names(self) -> Vec<&'static str> {
        self.iter().map(|game| game.name()).collect()
    }

    pub fn find(self, name: &str) -> Option<&'static dyn Catalog> {
        self.iter().find(|game| game.name() == name)
    }

    /// Returns the first game whose protocol is greeted with `word`: `uci` or `usi`.
    pub fn greeted(self, word: &str) -> Option<&'static dyn Catalog> {
        self.iter().find(|game| game.protocol().greeting() == word)
    }

    /// Returns the games that use a protocol.
    pub fn speaking(self, protocol: Protocol) -> impl Iterator<Item = &'static dyn Catalog> {
        self.iter().filter(move |game| game.protocol() == protocol)
    }

    /// Returns the answer to `uci` or `usi`: the options of the game, including the choice of a variant if several
    /// games use the protocol.
    pub fn introduce(self, game: &dyn Catalog, settings: &Settings) -> String {
        let protocol = game.protocol();
        let mut options = game.options().declare(settings);
        if self.has_choice(protocol) {
            let words = self.speaking(protocol).map(|other| format!(" var {}", other.name())).collect::<String>();
            options += &option_line(variant(protocol), &format!("combo default {}{words}", game.name()));
        }
        game.protocol().introduce(&options)
    }

    /// Returns the game that a `setoption` command chooses, or `None` if the command sets another option. For an
    /// invalid value, the error describes the valid values.
    pub fn chosen(
        self,
        protocol: Protocol,
        name: &str,
        value: Option<&str>,
    ) -> Option<Result<&'static dyn Catalog, OptionError>> {
        let name = variant(protocol).eq_ignore_ascii_case(name).then(|| variant(protocol))?;
        if !self.has_choice(protocol) {
            return None;
        }
        let is_named = |game: &&'static dyn Catalog| value.is_some_and(|value| game.name().eq_ignore_ascii_case(value));
        let names = || self.speaking(protocol).map(|game| game.name()).collect::<Vec<_>>().join(", ");
        let found = self.speaking(protocol).find(is_named);
        Some(found.ok_or_else(|| OptionError::value(name, format!("one of {}", names()), value)))
    }

    fn has_choice(self, protocol: Protocol) -> bool {
        self.speaking(protocol).nth(1).is_some()
    }
}

/// Name of the option that chooses among the games of a protocol, as in Fairy-Stockfish.
const fn variant(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Uci => "UCI_Variant",
        Protocol::Usi => "USI_Variant",
    }
}
