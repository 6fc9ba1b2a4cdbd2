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

/// A worker that is so many plies ahead is stronger even if it makes fewer nodes a second, but not less than this part.
const PLIES: u16 = 3;
const SLOWEST: f64 = 0.5;
/// One that is as deep is stronger if it makes so many times as many.
const FASTER: f64 = 1.5;

/// What a worker has shown in a search: nodes a second (0: not known yet), and plies below the asked position.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    pub speed: f64,
    pub reach: u16,
}

/// Is the one much stronger than the other, by nodes and depth? Then it cannot be so the other way round.
pub fn outranks(one: Shown, other: Shown) -> bool {
    let is_known = one.speed > 0.0 && other.speed > 0.0;
    let is_ahead = one.reach >= other.reach.saturating_add(PLIES) && one.speed >= SLOWEST * other.speed;
    let is_faster = one.reach >= other.reach && one.speed >= FASTER * other.speed;
    is_known && (is_ahead || is_faster)
}

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
    fn strength_is_nodes_and_depth_and_never_mutual() {
        let shown = |speed, reach| Shown { speed, reach };
        let weak = shown(400e3, 14);
        assert!(outranks(shown(800e3, 14), weak) && outranks(shown(250e3, 18), weak));
        assert!(!outranks(shown(500e3, 15), weak), "hardly stronger");
        assert!(!outranks(shown(900e3, 12), weak) && !outranks(shown(100e3, 25), weak), "who counts nodes otherwise");
        assert!(!outranks(shown(800e3, 20), shown(0.0, 3)) && !outranks(shown(0.0, 20), weak), "not measured yet");
        for (a, b) in [(800e3, 14), (250e3, 18), (400e3, 11), (600e3, 17)].into_iter().zip([14_u16, 20, 17, 11]) {
            let (one, other) = (shown(a.0, a.1), shown(400e3, b));
            assert!(!(outranks(one, other) && outranks(other, one)), "{one:?} {other:?}");
        }
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
