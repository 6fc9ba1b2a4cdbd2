//! Anticipatory search: workers search whole positions in which we are likely to move later.
//!
//! Dividing the moves of a position between workers without a shared table is of little use: the better of two values
//! from different searches is mostly the one with the larger error, so that two engines that divide a node choose worse
//! than either of them alone (scripts/experiments, "Child engines under the virtual clock"). A search of the whole
//! position of the next move, or of the move after it, is not wasted: the work is kept when the game reaches the
//! position, and the answer comes from one undivided search. The tree therefore predicts the positions that the game is
//! likely to reach. Nodes where the opponent moves have workers only to look for further replies.

/// Probability that the best move of a search is still the best one when the move is played.
const KEPT: f64 = 0.75;
/// Share of the remaining probability that belongs to moves that were best earlier.
const KNOWN: f64 = 0.6;
/// Priority of looking for further replies, relative to searching positions where we move.
const SCOUTING: f64 = 0.5;

/// The probability that one of our moves is played: the best move, or one of the `others` that have nodes.
pub fn share(is_best: bool, others: usize) -> f64 {
    if is_best { KEPT } else { (1.0 - KEPT) * KNOWN / others.max(2) as f64 }
}

/// Priority of a worker at a node that is reached with `probability` and where the opponent plays a move without a node
/// with the probability `others`.
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
