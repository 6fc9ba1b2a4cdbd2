//! The second search: a short task in which another worker confirms or contradicts a withheld value. The second search
//! ends as soon as it has confirmed the value.

use super::claim::{SecondSearch, ValueClaim, is_blunder};
use super::records::is_unfit;
use crate::core::Manager;
use crate::roster::{AssignedTask, RosterMember, TaskKind};
use hasami_api::{Game, Goal, Limits, Line, Report, Score, Task};
use hasami_tree::Settled;
use hasami_tree::event::{Time, WorkerId};
use std::time::Duration;

/// If the answer is due in less time than this, no second search begins.
const LEAST_TIME: Duration = Duration::from_millis(20);

impl<G: Game> Manager<G> {
    /// Lets workers of other machines check the withheld values.
    pub(crate) fn pursue_claims(&mut self, now: Time) {
        let mut index = 0;
        while let Some(claim) = self.trust.claims.get(index) {
            if self.is_moot(claim) || self.phase.search().is_none() {
                self.drop_claim(now, index);
                continue;
            }
            let number = claim.number;
            if self.running_second(claim).is_none() && !self.is_judged_by_rules(now, index) {
                self.find_second(now, index);
            }
            index += usize::from(self.claim_index(number).is_some());
        }
    }

    /// Returns whether a claim need not be checked: the position was removed or decided, or the claim only says that no
    /// move is good, and each move now has its own node.
    fn is_moot(&self, claim: &ValueClaim) -> bool {
        let tree = &self.assignment.tree;
        let is_over = tree.get(claim.node).is_none() || tree.is_dead(claim.node);
        is_over || !claim.rises && !tree.has_remaining(claim.node)
    }

    /// Drops all claims, because the search is over.
    pub(crate) fn drop_claims(&mut self, now: Time) {
        while !self.trust.claims.is_empty() {
            self.drop_claim(now, 0);
        }
    }

    pub(super) fn drop_claim(&mut self, now: Time, index: usize) -> ValueClaim {
        let second = self.running_second(&self.trust.claims[index]);
        let claim = self.trust.claims.remove(index);
        if let Some(worker) = second {
            self.assignment.cancel(now, worker);
        }
        claim
    }

    fn claim_index(&self, number: u32) -> Option<usize> {
        self.trust.claims.iter().position(|claim| claim.number == number)
    }

    /// The worker of the claim's second search, unless that task was cancelled.
    fn running_second(&self, claim: &ValueClaim) -> Option<WorkerId> {
        let SecondSearch::Running(worker) = claim.second else { return None };
        let job = self.assignment.roster.get(worker)?.job()?;
        (job.work.claim() == Some(claim.number) && job.cancelled.is_none()).then_some(worker)
    }

    /// If the claimed move ends the game, settles the claim by the rules. Returns whether the claim was settled.
    fn is_judged_by_rules(&mut self, now: Time, index: usize) -> bool {
        let claim = &self.trust.claims[index];
        let (node, Some(text)) = (claim.node, claim.better_move()) else { return false };
        let Ok(m) = self.assignment.tree.at(node, |game| game.parse_move(&text)) else { return false };
        let Settled::Rules(score) = self.assignment.tree.verdict_after(node, m) else { return false };
        let is_confirmed = self.trust.claims[index].is_confirmed_by(score.for_parent());
        self.settle_claim(now, index, Some(is_confirmed));
        true
    }

    fn find_second(&mut self, now: Time, index: usize) {
        let left = self.phase.search().and_then(|search| search.request.time_left(now));
        if left.is_some_and(|left| left < LEAST_TIME) || self.assignment.is_granted(self.demand()) {
            return;
        }
        let claim = &self.trust.claims[index];
        let suits = |member: &RosterMember| self.may_confirm(claim, member);
        if let Some(worker) = self.assignment.roster.idle_player(now, suits) {
            return self.start_second(now, index, worker, left);
        }
        let is_coming = |worker: WorkerId| {
            let member = self.assignment.roster.get(worker);
            member.and_then(|member| member.job()).is_some_and(|job| job.cancelled.is_some())
        };
        if matches!(claim.second, SecondSearch::Called(worker) if is_coming(worker)) {
            return;
        }
        if let Some(worker) = self.least_missed(claim) {
            self.assignment.cancel(now, worker);
            self.trust.claims[index].second = SecondSearch::Called(worker);
        }
    }

    /// Returns whether the member belongs to another machine than the claim's and can run the second search.
    fn may_confirm(&self, claim: &ValueClaim, member: &RosterMember) -> bool {
        let profile = &member.profile;
        let understands = claim.rises || self.assignment.understands(profile, claim.node, self.demand());
        let is_fit = profile.can_best && !member.killed && !member.retired && understands;
        // Without variants, a trusted worker would only repeat the search of another trusted worker.
        is_fit && profile.machine != Some(claim.machine) && (profile.can_vary || !self.is_searched_by_believed(claim))
    }

    /// The position on which the claim's second search runs.
    fn line_of_second(&self, claim: &ValueClaim) -> Line {
        let mut line = self.assignment.line_to(claim.node);
        line.moves.extend(claim.better_move());
        line
    }

    /// Returns whether a trusted worker already searches the position of the second search.
    fn is_searched_by_believed(&self, claim: &ValueClaim) -> bool {
        let roster = &self.assignment.roster;
        if !roster.confirming.is_empty() && roster.confirmer_of(&self.line_of_second(claim)).is_some() {
            return true;
        }
        let tree = &self.assignment.tree;
        let node = claim.better_move().map_or(Some(claim.node), |text| tree.child_by_text(claim.node, text));
        let worker = node.and_then(|node| tree.node(tree.searched(node)).worker);
        worker.is_some_and(|assigned| self.machine_of(WorkerId(assigned.worker)).is_none())
    }

    /// The worker to take from its task for the second search: preferably one that has joined another worker, and the
    /// root's worker only as a last resort. Among equally suitable workers, the one that began last is taken.
    fn least_missed(&self, claim: &ValueClaim) -> Option<WorkerId> {
        let focus = self.focus();
        let rank = |job: &AssignedTask| match job.work {
            TaskKind::Joint(_) => Some(0),
            TaskKind::Node(node) => Some(if node == focus { 2 } else { 1 }),
            _ => None,
        };
        let free = self.assignment.roster.busy().filter(|(_, job)| job.cancelled.is_none());
        let others = free.filter(|&(worker, _)| {
            self.assignment.roster.get(worker).is_some_and(|member| self.may_confirm(claim, member))
        });
        let ranked = others.filter_map(|(worker, job)| Some((rank(job)?, std::cmp::Reverse(job.started), worker)));
        ranked.min().map(|(.., worker)| worker)
    }

    fn start_second(&mut self, now: Time, index: usize, worker: WorkerId, left: Option<Duration>) {
        let claim = &self.trust.claims[index];
        let (number, node, better) = (claim.number, claim.node, claim.better_move());
        let line = self.line_of_second(claim);
        let length = left.map_or(claim.length(), |left| claim.length().min(left / 2));
        let except = if better.is_some() { Vec::new() } else { self.assignment.tree.left_out(node) };
        let (assignment, demand) = self.split();
        let mut task = match better {
            Some(_) => Task { line: line.clone(), goal: Goal::Best, multipv: 1, ..Task::default() },
            None => assignment.task(worker, node, &except, demand),
        };
        let profile = assignment.roster.get(worker).map(|member| &member.profile);
        let can_vary = profile.is_some_and(|profile| profile.can_vary);
        let is_believed = profile.is_some_and(|profile| profile.machine.is_none());
        task.variant = if can_vary { (worker.0 % u32::from(u16::MAX)) as u16 + 1 } else { 0 };
        let nodes = assignment.budget(demand).and_then(|budget| budget.share());
        (task.multipv, task.limits) = (1, Limits { nodes, ..Limits::default() });
        assignment.hand_out(now, worker, TaskKind::Confirm(number), task, except);
        assignment.roster.set_until(worker, now + length);
        if is_believed && !can_vary {
            assignment.roster.confirming.push((worker, line));
        }
        self.trust.claims[index].second = SecondSearch::Running(worker);
    }

    /// Handles a report of the second search.
    pub(crate) fn on_second_report(&mut self, now: Time, number: u32, report: &Report) {
        let is_value = report.multipv <= 1 && report.score.raw().unsigned_abs() <= Score::MATE as u32;
        let Some(index) = self.claim_index(number).filter(|_| is_value) else { return };
        let claim = &mut self.trust.claims[index];
        let is_enough = if claim.rises { claim.hear_of_reply(report) } else { claim.hear(report) };
        if is_enough {
            self.settle_claim(now, index, Some(true));
        }
    }

    /// Handles the end of a second search, which may have run out of time.
    pub(crate) fn on_second_ended(&mut self, now: Time, number: u32) {
        if let Some(index) = self.claim_index(number) {
            let verdict = self.trust.claims[index].verdict();
            self.settle_claim(now, index, verdict);
        }
    }

    /// Handles the loss or failure of the worker that ran the second search.
    pub(crate) fn on_second_lost(&mut self, number: u32) {
        if let Some(index) = self.claim_index(number) {
            self.trust.claims[index].second = SecondSearch::Wanted;
        }
    }

    /// If another worker's report on the claim's node agrees with the claim, confirms the claim without a second
    /// search.
    pub(crate) fn note_agreement(&mut self, now: Time, worker: WorkerId, node: hasami_tree::NodeId, report: &Report) {
        if self.trust.claims.is_empty() || report.multipv > 1 {
            return;
        }
        let machine = self.machine_of(worker);
        let is_other = |claim: &ValueClaim| claim.node == node && machine != Some(claim.machine);
        let Some(index) = self.trust.claims.iter().position(is_other) else { return };
        let better = self.trust.claims[index].better_move();
        if (better.is_none() || better == report.pv.first().copied()) && self.trust.claims[index].hear(report) {
            self.settle_claim(now, index, Some(true));
        }
    }

    /// Settles a claim. If `verdict` is `None`, the claimed value has no effect until it is reported again.
    fn settle_claim(&mut self, now: Time, index: usize, verdict: Option<bool>) {
        let claim = self.drop_claim(now, index);
        match verdict {
            Some(true) => {
                self.trust.records.note(claim.machine, |record| record.confirmed += 1);
                match &claim.other {
                    // The claim that all moves are bad is confirmed, but its best move is a blunder, so the other
                    // worker's report is used.
                    Some(report) if self.names_blunder(&claim) => {
                        self.assignment.tree.exchange_finding(claim.node, None);
                        self.assignment.tree.record(claim.node, report);
                    }
                    _ => self.assignment.tree.restore_finding(claim.node, claim.finding),
                }
                self.assignment.on_value(now, claim.node);
                // Later values are compared with the confirmed value.
                if let Some((best, score)) = self.root_choice() {
                    self.trust.accept(best, score);
                }
            }
            Some(false) => self.contradict(now, &claim),
            None => {}
        }
    }

    /// Returns whether the claim concerns the root and names a move that the emergency search considers bad.
    fn names_blunder(&mut self, claim: &ValueClaim) -> bool {
        let is_root = claim.node == self.assignment.tree.searched(self.focus());
        let Some(&text) = claim.finding.pv.first().filter(|_| is_root) else { return false };
        self.look_at(text).is_none_or(|look| is_blunder(claim.finding.score, look))
    }

    /// Handles a contradicted claim: in this search, the machine's reports on the position are ignored from now on.
    fn contradict(&mut self, now: Time, claim: &ValueClaim) {
        let &ValueClaim { machine, node, .. } = claim;
        self.trust.refused.insert((self.assignment.tree.node(node).key, machine));
        let slots = self.slots_of(machine);
        let name = slots.first().map_or_else(String::new, |&slot| self.assignment.name_of(slot));
        let found = claim
            .found
            .map_or_else(|| "the rules say otherwise".to_owned(), |score| format!("another worker found {score:?}"));
        self.assignment.out.warn(format!("{name}: reported {:?}, but {found}", claim.finding.score));
        for worker in slots {
            let job = self.assignment.roster.get(worker).and_then(|member| member.job());
            if job.is_some_and(|job| job.work.node() == Some(node)) {
                self.assignment.cancel(now, worker);
            }
            self.assignment.roster.given_up.insert((node, worker));
        }
        self.assignment.on_value(now, node);
        if is_unfit(&self.trust.records.note(machine, |record| record.contradicted += 1)) {
            self.set_machine_aside(now, machine);
        }
    }
}
