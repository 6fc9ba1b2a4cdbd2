//! Mate probes: mate solvers search the leaves of the tree, the most likely leaves first. Each probe has a node limit,
//! which doubles whenever a solver returns to the same leaf. A proved mate settles the leaf and frees its workers.

use std::time::Duration;

/// Share of one processor that Hasami's own solver uses. The solver sleeps most of the time, so that the other threads
/// lose almost nothing if all processors are busy.
pub const SHARE: f64 = 0.05;

/// In an analysis, where no clock is running, the solver's share is multiplied by this factor.
pub const OF_ANALYSIS: f64 = 8.0;

/// The kind of solver that probes a leaf. A mate that one kind of solver misses may be found by another kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverKind {
    /// Hasami's own solver, searching for mates by checks only.
    Own,
    /// Hasami's own solver, searching for mates by checks or quiet moves, since most mates in chess endgames begin with
    /// quiet moves. Quiet moves are tried only in an analysis, because the normal search finds short mates anyway.
    OwnByAnyMoves,
    /// An external mate engine, which is given a time limit that corresponds to the number of nodes.
    Engine,
}

impl SolverKind {
    /// Node limit of the first mate probe of a leaf. For an external mate engine, this limit is converted to the
    /// shortest time limit.
    const fn first_nodes(self) -> u64 {
        match self {
            Self::Own | Self::OwnByAnyMoves => 1_000,
            Self::Engine => 10_000,
        }
    }

    /// Largest number of probes of one leaf. The limit of the last probe is 512,000 nodes, or 640,000 for an engine.
    const fn most_probes(self) -> u8 {
        match self {
            Self::Own | Self::OwnByAnyMoves => 10,
            Self::Engine => 7,
        }
    }
}

/// How often each kind of solver has probed a leaf; [`u8::MAX`] if that kind need not probe it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProbeCounts([u8; 3]);

impl ProbeCounts {
    /// Node limit of the next probe by this kind of solver; `None` if it need not probe the leaf again.
    pub fn nodes(self, solver: SolverKind) -> Option<u64> {
        let probes = self.0[solver as usize];
        (probes < solver.most_probes()).then(|| solver.first_nodes() << probes)
    }

    /// Priority of the next probe, which halves with every probe because each costs twice as much as the last.
    pub fn worth(self, solver: SolverKind, probability: f64) -> f64 {
        probability * 0.5f64.powi(i32::from(self.0[solver as usize]))
    }

    /// Records a finished probe. `none` says whether the solver reported that there is no mate. If Hasami's own solver
    /// reports no mate, that is a proof, so engines need not probe the leaf either.
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

/// How long the solver sleeps after a probe that took `took`.
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
