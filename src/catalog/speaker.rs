//! Writes moves in notations for people.

use super::GameRules;
use hasami_api::{Line, MoveText, Start};

/// The notation of moves in output for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// The usual notation of the game's players: SAN, or Japanese notation.
    #[default]
    Players,
    /// Western notation, where it differs from [`Self::Players`].
    Western,
    /// The notation of the game's protocol.
    Protocol,
}

/// Writes the moves of lines that start from the same position.
pub struct Speaker {
    catalog: Option<&'static dyn GameRules>,
    notation: Notation,
    start: Start,
}

impl Speaker {
    /// Creates a speaker for lines that start at the end of `root`.
    pub fn at(catalog: &'static dyn GameRules, root: &Line, notation: Notation) -> Self {
        // Lines start from the current position; with the game's history, every line would replay the whole game.
        let text = catalog.position(root).ok().map(Into::into);
        let start = Start { text: text.or_else(|| root.start.text.clone()), ..root.start.clone() };
        Self { catalog: Some(catalog), notation, start }
    }

    /// Creates a speaker that writes moves in the protocol's notation, from any position.
    pub fn of_protocol() -> Self {
        Self { catalog: None, notation: Notation::Protocol, start: Start::default() }
    }

    /// Returns a line that starts at the speaker's position.
    pub fn line(&self, moves: &[MoveText]) -> Line {
        Line { start: self.start.clone(), moves: moves.to_vec() }
    }

    /// Writes the moves of a line in the chosen notation, or in the protocol's notation if the game rejects the line.
    pub fn moves(&self, moves: &[MoveText]) -> Vec<String> {
        let spoken = match (self.catalog, self.notation) {
            (Some(catalog), Notation::Players) => catalog.notation(&self.line(moves)).ok(),
            (Some(catalog), Notation::Western) => catalog.western(&self.line(moves)).ok(),
            (None, _) | (_, Notation::Protocol) => None,
        };
        spoken.unwrap_or_else(|| moves.iter().map(ToString::to_string).collect())
    }

    /// Writes the moves of a line, separated by spaces.
    pub fn text(&self, moves: &[MoveText]) -> String {
        self.moves(moves).join(" ")
    }

    /// Writes the last move of a line.
    pub fn last(&self, path: &[MoveText]) -> String {
        self.moves(path).pop().unwrap_or_default()
    }
}
