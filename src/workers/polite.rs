//! A search that makes room for whoever waits for a processor.

use hasami_api::{Goal, Pace, Task};
use std::thread;

/// Nodes of a solver between two looks around, some 0.2 ms.
const PORTION: u64 = 32;

/// The floating solver is beside the point for a moment's notice: where it holds the last free processor, a `stop` would
/// wait for the end of its slice, some 3 ms.
pub struct Polite;

impl Pace for Polite {
    fn more(&self, nodes: u64) -> u64 {
        thread::yield_now();
        nodes + PORTION
    }
}

/// A look for a mate beside other searches, unlike one that the GUI waits for. Looks by any moves belong to analyses: there the
/// solver takes its part of the processors like everybody else. Making room every few nodes, it would get none at all where
/// each processor has a thread that searches.
pub fn suits(task: &Task) -> bool {
    task.goal == Goal::Mate && task.limits.nodes.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_api::Limits;

    #[test]
    fn only_a_solvers_look_is_polite() {
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
