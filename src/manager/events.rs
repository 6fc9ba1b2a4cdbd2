//! Handles joining workers and workers' reports.

use super::core::{Manager, Phase};
use super::roster::TaskKind;
use hasami_api::{Bound, Game, Report, Score, ScoreKind, Verdict};
use hasami_tree::event::{Profile, TaskId, Time, WorkerId};
use hasami_tree::rules::remaining_moves;
use hasami_tree::{NodeId, after, legal_beginning};
use hasami_words::text::counted;
use std::borrow::Cow;

/// A report that adds more nodes than `MOST_NODES`, or has a greater depth than `DEEPEST`, is rejected as impossible.
const MOST_NODES: u64 = 10_000_000_000_000;
const DEEPEST: u16 = 2_000;
/// A worker's speed is measured once its task has searched this many nodes.
const SPEED_NODES: u64 = 50_000;

impl<G: Game> Manager<G> {
    pub(super) fn on_joined(&mut self, now: Time, worker: WorkerId, profile: Profile) {
        if self.assignment.roster.get(worker).is_some_and(|member| member.job().is_some()) {
            return;
        }
        // A restarted child engine does not replace the fallback worker, because the engine may die again.
        let is_fallback = self.fallback.called && profile.can_best && profile.is_ours();
        self.fallback.called &= !is_fallback;
        self.assignment.roster.join(worker, profile);
        self.note_machine(worker);
        if is_fallback {
            self.make_room_for_fallback(now);
        }
        self.assign_solver(now);
    }

    pub(super) fn on_report(&mut self, now: Time, worker: WorkerId, task: TaskId, report: &Report) {
        let Some(member) = self.assignment.roster.get_mut(worker) else { return };
        let Some(job) = member.job_mut().filter(|job| job.id == task) else { return };
        let gained = report.nodes.saturating_sub(job.nodes);
        if gained > MOST_NODES {
            return self.count_lie(now, worker, &format!("impossible number of nodes: {}", report.nodes));
        }
        let unspent = job.unspent();
        job.nodes = job.nodes.max(report.nodes);
        let spent = unspent - job.unspent();
        let hits = report.table_hits.saturating_sub(job.table_hits).min(MOST_NODES);
        job.table_hits += hits;
        job.depth = job.depth.max(report.depth.min(DEEPEST));
        job.reports += 1;
        let (work, cancelled, started) = (job.work, job.cancelled.is_some(), job.started);
        let (nodes, depth) = (job.nodes, job.depth);
        if let Some(node) = work.own_node().filter(|&node| self.assignment.tree.get(node).is_some()) {
            let plies = self.assignment.tree.depth(node);
            member.reach = member.reach.max(depth.saturating_add(u16::try_from(plies).unwrap_or(u16::MAX)));
        }
        member.forgive(|record| record.silences = 0);
        let busy = now.saturating_sub(started).as_secs_f64();
        if nodes >= SPEED_NODES && busy > 0.0 {
            member.speed = nodes as f64 / busy;
        }
        self.assignment.roster.granted -= spent;
        // Nodes of a late report from an answered search must not count towards the next search.
        let is_of_this = self.phase.search().is_some_and(|search| search.request.began <= started);
        // The GUI is not shown the nodes, hash table use and endgame table hits of mate probes.
        if (!cancelled || is_of_this) && !matches!(work, TaskKind::Probe(..)) {
            self.assignment.roster.hashfull = report.hashfull;
            self.assignment.roster.nodes = self.assignment.roster.nodes.saturating_add(gained);
            self.assignment.roster.table_hits = self.assignment.roster.table_hits.saturating_add(hits);
        }
        if cancelled {
            return;
        }
        match work {
            TaskKind::Node(node) => self.take_report(now, worker, node, report),
            TaskKind::Joint(node) => self.take_joint_report(now, worker, node, report),
            TaskKind::Confirm(claim) => {
                let report = self.without_mate(worker, report);
                self.on_second_report(now, claim, &report);
            }
            TaskKind::Mate => self.note_solver_report(now, worker, report),
            TaskKind::Probe(..) => {}
        }
    }

    fn take_report(&mut self, now: Time, worker: WorkerId, node: NodeId, report: &Report) {
        let Some(report) = self.accept_report(now, worker, node, report) else { return };
        let report = &*report;
        if report.multipv > 1 || report.pv.is_empty() {
            return;
        }
        self.note_agreement(now, worker, node, report);
        let before = self.finding_before(worker, node, report);
        let reads_on = if self.names_a_child(worker, report) {
            self.names_child_by_necessity(worker)
        } else if self.assignment.tree.record(node, report) {
            let is_held = self.weigh_report(now, worker, node, before);
            self.assignment.on_value(now, node);
            !is_held && self.assignment.tree.is_whole(node)
        } else {
            false
        };
        // A report may also provide a value for the node at which its line leaves the tree.
        if reads_on
            && !self.is_mate_of_machine(worker, report)
            && let Some(found) = self.assignment.tree.record_inferred(node, report)
        {
            self.weigh_report(now, worker, found, None);
            self.assignment.on_value(now, found);
        }
    }

    /// Records the line of a report. Returns the report without any unproved mate; `None` if the report is rejected.
    fn accept_report<'a>(
        &mut self,
        now: Time,
        worker: WorkerId,
        node: NodeId,
        report: &'a Report,
    ) -> Option<Cow<'a, Report>> {
        if let Err(why) = self.believe(node, report) {
            self.count_lie(now, worker, &why);
            return None;
        }
        if self.is_refused(worker, node) {
            return None;
        }
        let report = self.without_unproved_mate(worker, node, report);
        if node == self.focus() && !self.is_held(worker, node) {
            self.note_line(worker, &report);
        }
        self.note_report(now, worker, &report);
        Some(report)
    }

    /// Handles a report from a worker that has joined the node's own worker.
    fn take_joint_report(&mut self, now: Time, worker: WorkerId, node: NodeId, report: &Report) {
        let Some(report) = self.accept_report(now, worker, node, report) else { return };
        let report = &*report;
        self.note_agreement(now, worker, node, report);
        let before = self.finding_before(worker, node, report);
        let is_idle = report.multipv > 1 || report.pv.is_empty() || self.names_a_child(worker, report);
        if !is_idle && self.assignment.tree.record_joint(node, report) {
            self.weigh_report(now, worker, node, before);
            self.assignment.on_value(now, node);
        }
    }

    /// Returns whether a report on a move that has its own node is useful because the worker cannot exclude moves
    /// ([`hasami_tree::rules::pv_inference`]).
    fn names_child_by_necessity(&self, worker: WorkerId) -> bool {
        let profile = self.assignment.roster.get(worker).map(|member| &member.profile);
        self.assignment.model.rules().pv_inference
            && profile.is_some_and(|profile| !profile.can_except && !profile.can_only)
    }

    /// Checks whether the report is possible: its score and depth must be in range, and its first move legal.
    fn believe(&mut self, node: NodeId, report: &Report) -> Result<(), String> {
        let raw = report.score.raw();
        if raw.unsigned_abs() > Score::MATE as u32 {
            return Err(format!("score {raw} is not within {}", Score::MATE));
        }
        if report.depth > DEEPEST {
            return Err(format!("depth {} is above {DEEPEST}", report.depth));
        }
        let Some(&first) = report.pv.first() else { return Ok(()) };
        match self.assignment.tree.at(node, |game| game.parse_move(&first)) {
            Ok(m) if self.assignment.tree.allows(node, m) => self.believe_mate(node, report),
            Ok(_) => Err(format!("{first} is not one of the allowed moves")),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Checks that a complete mating line ends in mate. Incomplete lines are not checked, because many engines truncate
    /// their lines.
    fn believe_mate(&mut self, node: NodeId, report: &Report) -> Result<(), String> {
        let ScoreKind::Mate(plies) = report.score.kind() else { return Ok(()) };
        let length = plies.unsigned_abs() as usize;
        if report.bound != Bound::Exact || report.pv.len() < length {
            return Ok(());
        }
        self.assignment.tree.at(node, |game| {
            let line = legal_beginning(game, &report.pv);
            // A search treats the first repetition of a position, even of one that occurred earlier in the game, like
            // the repetition that ends the game.
            let is_open = after(game, &line, |game, _| {
                let is_over = game.count_moves() == 0;
                let end = if is_over { game.verdict_without_moves() } else { game.verdict_in_search(usize::MAX) };
                matches!(end, Verdict::Open | Verdict::Draw) && !game.may_declare_win()
            });
            let is_lie = line.len() >= length && is_open;
            let lie = || format!("claimed a mate in {}, but its line has none", counted(length, "ply"));
            if is_lie { Err(lie()) } else { Ok(()) }
        })
    }

    /// Returns whether the report names a move that has its own node, so that it says nothing about the moves assigned
    /// to the worker.
    fn names_a_child(&self, worker: WorkerId, report: &Report) -> bool {
        let job = self.assignment.roster.get(worker).and_then(|member| member.job());
        job.is_some_and(|job| remaining_moves::is_refused(report.pv.first().copied(), &job.except))
    }

    /// Records a line of a MultiPV search. Twice the requested number of lines is kept, since some lines may begin with
    /// moves that have their own nodes.
    fn note_line(&mut self, worker: WorkerId, report: &Report) {
        if report.multipv > 1 {
            self.assignment.tree.remember(self.focus(), report);
        }
        let size = self.assignment.lines_of_one_worker(self.demand());
        let Phase::Thinking(search) = &mut self.phase else { return };
        if self.options.valid.multi_pv <= 1 || report.pv.is_empty() {
            return;
        }
        search.lines.note(report, 2 * usize::from(self.options.valid.multi_pv));
        if let Some(size) = size {
            search.blocks.note(worker, report, size);
        }
    }
}
