//! Anticipation: workers search whole positions in which the engine is likely to move later.
//!
//! Dividing a position's moves among workers without a shared table is of little use. Of two values from different
//! searches, the better one usually has the larger error, so two engines that divide a node choose worse than either
//! does alone (scripts/experiments, "Child engines under the virtual clock"). Work on the whole position before one of
//! the engine's future moves is not wasted: it is kept when the game reaches the position, and the answer comes from
//! one undivided search. With anticipation, the tree predicts positions that the game is likely to reach. Nodes where
//! the opponent is to move have workers only to look for further replies.

/// Probability that the current best move will be played.
const KEPT: f64 = 0.75;
/// Probability that, if the current best move is not played, one of the other moves with nodes is played.
const KNOWN: f64 = 0.6;
/// Priority of looking for further replies, relative to searching positions where the engine is to move.
const SCOUTING: f64 = 0.5;

/// The probability that the engine plays a certain move: the best move, or one of `others` moves that have nodes.
pub fn share(is_best: bool, others: usize) -> f64 {
    if is_best { KEPT } else { (1.0 - KEPT) * KNOWN / others.max(2) as f64 }
}

/// Priority of a worker at a node where the opponent is to move. `probability` is how likely the game is to reach the
/// node, and `others` how likely the opponent then is to play a move without a node.
pub fn scouting(probability: f64, others: f64) -> f64 {
    SCOUTING * probability * others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_all_moves_are_less_than_one() {
        for others in 0..40 {
            let sum = share(true, others) + others as f64 * share(false, others);
            assert!(sum < 1.0 && share(true, others) > share(false, others));
        }
    }

    #[test]
    fn the_next_position_is_worth_more_than_further_replies() {
        assert!(scouting(0.75, 0.4) < 0.75 * 0.6);
    }
}
