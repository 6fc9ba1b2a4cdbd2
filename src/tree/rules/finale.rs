//! The finale: in the last tenth of our time about two thirds of the workers search below our best move. What they find
//! there still counts once the move is played, and a late doubt about it is worth more than a late challenger.

use std::time::Duration;

/// The part of the workers that belongs below the best move.
pub const SHARE: f64 = 0.65;
/// Workers are moved only if the part is smaller than wanted by this.
const SLACK: f64 = 0.05;
/// Until then a place elsewhere has this part of its worth.
const ELSEWHERE: f64 = 0.1;

/// When the finale of a search begins that will probably last so long.
pub fn begins(expected: Duration) -> Duration {
    expected * 9 / 10
}

/// Factor on the worth of places that do not lie below the best move.
pub fn elsewhere(below: usize, seated: usize, share: f64) -> f64 {
    if (below as f64) < share * seated as f64 { ELSEWHERE } else { 1.0 }
}

/// How many workers are to move below the best move.
pub fn movers(below: usize, seated: usize, share: f64) -> usize {
    if below as f64 >= (share - SLACK) * seated as f64 {
        return 0;
    }
    ((share * seated as f64).ceil() as usize).saturating_sub(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_last_tenth() {
        assert_eq!(begins(Duration::from_millis(1000)), Duration::from_millis(900));
        assert_eq!(begins(Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn two_thirds_gather_below_the_best_move() {
        let movers_of = |below, seated| movers(below, seated, SHARE);
        assert_eq!((movers_of(5, 10), movers_of(6, 10), movers_of(10, 10), movers_of(0, 0)), (2, 0, 0, 0));
        for seated in 4..200 {
            let below = seated / 5;
            let after = (below + movers(below, seated, SHARE)) as f64 / seated as f64;
            assert!((0.6..=0.85).contains(&after), "{seated}: {after}");
        }
        assert!(elsewhere(6, 10, SHARE) < 1.0 && elsewhere(7, 10, SHARE) == 1.0);
    }
}
