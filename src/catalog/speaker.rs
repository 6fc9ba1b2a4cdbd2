//! Moves as people write them.

use super::Catalog;
use hasami_api::{Line, MoveText, Start};

/// How moves are written for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// As players of the game do: SAN, Japanese notation.
    #[default]
    Players,
    /// As Western players of the game do, where that is another way.
    Western,
    /// As the game's protocol does.
    Protocol,
}

/// Writes lines that begin at one position.
pub struct Speaker {
    catalog: Option<&'static dyn Catalog>,
    notation: Notation,
    start: Start,
}

impl Speaker {
    /// For lines that begin at the end of `root`.
    pub fn at(catalog: &'static dyn Catalog, root: &Line, notation: Notation) -> Self {
        // A position is shorter than its history, which would be replayed for every line.
        let text = catalog.position(root).ok().map(Into::into);
        let start = Start { text: text.or_else(|| root.start.text.clone()), ..root.start.clone() };
        Self { catalog: Some(catalog), notation, start }
    }

    /// Writes what the protocol says, whatever the position.
    pub fn of_protocol() -> Self {
        Self { catalog: None, notation: Notation::Protocol, start: Start::default() }
    }

    /// A line from its position on.
    pub fn line(&self, moves: &[MoveText]) -> Line {
        Line { start: self.start.clone(), moves: moves.to_vec() }
    }

    /// The moves of a line; those that the game refuses as the protocol writes them.
    pub fn moves(&self, moves: &[MoveText]) -> Vec<String> {
        let spoken = match (self.catalog, self.notation) {
            (Some(catalog), Notation::Players) => catalog.notation(&self.line(moves)).ok(),
            (Some(catalog), Notation::Western) => catalog.western(&self.line(moves)).ok(),
            (None, _) | (_, Notation::Protocol) => None,
        };
        spoken.unwrap_or_else(|| moves.iter().map(ToString::to_string).collect())
    }

    /// The same in one text.
    pub fn text(&self, moves: &[MoveText]) -> String {
        self.moves(moves).join(" ")
    }

    /// The last move of a line.
    pub fn last(&self, path: &[MoveText]) -> String {
        self.moves(path).pop().unwrap_or_default()
    }
}
