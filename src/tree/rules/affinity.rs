//! Hash affinity: a worker that has just searched a position needs a third of the nodes for the move it holds for best,
//! because its table knows the lines behind it. So it follows that move, and a fresh worker takes the rest.

/// Where the worker of a node goes when one of its moves gets a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Affinity {
    /// Into the new node.
    Follow,
    /// On with the node's other moves.
    Stay,
}

/// `is_best`: the new node is the move that the worker names as its best; `is_open`: there is something to search in it.
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
