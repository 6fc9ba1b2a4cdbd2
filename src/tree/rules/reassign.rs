//! Reassignment, a part of [`super::anticipation`]: a worker whose place has lost its worth goes where it is worth more, within
//! one search. Otherwise it would search on below a move that is best no more until the game has moved. Where positions are
//! divided between workers nobody moves: that was measured, and workers with empty tables lose more than the places gain.

use std::time::Duration;

/// How much better the new place must be: moving costs the worker its warm table.
const MARGIN: f64 = 4.0;
/// One of so many workers may move at a time.
const SHARE: usize = 8;
/// Places are compared so often in the time of a move.
const COMPARISONS: u32 = 12;
/// The shortest and the longest time between two comparisons.
const PERIOD: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(150));

/// Should a worker leave a place of worth `here` for one of worth `there`?
pub fn pays(here: f64, there: f64) -> bool {
    there > 0.0 && here * MARGIN < there
}

/// A worker that has been `here` so long and has so much time `left` gets as far elsewhere as it has come here. What it
/// has found here stays known; a search that begins late adds little to what its parent's worker has seen of the place.
pub fn is_in_time(here: Duration, left: Option<Duration>) -> bool {
    left.is_none_or(|left| here <= left)
}

/// How many may move at a time.
pub fn movers(players: usize) -> usize {
    (players / SHARE).max(1)
}

/// The time between two comparisons in a search of about `whole`.
pub fn period(whole: Option<Duration>) -> Duration {
    whole.map_or(PERIOD.1, |whole| (whole / COMPARISONS).clamp(PERIOD.0, PERIOD.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_much_better_place_is_worth_the_way() {
        assert!(pays(0.01, 0.05));
        assert!(!pays(0.02, 0.05));
        assert!(!pays(0.0, 0.0));
    }

    #[test]
    fn late_moves_are_not_made() {
        let ms = Duration::from_millis;
        assert!(is_in_time(ms(100), Some(ms(900))) && is_in_time(ms(500), Some(ms(500))));
        assert!(!is_in_time(ms(600), Some(ms(400))));
        assert!(is_in_time(ms(60_000), None), "without an end there is always time");
    }

    #[test]
    fn few_move_at_a_time_and_often_in_a_short_search() {
        assert_eq!((movers(2), movers(8), movers(32)), (1, 1, 4));
        let ms = Duration::from_millis;
        assert_eq!((period(None), period(Some(ms(100)))), (ms(150), ms(10)));
        assert_eq!((period(Some(ms(600))), period(Some(ms(60_000)))), (ms(50), ms(150)));
    }
}
