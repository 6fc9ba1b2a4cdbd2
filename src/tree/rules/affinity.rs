//! Hash affinity: a worker that has just searched a position needs only a third of the nodes to search its best move,
//! because the worker's table contains the lines below that move. For this reason, the worker follows its best move,
//! and another worker takes the remaining moves.

/// Returns whether the worker of a node moves to the new node of one of its moves. `is_best` says whether the worker names
/// that move as best, `is_open` whether the new node has something to search.
pub fn follows(is_best: bool, is_open: bool) -> bool {
    is_best && is_open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_best_move_that_can_be_searched_is_followed() {
        assert!(follows(true, true));
        assert!(!follows(false, true));
        assert!(!follows(true, false));
    }
}
