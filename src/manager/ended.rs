//! Handles tasks that have ended, including those that workers end on their own: at a limit, with nothing left to
//! search, or by giving up too early.

use super::core::{Manager, Phase};
use super::fallback::HASTY;
use super::faults::{MOST_FAILURES, REST};
use super::roster::{AssignedTask, Faults, TaskKind};
use hasami_api::{Answer, Game, Limits, MateAnswer, Score};
use hasami_tree::event::{TaskEnd, TaskId, Time, WorkerId};
use hasami_tree::{Finding, NodeId};
use hasami_words::text::counted;
use std::time::Duration;

/// The node of a task that ended on its own sooner than this may be given to the same workers again.
const SHORTEST_TASK: Duration = Duration::from_millis(20);
/// A worker that reports this depth has searched every line to its end, which happens in nearly drawn games or if all
/// moves lead to repetitions.
const ENDLESS: u16 = 200;
/// A worker is set aside after ending its task too early in this many consecutive searches. The limit is high enough
/// for engines that use an opening book.
const MOST_HASTY: u32 = 20;
/// Highest score at which an engine may resign.
const HOPELESS: Score = Score::cp(-500);

impl<G: Game> Manager<G> {
    pub(super) fn on_ended(&mut self, now: Time, worker: WorkerId, task: TaskId, end: TaskEnd) {
        let Some(job) = self.assignment.roster.end(worker, task) else { return };
        self.assignment.vacate(worker, &job);
        let fault = match &end {
            TaskEnd::Failed(why) => Some(why.clone()),
            TaskEnd::Answer(answer) => self.fault_of(&job, answer),
        };
        if let Some(why) = fault {
            return self.on_failed(now, worker, &job, &why);
        }
        if let Some(member) = self.assignment.roster.get_mut(worker) {
            member.forgive(|record| record.failures = 0);
            member.has_worked(now.saturating_sub(job.started));
        }
        let mate = if let TaskEnd::Answer(Answer::Mate(answer)) = end { answer } else { MateAnswer::Unknown };
        match job.work {
            TaskKind::Mate => self.on_mate_answer(now, (worker, task), mate),
            TaskKind::Confirm(claim) if job.cancelled.is_none() => self.on_second_ended(now, claim),
            TaskKind::Confirm(_) => {}
            TaskKind::Probe(node, kind) => self.on_probe(now, worker, (node, kind), &job, &mate),
            TaskKind::Node(node) if job.cancelled.is_none() => self.on_node_done(now, worker, node, &job),
            TaskKind::Joint(_) if job.cancelled.is_none() => self.assignment.roster.rest(now, worker, REST),
            TaskKind::Node(_) | TaskKind::Joint(_) if job.believed => self.has_obeyed(worker),
            TaskKind::Node(_) | TaskKind::Joint(_) => {}
        }
        self.assign_solver(now);
    }

    /// Handles a task that has failed although its worker is still alive.
    fn on_failed(&mut self, now: Time, worker: WorkerId, job: &AssignedTask, why: &str) {
        let name = self.assignment.name_of(worker);
        self.assignment.out.warn(format!("{name}: {why}"));
        if let Some(search) = self.phase.search_mut() {
            search.service.note_fault();
        }
        self.forget_brief_finding(now, job);
        if let Some(member) = self.assignment.roster.get_mut(worker) {
            let record = member.record_mut();
            record.failures += 1;
            if record.failures >= MOST_FAILURES {
                self.assignment.set_aside(worker, why)
            } else {
                self.assignment.roster.rest(now, worker, REST)
            }
        }
        // The task is passed on only when the failed worker is resting or set aside, so that the same worker cannot get
        // it again.
        match job.work {
            TaskKind::Mate => self.on_solver_lost(now, job.id),
            TaskKind::Confirm(claim) => self.on_second_lost(claim),
            _ => {}
        }
    }

    /// Returns the fault of a worker that ended its task on its own: an answer without a legal move although there is
    /// one, or only impossible reports.
    fn fault_of(&mut self, job: &AssignedTask, answer: &Answer) -> Option<String> {
        let (TaskKind::Node(node), Answer::Best { best, .. }) = (job.work, answer) else { return None };
        let is_kept = job.has_spent() || self.is_exact_at(node) && self.has_kept_limits(node, job);
        if job.cancelled.is_some() || self.assignment.tree.get(node).is_none() || is_kept || self.has_ended(node) {
            return None;
        }
        let Some(text) = best else {
            return (!self.may_be_without_move(node)).then(|| "answered without a move".into());
        };
        let parsed = self.assignment.tree.at(node, |game| game.parse_move(text)).ok();
        if !parsed.is_some_and(|m| self.assignment.tree.allows(node, m)) {
            return Some(format!("answered with an illegal move, {text}"));
        }
        (job.lies > 0 && !job.believed).then(|| "sent only impossible reports".into())
    }

    /// Returns whether an answer without a move is acceptable: USI engines may resign or declare a win, and there may
    /// be no legal move.
    fn may_be_without_move(&mut self, node: NodeId) -> bool {
        let may_resign = self.found(node).is_some_and(|own| own.score <= HOPELESS || own.score.is_decisive());
        may_resign || self.assignment.tree.at(node, |game| game.may_declare_win() || game.count_moves() == 0)
    }

    /// Returns whether the node's only finding comes from this task and from a very short search.
    fn is_brief_finding(&self, node: NodeId, job: &AssignedTask) -> bool {
        let is_brief = |own: &Finding| own.depth < HASTY.0 && own.nodes <= job.nodes && job.nodes < HASTY.1;
        self.found(node).is_some_and(|own| is_brief(own) && !own.is_proof())
    }

    /// Removes the finding of a task that failed after a very short search, because that finding is unreliable.
    fn forget_brief_finding(&mut self, now: Time, job: &AssignedTask) {
        if let TaskKind::Node(node) = job.work
            && self.is_brief_finding(node, job)
        {
            self.assignment.tree.drop_finding(node);
            self.assignment.on_value(now, node);
        }
    }

    /// Handles a task that ended without being cancelled: the worker reached its limits, had searched everything, or
    /// ignores commands.
    fn on_node_done(&mut self, now: Time, worker: WorkerId, node: NodeId, job: &AssignedTask) {
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
            return self.assignment.tree.exhaust(node);
        }
        self.assignment.roster.given_up.insert((node, worker));
        self.note_haste(now, worker, node, job);
        self.close_place(now, node, job);
    }

    /// Accepts the finding of a node once all workers have given the node up. If the last task ended at once and only
    /// the clock limits the search, the workers may search the node again.
    fn close_place(&mut self, now: Time, node: NodeId, job: &AssignedTask) {
        if self.assignment.has_hope(node, self.demand()) {
            // A finding from a very short search must not count while other workers are expected to report.
            if self.is_brief_finding(node, job) {
                self.assignment.tree.doubt(node);
                self.assignment.on_value(now, node);
            }
            return;
        }
        let is_limited = matches!(&self.phase, Phase::Thinking(search) if search.request.go.nodes.is_some() || search.request.go.depth.is_some());
        let too_soon = now.saturating_sub(job.started) < SHORTEST_TASK && !is_limited;
        if self.is_exact_at(node) {
            self.end_exact();
        } else if too_soon || self.found(node).is_none() {
            self.assignment.roster.forget_given_up(Some(node));
        } else {
            self.assignment.tree.exhaust(node);
        }
    }

    /// The finding of the node's own worker; `None` if the finding was inherited.
    fn found(&self, node: NodeId) -> Option<&Finding> {
        self.assignment.tree.get(node).and_then(|node| node.finding()).filter(|own| !own.inherited)
    }

    /// Returns whether the node's worker has searched every line to its end.
    fn has_ended(&self, node: NodeId) -> bool {
        self.found(node).is_some_and(|own| own.depth >= ENDLESS)
    }

    /// Returns whether the lone worker of a search with exact limits has done what was requested.
    fn has_kept_limits(&self, node: NodeId, job: &AssignedTask) -> bool {
        let Phase::Thinking(search) = &self.phase else { return false };
        let Limits { depth, nodes, .. } = search.request.exact.unwrap_or_default();
        let found = self.found(node).map_or(0, |own| own.bound.finished(own.depth));
        let is_deep = depth.is_some_and(|depth| found >= depth);
        is_deep || job.has_spent() || nodes.is_none() && depth.is_none()
    }

    fn end_exact(&mut self) {
        if let Some(search) = self.phase.search_mut() {
            search.request.done = true;
        }
    }

    fn is_exact_at(&self, node: NodeId) -> bool {
        self.phase.search().is_some_and(|search| search.request.is_exact_at(node))
    }

    /// Records that the worker ended a task on request or for a good reason, which clears its record of early ends.
    fn has_obeyed(&mut self, worker: WorkerId) {
        if let Some(member) = self.assignment.roster.get_mut(worker) {
            member.forgive(|record| (record.hasty, record.hasty_searches) = (0, 0));
        }
    }

    /// Gives a worker that stopped early and unprompted a pause that grows each time. A worker that stops early in many
    /// searches is set aside if there are other workers, unless it may have misunderstood a limit.
    fn note_haste(&mut self, now: Time, worker: WorkerId, node: NodeId, job: &AssignedTask) {
        let (depth, is_decided) = self.found(node).map_or((0, false), |own| (own.depth, own.score.is_decisive()));
        let is_forced = is_decided || self.assignment.tree.get(node).is_some_and(|node| node.legal <= 1);
        let others = self.assignment.roster.players() > 1;
        let began = self.phase.search().map(|search| search.request.began);
        let name = self.assignment.name_of(worker);
        let Some(member) = self.assignment.roster.get_mut(worker) else { return };
        if depth < HASTY.0 && job.nodes < HASTY.1 && !is_forced {
            let record = member.record_mut();
            record.hasty += 1;
            record.hasty_searches += u32::from(std::mem::replace(&mut record.hasty_in, began) != began);
        }
        let Faults { hasty, hasty_searches: searches, .. } = member.record();
        if searches >= MOST_HASTY && others && job.grant.is_none() {
            return self.assignment.set_aside(worker, "ends its searches too early");
        }
        if hasty == 1 {
            let text =
                format!("{name}: ended a search by itself at depth {depth}, after {}", counted(job.nodes, "node"));
            self.assignment.out.warn(text);
        }
        self.assignment.roster.rest(now, worker, REST * hasty.clamp(1, 10));
    }
}
