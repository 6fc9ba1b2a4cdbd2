//! Doubling: when nothing is worth a node of its own, a free worker searches a node that already has one, differently.
//!
//! Without shared memory splitting the moves of one node gains little, since almost all effort goes to the first of them
//! (Brockington, ICCA Journal 19-3, 1996), and where splitting pays the tree has grown there already. What is left are
//! searches of the same thing in another order: their times to a depth differ, and the first to arrive is reported (as in
//! dovetailing: Knight, IJCAI 1993; with a common table this is lazy SMP). So the deepest finding counts, once, and its
//! effort is that of the one worker who made it.

/// Workers that join the first one.
pub const MOST: usize = 3;

/// What one more worker is worth at a node of worth `worth` that `others` have joined already: the first of `n` equal
/// racers is ahead of the first of `n - 1` by less and less.
pub fn worth(worth: f64, others: usize) -> f64 {
    if others >= MOST { 0.0 } else { worth / ((others + 1) * (others + 2)) as f64 }
}

/// Is a finding of this depth news, where a finding of depth `known` stands? Only the node's own worker may correct what
/// it said at the same depth.
pub fn is_news(depth: u16, known: Option<u16>, is_own: bool) -> bool {
    known.is_none_or(|known| depth > known || (is_own && depth == known))
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
        assert!(is_news(3, None, false) && is_news(9, Some(8), false));
        assert!(!is_news(8, Some(8), false) && is_news(8, Some(8), true));
        assert!(!is_news(7, Some(8), true));
    }
}
