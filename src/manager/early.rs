//! Workers that end a task by themselves: those that have kept their limits or have seen everything, and those that answer
//! before they have searched.

use super::core::{Manager, Phase};
use super::faults::REST;
use super::member::{Faults, Job, Work};
use crate::event::{Action, Time, WorkerId};
use crate::tree::{Finding, NodeId};
use hasami_api::{Answer, Game, Limits, Score};
use std::time::Duration;

/// A task that ends by itself earlier than this, without a proof, would be asked again and again.
const SHORTEST_TASK: Duration = Duration::from_millis(20);
/// Who says at once to have come so deep has seen every line end (nearly drawn games, moves that all repeat).
const ENDLESS: u16 = 200;
/// Who ends before this depth and with fewer nodes than that has hardly searched.
pub(super) const HASTY: (u16, u64) = (20, 1_000);

/// Who does so in so many searches in a row is set aside: more moves than an opening book of its own is good for.
const MOST_HASTY: u32 = 20;
/// Who finds this may resign.
const HOPELESS: Score = Score::cp(-500);

impl<G: Game> Manager<G> {
    /// What is wrong with the answer of a worker that ended by itself: it names no move where there is one, or nothing that
    /// it said can be true.
    pub(super) fn fault_of(&mut self, job: &Job, answer: &Answer) -> Option<String> {
        let (Work::Node(node), Answer::Best { best, .. }) = (job.work, answer) else { return None };
        let is_kept = job.has_spent() || self.is_exact_at(node) && self.has_kept_limits(node, job);
        if job.cancelled.is_some() || self.tree.get(node).is_none() || is_kept || self.has_ended(node) {
            return None;
        }
        let Some(text) = best else {
            return (!self.may_be_without_move(node)).then(|| "expected a move, found none".into());
        };
        let parsed = self.tree.at(node, |game| game.parse_move(text)).ok();
        if !parsed.is_some_and(|m| self.tree.allows(node, m)) {
            return Some(format!("expected a legal move, found {text}"));
        }
        (job.lies > 0 && !job.believed).then(|| "expected a report that can be true, found none".into())
    }

    /// USI engines resign, and declare a win; and where the end is near everybody may have said all.
    fn may_be_without_move(&mut self, node: NodeId) -> bool {
        let may_resign = self.found(node).is_some_and(|own| own.score <= HOPELESS || own.score.is_decisive());
        may_resign || self.tree.at(node, |game| game.may_declare_win() || game.count_moves() == 0)
    }

    /// All that is known of the node is what the task found in a moment.
    fn is_glance(&self, node: NodeId, job: &Job) -> bool {
        let is_brief = |own: &Finding| own.depth < HASTY.0 && own.nodes <= job.nodes && job.nodes < HASTY.1;
        self.found(node).is_some_and(|own| is_brief(own) && !own.is_proof())
    }

    /// A glance of a worker that did not do its task is worth no more than the task.
    pub(super) fn forget_glance(&mut self, now: Time, job: &Job) {
        if let Work::Node(node) = job.work
            && self.is_glance(node, job)
        {
            self.tree.drop_finding(node);
            self.on_news(now, node);
        }
    }

    /// A worker ended by itself: it has kept its limits, or there is nothing more to find, or it does not do as it is told.
    pub(super) fn on_node_done(&mut self, now: Time, worker: WorkerId, node: NodeId, job: &Job) {
        let has_ended = self.has_ended(node);
        if has_ended || job.has_spent() {
            self.note_service();
        }
        if self.is_exact_at(node) && (has_ended || self.has_kept_limits(node, job)) {
            self.note_service();
            return self.end_exact();
        }
        if job.has_spent() && !has_ended {
            return self.has_obeyed(worker);
        }
        if has_ended {
            self.has_obeyed(worker);
            return self.tree.exhaust(node);
        }
        self.crew.give_up(worker, node);
        self.note_haste(now, worker, node, job);
        self.close_place(now, node, job);
    }

    /// Once everybody has given up a place, what is known of it must do. Where only the clock is to be kept, there is time to
    /// ask again those who ended at once.
    fn close_place(&mut self, now: Time, node: NodeId, job: &Job) {
        if self.has_hope(node) {
            // Others will tell more. Where none come, a glance must not stand against searches.
            if self.is_glance(node, job) {
                self.tree.doubt(node);
                self.on_news(now, node);
            }
            return;
        }
        let is_limited =
            matches!(&self.phase, Phase::Thinking(think) if think.go.nodes.is_some() || think.go.depth.is_some());
        let too_soon = now.saturating_sub(job.started) < SHORTEST_TASK && !is_limited;
        if self.is_exact_at(node) {
            self.end_exact();
        } else if too_soon || self.found(node).is_none() {
            self.crew.forget_given_up(Some(node));
        } else {
            self.tree.exhaust(node);
        }
    }

    /// Somebody could still search the node.
    pub(super) fn has_hope(&self, node: NodeId) -> bool {
        self.tree.get(node).is_some() && self.crew.has_hope(node, |profile| self.understands(profile, node))
    }

    /// What a worker has found in its own part of the game.
    fn found(&self, node: NodeId) -> Option<&Finding> {
        self.tree.get(node).and_then(|node| node.finding()).filter(|own| !own.inherited)
    }

    /// The worker has seen every line end.
    fn has_ended(&self, node: NodeId) -> bool {
        self.found(node).is_some_and(|own| own.depth >= ENDLESS)
    }

    pub(super) fn is_exact_at(&self, node: NodeId) -> bool {
        node == self.focus() && matches!(&self.phase, Phase::Thinking(think) if think.exact.is_some())
    }

    /// The only worker of a search with exact limits did what it was asked for.
    fn has_kept_limits(&self, node: NodeId, job: &Job) -> bool {
        let Phase::Thinking(think) = &self.phase else { return false };
        let Limits { depth, nodes, .. } = think.exact.unwrap_or_default();
        let found = self.found(node).map_or(0, |own| own.bound.finished(own.depth));
        let is_deep = depth.is_some_and(|depth| found >= depth);
        is_deep || job.has_spent() || nodes.is_none() && depth.is_none()
    }

    pub(super) fn end_exact(&mut self) {
        if let Phase::Thinking(think) = &mut self.phase {
            think.done = true;
        }
    }

    /// The worker ended a task when it was told to, or for a good reason.
    pub(super) fn has_obeyed(&mut self, worker: WorkerId) {
        if let Some(member) = self.crew.get_mut(worker) {
            member.forgive(|record| (record.hasty, record.hasty_searches) = (0, 0));
        }
    }

    /// Who ends early rests, longer each time. Who answers before it has searched in search after search is set aside, as long
    /// as there are others, if it was not a limit that it misunderstood.
    fn note_haste(&mut self, now: Time, worker: WorkerId, node: NodeId, job: &Job) {
        let (depth, is_decided) = self.found(node).map_or((0, false), |own| (own.depth, own.score.is_decisive()));
        let is_forced = is_decided || self.tree.get(node).is_some_and(|node| node.legal <= 1);
        let others = self.crew.players() > 1;
        let search = if let Phase::Thinking(think) = &self.phase { Some(think.began) } else { None };
        let name = self.name_of(worker);
        let Some(member) = self.crew.get_mut(worker) else { return };
        if depth < HASTY.0 && job.nodes < HASTY.1 && !is_forced {
            let record = member.record_mut();
            record.hasty += 1;
            record.hasty_searches += u32::from(std::mem::replace(&mut record.hasty_in, search) != search);
        }
        let Faults { hasty, hasty_searches: searches, .. } = member.record();
        if searches >= MOST_HASTY && others && job.grant.is_none() {
            return self.set_aside(worker, "ends its searches before it is told to");
        }
        if hasty == 1 {
            let text = format!("{name}: ended a search by itself at depth {depth}, after {} nodes", job.nodes);
            self.out.push(Action::Log(log::Level::Warn, text));
        }
        self.let_rest_for(now, worker, REST * hasty.clamp(1, 10));
    }
}
