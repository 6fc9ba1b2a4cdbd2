//! Hash affinity: a worker that has just searched a position needs only a third of the nodes to search its best move,
//! because the worker's table contains the lines below that move. For this reason, the worker follows its best move,
//! and another worker takes the remaining moves.

/// The next node of a worker when one of its node's moves gets its own node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Affinity {
    /// The worker moves to the new node.
    Follow,
    /// The worker continues with the other moves of the old node.
    Stay,
}

/// Decides where the worker goes. `is_best` says whether the new node is the move that the worker names as best,
/// `is_open` whether the new node has something to search.
pub fn way(is_best: bool, is_open: bool) -> Affinity {
    if is_best && is_open { Affinity::Follow } else { Affinity::Stay }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_best_move_that_can_be_searched_is_followed() {
        assert_eq!(way(true, true), Affinity::Follow);
        assert_eq!(way(false, true), Affinity::Stay);
        assert_eq!(way(true, false), Affinity::Stay);
    }
}
