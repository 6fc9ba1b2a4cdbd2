//! Computes the proof or disproof number of a node that needs all its children.
//!
//! The number lies between the sum of the children's numbers and the weak number: the largest number plus one for every
//! other open child (Ueda et al., "Weak proof-number search", CG 2008). The sum counts a position below several
//! children several times, whereas the weak number of a node with ten hard answers is hardly larger than that of a node
//! with one hard answer. [`super::style`] determines where the number lies between the sum and the weak number.

use super::value::INFINITE;

/// Combines the numbers of a node's children: the largest number counts in full, and each of the other open children
/// adds a part of its number.
#[derive(Default)]
pub(crate) struct ChildCount {
    most: u32,
    added: u32,
    pub(crate) open: u32,
}

impl ChildCount {
    pub(crate) fn add(&mut self, number: u32, part: u32) {
        if number == 0 {
            return;
        }
        let (larger, smaller) = (self.most.max(number), self.most.min(number));
        self.added = self.added.saturating_add(if self.open == 0 { 0 } else { added(smaller, part) });
        (self.most, self.open) = (larger, self.open + 1);
    }

    /// Adds a child that counts as one unit with an earlier child, so its number matters only if it is the largest.
    pub(crate) fn add_twin(&mut self, number: u32) {
        self.most = self.most.max(number);
    }

    pub(crate) fn total(&self) -> u32 {
        self.most.saturating_add(self.added).min(INFINITE - 1)
    }
}

/// Returns the amount that an open child adds to its parent's number if the child's number is not the largest. A `part`
/// of 0 gives the weak number.
pub(crate) fn added(number: u32, part: u32) -> u32 {
    1 + (number - 1).checked_div(part).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(numbers: &[u32], part: u32) -> u32 {
        let mut all = ChildCount::default();
        numbers.iter().for_each(|&number| all.add(number, part));
        all.total()
    }

    #[test]
    fn a_twin_counts_only_if_it_is_the_largest() {
        let with_twin = |twin| {
            let mut all = ChildCount::default();
            [7, 5].iter().for_each(|&number| all.add(number, 0));
            all.add_twin(twin);
            (all.total(), all.open)
        };
        assert_eq!((with_twin(3), with_twin(9)), ((8, 2), (10, 2)));
    }

    #[test]
    fn the_total_lies_between_the_weak_number_and_the_sum() {
        for numbers in [[3, 9, 5], [9, 5, 3], [5, 3, 9]] {
            assert_eq!(total(&numbers, 0), 9 + 2);
            assert_eq!(total(&numbers, 1), 17);
            assert_eq!(total(&numbers, 4), 9 + 2 + 1);
        }
        assert_eq!(total(&[0, 7, 0], 4), 7, "decided children do not count");
        assert_eq!(total(&[], 4), 0);
        assert_eq!(total(&[INFINITE - 1, INFINITE - 1], 1), INFINITE - 1);
    }
}
