//! When the answer is due: what the clock is told about the root, and what the other limits say.

use super::answer::Choice;
use super::clock::{Plan, Signs, Step};
use super::core::{Manager, Phase};
use super::think::Think;
use crate::event::Time;
use crate::tree::{Node, NodeId, Source, Value};
use hasami_api::{Bound, Game, Limits, Score};
use std::collections::HashSet;

/// Where there is no mate to be found, a search of so many plies gives the move.
const SENSIBLE: u16 = 9;

impl<G: Game> Manager<G> {
    /// Asks the clock and the limits; called after every event.
    pub(super) fn step(&mut self, now: Time) {
        self.note_best(now);
        self.seek_shorter(now);
        let (is_free, until) = match &self.phase {
            Phase::Thinking(think) => (!think.held, None),
            Phase::Mating(search) => (false, search.until()),
            Phase::Pondering(until) => (false, Some(*until)),
            Phase::Idle | Phase::Unplaced(_) => (false, None),
        };
        if until.is_some_and(|until| until <= now) {
            self.finish(now);
            self.end_pondering(now);
        } else if is_free && self.is_due(now) {
            self.finish(now);
        } else {
            self.inform(now);
        }
    }

    fn is_due(&mut self, now: Time) -> bool {
        let signs = self.signs(now);
        let limit = self.limit_reached();
        let Phase::Thinking(think) = &mut self.phase else { return false };
        let elapsed = now.saturating_sub(think.clock_from.unwrap_or(now));
        let step = think.plan.step(elapsed, &signs);
        think.check_at = match step {
            Step::CheckAt(at) => think.clock_from.map(|from| from + at),
            Step::GoOn | Step::Stop => None,
        };
        step == Step::Stop || limit || (signs.settled && signs.known && think.plan == Plan::Unlimited)
    }

    fn limit_reached(&self) -> bool {
        let Phase::Thinking(think) = &self.phase else { return false };
        let value = self.tree.node(self.tree.searched(self.focus())).value;
        if let Some(question) = think.question.as_ref().filter(|_| think.go.mate.is_some()) {
            let wanted = Score::win_in(question.plies.into());
            let is_found = value.is_some_and(|value| value.score >= wanted && value.bound == Bound::Exact);
            if is_found || question.refuted && self.depth_reached(SENSIBLE) {
                return true;
            }
        }
        let is_spent = self.budget().is_some_and(|budget| budget.is_spent());
        if think.exact.is_some() {
            // Who works there ends by itself; who was lost may have left nothing for another.
            let is_left = is_spent && self.tree.node(self.focus()).seat.is_none();
            return think.done || is_left || self.is_ignored(think);
        }
        let nodes = is_spent || think.go.nodes.is_some_and(|limit| self.spent(think) >= limit);
        let depth = think.go.depth.is_some_and(|limit| self.depth_reached(limit) && self.has_block(think, limit));
        nodes || depth
    }

    /// With MultiPV: all lines have the depth, or nobody is at it any more. A team is asked for a depth, so each of its
    /// members ends with a whole block of it.
    fn has_block(&self, think: &Think, limit: u16) -> bool {
        let is_wanted = self.team_depth().is_some() && self.block_size().is_some();
        let is_searched = self.tree.node(self.tree.searched(self.focus())).seat.is_some();
        !(is_wanted && is_searched) || think.blocks.depth() >= limit
    }

    /// The worker that was to keep the limits by itself has gone far beyond them: it does not understand them.
    fn is_ignored(&self, think: &Think) -> bool {
        let nodes = |limit: u64| self.spent(think) >= Limits::far_beyond(limit);
        let depth = |limit: u16| self.depth_reached(limit.saturating_add(1));
        think.go.nodes.is_some_and(nodes) || think.go.depth.is_some_and(depth)
    }

    /// The best line has the depth. If it ends by the rules, or nobody goes on with it, it never gets deeper; then the
    /// deepest line anywhere counts.
    fn depth_reached(&self, limit: u16) -> bool {
        let root = self.tree.node(self.tree.searched(self.focus()));
        let (mut end, mut depth) = (root, root.value.map_or(0, finished));
        while let Some(Source::Child(child)) = end.value.map(|value| value.source) {
            end = self.tree.node(self.tree.searched(child));
        }
        if end.settled.is_settled() || end.exhausted {
            let reach = |(id, node): (NodeId, &Node<G::Move>)| {
                let own = node.finding()?;
                Some(self.tree.depth(id) as u16 + own.bound.finished(own.depth))
            };
            depth = self.tree.iter().filter_map(reach).max().unwrap_or(depth);
        }
        depth >= limit
    }

    /// Remembers since when the best move has been the best.
    fn note_best(&mut self, now: Time) {
        if !matches!(self.phase, Phase::Thinking(_)) {
            return;
        }
        let best = self.tree.best_move(self.tree.searched(self.focus()));
        let score = self.tree.node(self.tree.searched(self.focus())).value.map(|value| value.score);
        let Phase::Thinking(think) = &mut self.phase else { return };
        if think.best != best {
            (think.best, think.best_since) = (best, now);
        }
        think.first_score = think.first_score.or(score);
        self.note_exact();
    }

    /// Remembers the last exact value with its variation, for the line before the answer.
    fn note_exact(&mut self) {
        let focus = self.focus();
        let Some(value) = self.tree.node(focus).value.filter(|value| value.bound == Bound::Exact) else { return };
        let Phase::Thinking(think) = &self.phase else { return };
        if think.exact_choice.as_ref().is_some_and(|known| known.value == value) {
            return;
        }
        let line = self.tree.variation(focus);
        self.tree.note_exact(focus, &value.as_report(&line));
        if let Phase::Thinking(think) = &mut self.phase {
            think.exact_choice = Some(Choice { line, value });
        }
    }

    fn signs(&self, now: Time) -> Signs {
        let Phase::Thinking(think) = &self.phase else { return Signs::default() };
        let root = self.tree.node(self.tree.searched(self.focus()));
        let drop = match (think.first_score, root.value) {
            (Some(first), Some(value)) => first.raw() - value.score.raw(),
            _ => 0,
        };
        let nothing_left =
            root.exhausted && root.value.is_some() && self.crew.busy().all(|(_, job)| job.work.node().is_none());
        Signs {
            known: think.best.is_some(),
            // Whoever analyses wants to know what a move is worth even if there is no other.
            forced: root.legal == 1 && !self.settings.analyse_mode,
            ponders: self.settings.ponder,
            settled: root.settled.is_settled() && !self.is_shortening() || nothing_left || self.has_all_lines(think),
            stable_for: now.saturating_sub(think.best_since),
            drop_cp: drop,
            gap_cp: self.gap_to_second(),
            share: self.share_of_best(),
            carried: think.carried,
        }
    }

    /// With MultiPV: the best move is proved, and of as many moves as were asked for there is a sensible line.
    fn has_all_lines(&self, think: &Think) -> bool {
        if self.settings.multi_pv <= 1 || !self.tree.is_decided() {
            return false;
        }
        let root = self.tree.node(self.tree.root());
        let is_sensible = |score: Score, depth: u16| score.is_decisive() || depth >= SENSIBLE;
        let told = think.lines.iter().filter(|line| is_sensible(line.score, line.depth));
        let children = root.children.iter().map(|&child| self.tree.node(child));
        let known = children.filter(|node| node.value.is_some_and(|value| is_sensible(value.score, value.depth)));
        let moves = told.filter_map(|line| line.pv.first().copied()).chain(known.filter_map(Node::text));
        moves.collect::<HashSet<_>>().len() >= usize::from(self.settings.multi_pv.min(root.legal))
    }

    /// Centipawns between the best and the second best move at the root, where both are known.
    fn gap_to_second(&self) -> Option<i32> {
        let siblings = self.tree.siblings(self.tree.searched(self.focus()));
        let mut scores: Vec<Score> = siblings.scores.into_iter().chain([siblings.others]).flatten().collect();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        (scores.len() >= 2).then(|| scores[0].raw() - scores[1].raw())
    }

    /// Part of the root worker's effort that went below its best move.
    fn share_of_best(&self) -> Option<f64> {
        let own = self.tree.node(self.tree.searched(self.focus())).finding()?;
        let best = own.pv.first()?;
        let is_known = own.ranking.iter().any(|effort| effort.share() > 0.0);
        own.ranking.iter().find(|effort| effort.text == *best).filter(|_| is_known).map(|effort| effort.share())
    }
}

/// A worker tells what it has found in an iteration before that is finished.
fn finished(value: Value) -> u16 {
    value.bound.finished(value.depth)
}
