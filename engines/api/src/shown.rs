//! How positions and moves are displayed to people.

use crate::{Game, Moves, Prohibition, Side};

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RenderedPiece {
    /// Column, counted from 0 at the left.
    pub column: u8,
    /// Row, counted from 0 at the top.
    pub row: u8,
    /// The side that owns the piece.
    pub side: Side,
    /// The letter or character that players use for the piece.
    pub glyph: &'static str,
    /// Whether the piece is promoted in shogi. Promoted pieces are shown in another colour.
    pub promoted: bool,
}

/// A board to be displayed, with the first player at the bottom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// Labels of the columns, from left to right.
    pub columns: Vec<&'static str>,
    /// Labels of the rows, from top to bottom.
    pub rows: Vec<&'static str>,
    /// Whether squares alternate between two colours rather than being separated by lines.
    pub is_chequered: bool,
    /// Whether the pieces of the second player are drawn upside down.
    pub is_turned: bool,
    /// The pieces on the board, in no particular order.
    pub men: Vec<RenderedPiece>,
    /// The kinds of pieces in hand and how many there are of each, indexed by [`Side::index`].
    pub hands: [Vec<(&'static str, u32)>; 2],
}

/// The squares of a move on a [`Diagram`], each as column and row, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovePlaces {
    /// The square that the piece leaves; `None` for a drop.
    pub from: Option<(u8, u8)>,
    /// The target square of the piece; in castling, that of the king.
    pub to: (u8, u8),
}

/// A game whose positions and moves can be displayed.
pub trait Render: Game {
    /// Returns the current position as a diagram.
    fn diagram(&self) -> Diagram;

    /// Returns the squares that a legal move leaves and reaches on [`Self::diagram`].
    fn places(&self, m: Self::Move) -> MovePlaces;

    /// Formats a legal move in the notation of the game's players: `Qxf7#`, `▲５二金打`.
    fn notation(&self, m: Self::Move) -> String;

    /// Formats a legal move in Western notation: `G*5b`, `Sx2b+`; the same as [`Self::notation`] where the game has no
    /// separate Western notation.
    fn western(&self, m: Self::Move) -> String {
        self.notation(m)
    }

    /// Returns the legal moves that match the text in any notation of the game's players; several moves if the text is
    /// ambiguous. Returns `None` if the text is not a move.
    fn typed(&self, text: &str) -> Option<Vec<Self::Move>> {
        let mut legal = Moves::new();
        self.legal_moves(&mut legal);
        let is_meant = |m: &Self::Move| self.notation(*m) == text || self.western(*m) == text;
        let found: Vec<Self::Move> = legal.iter().copied().filter(is_meant).collect();
        (!found.is_empty()).then_some(found)
    }

    /// If the text describes an illegal move, returns the rule that forbids this move.
    fn forbidden(&self, _text: &str) -> Option<Prohibition> {
        None
    }
}
