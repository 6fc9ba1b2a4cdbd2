//! The workers as the manager sees them: which are connected, which are waiting, and which node each is sent to.

mod joined;
pub mod limits;
mod member;
mod waiting;

use joined::Joined;
pub use member::{AssignedTask, Availability, Faults, RosterMember, TaskKind};

use hasami_api::Line;
use hasami_tree::NodeId;
use hasami_tree::event::{Profile, TaskId, Time, WorkerId};
use hasami_tree::rules::speed::{self, Warmth};
use member::Abilities;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use waiting::{QueuePosition, Waiting};

/// All workers.
#[derive(Default)]
pub struct Roster {
    /// All workers by id. The values are boxed, because B-tree nodes leave much of their space unused.
    pub members: BTreeMap<WorkerId, Box<RosterMember>>,
    /// The mate solvers, including those that are not connected.
    solvers: BTreeSet<WorkerId>,
    /// Names, used in messages, of workers that were started but have not joined yet.
    pub names: BTreeMap<WorkerId, String>,
    /// Times at which a worker has to be checked, such as the end of a grace period or of a pause.
    pub deadlines: BTreeSet<(Time, WorkerId)>,
    pub waiting: Waiting,
    /// The nodes that workers will search next, once their cancelled tasks have ended.
    pub destined: BTreeMap<WorkerId, NodeId>,
    /// The nodes that are reserved for workers that were sent to them.
    pub reserved: BTreeSet<NodeId>,
    /// Workers that are free to start at the node that they were sent to.
    arrived: BTreeSet<WorkerId>,
    /// The workers that probe leaves.
    probing: Vec<WorkerId>,
    /// The workers that have joined a node's own worker.
    pub joined: Joined,
    /// Trusted workers that check a claim but do not support variants, each with the position that it searches.
    pub confirming: Vec<(WorkerId, Line)>,
    /// Workers that ended a task at a node on their own in this search, so that they get no further task at that node.
    pub given_up: BTreeSet<(NodeId, WorkerId)>,
    /// The connected workers, counted by ability.
    pub abilities: Abilities,
    /// True if a player has ever joined, or any worker was lost before it joined. Never reset.
    pub has_met_players: bool,
    /// Number of nodes that running and cancelled tasks may still search under their node limits.
    pub granted: u64,
    /// Number of nodes that all workers have searched since the program started.
    pub nodes: u64,
    /// Number of positions that all workers have found in endgame tables since the program started.
    pub table_hits: u64,
    /// Hash table use as last reported, in permille.
    pub hashfull: u16,
}

impl Roster {
    pub fn get(&self, id: WorkerId) -> Option<&RosterMember> {
        self.members.get(&id).map(Box::as_ref)
    }

    pub fn get_mut(&mut self, id: WorkerId) -> Option<&mut RosterMember> {
        self.members.get_mut(&id).map(Box::as_mut)
    }

    /// Adds a worker that has joined or returned. A returning worker keeps its record of faults.
    pub fn join(&mut self, id: WorkerId, profile: Profile) {
        let before = self.abilities_of(id);
        if !profile.name.is_empty() {
            self.names.remove(&id);
        }
        self.has_met_players |= profile.can_best;
        let member = self.members.entry(id).or_insert_with(|| Box::new(RosterMember::new(profile.clone())));
        if profile.can_mate {
            self.solvers.insert(id);
        } else {
            self.solvers.remove(&id);
        }
        member.profile = profile;
        member.availability = Availability::Idle;
        member.forgive(|record| record.revive_at = None);
        member.killed = false;
        member.worked = Duration::ZERO;
        self.wait(id);
        self.abilities = self.abilities.plus(self.abilities_of(id)).minus(before);
    }

    /// The member with the id `id`, which is added without a profile if the worker was lost before it ever joined.
    pub fn member_or_new(&mut self, id: WorkerId) -> &mut RosterMember {
        self.has_met_players |= !self.members.contains_key(&id);
        self.members.entry(id).or_insert_with(|| {
            let name = String::new();
            let profile = Profile { name, can_except: false, can_only: false, can_vary: false, ..Profile::thread(0) };
            let mut member = RosterMember::new(profile);
            member.availability = Availability::Away;
            Box::new(member)
        })
    }

    pub fn begin(&mut self, id: WorkerId, job: AssignedTask) {
        match job.work {
            TaskKind::Joint(node) => self.joined.insert(id, node),
            TaskKind::Probe(..) => self.probing.push(id),
            TaskKind::Node(_) | TaskKind::Confirm(_) | TaskKind::Mate => {}
        }
        self.granted += job.unspent();
        if let Some(member) = self.members.get_mut(&id) {
            member.last = job.work.node().or(member.last);
            member.availability = Availability::Busy(job);
        }
        self.waiting.remove(id);
        self.send_to(id, None);
    }

    /// Ends the given task of a worker and returns it; `None` if the worker is not running that task.
    pub fn end(&mut self, id: WorkerId, task: TaskId) -> Option<AssignedTask> {
        let member = self.members.get_mut(&id)?;
        if member.job().is_none_or(|job| job.id != task) {
            return None;
        }
        let job = member.take_job(Availability::Idle);
        self.forget_help(id);
        self.wait(id);
        self.settle(id, job.as_ref());
        job
    }

    /// Marks the worker as lost. Returns the task that the worker had.
    pub fn lose(&mut self, id: WorkerId) -> Option<AssignedTask> {
        self.waiting.remove(id);
        self.forget_help(id);
        self.send_to(id, None);
        let before = self.abilities_of(id);
        let member = self.members.get_mut(&id)?;
        member.last = None;
        member.killed = false;
        let job = member.take_job(Availability::Away);
        self.abilities = self.abilities.plus(self.abilities_of(id)).minus(before);
        self.settle(id, job.as_ref());
        job
    }

    /// Forgets a lost worker that will not return; returns false if the worker is not lost.
    pub fn forget(&mut self, id: WorkerId) -> bool {
        if self.get(id).is_some_and(|member| member.availability != Availability::Away) {
            return false;
        }
        self.members.remove(&id);
        self.solvers.remove(&id);
        self.names.remove(&id);
        self.deadlines.retain(|&(_, worker)| worker != id);
        self.given_up.retain(|&(_, worker)| worker != id);
        true
    }

    /// Removes the deadlines of a finished task, and takes back the nodes that it has not searched.
    fn settle(&mut self, id: WorkerId, job: Option<&AssignedTask>) {
        let Some(job) = job else { return };
        self.granted -= job.unspent();
        for at in limits::deadlines(job) {
            self.deadlines.remove(&(at, id));
        }
    }

    /// Forgets the node limits of old tasks, which do not count towards the next search.
    pub fn forget_grants(&mut self) {
        self.members.values_mut().filter_map(|member| member.job_mut()).for_each(|job| job.grant = None);
        self.granted = 0;
    }

    /// Returns whether some player can take a task at once.
    pub fn has_ready(&self, now: Time) -> bool {
        self.waiting.by_speed().any(|id| self.get(id).is_some_and(|m| m.is_ready(now) && m.profile.can_best))
    }

    /// Chooses a worker for a node among those that are ready and understand the task: if `by_speed`, the most suitable
    /// one ([`speed`]), or else the one with the lowest id.
    pub fn pick(
        &self,
        now: Time,
        (node, parent): (NodeId, Option<NodeId>),
        by_speed: bool,
        understands: impl Fn(&Profile) -> bool,
    ) -> Option<WorkerId> {
        let can_begin = |m: &RosterMember| m.is_ready(now) && m.profile.can_best && understands(&m.profile);
        let suits = |id: &WorkerId| self.get(*id).is_some_and(can_begin) && !self.has_given_up(*id, node);
        if !by_speed {
            return self.waiting.ids().find(suits);
        }
        let mut candidates = Vec::with_capacity(3);
        candidates.extend(self.waiting.by_speed().find(suits).map(|id| (id, Warmth::Cold)));
        candidates.extend(parent.and_then(|node| self.waiting.last_at(node).find(suits)).map(|id| (id, Warmth::Above)));
        candidates.extend(self.waiting.last_at(node).find(suits).map(|id| (id, Warmth::Here)));
        let known =
            candidates.iter().filter_map(|&(id, warmth)| self.get(id).map(|m| (m.speed, m.profile.weight, warmth)));
        speed::best(&known.collect::<Vec<_>>()).map(|index| candidates[index].0)
    }

    /// An idle solver of our own. External mate engines are left out, because they cannot limit the length of a mate.
    pub fn ready_solver(&self, now: Time) -> Option<WorkerId> {
        let suits = |m: &RosterMember| m.is_ready(now) && !m.profile.can_best && m.profile.can_mate;
        self.solvers.iter().copied().find(|id| self.is_ours(*id) && self.get(*id).is_some_and(suits))
    }

    fn is_ours(&self, id: WorkerId) -> bool {
        self.get(id).is_some_and(|m| m.profile.is_ours())
    }

    /// Resets the `reach` of all workers before another position is searched.
    pub fn forget_reaches(&mut self) {
        self.members.values_mut().for_each(|member| member.reach = 0);
    }

    /// Returns the connected players.
    pub fn present(&self) -> impl Iterator<Item = WorkerId> {
        self.members.iter().filter(|(_, member)| member.abilities().players > 0).map(|(&id, _)| id)
    }

    /// An idle mate solver, either our own or an external one. Only one of our own solvers may probe leaves at a time,
    /// but any number of external solvers.
    pub fn idle_specialist(&self, now: Time, is_ours: bool) -> Option<WorkerId> {
        let suits = |profile: &Profile| profile.can_mate && !profile.can_best && profile.is_ours() == is_ours;
        if is_ours && self.is_probing() {
            return None;
        }
        self.solvers.iter().copied().find(|id| self.get(*id).is_some_and(|m| m.is_ready(now) && suits(&m.profile)))
    }

    /// The leaves that are being probed.
    pub fn probed(&self) -> Vec<NodeId> {
        let leaf = |id: &WorkerId| match self.get(*id)?.job()?.work {
            TaskKind::Probe(node, _) => Some(node),
            _ => None,
        };
        self.probing.iter().filter_map(leaf).collect()
    }

    /// An idle mate solver that was not `asked` yet. All mate engines are asked, but only one of our own solvers.
    pub fn next_solver(&self, now: Time, asked: &BTreeSet<WorkerId>) -> Option<WorkerId> {
        let is_ours = |id: &WorkerId| self.is_ours(*id);
        let has_ours = asked.iter().any(is_ours);
        let others = self.solvers.iter().copied().filter(|id| !(asked.contains(id) || has_ours && is_ours(id)));
        let can = |id: &WorkerId| self.get(*id).is_some_and(|m| m.is_ready(now) && m.profile.can_mate);
        others.filter(can).min_by_key(|id| self.get(*id).is_some_and(|m| m.profile.can_best))
    }

    /// Returns whether one of our own solvers is connected but none was `asked`.
    pub fn awaits_solver(&self, asked: &BTreeSet<WorkerId>) -> bool {
        let is_ours = |id: &&WorkerId| self.is_ours(**id);
        let is_there = |id: &WorkerId| {
            self.get(*id).is_some_and(|m| m.availability != Availability::Away && !m.retired && !m.killed)
        };
        !asked.iter().any(|id| is_ours(&id)) && self.solvers.iter().filter(is_ours).any(is_there)
    }

    /// Returns whether one of our own solvers is probing a leaf.
    pub fn is_probing(&self) -> bool {
        self.probing.iter().any(|&id| self.is_ours(id))
    }

    /// The fastest idle player that can join a search, among those behind the position `after` in the queue.
    pub fn idle_variant(&self, now: Time, after: Option<QueuePosition>) -> Option<(QueuePosition, WorkerId)> {
        let can_join = |m: &RosterMember| m.is_ready(now) && m.profile.can_best && m.profile.can_vary;
        let mut waiting = self.waiting.after(after).filter(|(_, id)| !self.destined.contains_key(id));
        waiting.find(|(_, id)| self.get(*id).is_some_and(can_join))
    }

    /// The fastest idle player that is suitable and was not sent to a node.
    pub fn idle_player(&self, now: Time, suits: impl Fn(&RosterMember) -> bool) -> Option<WorkerId> {
        let mut free = self.waiting.by_speed().filter(|id| !self.destined.contains_key(id));
        free.find(|id| self.get(*id).is_some_and(|member| member.is_ready(now) && suits(member)))
    }

    /// Sets the time by which the worker's task must have ended.
    pub fn set_until(&mut self, id: WorkerId, until: Time) {
        if let Some(job) = self.get_mut(id).and_then(RosterMember::job_mut) {
            job.until = Some(until);
        }
        self.look_again_at(until, id);
    }

    pub fn has_joined(&self) -> bool {
        !self.joined.is_empty()
    }

    /// The trusted worker that searches this position to check a claim.
    pub fn confirmer_of(&self, line: &Line) -> Option<WorkerId> {
        self.confirming.iter().find(|(_, other)| other == line).map(|&(id, _)| id)
    }

    /// Removes a worker from the lists of joint work, second searches and mate probes when its task ends.
    pub fn forget_help(&mut self, id: WorkerId) {
        self.joined.remove(id);
        self.confirming.retain(|&(confirming, _)| confirming != id);
        self.probing.retain(|&probing| probing != id);
    }

    /// Number of players that are connected.
    pub fn players(&self) -> usize {
        self.abilities.players
    }

    /// Returns whether some connected player supports `searchmoves`, or no player is connected.
    pub fn can_restrict(&self) -> bool {
        let plays = |m: &&RosterMember| m.profile.can_best && m.availability != Availability::Away && !m.retired;
        let mut players = self.members.values().map(Box::as_ref).filter(plays).peekable();
        players.peek().is_none() || players.any(|m| m.profile.can_only)
    }

    /// Excludes the worker from all further work.
    pub fn retire(&mut self, id: WorkerId) {
        let before = self.abilities_of(id);
        if let Some(member) = self.members.get_mut(&id) {
            member.retired = true;
            member.forgive(|record| record.revive_at = None);
        }
        self.abilities = self.abilities.plus(self.abilities_of(id)).minus(before);
    }

    /// Returns whether [`Self::abilities`] matches the members; used in checks.
    pub fn is_counted(&self) -> bool {
        self.members.values().map(|member| member.abilities()).fold(Abilities::default(), Abilities::plus)
            == self.abilities
    }

    fn abilities_of(&self, id: WorkerId) -> Abilities {
        self.get(id).map_or_else(Abilities::default, RosterMember::abilities)
    }

    pub fn has_given_up(&self, id: WorkerId, node: NodeId) -> bool {
        self.given_up.contains(&(node, id))
    }

    /// Allows tasks at `node` again for workers that gave the node up; `None` stands for all nodes.
    pub fn forget_given_up(&mut self, node: Option<NodeId>) {
        self.given_up.retain(|&(given_up, _)| node.is_some_and(|node| node != given_up));
    }

    /// Returns whether some player could still search the node, now or later.
    pub fn has_hope(&self, node: NodeId, understands: impl Fn(&Profile) -> bool) -> bool {
        let could = |id: &WorkerId| self.get(*id).is_some_and(|m| understands(&m.profile));
        self.present().any(|id| could(&id) && !self.has_given_up(id, node))
    }

    /// Returns whether there are several players, all of which can search one position together.
    pub fn is_one_group(&self) -> bool {
        self.abilities.players > 1 && self.can_all_vary()
    }

    /// Returns whether all players can search one position together.
    pub fn can_all_vary(&self) -> bool {
        self.abilities.players == self.abilities.variants
    }

    /// Sends a worker to a node as soon as its current task has ended. `None` cancels an earlier order.
    pub fn send_to(&mut self, id: WorkerId, node: Option<NodeId>) {
        if let Some(old) = self.destined.remove(&id) {
            self.reserved.remove(&old);
            self.arrived.remove(&id);
        }
        if let Some(node) = node {
            self.destined.insert(id, node);
            self.reserved.insert(node);
            if self.waiting.contains(id) {
                self.arrived.insert(id);
            }
        }
    }

    /// Puts the worker into the queue of waiting workers.
    fn wait(&mut self, id: WorkerId) {
        let Some(member) = self.members.get(&id) else { return };
        self.waiting.insert(id, member.strength(), member.last);
        if self.destined.contains_key(&id) {
            self.arrived.insert(id);
        }
    }

    /// Removes and returns the workers that are ready to start at the nodes that they were sent to.
    pub fn arrivals(&mut self, now: Time) -> Vec<(WorkerId, NodeId)> {
        let is_ready = |id: &WorkerId| self.members.get(id).is_some_and(|member| member.is_ready(now));
        let ready: Vec<WorkerId> = self.arrived.iter().copied().filter(is_ready).collect();
        let mut arrivals = Vec::with_capacity(ready.len());
        for id in ready {
            arrivals.extend(self.destined.get(&id).map(|&node| (id, node)));
            self.send_to(id, None);
        }
        arrivals
    }

    /// The workers that have a running task other than a `go mate`.
    pub fn working_at_nodes(&self) -> Vec<WorkerId> {
        let works = |job: &AssignedTask| job.cancelled.is_none() && job.work != TaskKind::Mate;
        self.busy().filter(|(_, job)| works(job)).map(|(id, _)| id).collect()
    }

    /// Sets the new id of the worker's node.
    pub fn relocate(&mut self, id: WorkerId, node: NodeId) {
        let Some(member) = self.members.get_mut(&id) else { return };
        member.last = Some(node);
        if let Some(job) = member.job_mut() {
            job.work = TaskKind::Node(node);
        }
    }

    pub fn busy(&self) -> impl Iterator<Item = (WorkerId, &AssignedTask)> {
        self.members.iter().filter_map(|(&id, member)| member.job().map(|job| (id, job)))
    }

    /// Returns whether the roster still stores anything about these workers.
    #[cfg(test)]
    pub fn has_kept(&self, range: std::ops::Range<WorkerId>) -> bool {
        let waits = self.waiting.ids().chain(self.joined.iter().map(|(id, _)| id)).chain(self.probing.iter().copied());
        let listed = self.deadlines.iter().map(|&(_, id)| id).chain(self.given_up.iter().map(|&(_, id)| id));
        let known = self.members.keys().chain(self.names.keys()).chain(&self.solvers).chain(&self.arrived);
        waits.chain(listed).chain(known.chain(self.destined.keys()).copied()).any(|id| range.contains(&id))
    }

    /// Gives the worker no task for the duration `rest`.
    pub fn rest(&mut self, now: Time, id: WorkerId, rest: Duration) {
        if let Some(member) = self.get_mut(id) {
            member.record_mut().rests_until = now + rest;
        }
        self.look_again_at(now + rest, id);
    }

    pub fn look_again_at(&mut self, at: Time, id: WorkerId) {
        self.deadlines.insert((at, id));
    }
}
