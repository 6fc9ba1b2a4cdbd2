//! Which worker searches what.

use super::core::{Manager, Phase};
use super::faults::LOOK;
use super::member::{Job, Member, Work};
use crate::event::{Action, Profile, TaskId, Time, WorkerId};
use crate::tree::rules::affinity::{self, Way};
use crate::tree::rules::ripening;
use crate::tree::{NodeId, Place, Seat, legal_moves};
use hasami_api::{Game, Goal, Limits, Line, MoveText, Task};
use std::collections::HashMap;

/// The tree holds at most so many nodes, and so many more for each player: beyond, growth waits for a new root.
const LARGEST_TREE: (usize, usize) = (256, 16);

impl<G: Game> Manager<G> {
    /// Gives every free worker the best place there is.
    pub(super) fn dispatch(&mut self, now: Time) {
        self.ripe_at = None;
        if !self.is_searching() || self.is_done() || !(self.crew.has_idle() || self.crew.has_joined()) {
            return;
        }
        for (worker, node) in self.crew.arrivals(now) {
            self.seat_arrival(now, worker, node);
        }
        self.take_ripe(now);
        if !self.frontier.is_empty() {
            self.fill_places(now);
        }
        if self.crew.has_ready(now) {
            self.ripe_at = self.ripening.first().map(|&(at, _)| at);
        }
    }

    fn fill_places(&mut self, now: Time) {
        let mut unsuited = Vec::new();
        let recalls = self.crew.has_joined() && !self.in_teams();
        while (self.crew.has_ready(now) || recalls) && !self.is_granted() {
            let Some(place) = self.frontier.pop(&self.tree, self.model.as_ref()) else { break };
            match place {
                // Whoever is on the way there takes it; if it never arrives, the next rebuild finds the place again.
                Place::Sit(node) if self.crew.is_reserved(node) => {}
                Place::Sit(node) => match self.choose(now, node) {
                    Some(worker) => self.start(now, worker, node),
                    None if self.recall(now, node) => {}
                    None if !self.has_hope(node) && self.tree.node(node).value.is_some() => self.tree.exhaust(node),
                    None => unsuited.push(node),
                },
                Place::Grow(node) if self.fills_teams(now) => unsuited.push(node),
                Place::Grow(node) if self.is_unripe(now, node) => {}
                Place::Grow(node) => self.grow(now, node),
            }
        }
        for node in unsuited {
            self.frontier.consider(&self.tree, self.model.as_ref(), node);
        }
    }

    /// The node's worker has only glanced at it so far: its place is put aside, so that no event looks at it before its time.
    fn is_unripe(&mut self, now: Time, node: NodeId) -> bool {
        let patience = ripening::patience(self.clock_time(), self.model.rules().ripening);
        let at = self.tree.node(node).seat.map(|seat| seat.since + patience).filter(|&at| at > now);
        self.ripening.extend(at.map(|at| (at, node)));
        at.is_some()
    }

    fn take_ripe(&mut self, now: Time) {
        while let Some(&(_, node)) = self.ripening.first().filter(|&&(at, _)| at <= now) {
            self.ripening.pop_first();
            self.frontier.consider_if_stands(&self.tree, self.model.as_ref(), node);
        }
    }

    /// Teams come before new leaves: true if everybody has found one.
    fn fills_teams(&mut self, now: Time) -> bool {
        if !self.in_teams() {
            return false;
        }
        self.join(now);
        !self.crew.has_ready(now)
    }

    fn is_done(&self) -> bool {
        matches!(&self.phase, Phase::Thinking(think) if think.done) || self.is_granted()
    }

    /// A worker that was told to move sits down where it was sent, if the place is still free.
    fn seat_arrival(&mut self, now: Time, worker: WorkerId, node: NodeId) {
        let is_open = self.tree.get(node).is_some_and(|node| node.is_open() && node.seat.is_none());
        let is_free = is_open && !self.is_granted() && !self.crew.has_given_up(worker, node);
        let understands = |member: &Member| self.understands(&member.profile, node);
        if is_free && self.crew.get(worker).is_some_and(understands) && !self.tree.is_dead(node) {
            self.start(now, worker, node);
        }
    }

    fn choose(&self, now: Time, node: NodeId) -> Option<WorkerId> {
        let parent = self.tree.node(node).parent;
        let by_speed = self.model.rules().speed;
        self.crew.pick(now, (node, parent), by_speed, |profile| self.understands(profile, node))
    }

    /// The worker has words for what is searched at `node`: only some moves, or all but some.
    pub(super) fn understands(&self, profile: &Profile, node: NodeId) -> bool {
        match &self.phase {
            Phase::Thinking(think) if node == think.focus && !think.only.is_empty() => profile.can_only,
            // Where nobody can leave moves out, "others" are searched with all moves, and answers that name a move
            // with its own node are refused.
            _ => {
                let excludes = profile.can_except || profile.can_only || !self.crew.can_exclude();
                excludes || self.tree.is_whole(node) || self.tree.node(node).children.is_empty()
            }
        }
    }

    /// A new leaf below `node`; whoever searches `node` follows into it, or goes on with the others.
    fn grow(&mut self, now: Time, node: NodeId) {
        let is_exact = matches!(&self.phase, Phase::Thinking(think) if think.exact.is_some());
        let is_full = self.tree.len() >= LARGEST_TREE.0 + LARGEST_TREE.1 * self.crew.players();
        if self.crew.players() <= 1 || is_exact || is_full || self.team_depth().is_some() {
            return;
        }
        let Some(candidate) = self.tree.candidate(node) else { return };
        let child = self.tree.add_child(node, candidate.m);
        if let Some(seat) = self.tree.node(node).seat.filter(|_| !self.tree.is_whole(node)) {
            let way = affinity::way(candidate.score.is_some(), self.tree.node(child).is_open());
            let follows = self.model.rules().affinity && way == Way::Follow;
            self.move_worker(now, WorkerId(seat.worker), if follows { child } else { node });
        }
        self.release_dead(now);
        for id in [node, child] {
            self.frontier.consider_if_stands(&self.tree, self.model.as_ref(), id);
        }
    }

    /// Takes a worker from its node; once its task has ended it goes to `to`.
    pub(super) fn move_worker(&mut self, now: Time, worker: WorkerId, to: NodeId) {
        self.cancel(now, worker);
        self.crew.destine(worker, Some(to));
    }

    /// Ends a worker's task, if it has one, and frees its seat.
    pub(super) fn cancel(&mut self, now: Time, worker: WorkerId) {
        self.crew.destine(worker, None);
        let Some(member) = self.crew.get_mut(worker) else { return };
        let Some(job) = member.job_mut() else { return };
        if job.cancelled.is_some() {
            return;
        }
        job.cancelled = Some(now);
        let (id, work) = (job.id, job.work);
        self.crew.leave(worker);
        if let Work::Node(node) = work {
            self.tree.seat(node, None);
            self.frontier.consider_if_stands(&self.tree, self.model.as_ref(), node);
        }
        self.crew.remind(now + super::faults::GRACE, worker);
        self.out.push(Action::Cancel { worker, id });
    }

    /// Ends all tasks at nodes.
    pub(super) fn leave_all(&mut self, now: Time) {
        let workers = self.crew.working_at_nodes();
        self.out.reserve(workers.len());
        for worker in workers {
            self.cancel(now, worker);
        }
    }

    /// After nodes were removed or merged: whoever has lost its node is freed, whoever moved with it is noted.
    pub(super) fn release_removed(&mut self, now: Time) {
        let mut homeless = Vec::new();
        let mut sitting = 0;
        for (worker, job) in self.crew.busy() {
            let stands = match job.work {
                Work::Joint(node) | Work::Look(node) => self.tree.get(node).is_some(),
                Work::Node(node) => {
                    let seat = self.tree.get(node).and_then(|node| node.seat);
                    sitting += usize::from(seat.is_some_and(|seat| seat.worker == worker.0));
                    seat.is_some()
                }
                Work::Mate => true,
            };
            homeless.extend((!stands && job.cancelled.is_none()).then_some(worker));
        }
        // Seldom: a transposition has taken over the worker of its twin.
        let has_moved = sitting < self.tree.seated().len();
        let moved = if has_moved { self.moved() } else { HashMap::new() };
        self.out.reserve(homeless.len());
        for worker in homeless {
            match moved.get(&worker) {
                Some(&node) => self.crew.relocate(worker, node),
                None => self.cancel(now, worker),
            }
        }
    }

    /// Those who sit at a node by another name than they know.
    fn moved(&self) -> HashMap<WorkerId, NodeId> {
        let work_of = |worker| self.crew.get(worker).and_then(|member| member.job()).map(|job| job.work);
        let seats = self.tree.seated().iter().filter_map(|&id| Some((WorkerId(self.tree.node(id).seat?.worker), id)));
        seats.filter(|&(worker, id)| work_of(worker) != Some(Work::Node(id))).collect()
    }

    /// Frees the workers of nodes that are decided, or lie below decided ones.
    pub(super) fn release_dead(&mut self, now: Time) {
        for worker in self.tree.take_settled() {
            self.cancel(now, WorkerId(worker));
        }
        self.part(now);
    }

    fn start(&mut self, now: Time, worker: WorkerId, node: NodeId) {
        self.start_work(now, worker, Work::Node(node));
        self.tree.seat(node, Some(Seat { worker: worker.0, since: now }));
    }

    /// A search of a node's part of the game, by the worker that sits there or by one that joins it.
    pub(super) fn start_work(&mut self, now: Time, worker: WorkerId, work: Work) {
        let Some(node) = work.node() else { return };
        let except = self.tree.left_out(node);
        let mut task = self.task(worker, node, &except);
        if let Some(budget) = self.budget() {
            task.limits.nodes = budget.share();
        }
        if matches!(work, Work::Joint(_)) {
            task.variant = (worker.0 % u32::from(u16::MAX)) as u16 + 1;
        }
        if self.in_teams() {
            task.team = self.tree.node(node).key.max(1);
            task.news = self.model.rules().news.saturating_mul(1024);
        }
        let limit = task.limits.nodes;
        self.hand_out(now, worker, work, task, except);
        self.crew.remind(now + super::faults::SILENCE, worker);
        if let Some(limit) = limit {
            self.crew.remind(now + super::faults::patience(limit), worker);
        }
    }

    /// A free worker begins a task; `except`: the moves that have nodes of their own.
    pub(super) fn hand_out(
        &mut self,
        now: Time,
        worker: WorkerId,
        work: Work,
        task: Task,
        except: Vec<MoveText>,
    ) -> TaskId {
        let id = self.next_task();
        let grant = task.limits.nodes.filter(|_| work.node().is_some());
        let is_ours = self.crew.get(worker).is_some_and(|member| member.profile.is_ours());
        let until = (matches!(work, Work::Look(_)) && !is_ours).then_some(now + LOOK);
        self.crew.begin(
            worker,
            Job {
                id,
                work,
                started: now,
                cancelled: None,
                nodes: 0,
                depth: 0,
                reports: 0,
                believed: false,
                lies: 0,
                grant,
                until,
                except: except.into(),
            },
        );
        self.out.push(Action::Start { worker, id, task });
        id
    }

    /// The game up to a node.
    pub(super) fn line_to(&self, node: NodeId) -> Line {
        let mut line = self.tree_line.clone();
        line.moves.extend(self.tree.path(node).iter().map(|&(_, text)| text));
        line
    }

    /// The node's own part of the game, in words that the worker understands.
    fn task(&mut self, worker: WorkerId, node: NodeId, except: &[MoveText]) -> Task {
        let is_root = node == self.focus();
        let line = self.line_to(node);
        let profile = self.crew.get(worker).map(|member| &member.profile);
        let (can_except, can_only) = profile.map_or((false, false), |p| (p.can_except, p.can_only));
        let root_only = match &self.phase {
            Phase::Thinking(think) if is_root => think.only.clone(),
            _ => Vec::new(),
        };
        let mut task = Task { line, goal: Goal::Best, multipv: 1, ..Task::default() };
        if !root_only.is_empty() {
            task.only = root_only.into_iter().filter(|text| !except.contains(text)).collect();
        } else if can_except {
            task.except = except.to_vec();
        } else if can_only && !except.is_empty() {
            let all =
                self.tree.at(node, |game| legal_moves(game).iter().map(|&m| game.format_move(m)).collect::<Vec<_>>());
            task.only = all.into_iter().filter(|text| !except.contains(text)).collect();
        }
        if is_root {
            (task.multipv, task.limits) = self.root_wishes(except.len());
        }
        task
    }

    /// Lines and limits of the root's task.
    fn root_wishes(&self, children: usize) -> (u16, Limits) {
        match &self.phase {
            Phase::Thinking(think) => {
                let lines = usize::from(self.settings.multi_pv).saturating_sub(children).max(1);
                let limits = think.exact.unwrap_or(Limits { depth: self.team_depth(), ..Limits::default() });
                (lines as u16, limits)
            }
            _ => (1, Limits::default()),
        }
    }

    /// Removes a worker's seat without a word to it: its task is over.
    pub(super) fn vacate(&mut self, worker: WorkerId, job: &Job) {
        let Work::Node(node) = job.work else { return };
        if self.tree.get(node).is_some_and(|node| node.seat.is_some_and(|seat| seat.worker == worker.0)) {
            self.tree.seat(node, None);
            self.frontier.consider_if_stands(&self.tree, self.model.as_ref(), node);
        }
    }
}
