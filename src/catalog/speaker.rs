//! Moves in the notations that people write.

use super::GameRules;
use hasami_api::{Line, MoveText, Start};

/// How moves are written for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// As players of the game write them: SAN, Japanese notation.
    #[default]
    Players,
    /// As Western players write them, if they use another notation.
    Western,
    /// As the protocol of the game writes them.
    Protocol,
}

/// Writes the moves of lines that start from the same position.
pub struct Speaker {
    catalog: Option<&'static dyn GameRules>,
    notation: Notation,
    start: Start,
}

impl Speaker {
    /// For lines that start at the end of `root`.
    pub fn at(catalog: &'static dyn GameRules, root: &Line, notation: Notation) -> Self {
        // The position is used instead of the history, which would be replayed for every line.
        let text = catalog.position(root).ok().map(Into::into);
        let start = Start { text: text.or_else(|| root.start.text.clone()), ..root.start.clone() };
        Self { catalog: Some(catalog), notation, start }
    }

    /// Writes moves as the protocol does, for any position.
    pub fn of_protocol() -> Self {
        Self { catalog: None, notation: Notation::Protocol, start: Start::default() }
    }

    /// A line from the speaker's position.
    pub fn line(&self, moves: &[MoveText]) -> Line {
        Line { start: self.start.clone(), moves: moves.to_vec() }
    }

    /// The moves of a line in the chosen notation, or as the protocol writes them if the game rejects the line.
    pub fn moves(&self, moves: &[MoveText]) -> Vec<String> {
        let spoken = match (self.catalog, self.notation) {
            (Some(catalog), Notation::Players) => catalog.notation(&self.line(moves)).ok(),
            (Some(catalog), Notation::Western) => catalog.western(&self.line(moves)).ok(),
            (None, _) | (_, Notation::Protocol) => None,
        };
        spoken.unwrap_or_else(|| moves.iter().map(ToString::to_string).collect())
    }

    /// The moves of a line, separated by spaces.
    pub fn text(&self, moves: &[MoveText]) -> String {
        self.moves(moves).join(" ")
    }

    /// The last move of a line.
    pub fn last(&self, path: &[MoveText]) -> String {
        self.moves(path).pop().unwrap_or_default()
    }
}
