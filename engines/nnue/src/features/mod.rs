//! Feature sets. From the point of view of one side, a feature set maps the king's square and an element to a row of
//! the first layer.
//!
//! All feature sets have the form row = base(king) + place(element), where the element is mirrored if the king's square
//! requires it. A feature set consists of a few small tables per side.

pub mod of_chess;
pub mod of_shogi;
mod own;

use crate::element::Inputs;

/// Marks an element that a feature set ignores.
const UNSEEN: u16 = u16::MAX;

/// The tables of a feature set for one side.
#[derive(Clone, Default)]
struct View {
    /// The term of the row number that depends on the king, indexed by the king's square.
    base: Vec<u32>,
    mirrored: Vec<bool>,
    /// For each square of the king, the first square that gives the same features.
    same: Vec<u8>,
    /// The term of the row number that depends on the element, indexed by whether it is mirrored, then by element.
    place: [Vec<u16>; 2],
}

/// A feature set: maps positions to rows of the first layer.
#[derive(Clone)]
pub struct FeatureSet {
    /// The name that the authors of the feature set use in descriptions.
    pub name: &'static str,
    /// Number of rows of the first layer.
    pub rows: usize,
    /// Whether the set has a feature that counts the pieces missing in a handicap game (piece number 0 of YaneuraOu).
    pub sees_missing: bool,
    views: [View; 2],
}

impl FeatureSet {
    /// Returns a number below 81 that identifies king squares with the same features. The accumulator of the king's
    /// side needs a refresh only when this number changes.
    #[inline]
    pub fn king_view(&self, side: usize, king: u8) -> u8 {
        self.views[side].same[usize::from(king)]
    }

    /// Returns the row of an element, or `None` if the feature set ignores the element.
    #[inline]
    pub fn row(&self, side: usize, king: u8, element: u16) -> Option<u32> {
        let view = &self.views[side];
        let king = usize::from(king);
        let place = view.place[usize::from(view.mirrored[king])][usize::from(element)];
        (place != UNSEEN).then(|| view.base[king] + u32::from(place))
    }

    /// Returns all rows of a position, from the point of view of one side.
    pub fn rows_of<G: Inputs>(&self, game: &G, side: usize) -> Vec<u32> {
        let (kings, elements) = (game.kings(), game.elements());
        elements[side].iter().filter_map(|element| self.row(side, kings[side], element)).collect()
    }

    /// The row of the feature for missing pieces.
    #[inline]
    pub fn missing_row(&self, side: usize, king: u8) -> u32 {
        self.views[side].base[usize::from(king)]
    }

    /// Creates a feature set. `king` returns the base row for a king's square and whether the board is mirrored;
    /// `place` returns the term for an element.
    fn new(
        (name, rows): (&'static str, usize),
        elements: usize,
        king: impl Fn(usize, usize) -> (u32, bool),
        place: impl Fn(usize, bool, usize) -> u16,
        squares: usize,
    ) -> Self {
        let views = [0, 1].map(|side| View {
            base: (0..squares).map(|square| king(side, square).0).collect(),
            mirrored: (0..squares).map(|square| king(side, square).1).collect(),
            same: (0..squares)
                .map(|square| (0..square).find(|&s| king(side, s) == king(side, square)).unwrap_or(square) as u8)
                .collect(),
            place: [false, true].map(|mirrored| (0..elements).map(|e| place(side, mirrored, e)).collect()),
        });
        Self { name, rows, sees_missing: false, views }
    }

    fn seeing_missing(self) -> Self {
        Self { sees_missing: true, ..self }
    }
}
