//! Hash affinity: a worker that has just searched a position needs only a third of the nodes to search its best move,
//! because its table knows the lines below it. So the worker follows that move, and another one takes the rest.

/// Where the worker of a node goes when one of the node's moves gets its own node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Affinity {
    /// To the new node.
    Follow,
    /// On with the other moves of its node.
    Stay,
}

/// `is_best` says whether the new node is the move that the worker names as best, `is_open` whether there is something
/// to search in it.
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
