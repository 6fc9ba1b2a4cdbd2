//! Statistics about the success of moves (main, capture, continuation and pawn history) and about the errors of the
//! static evaluation (correction history).
//!
//! Any number of searches may read and update the same tables. If two searches update a value at the same time, one
//! update may be lost, which does no harm.

use crate::params::*;
use crate::success::{SuccessRow, SuccessTable};
use hasami_api::{MoveFacts, SearchGame};
use std::marker::PhantomData;

const CORRECTION_SIZE: usize = 1 << 16;
const CORRECTION_LIMIT: i32 = 1024;
/// Number of corrections per row of the correction tables; a row is cleared as a whole.
const CORRECTION_ROW: usize = 64;
const PAWN_STRUCTURES: usize = 1 << 13;
/// Number of plies, counted from the root, that the table `first_plies` covers.
pub(crate) const FIRST_PLIES: usize = 5;
/// Largest absolute value of the statistic `table_moves`, which records how often table moves are best.
pub(crate) const TABLE_MOVES_LIMIT: i32 = 8192;

/// The history tables. A row number identifies a coloured piece and a target square.
pub(crate) struct History<G> {
    /// Success of moves, indexed by side, promotion, origin and target.
    main: SuccessTable,
    /// Success of moves in the first plies of a search, indexed by ply, promotion, origin and target.
    first_plies: SuccessTable,
    capture: SuccessTable,
    /// Success of a move after an earlier move, indexed by the rows of the earlier move ([`Self::row_before`]) and the
    /// move.
    continuation: SuccessTable,
    /// Success of quiet moves, indexed by pawn structure.
    pawns: SuccessTable,
    /// Errors of the static evaluation, indexed by the feature keys of the position.
    correction: SuccessTable,
    /// Errors of the static evaluation, indexed by the row of an earlier move and the row of the last move.
    correction_continuation: SuccessTable,
    /// Measures how often a transposition table move proved to be the best move of its node.
    table_moves: SuccessTable,
    game: PhantomData<fn() -> G>,
}

pub(crate) type Row = u32;

/// Indices into the correction histories: the feature keys of the position, and the rows of the moves that led to it.
#[derive(Clone, Copy)]
pub(crate) struct CorrectionKeys {
    keys: [u64; 4],
    side: usize,
    /// The row of the last move, and the rows of the moves two and four plies back.
    moves: Option<(Row, [Row; 2])>,
}

impl CorrectionKeys {
    pub(crate) const fn new(keys: [u64; 4], side: usize, moves: Option<(Row, [Row; 2])>) -> Self {
        Self { keys, side, moves }
    }
}

impl<G: SearchGame> History<G> {
    const ROWS: usize = G::PIECES * G::SQUARES;
    /// Row for null moves and for plies before the root, in histories whose rows distinguish checks and captures.
    pub(crate) const NO_ROW: Row = 4 * Self::ROWS as Row;
    /// Row for null moves and for plies before the root, in histories whose rows do not distinguish checks and
    /// captures.
    pub(crate) const NO_MOVE: Row = Self::ROWS as Row;

    pub(crate) fn new() -> Self {
        Self {
            main: SuccessTable::new((2 * 2 * G::ORIGINS, G::SQUARES), 0, 7183),
            first_plies: SuccessTable::new((FIRST_PLIES * 2 * G::ORIGINS, G::SQUARES), 98, 7183),
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

    pub(crate) fn clear(&self) {
        let moves = [&self.main, &self.first_plies, &self.capture, &self.continuation, &self.pawns];
        let others = [&self.correction, &self.correction_continuation, &self.table_moves];
        moves.into_iter().chain(others).for_each(SuccessTable::clear);
    }

    /// Clears the history of the first plies, which is meaningful only within one search.
    pub(crate) fn begin_search(&self) {
        self.first_plies.clear();
    }

    #[inline]
    pub(crate) fn row(facts: MoveFacts) -> Row {
        (usize::from(facts.piece) * G::SQUARES + usize::from(facts.to)) as Row
    }

    /// Returns the row that identifies a move as the earlier move of a continuation.
    #[inline]
    pub(crate) fn row_before(facts: MoveFacts, in_check: bool) -> Row {
        let kind = 2 * u32::from(in_check) + u32::from(G::is_noisy(facts));
        kind * Self::ROWS as Row + Self::row(facts)
    }

    #[inline]
    fn main_place(side_or_ply: usize, facts: MoveFacts) -> (usize, usize) {
        let row = (2 * side_or_ply + usize::from(facts.promotes)) * G::ORIGINS + usize::from(facts.origin);
        (row, facts.to.into())
    }

    #[inline]
    pub(crate) fn main(&self, side: usize, facts: MoveFacts) -> i32 {
        let (row, column) = Self::main_place(side, facts);
        self.main.get(row, column)
    }

    pub(crate) fn update_main(&self, side: usize, facts: MoveFacts, bonus: i32) {
        self.main.update(Self::main_place(side, facts), bonus);
    }

    /// Returns the success, in the current search, of a move made at `ply`, which must be below [`FIRST_PLIES`].
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

    /// Returns the success of the move with row `row` after the move with row `before`, which was made one or more
    /// plies earlier.
    #[inline]
    pub(crate) fn continuation(&self, before: Row, row: Row) -> i32 {
        self.continuation.get(before as usize, row as usize)
    }

    /// Returns the value of [`Self::continuation`] for every move that may follow the move with row `before`, indexed
    /// by the row of the following move.
    #[inline]
    pub(crate) fn continuations(&self, before: Row) -> SuccessRow<'_> {
        self.continuation.row(before as usize, Self::ROWS)
    }

    #[inline]
    pub(crate) fn update_continuation(&self, before: Row, row: Row, bonus: i32) {
        self.continuation.update((before as usize, row as usize), bonus);
    }

    /// Returns the success of quiet moves, indexed by row, in positions whose pawn key is `key`.
    #[inline]
    pub(crate) fn pawns(&self, key: u64) -> SuccessRow<'_> {
        self.pawns.row(key as usize % PAWN_STRUCTURES, Self::ROWS)
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

    /// Prefetches the values that [`Self::correction`] reads.
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

    /// Returns the correction of the static evaluation, in 1,024ths of a unit of the search margins.
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

    /// Adds `bonus`, which is derived from the error of the static evaluation, to the correction histories.
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

/// Largest absolute value of a single update to a correction.
pub(crate) const CORRECTION_STEP: i32 = CORRECTION_LIMIT / 4;
