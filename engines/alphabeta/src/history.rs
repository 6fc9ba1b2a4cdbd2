//! The success of moves so far: main, capture, continuation and pawn history, and how wrong the static evaluation was
//! (correction history).
//!
//! Any number of searches may learn from and write to the same tables: an update that two of them make at once counts
//! once, which nobody notices.

use crate::params::*;
use crate::success::{SuccessRow, SuccessTable};
use hasami_api::{MoveFacts, SearchGame};
use std::marker::PhantomData;

const CORRECTION_SIZE: usize = 1 << 16;
const CORRECTION_LIMIT: i32 = 1024;
/// Corrections that are cleared together.
const CORRECTION_ROW: usize = 64;
const PAWN_STRUCTURES: usize = 1 << 11;
/// Plies with a history of their own.
pub(crate) const FIRST_PLIES: usize = 5;
/// How often the table's move was the best one lies between this and its negative.
pub(crate) const TABLE_MOVES_LIMIT: i32 = 8192;

/// The tables; rows are (coloured piece, target square) pairs.
pub(crate) struct History<G> {
    /// By side, origin and target.
    main: SuccessTable,
    /// The same by the first plies of a search.
    first_plies: SuccessTable,
    capture: SuccessTable,
    /// By a row for the move before, whether that was made in check and whether it captured; then by row.
    continuation: SuccessTable,
    /// Quiet moves by the structure of pawns.
    pawns: SuccessTable,
    /// By the keys of the game.
    correction: SuccessTable,
    /// By the rows of two moves before.
    correction_continuation: SuccessTable,
    /// How often the table's move was the best one.
    table_moves: SuccessTable,
    game: PhantomData<fn() -> G>,
}

/// A row of the tables.
pub(crate) type Row = u32;

/// What is learned about the keys of the position, and about the moves that led to it.
#[derive(Clone, Copy)]
pub(crate) struct CorrectionKeys {
    keys: [u64; 4],
    side: usize,
    /// The last move's row with those of two and four plies back.
    moves: Option<(Row, [Row; 2])>,
}

impl CorrectionKeys {
    pub(crate) const fn new(keys: [u64; 4], side: usize, moves: Option<(Row, [Row; 2])>) -> Self {
        Self { keys, side, moves }
    }
}

impl<G: SearchGame> History<G> {
    const ROWS: usize = G::PIECES * G::SQUARES;
    /// The row of a pass, and of what was before the root, among those of moves before.
    pub(crate) const NO_ROW: Row = 4 * Self::ROWS as Row;
    /// The same where neither checks nor captures are told apart.
    pub(crate) const NO_MOVE: Row = Self::ROWS as Row;

    pub(crate) fn new() -> Self {
        Self {
            main: SuccessTable::new((2 * G::ORIGINS, G::SQUARES), 0, 7183),
            first_plies: SuccessTable::new((FIRST_PLIES * G::ORIGINS, G::SQUARES), 98, 7183),
            capture: SuccessTable::new((Self::ROWS, G::VICTIMS), -678, 10_692),
            continuation: SuccessTable::new((4 * Self::ROWS + 1, Self::ROWS), -523, 30_000),
            pawns: SuccessTable::new((PAWN_STRUCTURES, Self::ROWS), -1238, 8192),
            correction: SuccessTable::new(
                (4 * 2 * CORRECTION_SIZE / CORRECTION_ROW, CORRECTION_ROW),
                0,
                CORRECTION_LIMIT,
            ),
            correction_continuation: SuccessTable::new((Self::ROWS + 1, Self::ROWS), 6, CORRECTION_LIMIT),
            table_moves: SuccessTable::new((1, 1), 0, TABLE_MOVES_LIMIT),
            game: PhantomData,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        let moves = [&self.main, &self.first_plies, &self.capture, &self.continuation, &self.pawns];
        let others = [&self.correction, &self.correction_continuation, &self.table_moves];
        moves.into_iter().chain(others).for_each(SuccessTable::clear);
    }

    /// A search begins. What its first plies were in the last one says nothing now.
    pub(crate) fn begin_search(&self) {
        self.first_plies.clear();
    }

    #[inline]
    pub(crate) fn row(facts: MoveFacts) -> Row {
        (usize::from(facts.piece) * G::SQUARES + usize::from(facts.to)) as Row
    }

    /// The row of the move for those that follow it.
    #[inline]
    pub(crate) fn row_before(facts: MoveFacts, in_check: bool) -> Row {
        let kind = 2 * u32::from(in_check) + u32::from(G::is_noisy(facts));
        kind * Self::ROWS as Row + Self::row(facts)
    }

    #[inline]
    fn main_place(side: usize, facts: MoveFacts) -> (usize, usize) {
        (side * G::ORIGINS + usize::from(facts.origin), facts.to.into())
    }

    #[inline]
    pub(crate) fn main(&self, side: usize, facts: MoveFacts) -> i32 {
        let (row, column) = Self::main_place(side, facts);
        self.main.get(row, column)
    }

    pub(crate) fn update_main(&self, side: usize, facts: MoveFacts, bonus: i32) {
        self.main.update(Self::main_place(side, facts), bonus);
    }

    /// How good the move was at a ply below [`FIRST_PLIES`] of this search.
    #[inline]
    pub(crate) fn first_plies(&self, ply: usize, facts: MoveFacts) -> i32 {
        let (row, column) = Self::main_place(ply, facts);
        self.first_plies.get(row, column)
    }

    pub(crate) fn update_first_plies(&self, ply: usize, facts: MoveFacts, bonus: i32) {
        self.first_plies.update(Self::main_place(ply, facts), bonus);
    }

    #[inline]
    pub(crate) fn capture(&self, facts: MoveFacts) -> i32 {
        self.capture.get(Self::row(facts) as usize, facts.victim.into())
    }

    pub(crate) fn update_capture(&self, facts: MoveFacts, bonus: i32) {
        self.capture.update((Self::row(facts) as usize, facts.victim.into()), bonus);
    }

    /// How good the move of `row` was after the move of `before`, one or more plies earlier.
    #[inline]
    pub(crate) fn continuation(&self, before: Row, row: Row) -> i32 {
        self.continuation.get(before as usize, row as usize)
    }

    /// [`Self::continuation`] for all moves after those of `before`, by their own rows.
    #[inline]
    pub(crate) fn continuations(&self, before: Row) -> SuccessRow<'_> {
        self.continuation.row(before as usize)
    }

    #[inline]
    pub(crate) fn update_continuation(&self, before: Row, row: Row, bonus: i32) {
        self.continuation.update((before as usize, row as usize), bonus);
    }

    /// How good quiet moves were with these pawns, by their rows.
    #[inline]
    pub(crate) fn pawns(&self, key: u64) -> SuccessRow<'_> {
        self.pawns.row(key as usize % PAWN_STRUCTURES)
    }

    pub(crate) fn update_pawns(&self, key: u64, row: Row, bonus: i32) {
        self.pawns.update((key as usize % PAWN_STRUCTURES, row as usize), bonus);
    }

    pub(crate) fn table_moves(&self) -> i32 {
        self.table_moves.get(0, 0)
    }

    pub(crate) fn update_table_moves(&self, bonus: i32) {
        self.table_moves.update((0, 0), bonus);
    }

    fn correction_place(feature: usize, side: usize, key: u64) -> (usize, usize) {
        let index = (feature * 2 + side) * CORRECTION_SIZE + key as usize % CORRECTION_SIZE;
        (index / CORRECTION_ROW, index % CORRECTION_ROW)
    }

    /// The corrections are about to be asked for.
    #[inline]
    pub(crate) fn prefetch_correction(&self, at: CorrectionKeys) {
        for (feature, key) in at.keys.into_iter().enumerate() {
            let (row, column) = Self::correction_place(feature, at.side, key);
            self.correction.prefetch(row, column);
        }
        if let Some((row, before)) = at.moves {
            before.into_iter().for_each(|before| self.correction_continuation.prefetch(before as usize, row as usize));
        }
    }

    /// Correction of the static evaluation, 1024ths of a unit.
    pub(crate) fn correction(&self, at: CorrectionKeys) -> i32 {
        let of = |feature: usize| {
            let (row, column) = Self::correction_place(feature, at.side, at.keys[feature]);
            self.correction.get(row, column)
        };
        let after = |(row, before): (Row, [Row; 2])| {
            before.map(|before| self.correction_continuation.get(before as usize, row as usize))
        };
        let moves: i32 = at.moves.map_or(8, |moves| after(moves).iter().sum());
        correction_pawns::<G>() * of(0)
            + correction_minor::<G>() * of(1)
            + correction_pieces::<G>() * (of(2) + of(3))
            + correction_continuation::<G>() * moves
    }

    /// The search found that much more than the static evaluation.
    pub(crate) fn update_correction(&self, at: CorrectionKeys, bonus: i32) {
        for (feature, weight) in [128, 153, 187, 187].into_iter().enumerate() {
            self.correction.update(Self::correction_place(feature, at.side, at.keys[feature]), bonus * weight / 128);
        }
        if let Some((row, before)) = at.moves {
            for (before, weight) in before.into_iter().zip([126, 63]) {
                self.correction_continuation.update((before as usize, row as usize), bonus * weight / 128);
            }
        }
    }
}

/// A correction that is learned at once lies between this and its negative.
pub(crate) const CORRECTION_STEP: i32 = CORRECTION_LIMIT / 4;
