//! Feature sets: they map the king's square and an element, both from the point of view of one side, to a row of the
//! first layer.
//!
//! All feature sets have the same form: row = base(king) + place(element), with the element mirrored if the king's
//! square requires it. A set is therefore three small tables per side, and the rest of the crate works with any set.

pub mod of_chess;
pub mod of_shogi;
mod own;

use crate::element::Inputs;

/// Marks an element that a feature set ignores.
const UNSEEN: u16 = u16::MAX;

/// The tables for one side.
#[derive(Clone, Default)]
struct View {
    /// Indexed by the king's square.
    base: Vec<u32>,
    mirrored: Vec<bool>,
    /// The first square of the king that gives the same features.
    same: Vec<u8>,
    /// Indexed by whether the board is mirrored, then by element.
    place: [Vec<u16>; 2],
}

/// A feature set: maps positions to rows of the first layer.
#[derive(Clone)]
pub struct FeatureSet {
    /// The name that its authors use in descriptions.
    pub name: &'static str,
    /// Rows of the first layer.
    pub rows: usize,
    /// Does the set have a feature for pieces missing in a handicap game (piece number 0 of YaneuraOu, counted once for
    /// each)?
    pub sees_missing: bool,
    views: [View; 2],
}

impl FeatureSet {
    /// Equal for king squares that give the same features, so that an accumulator can be carried from one to the other.
    /// Less than 81.
    #[inline]
    pub fn king_view(&self, side: usize, king: u8) -> u8 {
        self.views[side].same[usize::from(king)]
    }

    /// The row of an element, or `None` if the set ignores it.
    #[inline]
    pub fn row(&self, side: usize, king: u8, element: u16) -> Option<u32> {
        let view = &self.views[side];
        let king = usize::from(king);
        let place = view.place[usize::from(view.mirrored[king])][usize::from(element)];
        (place != UNSEEN).then(|| view.base[king] + u32::from(place))
    }

    /// All rows of a position, from the point of view of one side.
    pub fn rows_of<G: Inputs>(&self, game: &G, side: usize) -> Vec<u32> {
        let (kings, elements) = (game.kings(), game.elements());
        elements[side].iter().filter_map(|element| self.row(side, kings[side], element)).collect()
    }

    /// The row of a missing piece.
    #[inline]
    pub fn missing_row(&self, side: usize, king: u8) -> u32 {
        self.views[side].base[usize::from(king)]
    }

    /// `king` gives the base of a king's square and whether it mirrors the board; `place` gives the place of an
    /// element.
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
