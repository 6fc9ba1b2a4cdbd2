//! Anticipatory search: workers search the whole positions in which we shall have to move, before the game comes there.
//!
//! A finding about one part of a position is worth little to a worker that shares no table with its finder: the better of
//! two values from unlike searches is mostly the one that is wrong by more, so that a node divided between two engines
//! chooses worse than either of them alone (scripts/experiments, "Child engines under the virtual clock"). Time spent on the
//! very position of the next move, or of the one after it, is worth its whole length, though: nothing of it is lost when the
//! game comes there, and the answer is that of one undivided search. So the tree names the positions that the game is likely
//! to reach, and nodes where the opponent moves are but the way there: they have workers only to look for further replies.

/// How often the best move of a search is still the one that is played in the end.
const KEPT: f64 = 0.75;
/// The part of moves that have been best before, in the rest.
const KNOWN: f64 = 0.6;
/// Worth of looking for further replies beside searching on.
const SCOUTING: f64 = 0.5;

/// The probability that a move of ours is played: the best one, or one of `others` that have nodes besides.
pub fn share(is_best: bool, others: usize) -> f64 {
    if is_best { KEPT } else { (1.0 - KEPT) * KNOWN / others.max(2) as f64 }
}

/// Worth of a worker where the opponent moves with this probability, and plays an unnamed move with that one.
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
    fn the_next_position_comes_before_further_replies() {
        assert!(scouting(0.75, 0.4) < 0.75 * 0.6);
    }
}
