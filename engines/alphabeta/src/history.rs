//! What moves were good for before: butterfly, capture and continuation history, counter moves, and how wrong the
//! static evaluation was (correction history).

use crate::params::{HISTORY_LIMIT, correction_weight};
use crate::table::prefetch;
use hasami_api::{MoveFacts, SearchGame};
use std::marker::PhantomData;

const CORRECTION_SIZE: usize = 1 << 14;
const CORRECTION_LIMIT: i32 = 1024;
/// A correction of `CORRECTION_LIMIT` in all tables is worth so many hundredths of a pawn.
const CORRECTION_SCALE: i32 = 16;

/// Tables of one search; rows are (coloured piece, target square) pairs, plus one for "no move" and passes.
pub(crate) struct History<G> {
    butterfly: Vec<i16>,
    capture: Vec<i16>,
    continuation: Vec<i16>,
    counter: Vec<u16>,
    correction: Vec<i16>,
    game: PhantomData<G>,
}

/// A row of the continuation tables.
pub(crate) type Row = u32;

impl<G: SearchGame> History<G> {
    const ROWS: usize = G::PIECES * G::SQUARES;
    /// The row of a pass, and of what was before the root.
    pub(crate) const NO_ROW: Row = Self::ROWS as Row;

    pub(crate) fn new() -> Self {
        Self {
            butterfly: vec![0; 2 * G::ORIGINS * G::SQUARES],
            capture: vec![0; Self::ROWS * G::VICTIMS],
            continuation: vec![0; (Self::ROWS + 1) * Self::ROWS],
            counter: vec![0; Self::ROWS + 1],
            correction: vec![0; 3 * 2 * CORRECTION_SIZE],
            game: PhantomData,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.butterfly.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.counter.fill(0);
        self.correction.fill(0);
    }

    #[inline]
    pub(crate) fn row(facts: MoveFacts) -> Row {
        (usize::from(facts.piece) * G::SQUARES + usize::from(facts.to)) as Row
    }

    #[inline]
    fn butterfly_index(side: usize, facts: MoveFacts) -> usize {
        (side * G::ORIGINS + usize::from(facts.origin)) * G::SQUARES + usize::from(facts.to)
    }

    #[inline]
    fn capture_index(facts: MoveFacts) -> usize {
        Self::row(facts) as usize * G::VICTIMS + usize::from(facts.victim)
    }

    #[inline]
    pub(crate) fn butterfly(&self, side: usize, facts: MoveFacts) -> i32 {
        i32::from(self.butterfly[Self::butterfly_index(side, facts)])
    }

    #[inline]
    pub(crate) fn capture(&self, facts: MoveFacts) -> i32 {
        i32::from(self.capture[Self::capture_index(facts)])
    }

    /// How good the move was after the move of `row`, one or more plies before.
    #[inline]
    pub(crate) fn continuation(&self, row: Row, facts: MoveFacts) -> i32 {
        i32::from(self.continuation[row as usize * Self::ROWS + Self::row(facts) as usize])
    }

    /// [`Self::continuation`] for all moves after those of `row`, by their own rows.
    #[inline]
    pub(crate) fn continuations(&self, row: Row) -> &[i16] {
        &self.continuation[row as usize * Self::ROWS..][..Self::ROWS]
    }

    /// Packed answer that last refuted the move of `row`, 0 for none.
    #[inline]
    pub(crate) fn counter(&self, row: Row) -> u16 {
        self.counter[row as usize]
    }

    pub(crate) fn set_counter(&mut self, row: Row, packed: u16) {
        self.counter[row as usize] = packed;
    }

    /// A quiet move was better (or worse) than thought; `rows` are the moves before it.
    pub(crate) fn update_quiet(&mut self, side: usize, facts: MoveFacts, rows: &[Row], bonus: i32) {
        approach(&mut self.butterfly[Self::butterfly_index(side, facts)], bonus, HISTORY_LIMIT);
        for &row in rows.iter().filter(|&&row| row != Self::NO_ROW) {
            let index = row as usize * Self::ROWS + Self::row(facts) as usize;
            approach(&mut self.continuation[index], bonus, HISTORY_LIMIT);
        }
    }

    pub(crate) fn update_capture(&mut self, facts: MoveFacts, bonus: i32) {
        approach(&mut self.capture[Self::capture_index(facts)], bonus, HISTORY_LIMIT);
    }

    fn correction_index(feature: usize, side: usize, key: u64) -> usize {
        (feature * 2 + side) * CORRECTION_SIZE + key as usize % CORRECTION_SIZE
    }

    /// The position's corrections are about to be asked for.
    #[inline]
    pub(crate) fn prefetch_correction(&self, side: usize, keys: [u64; 3]) {
        for (feature, key) in keys.into_iter().enumerate() {
            prefetch(&self.correction[Self::correction_index(feature, side, key)]);
        }
    }

    /// What to add to the static evaluation, centipawns.
    pub(crate) fn correction(&self, side: usize, keys: [u64; 3]) -> i32 {
        let sum: i32 = (0..3)
            .map(|f| correction_weight(f) * i32::from(self.correction[Self::correction_index(f, side, keys[f])]))
            .sum();
        sum * G::PAWN / (CORRECTION_SCALE * 256 * 100)
    }

    /// The search found `error` centipawns more than the static evaluation, at `depth`.
    pub(crate) fn update_correction(&mut self, side: usize, keys: [u64; 3], error: i32, depth: i32) {
        let bonus = (error * 100 / G::PAWN * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for (feature, key) in keys.into_iter().enumerate() {
            approach(&mut self.correction[Self::correction_index(feature, side, key)], bonus, CORRECTION_LIMIT);
        }
    }
}

/// Moves `value` by `bonus`, the less the nearer it is to ±`limit`, which it never passes.
#[inline]
fn approach(value: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let now = i32::from(*value);
    *value = (now + bonus - now * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::approach;

    #[test]
    fn a_history_value_stays_within_its_limit() {
        let mut value = 0;
        for _ in 0..100 {
            approach(&mut value, 1500, 16_384);
        }
        assert!(value > 14_000 && value <= 16_384, "{value}");
        for _ in 0..200 {
            approach(&mut value, -99_999, 16_384);
        }
        assert_eq!(value, -16_384);
    }
}
