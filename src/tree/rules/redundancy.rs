//! Redundant search: when nothing is worth a node of its own, a free worker searches a node that already has one, differently.
//!
//! Without shared memory splitting the moves of one node gains little, since almost all effort goes to the first of them
//! (Brockington, ICCA Journal 19-3, 1996), and where splitting pays the tree has grown there already. What is left are
//! searches of the same thing in another order: their times to a depth differ, and the first to arrive is reported (as in
//! dovetailing: Knight, IJCAI 1993; with a common table this is lazy SMP). So the deepest finding counts, once, and its
//! effort is that of the one worker who made it.

use hasami_api::Bound;

/// Workers that join the first one.
pub const MOST: usize = 3;

/// Worth of one more worker at a node of worth `worth` that `others` have joined already: the first of `n` equal
/// racers is ahead of the first of `n - 1` by less and less.
pub fn worth(worth: f64, others: usize) -> f64 {
    if others >= MOST { 0.0 } else { worth / ((others + 1) * (others + 2)) as f64 }
}

/// Rank of a finding beside those of other searches of the same thing; the more, the better. A bound from below at
/// the next depth names a better move than all that was finished before; one from above names none, since its move was
/// the best of that search alone.
pub fn standing(depth: u16, bound: Bound) -> u32 {
    match bound {
        Bound::Lower => 2 * u32::from(depth),
        _ => 2 * u32::from(bound.finished(depth)) + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_helper_is_worth_most_and_there_is_a_last() {
        assert!(worth(1.0, 0) > worth(1.0, 1) && worth(1.0, 1) > worth(1.0, 2));
        assert_eq!(worth(1.0, MOST), 0.0);
        assert!(worth(0.1, 0) < worth(1.0, 1), "the best node may have two before a poor one has any");
    }

    #[test]
    fn the_deepest_finding_counts() {
        let order = [(7, Bound::Exact), (8, Bound::Lower), (8, Bound::Exact), (9, Bound::Lower)];
        assert!(order.windows(2).all(|pair| standing(pair[0].0, pair[0].1) < standing(pair[1].0, pair[1].1)));
        assert_eq!(standing(9, Bound::Upper), standing(8, Bound::Exact));
    }
}
