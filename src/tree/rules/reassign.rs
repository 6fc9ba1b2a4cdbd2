//! Reassignment, a part of [`super::anticipation`]: within one search, a worker whose node has become unimportant moves
//! to a more important node. Without anticipation, workers are not moved: measurements showed that workers with empty
//! tables lose more than the better nodes gain.

use std::time::Duration;

/// The new node's priority must be higher by this factor, because moving costs the worker its warm table.
const MARGIN: f64 = 4.0;
/// At most one in this many workers may move at a time.
const SHARE: usize = 8;
/// Number of times that nodes are compared during the search for one move.
const COMPARISONS: u32 = 12;
/// The shortest and the longest time between two comparisons.
const PERIOD: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(150));

/// A worker that is this many plies deeper than another counts as stronger if it has at least [`SLOWEST`] times the
/// other's speed.
const PLIES: u16 = 3;
const SLOWEST: f64 = 0.5;
/// A worker that is at least as deep as another counts as stronger if it is faster by this factor.
const FASTER: f64 = 1.5;

/// A worker's performance: nodes per second (0 if unknown), and depth in plies below the requested position.
#[derive(Clone, Copy, Debug)]
pub struct WorkerPerformance {
    pub speed: f64,
    pub reach: u16,
}

/// Returns whether one worker is much stronger than another by speed and depth. Two workers never outrank each other.
pub fn outranks(one: WorkerPerformance, other: WorkerPerformance) -> bool {
    let is_known = one.speed > 0.0 && other.speed > 0.0;
    let is_ahead = one.reach >= other.reach.saturating_add(PLIES) && one.speed >= SLOWEST * other.speed;
    let is_faster = one.reach >= other.reach && one.speed >= FASTER * other.speed;
    is_known && (is_ahead || is_faster)
}

/// Returns whether a worker should leave a node of priority `here` for one of priority `there`.
pub fn pays(here: f64, there: f64) -> bool {
    there > 0.0 && here * MARGIN < there
}

/// Returns whether a worker that has searched its node for the time `here` can get as far at another node in the time
/// `left`. A search that begins too late adds little to what the parent's worker has found.
pub fn is_in_time(here: Duration, left: Option<Duration>) -> bool {
    left.is_none_or(|left| here <= left)
}

/// The number of workers that may move at a time.
pub fn movers(players: usize) -> usize {
    (players / SHARE).max(1)
}

/// The time between two comparisons of nodes, in a search that takes about `whole`.
pub fn period(whole: Option<Duration>) -> Duration {
    whole.map_or(PERIOD.1, |whole| (whole / COMPARISONS).clamp(PERIOD.0, PERIOD.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_much_better_node_is_worth_moving() {
        assert!(pays(0.01, 0.05));
        assert!(!pays(0.02, 0.05));
        assert!(!pays(0.0, 0.0));
    }

    #[test]
    fn strength_depends_on_speed_and_depth_and_is_never_mutual() {
        let performance = |speed, reach| WorkerPerformance { speed, reach };
        let weak = performance(400e3, 14);
        assert!(outranks(performance(800e3, 14), weak) && outranks(performance(250e3, 18), weak));
        assert!(!outranks(performance(500e3, 15), weak), "hardly stronger");
        assert!(
            !outranks(performance(900e3, 12), weak) && !outranks(performance(100e3, 25), weak),
            "engines that count nodes differently"
        );
        assert!(
            !outranks(performance(800e3, 20), performance(0.0, 3)) && !outranks(performance(0.0, 20), weak),
            "not measured yet"
        );
        for (a, b) in [(800e3, 14), (250e3, 18), (400e3, 11), (600e3, 17)].into_iter().zip([14_u16, 20, 17, 11]) {
            let (one, other) = (performance(a.0, a.1), performance(400e3, b));
            assert!(!(outranks(one, other) && outranks(other, one)), "{one:?} {other:?}");
        }
    }

    #[test]
    fn workers_do_not_move_late_in_a_search() {
        let ms = Duration::from_millis;
        assert!(is_in_time(ms(100), Some(ms(900))) && is_in_time(ms(500), Some(ms(500))));
        assert!(!is_in_time(ms(600), Some(ms(400))));
        assert!(is_in_time(ms(60_000), None), "there is always time without a limit");
    }

    #[test]
    fn few_workers_move_at_a_time_and_comparisons_follow_the_time() {
        assert_eq!((movers(2), movers(8), movers(32)), (1, 1, 4));
        let ms = Duration::from_millis;
        assert_eq!((period(None), period(Some(ms(100)))), (ms(150), ms(10)));
        assert_eq!((period(Some(ms(600))), period(Some(ms(60_000)))), (ms(50), ms(150)));
    }
}
