//! Positions and moves for the eyes of people.

use crate::{Game, Moves, Prohibition, Side};

/// A man on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RenderedPiece {
    /// From the left, from 0.
    pub column: u8,
    /// From the top, from 0.
    pub row: u8,
    /// The owner.
    pub side: Side,
    /// The letter or character by which players know it.
    pub glyph: &'static str,
    /// It stands promoted (shogi): shown in another colour.
    pub promoted: bool,
}

/// A board as it is printed, the first player at the bottom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// Labels of the columns, from the left.
    pub columns: Vec<&'static str>,
    /// Labels of the rows, from the top.
    pub rows: Vec<&'static str>,
    /// Squares have two colours; else there are lines between them.
    pub is_chequered: bool,
    /// The second player's men stand upside down.
    pub is_turned: bool,
    /// The pieces on the board, in any order.
    pub men: Vec<RenderedPiece>,
    /// By [`Side::index`]: what is held, and how many of it.
    pub hands: [Vec<(&'static str, u32)>; 2],
}

/// Where a move leads on a [`Diagram`]: column and row, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovePlaces {
    /// Where the man stood; `None`: it came from the hand.
    pub from: Option<(u8, u8)>,
    /// Where it goes. (Castling: that of the king.)
    pub to: (u8, u8),
}

/// A game that people can look at.
pub trait Render: Game {
    /// The position as a board for people.
    fn diagram(&self) -> Diagram;

    /// Where a legal move leads on [`Self::diagram`].
    fn places(&self, m: Self::Move) -> MovePlaces;

    /// A legal move as players write it: `Qxf7#`, `▲５二金打`.
    fn notation(&self, m: Self::Move) -> String;

    /// The same as Western players write it, where that is another way: `G*5b`, `Sx2b+`.
    fn western(&self, m: Self::Move) -> String {
        self.notation(m)
    }

    /// The legal moves that a person may mean by this text, in any notation of the game's players; several where the text
    /// does not tell them apart. `None`: it is no notation of a move.
    fn typed(&self, text: &str) -> Option<Vec<Self::Move>> {
        let mut legal = Moves::new();
        self.legal_moves(&mut legal);
        let is_meant = |m: &Self::Move| self.notation(*m) == text || self.western(*m) == text;
        let found: Vec<Self::Move> = legal.iter().copied().filter(is_meant).collect();
        (!found.is_empty()).then_some(found)
    }

    /// The rule that forbids what a person may mean by this text, where no legal move fits it.
    fn forbidden(&self, _text: &str) -> Option<Prohibition> {
        None
    }
}
