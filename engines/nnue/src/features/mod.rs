//! Feature sets: from the king's square and an element, both as one side sees them, to a row of the first layer.
//!
//! All of them have one shape: row = base(king) + place(element), with the element mirrored where the king asks for it. So a
//! set is three small tables a side, and the rest of the crate knows none by name.

pub mod of_chess;
pub mod of_shogi;
mod own;

use crate::element::Inputs;

/// An element that a set does not see.
const UNSEEN: u16 = u16::MAX;

/// As one side sees it.
#[derive(Clone, Default)]
struct View {
    /// By king's square.
    base: Vec<u32>,
    mirrored: Vec<bool>,
    /// The first square from which a king sees the same.
    same: Vec<u8>,
    /// By whether the king's side is mirrored, then by element.
    place: [Vec<u16>; 2],
}

/// A feature set.
#[derive(Clone)]
pub struct FeatureSet {
    /// The name in descriptions, as its authors write it.
    pub name: &'static str,
    /// Rows of the first layer.
    pub rows: usize,
    /// Sees pieces that a handicap game is short of (YaneuraOu: piece number 0, once for each).
    pub sees_missing: bool,
    views: [View; 2],
}

impl FeatureSet {
    /// Kings of equal views see the board alike: accumulators can be carried from one to the other. Below 81.
    #[inline]
    pub fn king_view(&self, side: usize, king: u8) -> u8 {
        self.views[side].same[usize::from(king)]
    }

    /// The row of an element, if this set sees it.
    #[inline]
    pub fn row(&self, side: usize, king: u8, element: u16) -> Option<u32> {
        let view = &self.views[side];
        let king = usize::from(king);
        let place = view.place[usize::from(view.mirrored[king])][usize::from(element)];
        (place != UNSEEN).then(|| view.base[king] + u32::from(place))
    }

    /// All rows of a position, as one side sees it.
    pub fn rows_of<G: Inputs>(&self, game: &G, side: usize) -> Vec<u32> {
        let (kings, elements) = (game.kings(), game.elements());
        elements[side].iter().filter_map(|element| self.row(side, kings[side], element)).collect()
    }

    /// The row of a missing piece.
    #[inline]
    pub fn missing_row(&self, side: usize, king: u8) -> u32 {
        self.views[side].base[usize::from(king)]
    }

    /// `place` is that of an element, `base` that of a king, both of a board that is not mirrored.
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
