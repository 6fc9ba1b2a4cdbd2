//! Mate probes: mate solvers go over the leaves of the tree. Each searches a leaf for a few nodes, the likely leaves first,
//! and comes back with twice as many. What it proves settles the leaf and frees the workers there and below.

use std::time::Duration;

/// Part of one thread that our own solver takes: the rest of the time it rests, so that where all processors are busy the
/// thread workers lose next to nothing.
pub const SHARE: f64 = 0.05;

/// In an analysis the solver takes so many times as much of its thread: nobody's clock runs.
pub const OF_ANALYSIS: f64 = 8.0;

/// Who looks. What the one has not found the other may find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverKind {
    /// Ours, by checks alone.
    Own,
    /// Ours, by any moves: most mates in endgames of chess begin with quiet ones. Only in an analysis, because the search
    /// for a move finds the short ones as well.
    OwnByAnyMoves,
    /// A mate engine of somebody else. It is given a time, in the place of nodes.
    Engine,
}

impl SolverKind {
    /// Nodes of the first look at a leaf. Those of an engine are the shortest time that it is given.
    const fn first_nodes(self) -> u64 {
        match self {
            Self::Own | Self::OwnByAnyMoves => 1_000,
            Self::Engine => 10_000,
        }
    }

    /// Looks at one leaf, the last of them at half a million nodes or a little more.
    const fn most_probes(self) -> u8 {
        match self {
            Self::Own | Self::OwnByAnyMoves => 10,
            Self::Engine => 7,
        }
    }
}

/// How often a leaf has been looked at; [`u8::MAX`]: it need not be again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProbeCounts {
    own: u8,
    by_any_moves: u8,
    engine: u8,
}

impl ProbeCounts {
    fn of(self, solver: SolverKind) -> u8 {
        match solver {
            SolverKind::Own => self.own,
            SolverKind::OwnByAnyMoves => self.by_any_moves,
            SolverKind::Engine => self.engine,
        }
    }

    /// Nodes of the next look; `None`: it has been enough.
    pub fn nodes(self, solver: SolverKind) -> Option<u64> {
        let probes = self.of(solver);
        (probes < solver.most_probes()).then(|| solver.first_nodes() << probes)
    }

    /// Worth of a probe: each costs twice the one before it.
    pub fn worth(self, solver: SolverKind, probability: f64) -> f64 {
        probability * 0.5f64.powi(i32::from(self.of(solver)))
    }

    /// A look is over; `none`: its solver says that there is no mate. Our own has proved that; an engine would say it again.
    pub fn note(&mut self, solver: SolverKind, none: bool) {
        let count = match solver {
            SolverKind::Own => &mut self.own,
            SolverKind::OwnByAnyMoves => &mut self.by_any_moves,
            SolverKind::Engine => &mut self.engine,
        };
        *count = if none { u8::MAX } else { count.saturating_add(1) };
        match solver {
            SolverKind::Own if none => self.engine = u8::MAX,
            SolverKind::OwnByAnyMoves if none => (self.own, self.engine) = (u8::MAX, u8::MAX),
            _ => {}
        }
    }
}

/// The rest after a look that took so long.
pub fn rest(took: Duration, share: f64) -> Duration {
    took.mul_f64((1.0 / share.max(0.001) - 1.0).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use SolverKind::{Engine, Own, OwnByAnyMoves};

    #[test]
    fn looks_double_and_end() {
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
    fn that_there_is_no_mate_ends_the_looks_of_those_who_believe_it() {
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
    fn the_solver_works_its_share_of_the_time() {
        let took = Duration::from_millis(10);
        let part = took.as_secs_f64() / (took + rest(took, SHARE)).as_secs_f64();
        assert!((part - SHARE).abs() < 1e-6, "{part}");
        assert_eq!(rest(took, 1.0), Duration::ZERO);
    }
}
