//! Sends mate solvers to the leaves of the tree ([`hasami_tree::rules::mate_probes`]).

use super::assign::{Assignment, Demand};
use super::core::Manager;
use super::roster::{AssignedTask, TaskKind};
use hasami_api::{Game, Goal, Limits, MateAnswer, Task};
use hasami_tree::event::{Time, WorkerId};
use hasami_tree::rules::mate_probes::{self, SolverKind};
use hasami_tree::{Frontier, NodeId};
use std::time::Duration;

/// Minimum interval between two choices of a leaf, in a small tree. Every 256 nodes lengthen the interval by this
/// amount, because the time to choose a leaf is proportional to the size of the tree.
const PERIOD: Duration = Duration::from_millis(5);

/// Decides when the next mate probes may begin.
#[derive(Default)]
pub(super) struct MateProbe {
    /// End of our own solver's pause.
    next: Time,
    /// Earliest time of the next probe by any solver.
    next_leaf: Time,
    /// True if mates in this game may contain moves that do not give check.
    by_any_moves: bool,
}

impl MateProbe {
    /// In analyses, lets our own solver also look for mates with moves that do not give check.
    pub fn allow_any_moves(&mut self) {
        self.by_any_moves = true;
    }

    /// Sends solvers to leaves: our own solver if its pause is over, and external mate engines. Does nothing in a
    /// search with exact limits.
    pub fn send<G: Game>(&mut self, now: Time, assignment: &mut Assignment<G>, demand: Demand) {
        let is_exact = demand.is_exact() || demand.is_done();
        let share = assignment.model.rules().mate_probes;
        if now < self.next_leaf || !demand.is_searching || is_exact || share == 0.0 {
            return;
        }
        let ours = assignment.roster.idle_specialist(now, true).filter(|_| now >= self.next);
        let quiet = ours.filter(|_| self.by_any_moves && demand.is_analysis());
        let idle = [
            (assignment.roster.idle_specialist(now, false), SolverKind::Engine),
            (ours, SolverKind::Own),
            (quiet, SolverKind::OwnByAnyMoves),
        ];
        if idle.iter().all(|(worker, _)| worker.is_none()) {
            return;
        }
        self.next_leaf = now + PERIOD * (1 + assignment.tree.len() as u32 / 256);
        let taken = assignment.roster.probed();
        let leaf_for = |solver| Frontier::mate_leaf(&assignment.tree, &assignment.model, solver, &taken);
        let found = idle.into_iter().filter_map(|(worker, solver)| {
            let (worth, node) = leaf_for(solver).filter(|_| worker.is_some())?;
            Some((worth, solver, worker?, node))
        });
        // A mate engine takes precedence, because it has no other work. If no mate engine is idle, the probe with the
        // highest priority is chosen.
        let rank = |&(worth, solver, ..): &(f64, SolverKind, WorkerId, NodeId)| (solver == SolverKind::Engine, worth);
        let Some((_, solver, worker, node)) =
            found.reduce(|best, next| if rank(&next) > rank(&best) { next } else { best })
        else {
            return;
        };
        let goal = if solver == SolverKind::OwnByAnyMoves { Goal::MateByAnyMoves } else { Goal::Mate };
        let nodes = assignment.tree.node(node).probes.nodes(solver);
        let limits = Limits { nodes, ..Limits::default() };
        let task = Task { line: assignment.line_to(node), goal, limits, ..Task::default() };
        assignment.hand_out(now, worker, TaskKind::Probe(node, solver), task, Vec::new());
    }

    /// Makes our own solver pause after a probe that took `took`.
    fn rest(&mut self, now: Time, took: Duration, share: f64) {
        self.next = self.next.max(now + mate_probes::rest(took, share));
    }
}

impl<G: Game> Manager<G> {
    /// Handles the result of a probe. A mate settles the leaf and frees the workers that search the leaf.
    pub(super) fn on_probe(
        &mut self,
        now: Time,
        worker: WorkerId,
        (node, solver): (NodeId, SolverKind),
        job: &AssignedTask,
        answer: &MateAnswer,
    ) {
        if solver != SolverKind::Engine {
            let times = if self.demand().is_analysis() { mate_probes::OF_ANALYSIS } else { 1.0 };
            let share = (self.assignment.model.rules().mate_probes * times).min(1.0);
            self.probe.rest(now, now.saturating_sub(job.started), share);
        }
        if job.cancelled.is_some() || self.assignment.tree.get(node).is_none() {
            return;
        }
        self.assignment.tree.note_probe(node, solver, *answer == MateAnswer::NoMate);
        let MateAnswer::Mate(line) = answer else { return };
        // The solver ignores `searchmoves`, so its mate may begin with a move that is not allowed.
        if self.assignment.is_left_out(node, line) {
            return;
        }
        // A mate that is not proved is ignored, but not counted as a lie, since it may be too long for the proof.
        if !self.believes_mate_at(worker, node, line) {
            return;
        }
        if !self.assignment.tree.record_mate(node, line, job.nodes) {
            return self.count_lie(now, worker, "its line does not lead to a mate");
        }
        self.assignment.on_value(now, node);
    }
}
