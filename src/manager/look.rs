//! The mate solver's looks at the leaves of the tree ([`crate::tree::rules::mates`]).

use super::core::{Manager, Phase};
use super::member::{Job, Work};
use crate::event::{Time, WorkerId};
use crate::tree::rules::mates;
use crate::tree::{Frontier, NodeId};
use hasami_api::{Game, Goal, Limits, MateAnswer, MoveText, Task};
use std::time::Duration;

/// Choosing a leaf costs time in proportion to the tree: so long for each 256 nodes, at least.
const PERIOD: Duration = Duration::from_millis(5);

impl<G: Game> Manager<G> {
    /// Sends solvers to leaves: ours if it has rested long enough, and mate engines, which have nothing else to do. A
    /// search with exact limits is left alone.
    pub(super) fn look(&mut self, now: Time) {
        let is_exact = matches!(&self.phase, Phase::Thinking(think) if think.exact.is_some() || think.done || think.question.is_some());
        if now < self.next_leaf || !self.is_searching() || is_exact || self.model.rules().mates == 0.0 {
            return;
        }
        let ours = || self.crew.idle_specialist(now, true).filter(|_| now >= self.next_look);
        let Some(worker) = self.crew.idle_specialist(now, false).or_else(ours) else { return };
        self.next_leaf = now + PERIOD * (1 + self.tree.len() as u32 / 256);
        let taken = self.crew.looked_at();
        let Some(node) = Frontier::mate_leaf(&self.tree, self.model.as_ref(), &taken) else { return };
        let nodes = mates::nodes(self.tree.node(node).looks);
        let line = self.line_to(node);
        let limits = Limits { nodes, ..Limits::default() };
        let task = Task { line, goal: Goal::Mate, limits, ..Task::default() };
        self.hand_out(now, worker, Work::Look(node), task, Vec::new());
    }

    /// The solver is back. A mate settles the leaf, which frees its worker and all below.
    pub(super) fn on_look(&mut self, now: Time, worker: WorkerId, node: NodeId, job: &Job, answer: &MateAnswer) {
        let is_ours = self.crew.get(worker).is_some_and(|member| member.profile.is_ours());
        if is_ours {
            let rest = mates::rest(now.saturating_sub(job.started), self.model.rules().mates);
            self.next_look = self.next_look.max(now + rest);
        }
        if job.cancelled.is_some() || self.tree.get(node).is_none() {
            return;
        }
        self.tree.looked(node, is_ours && *answer == MateAnswer::NoMate);
        let MateAnswer::Mate(line) = answer else { return };
        // The solver knows nothing of searchmoves.
        if self.is_left_out(node, line) {
            return;
        }
        if !self.tree.record_mate(node, line, job.nodes) {
            return self.count_lie(now, worker, "expected a line to a mate, found another");
        }
        self.on_news(now, node);
    }

    /// The line begins with a move that may not be played from there.
    pub(super) fn is_left_out(&mut self, node: NodeId, line: &[MoveText]) -> bool {
        let first = line.first().and_then(|text| self.tree.at(node, |game| game.parse_move(text)).ok());
        first.is_some_and(|m| !self.tree.allows(node, m))
    }
}
