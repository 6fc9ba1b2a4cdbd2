//! A table of move statistics that clears only the rows that were written to. If a search has only a few thousand
//! nodes, clearing whole tables would take longer than the search.

use hasami_memory::Zeroed;
use std::sync::atomic::{AtomicBool, AtomicI16, Ordering::Relaxed};

/// A table of values between `-limit` and `limit`, in rows of equal length. A flag for each row records whether the row
/// was written to.
pub(crate) struct SuccessTable {
    /// The values minus `start`, so that a new table is all zeros and its memory need not be touched.
    values: Zeroed<AtomicI16>,
    length: usize,
    written: Box<[AtomicBool]>,
    start: i32,
    limit: i32,
}

impl SuccessTable {
    /// Creates a table in which all values are `start`.
    pub(crate) fn new((rows, length): (usize, usize), start: i32, limit: i32) -> Self {
        let written = (0..rows).map(|_| AtomicBool::new(false)).collect();
        Self { values: Zeroed::new(rows * length), length, written, start, limit }
    }

    #[inline]
    fn value(&self, row: usize, column: usize) -> &AtomicI16 {
        &self.values[row * self.length + column]
    }

    #[inline]
    pub(crate) fn get(&self, row: usize, column: usize) -> i32 {
        i32::from(self.value(row, column).load(Relaxed)) + self.start
    }

    /// The values that [`Self::get`] returns for the columns of `row`. The caller passes a constant as `length`, so
    /// that the compiler can check the bounds of several rows at once.
    #[inline]
    pub(crate) fn row(&self, row: usize, length: usize) -> SuccessRow<'_> {
        debug_assert_eq!(length, self.length);
        SuccessRow { values: &self.values[row * length..][..length], start: self.start }
    }

    #[inline]
    pub(crate) fn prefetch(&self, row: usize, column: usize) {
        hasami_api::prefetch(self.value(row, column));
    }

    /// Adds `bonus` to a value. The bonus is scaled down near the limit, so that the value never exceeds the limit.
    #[inline]
    pub(crate) fn update(&self, (row, column): (usize, usize), bonus: i32) {
        let (now, bonus) = (self.get(row, column), bonus.clamp(-self.limit, self.limit));
        let next = now + bonus - now * bonus.abs() / self.limit;
        self.value(row, column).store((next - self.start) as i16, Relaxed);
        // Other threads constantly read the cache line that holds the flag, so the flag is written only once.
        if !self.written[row].load(Relaxed) {
            self.written[row].store(true, Relaxed);
        }
    }

    pub(crate) fn clear(&self) {
        for (row, written) in self.written.iter().enumerate() {
            if written.load(Relaxed) {
                written.store(false, Relaxed);
                let values = &self.values[row * self.length..][..self.length];
                values.iter().for_each(|value| value.store(0, Relaxed));
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct SuccessRow<'a> {
    values: &'a [AtomicI16],
    start: i32,
}

impl SuccessRow<'_> {
    #[inline]
    pub(crate) fn get(self, column: usize) -> i32 {
        i32::from(self.values[column].load(Relaxed)) + self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_value_stays_within_its_limit() {
        let table = SuccessTable::new((2, 3), -523, 16_384);
        assert_eq!(table.get(1, 2), -523);
        for _ in 0..100 {
            table.update((1, 2), 1500);
        }
        assert!((14_000..=16_384).contains(&table.get(1, 2)), "{}", table.get(1, 2));
        for _ in 0..200 {
            table.update((1, 2), -99_999);
        }
        assert_eq!(table.get(1, 2), -16_384);
    }

    #[test]
    fn clear_resets_everything_that_was_written() {
        let table = SuccessTable::new((3, 4), 7, 1_000);
        for column in [0, 3] {
            table.update((2, column), 50);
            table.update((0, column), -50);
            table.clear();
            assert!((0..3).all(|row| (0..4).all(|column| table.get(row, column) == 7)), "{column}");
        }
    }
}
