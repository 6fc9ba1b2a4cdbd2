//! Mate probes: mate solvers visit the leaves of the tree. A solver searches a leaf for a limited number of nodes, the
//! most likely leaves first, and may return to the leaf later with twice that number of nodes. A proof settles the leaf
//! and frees the workers there and below it.

use std::time::Duration;

/// Share of one thread that our own solver uses. The solver sleeps for the rest of the time, so that the thread workers
/// lose almost nothing if all processors are busy.
pub const SHARE: f64 = 0.05;

/// Factor by which our solver's share of a thread is larger in an analysis, where no clock is running.
pub const OF_ANALYSIS: f64 = 8.0;

/// The solver of a probe. A mate that one solver misses may be found by another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverKind {
    /// Our solver, with checks only.
    Own,
    /// Our solver, with any moves, since most mates in endgames of chess begin with quiet moves. Probes with any moves
    /// are used only in an analysis, because the normal search finds short mates as well.
    OwnByAnyMoves,
    /// An external mate engine, which gets a time limit that corresponds to the number of nodes.
    Engine,
}

impl SolverKind {
    /// Number of nodes of the first probe of a leaf, which corresponds to the shortest time limit of an engine.
    const fn first_nodes(self) -> u64 {
        match self {
            Self::Own | Self::OwnByAnyMoves => 1_000,
            Self::Engine => 10_000,
        }
    }

    /// Largest number of probes of one leaf. The last probe has 512,000 nodes, or 640,000 with an engine.
    const fn most_probes(self) -> u8 {
        match self {
            Self::Own | Self::OwnByAnyMoves => 10,
            Self::Engine => 7,
        }
    }
}

/// Number of times that a leaf was probed by each kind of solver; [`u8::MAX`] if the leaf need not be probed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProbeCounts([u8; 3]);

impl ProbeCounts {
    /// Number of nodes of the next probe; `None` if the leaf need not be probed again.
    pub fn nodes(self, solver: SolverKind) -> Option<u64> {
        let probes = self.0[solver as usize];
        (probes < solver.most_probes()).then(|| solver.first_nodes() << probes)
    }

    /// Priority of a probe, which halves with every probe because the next one costs twice as much.
    pub fn worth(self, solver: SolverKind, probability: f64) -> f64 {
        probability * 0.5f64.powi(i32::from(self.0[solver as usize]))
    }

    /// Notes a finished probe. `none` means that the solver has found no mate: for our own solver that is a proof, so
    /// engines need not probe the leaf either.
    pub fn note(&mut self, solver: SolverKind, none: bool) {
        let count = &mut self.0[solver as usize];
        *count = if none { u8::MAX } else { count.saturating_add(1) };
        match solver {
            SolverKind::Own if none => self.0[SolverKind::Engine as usize] = u8::MAX,
            SolverKind::OwnByAnyMoves if none => self.0 = [u8::MAX; 3],
            _ => {}
        }
    }
}

/// The time to sleep after a probe that took `took`.
pub fn rest(took: Duration, share: f64) -> Duration {
    took.mul_f64((1.0 / share.max(0.001) - 1.0).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use SolverKind::{Engine, Own, OwnByAnyMoves};

    #[test]
    fn probes_double_and_end() {
        for (solver, first, last) in [(Own, 1_000, 512_000), (OwnByAnyMoves, 1_000, 512_000), (Engine, 10_000, 640_000)]
        {
            let (mut probes, mut all) = (ProbeCounts::default(), Vec::new());
            while let Some(nodes) = probes.nodes(solver) {
                all.push(nodes);
                let before = probes.worth(solver, 0.5);
                probes.note(solver, false);
                assert!(probes.worth(solver, 0.5) < before);
            }
            assert_eq!((all[0], all[all.len() - 1]), (first, last));
            assert!(all.windows(2).all(|pair| pair[1] == 2 * pair[0]), "{all:?}");
        }
    }

    #[test]
    fn a_disproof_ends_the_probes_of_the_solvers_that_it_covers() {
        let mut probes = ProbeCounts::default();
        probes.note(Engine, true);
        assert_eq!((probes.nodes(Own), probes.nodes(Engine)), (Some(1_000), None));
        probes.note(Own, true);
        assert_eq!(probes.nodes(Own), None);
        let mut probes = ProbeCounts::default();
        probes.note(Own, true);
        assert_eq!((probes.nodes(Engine), probes.nodes(OwnByAnyMoves)), (None, Some(1_000)), "a quiet move may mate");
        probes.note(OwnByAnyMoves, true);
        assert_eq!(probes.nodes(OwnByAnyMoves), None);
    }

    #[test]
    fn the_solver_uses_its_share_of_the_time() {
        let took = Duration::from_millis(10);
        let part = took.as_secs_f64() / (took + rest(took, SHARE)).as_secs_f64();
        assert!((part - SHARE).abs() < 1e-6, "{part}");
        assert_eq!(rest(took, 1.0), Duration::ZERO);
    }
}
