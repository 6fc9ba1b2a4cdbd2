//! Accumulators: the values of the first layer, updated move by move. Each position on the line being searched has an
//! entry, whose values are computed only when they are needed.
//!
//! An entry stores the changes made by the move that leads to its position. The values of an entry are computed from
//! those of the nearest earlier entry that is already computed, or from the *refresh table* if a king move changes the
//! features of the king's side. For each king square, the refresh table stores the last accumulator and its elements,
//! so that only the elements that differ must be added or subtracted.

use crate::aligned::Aligned;
use crate::element::{Changes, Elements, Inputs};
use crate::kernels::Update;
use crate::network::{FirstLayer, Network, PIECE_SQUARE_STACKS};

/// The first-layer values of one side.
#[derive(Clone)]
pub struct Half {
    pub values: Aligned<i16>,
    pub piece_squares: [i32; PIECE_SQUARE_STACKS],
}

impl Half {
    fn of_biases(first: &FirstLayer) -> Self {
        Self { values: first.biases.clone(), piece_squares: [0; PIECE_SQUARE_STACKS] }
    }

    fn copy_from(&mut self, other: &Self) {
        self.values.copy_from_slice(&other.values);
        self.piece_squares = other.piece_squares;
    }
}

/// The accumulators of one position on the line being searched.
#[derive(Clone)]
struct Entry {
    halves: [Half; 2],
    is_computed: [bool; 2],
    changes: Changes,
    kings: [u8; 2],
}

/// An entry of the refresh table: the last accumulator that one side had with one value of `FeatureSet::king_view`.
#[derive(Clone)]
struct Refreshed {
    half: Half,
    elements: Elements,
    missing: u8,
}

/// The first-layer rows that one update of an accumulator adds and subtracts.
#[derive(Clone, Default)]
struct Rows {
    added: Vec<u32>,
    removed: Vec<u32>,
}

/// All accumulators of one search.
#[derive(Clone)]
pub struct Accumulators {
    entries: Vec<Entry>,
    /// Index of the entry of the current position.
    top: usize,
    missing: u8,
    /// The refresh table, indexed by side, then by the result of `FeatureSet::king_view`.
    refreshed: [Vec<Option<Box<Refreshed>>>; 2],
    rows: Rows,
}

impl Accumulators {
    pub fn new() -> Self {
        Self { entries: Vec::new(), top: 0, missing: 0, refreshed: Default::default(), rows: Rows::default() }
    }

    /// Discards all entries, and adds one for the position `game`, whose values are computed on first use.
    pub fn refresh<G: Inputs>(&mut self, network: &Network, game: &G) {
        self.top = 0;
        self.missing = if network.first.features.sees_missing { game.missing() } else { 0 };
        self.reserve(network, 0);
        let entry = &mut self.entries[0];
        (entry.is_computed, entry.kings) = ([false; 2], game.kings());
    }

    fn reserve(&mut self, network: &Network, index: usize) {
        while self.entries.len() <= index {
            let halves = [Half::of_biases(&network.first), Half::of_biases(&network.first)];
            let (is_computed, changes, kings) = ([false; 2], Changes::default(), [0; 2]);
            self.entries.push(Entry { halves, is_computed, changes, kings });
        }
    }

    /// Adds an entry for the position after a move.
    #[inline]
    pub fn push(&mut self, network: &Network, (changes, kings): (Changes, [u8; 2])) {
        self.top += 1;
        if self.top == self.entries.len() {
            self.reserve(network, self.top);
        }
        let entry = &mut self.entries[self.top];
        (entry.is_computed, entry.changes, entry.kings) = ([false; 2], changes, kings);
    }

    /// Removes the entry that was added for the last move.
    #[inline]
    pub fn pop(&mut self) {
        self.top -= 1;
    }

    /// Returns the accumulators of both sides for the current position, beginning with the first player's.
    pub fn now<G: Inputs>(&mut self, network: &Network, game: &G) -> &[Half; 2] {
        for side in 0..2 {
            if !self.entries[self.top].is_computed[side] {
                self.compute(network, game, side);
            }
        }
        &self.entries[self.top].halves
    }

    fn compute<G: Inputs>(&mut self, network: &Network, game: &G, side: usize) {
        let features = &network.first.features;
        let view = |entry: &Entry| features.king_view(side, entry.kings[side]);
        let wanted = view(&self.entries[self.top]);
        let mut known = self.top;
        while !self.entries[known].is_computed[side] {
            if known == 0 || view(&self.entries[known - 1]) != wanted {
                return self.renew(network, game, side, wanted);
            }
            known -= 1;
        }
        for index in known + 1..=self.top {
            let (below, above) = self.entries.split_at_mut(index);
            let (from, to) = (&below[index - 1].halves[side], &mut above[0]);
            let row = |pair: &[u16; 2]| features.row(side, to.kings[side], pair[side]);
            self.rows.added.clear();
            self.rows.removed.clear();
            self.rows.added.extend(to.changes.added.as_slice().iter().filter_map(row));
            self.rows.removed.extend(to.changes.removed.as_slice().iter().filter_map(row));
            apply(network, from, &mut to.halves[side], &self.rows);
            to.is_computed[side] = true;
        }
    }

    /// Computes the accumulator of one side for the current position from the refresh table.
    #[cold]
    fn renew<G: Inputs>(&mut self, network: &Network, game: &G, side: usize, view: u8) {
        let features = &network.first.features;
        let entry = &mut self.entries[self.top];
        let king = entry.kings[side];
        let [first, second] = game.elements();
        let elements = if side == 0 { first } else { second };
        let (table, view) = (&mut self.refreshed[side], usize::from(view));
        if table.len() <= view {
            table.resize_with(view + 1, || None);
        }
        let old = table[view].get_or_insert_with(|| {
            let half = Half::of_biases(&network.first);
            Box::new(Refreshed { half, elements: Elements::default(), missing: 0 })
        });
        let rows = &mut self.rows;
        rows.added.clear();
        rows.removed.clear();
        old.elements.differ(
            &elements,
            |element| rows.removed.extend(features.row(side, king, element)),
            |element| rows.added.extend(features.row(side, king, element)),
        );
        let missing = features.missing_row(side, king);
        rows.removed.extend((self.missing..old.missing).map(|_| missing));
        rows.added.extend((old.missing..self.missing).map(|_| missing));
        apply(network, &old.half, &mut entry.halves[side], rows);
        entry.is_computed[side] = true;
        old.half.copy_from(&entry.halves[side]);
        (old.elements, old.missing) = (elements, self.missing);
    }
}

/// Copies `from` to `to`, adding some rows of weights and subtracting others.
#[inline]
fn apply(network: &Network, from: &Half, to: &mut Half, rows: &Rows) {
    let first = &network.first;
    let update = Update { weights: &first.weights, width: first.width, added: &rows.added, removed: &rows.removed };
    network.kernels.update(&from.values, &mut to.values, &update);
    if let Some(table) = &first.piece_squares {
        let at = |row: u32| &table[row as usize * PIECE_SQUARE_STACKS..][..PIECE_SQUARE_STACKS];
        to.piece_squares = from.piece_squares;
        for &row in &rows.added {
            to.piece_squares.iter_mut().zip(at(row)).for_each(|(sum, &v)| *sum = sum.wrapping_add(v));
        }
        for &row in &rows.removed {
            to.piece_squares.iter_mut().zip(at(row)).for_each(|(sum, &v)| *sum = sum.wrapping_sub(v));
        }
    }
}
