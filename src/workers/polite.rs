//! Makes a search yield the processor to other threads.

use hasami_api::{Goal, Pace, Task};
use std::thread;

/// Number of nodes that the solver searches between two yields, which takes about 0.2 ms.
const PORTION: u64 = 32;

/// A pace for the solver's background searches for mates, which yield the processor. If such a search held the last
/// free processor without yielding, a `stop` would have to wait for the end of its time slice, about 3 ms.
pub struct Polite;

impl Pace for Polite {
    fn more(&self, nodes: u64) -> u64 {
        thread::yield_now();
        nodes + PORTION
    }
}

/// Whether a task is a background search for a mate, rather than a search that the GUI is waiting for. Searches for
/// mates by any moves belong to analyses and do not yield: in an analysis, the solver must get its share of the
/// processors, and it would get no time if every processor had a searching thread.
pub fn suits(task: &Task) -> bool {
    task.goal == Goal::Mate && task.limits.nodes.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_api::Limits;

    #[test]
    fn only_background_searches_for_mates_yield() {
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        assert!(suits(&Task { goal: Goal::Mate, limits, ..Task::default() }));
        assert!(!suits(&Task { goal: Goal::Mate, ..Task::default() }), "the GUI waits for it");
        assert!(!suits(&Task { goal: Goal::Best, limits, ..Task::default() }));
        assert!(
            !suits(&Task { goal: Goal::MateByAnyMoves, limits, ..Task::default() }),
            "no clock runs in an analysis"
        );
        assert_eq!(Polite.more(1_000), 1_032);
    }
}
