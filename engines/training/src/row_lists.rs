//! An inverted index that states for each row of the first layer which row lists contain it.

use std::ops::Range;

/// Stores, for each row, the numbers of the row lists that contain it. Rows and numbers are in ascending order.
#[derive(Default)]
pub struct RowLists {
    /// The rows that occur in any list, each with the index in `numbers` at which its list numbers end.
    rows: Vec<(u32, u32)>,
    numbers: Vec<u16>,
}

/// Scratch memory of one thread for counting the occurrences of each row; between two uses, all counts are zero.
pub struct RowCounts {
    counts: Vec<u32>,
    /// A bit for each row, set if the count of the row is not zero.
    met: Vec<u64>,
}

impl RowCounts {
    pub fn new(rows: usize) -> Self {
        Self { counts: vec![0; rows], met: vec![0; rows.div_ceil(64)] }
    }
}

impl RowLists {
    /// Builds the index of at most 65,536 row lists, which follow one another in `rows` and end at the indices `ends`.
    pub fn set(&mut self, rows: &[u32], ends: &[usize], counts: &mut RowCounts) {
        let RowCounts { counts, met } = counts;
        for &row in rows {
            counts[row as usize] += 1;
            met[row as usize / 64] |= 1 << (row % 64);
        }
        self.rows.clear();
        let mut begin = 0;
        for (index, word) in met.iter_mut().enumerate() {
            while *word != 0 {
                let row = 64 * index + word.trailing_zeros() as usize;
                *word &= *word - 1;
                // From here on, `counts[row]` is the index at which the row's next list number will be stored.
                let count = std::mem::replace(&mut counts[row], begin);
                begin += count;
                self.rows.push((row as u32, begin));
            }
        }
        self.numbers.clear();
        self.numbers.resize(rows.len(), 0);
        let mut from = 0;
        for (number, &end) in ends.iter().enumerate() {
            for &row in &rows[from..end] {
                let place = &mut counts[row as usize];
                self.numbers[*place as usize] = number as u16;
                *place += 1;
            }
            from = end;
        }
        self.rows.iter().for_each(|&(row, _)| counts[row as usize] = 0);
    }

    /// Returns the rows in `range` that occur in any list, with the numbers of the lists that contain them.
    #[inline(always)]
    pub fn of_rows(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &[u16])> {
        let first = self.rows.partition_point(|&(row, _)| (row as usize) < range.start);
        let mut begin = if first == 0 { 0 } else { self.rows[first - 1].1 as usize };
        let rows = self.rows[first..].iter().take_while(move |&&(row, _)| (row as usize) < range.end);
        rows.map(move |&(row, end)| {
            let numbers = &self.numbers[begin..end as usize];
            begin = end as usize;
            (row as usize, numbers)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_the_lists_that_contain_it() {
        let mut counts = RowCounts::new(200);
        let mut lists = RowLists::default();
        for rows in [&[130, 3, 64, 3, 130, 3, 199][..], &[7]] {
            // The test uses three row lists, of which the second is empty.
            let ends = [rows.len().min(3), rows.len().min(3), rows.len()];
            lists.set(rows, &ends, &mut counts);
            let mut expected: Vec<(usize, Vec<u16>)> = Vec::new();
            for row in 0..200usize {
                let has = |at: &usize| rows[*at] as usize == row;
                let numbers: Vec<u16> =
                    (0..rows.len()).filter(has).map(|at| if at < ends[0] { 0 } else { 2 }).collect();
                if !numbers.is_empty() {
                    expected.push((row, numbers));
                }
            }
            for range in [0..200, 3..4, 4..199, 64..131, 150..160] {
                let found: Vec<_> =
                    lists.of_rows(range.clone()).map(|(row, numbers)| (row, numbers.to_vec())).collect();
                let within: Vec<_> = expected.iter().filter(|(row, _)| range.contains(row)).cloned().collect();
                assert_eq!(found, within, "{range:?}");
            }
        }
        assert!(counts.counts.iter().all(|&count| count == 0) && counts.met.iter().all(|&word| word == 0));
    }
}
