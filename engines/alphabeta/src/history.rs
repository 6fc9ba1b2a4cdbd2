//! The success of moves so far: butterfly, capture, continuation and pawn history, counter moves, and how wrong the
//! static evaluation was (correction history).
//!
//! Any number of searches may learn from and write to the same tables: an update that two of them make at once counts
//! once, which nobody notices.

use crate::params::{HISTORY_LIMIT, correction_depth_divisor, correction_scale, correction_weight};
use hasami_api::{MoveFacts, SearchGame, prefetch};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU16, Ordering::Relaxed};

const CORRECTION_SIZE: usize = 1 << 14;
const CORRECTION_LIMIT: i32 = 1024;
const PAWN_STRUCTURES: usize = 512;
/// Plies with a history of their own.
pub(crate) const FIRST_PLIES: usize = 4;

/// The tables; rows are (coloured piece, target square) pairs, plus one for "no move" and passes.
pub(crate) struct History<G> {
    butterfly: Box<[AtomicI16]>,
    capture: Box<[AtomicI16]>,
    continuation: Box<[AtomicI16]>,
    counter: Box<[AtomicU16]>,
    correction: Box<[AtomicI16]>,
    /// Quiet moves by the structure of pawns.
    pawns: Box<[AtomicI16]>,
    /// Quiet moves of the first plies of a search.
    first_plies: Box<[AtomicI16]>,
    used: AtomicBool,
    game: PhantomData<fn() -> G>,
}

/// A row of the continuation tables.
pub(crate) type Row = u32;

impl<G: SearchGame> History<G> {
    const ROWS: usize = G::PIECES * G::SQUARES;
    /// The row of a pass, and of what was before the root.
    pub(crate) const NO_ROW: Row = Self::ROWS as Row;

    pub(crate) fn new() -> Self {
        Self {
            butterfly: zeros(2 * G::ORIGINS * G::SQUARES),
            capture: zeros(Self::ROWS * G::VICTIMS),
            continuation: zeros((Self::ROWS + 1) * Self::ROWS),
            counter: zeros(Self::ROWS + 1),
            correction: zeros(3 * 2 * CORRECTION_SIZE),
            pawns: zeros(PAWN_STRUCTURES * Self::ROWS),
            first_plies: zeros(FIRST_PLIES * G::ORIGINS * G::SQUARES),
            used: AtomicBool::new(false),
            game: PhantomData,
        }
    }

    /// Forgets everything; does nothing if nothing was searched since the last time.
    pub(crate) fn clear(&self) {
        if self.used.swap(false, Relaxed) {
            for table in
                [&self.butterfly, &self.capture, &self.continuation, &self.correction, &self.pawns, &self.first_plies]
            {
                table.iter().for_each(|value| value.store(0, Relaxed));
            }
            self.counter.iter().for_each(|value| value.store(0, Relaxed));
        }
    }

    /// A search is about to write. What its first plies were in the last one says nothing now.
    pub(crate) fn touch(&self) {
        self.used.store(true, Relaxed);
        self.first_plies.iter().for_each(|value| value.store(0, Relaxed));
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
        i32::from(self.butterfly[Self::butterfly_index(side, facts)].load(Relaxed))
    }

    #[inline]
    pub(crate) fn capture(&self, facts: MoveFacts) -> i32 {
        i32::from(self.capture[Self::capture_index(facts)].load(Relaxed))
    }

    /// How good the move was after the move of `row`, one or more plies before.
    #[inline]
    pub(crate) fn continuation(&self, row: Row, facts: MoveFacts) -> i32 {
        i32::from(self.continuation[row as usize * Self::ROWS + Self::row(facts) as usize].load(Relaxed))
    }

    /// [`Self::continuation`] for all moves after those of `row`, by their own rows.
    #[inline]
    pub(crate) fn continuations(&self, row: Row) -> &[AtomicI16] {
        &self.continuation[row as usize * Self::ROWS..][..Self::ROWS]
    }

    /// Packed answer that last refuted the move of `row`, 0 for none.
    #[inline]
    pub(crate) fn counter(&self, row: Row) -> u16 {
        self.counter[row as usize].load(Relaxed)
    }

    pub(crate) fn set_counter(&self, row: Row, packed: u16) {
        self.counter[row as usize].store(packed, Relaxed);
    }

    /// A quiet move was better (or worse) than thought; `rows` are the moves before it.
    pub(crate) fn update_quiet(&self, side: usize, facts: MoveFacts, rows: &[Row], bonus: i32) {
        approach(&self.butterfly[Self::butterfly_index(side, facts)], bonus, HISTORY_LIMIT);
        for &row in rows.iter().filter(|&&row| row != Self::NO_ROW) {
            let index = row as usize * Self::ROWS + Self::row(facts) as usize;
            approach(&self.continuation[index], bonus, HISTORY_LIMIT);
        }
    }

    /// How good quiet moves were with these pawns, by their rows.
    #[inline]
    pub(crate) fn pawns(&self, key: u64) -> &[AtomicI16] {
        &self.pawns[key as usize % PAWN_STRUCTURES * Self::ROWS..][..Self::ROWS]
    }

    pub(crate) fn update_pawns(&self, key: u64, facts: MoveFacts, bonus: i32) {
        approach(&self.pawns(key)[Self::row(facts) as usize], bonus, HISTORY_LIMIT);
    }

    fn first_index(ply: usize, facts: MoveFacts) -> usize {
        (ply * G::ORIGINS + usize::from(facts.origin)) * G::SQUARES + usize::from(facts.to)
    }

    /// How good the move was at a ply below [`FIRST_PLIES`] of this search.
    #[inline]
    pub(crate) fn first_plies(&self, ply: usize, facts: MoveFacts) -> i32 {
        i32::from(self.first_plies[Self::first_index(ply, facts)].load(Relaxed))
    }

    pub(crate) fn update_first_plies(&self, ply: usize, facts: MoveFacts, bonus: i32) {
        approach(&self.first_plies[Self::first_index(ply, facts)], bonus, HISTORY_LIMIT);
    }

    /// The quiet move was better than thought for the side that made it, whatever came before it.
    pub(crate) fn update_butterfly(&self, side: usize, facts: MoveFacts, bonus: i32) {
        approach(&self.butterfly[Self::butterfly_index(side, facts)], bonus, HISTORY_LIMIT);
    }

    pub(crate) fn update_capture(&self, facts: MoveFacts, bonus: i32) {
        approach(&self.capture[Self::capture_index(facts)], bonus, HISTORY_LIMIT);
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

    /// Correction of the static evaluation, centipawns.
    pub(crate) fn correction(&self, side: usize, keys: [u64; 3]) -> i32 {
        let sum: i32 = (0..3)
            .map(|f| {
                let value = self.correction[Self::correction_index(f, side, keys[f])].load(Relaxed);
                correction_weight::<G>(f) * i32::from(value)
            })
            .sum();
        sum * G::PAWN / (correction_scale::<G>() * 256 * 100)
    }

    /// The search found `error` centipawns more than the static evaluation, at `depth`.
    pub(crate) fn update_correction(&self, side: usize, keys: [u64; 3], error: i32, depth: i32) {
        let bonus = error * 100 / G::PAWN * depth / correction_depth_divisor::<G>();
        let bonus = bonus.clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for (feature, key) in keys.into_iter().enumerate() {
            approach(&self.correction[Self::correction_index(feature, side, key)], bonus, CORRECTION_LIMIT);
        }
    }
}

fn zeros<T: Default>(length: usize) -> Box<[T]> {
    (0..length).map(|_| T::default()).collect()
}

/// Moves `value` by `bonus`, the less the nearer it is to ±`limit`, which it never passes.
#[inline]
fn approach(value: &AtomicI16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let now = i32::from(value.load(Relaxed));
    value.store((now + bonus - now * bonus.abs() / limit) as i16, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::approach;
    use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

    #[test]
    fn a_history_value_stays_within_its_limit() {
        let value = AtomicI16::new(0);
        for _ in 0..100 {
            approach(&value, 1500, 16_384);
        }
        assert!((14_000..=16_384).contains(&value.load(Relaxed)), "{value:?}");
        for _ in 0..200 {
            approach(&value, -99_999, 16_384);
        }
        assert_eq!(value.load(Relaxed), -16_384);
    }
}
