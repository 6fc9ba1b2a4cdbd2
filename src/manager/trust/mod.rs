//! Decides which values to believe. Hasami's own threads and the engines that the user has named are trusted. The
//! reports of untrusted machines (slots of a cluster) are checked if they matter:
//!
//! - [`mates`]: a mate counts once it is proved by the rules.
//! - A value that would change the move at the root, and either differs by more than [`claim::JUMP`] or belongs to a
//!   move that the emergency search considers bad, is withheld ([`ValueClaim`]) until a worker of another machine has
//!   checked it ([`confirm`]). The answer to `go` does not wait for a check: a value that is unconfirmed when the
//!   answer is due is not used.
//! - [`records`]: a machine whose values were contradicted repeatedly is set aside.
//!
//! A claim is compared with the accepted value of the root. At the beginning of a search, the emergency search provides
//! the accepted value.

mod claim;
mod confirm;
mod mates;
pub(super) mod records;

use super::core::{Manager, Phase};
use super::roster::Availability;
use claim::{ValueClaim, is_blunder, is_jump};
use hasami_api::{Game, MoveText, Report, Score};
use hasami_tree::event::{MachineId, Time, WorkerId};
use hasami_tree::{Finding, NodeId};
use mates::MateClaims;
use records::{MachineRecord, MachineRecords};
use std::collections::BTreeSet;

/// At most this many claims are checked at a time.
const MOST_CLAIMS: usize = 8;
/// In one search, the emergency search evaluates at most this many moves, in a millisecond or two each.
const MOST_LOOKS: usize = 6;
/// When a search begins, at most this many findings from the previous search are checked.
const MOST_STORED: usize = 16;

/// What is known about untrusted machines and their claims.
#[derive(Default)]
pub(super) struct Trust {
    mates: MateClaims,
    /// The accepted move at the root, and its value.
    accepted: Option<(MoveText, Score)>,
    /// The emergency search's report on the root, made in this search.
    own_look: Option<Report>,
    /// The emergency search's values of single root moves, found in this search.
    looks: Vec<(MoveText, Score)>,
    claims: Vec<ValueClaim>,
    last_claim: u32,
    /// Positions on which a machine was contradicted in this search, each with the machine.
    refused: BTreeSet<(u64, MachineId)>,
    pub records: MachineRecords,
}

impl Trust {
    /// Records the accepted move at the root and its value.
    pub fn accept(&mut self, best: MoveText, score: Score) {
        self.accepted = Some((best, score));
    }

    /// The index in `claims` of a machine's claim about a node.
    fn claim_of(&self, machine: MachineId, node: NodeId) -> Option<usize> {
        self.claims.iter().position(|claim| claim.machine == machine && claim.node == node)
    }

    /// Takes over the records of machines from the manager that this one replaces.
    pub fn keep_records(&mut self, old: &mut Self) {
        self.records = std::mem::take(&mut old.records);
    }
}

impl<G: Game> Manager<G> {
    /// The machine of a worker, if it is untrusted.
    pub(super) fn machine_of(&self, worker: WorkerId) -> Option<MachineId> {
        self.assignment.roster.get(worker)?.profile.machine
    }

    /// Prepares for a new search. Values that untrusted machines reported in the previous search are checked before
    /// they count in the new one.
    pub(super) fn begin_trust(&mut self, now: Time) {
        self.trust.mates.begin_search();
        (self.trust.accepted, self.trust.own_look) = (None, None);
        self.trust.looks.clear();
        self.trust.refused.clear();
        for _ in 0..MOST_STORED {
            let node = self.assignment.tree.source_of(self.focus());
            let finding = self.assignment.tree.node(node).finding();
            let Some(machine) = finding.and_then(|own| own.machine) else { return };
            if !self.weigh(now, (MachineId(machine), None), node, None) {
                return;
            }
        }
    }

    /// Returns whether the worker's machine was contradicted on the node's position in this search.
    pub(super) fn is_refused(&self, worker: WorkerId, node: NodeId) -> bool {
        let key = self.assignment.tree.node(node).key;
        self.machine_of(worker).is_some_and(|machine| self.trust.refused.contains(&(key, machine)))
    }

    /// The node's finding, to be restored if the worker's report is withheld; `None` if there is no finding, or if the
    /// report will not be withheld.
    pub(super) fn finding_before(&self, worker: WorkerId, node: NodeId, report: &Report) -> Option<Finding> {
        let own = self.assignment.tree.node(node).own.as_ref().filter(|_| self.machine_of(worker).is_some())?;
        let is_far = own.score.raw().abs_diff(report.score.raw()) > claim::JUMP as u32 / 2;
        (is_far || !own.valid).then(|| own.clone())
    }

    /// Returns whether a value that the worker's machine reported for this node is being withheld.
    pub(super) fn is_held(&self, worker: WorkerId, node: NodeId) -> bool {
        self.machine_of(worker).is_some_and(|machine| self.trust.claim_of(machine, node).is_some())
    }

    /// Decides whether to withhold a new value that a worker has reported at a node. If the value is withheld, restores
    /// the finding `before` and returns true.
    pub(super) fn weigh_report(&mut self, now: Time, worker: WorkerId, node: NodeId, before: Option<Finding>) -> bool {
        let Some(machine) = self.machine_of(worker) else { return false };
        self.assignment.tree.attribute(node, machine.0);
        self.weigh(now, (machine, Some(worker)), node, before)
    }

    fn weigh(
        &mut self,
        now: Time,
        (machine, worker): (MachineId, Option<WorkerId>),
        node: NodeId,
        before: Option<Finding>,
    ) -> bool {
        let Some(found) = self.root_choice().filter(|_| self.has_others(machine)) else { return false };
        let is_proved = self.assignment.tree.node(node).settled.is_settled();
        if is_proved || !self.is_suspect(found) {
            self.withdraw(now, machine, node);
            return false;
        }
        if let Phase::Thinking(search) = &mut self.phase
            && node == search.request.focus
        {
            (search.lines, search.blocks) = Default::default();
        }
        let started = worker.and_then(|worker| self.assignment.roster.get(worker)?.job()).map(|job| job.started);
        let age = started.map_or(Time::ZERO, |started| now.saturating_sub(started));
        self.hold(now, (machine, node), before, age);
        true
    }

    /// Returns whether the root's best move changes, and either its value changes much or the emergency search
    /// considers the new move bad.
    fn is_suspect(&mut self, found: (MoveText, Score)) -> bool {
        let Some(accepted) = self.accepted_choice().filter(|accepted| accepted.0 != found.0) else { return false };
        is_jump(accepted, found) || self.look_at(found.0).is_none_or(|look| is_blunder(accepted.1, look))
    }

    /// The emergency search's value of a root move; `None` if [`MOST_LOOKS`] moves were evaluated already.
    fn look_at(&mut self, text: MoveText) -> Option<Score> {
        if let Some(&(_, known)) = self.trust.looks.iter().find(|(known, _)| *known == text) {
            return Some(known);
        }
        if self.trust.looks.len() >= MOST_LOOKS {
            return None;
        }
        let look = self.search_emergency(&[text])?.value.score;
        self.trust.looks.push((text, look));
        Some(look)
    }

    /// Replaces the node's finding with `before`, and turns the replaced finding into a claim.
    fn hold(&mut self, now: Time, (machine, node): (MachineId, NodeId), before: Option<Finding>, age: Time) {
        let finding = self.assignment.tree.exchange_finding(node, before);
        self.stand_on_own_look();
        self.assignment.on_value(now, node);
        let is_open = self.trust.claim_of(machine, node).is_some();
        let Some(finding) = finding.filter(|_| !is_open && self.trust.claims.len() < MOST_CLAIMS) else { return };
        let Some((_, value)) = self.trust.accepted else { return };
        let plies = self.assignment.tree.node(node).ply.abs_diff(self.assignment.tree.node(self.focus()).ply);
        let is_ours = plies.is_multiple_of(2);
        let value = if is_ours { value } else { Score::from_raw(-value.raw()) };
        self.trust.last_claim += 1;
        self.trust.claims.push(ValueClaim::new(self.trust.last_claim, (machine, node), finding, (value, is_ours), age));
    }

    /// Records the result of the emergency search at the root if nothing else is known about the root.
    fn stand_on_own_look(&mut self) {
        let root = self.assignment.tree.searched(self.focus());
        let is_bare = self.assignment.tree.node(root).value.is_none();
        if let Some(report) = self.trust.own_look.clone().filter(|_| is_bare) {
            self.assignment.tree.record(root, &report);
        }
    }

    /// The best move at the root according to the tree, and its value.
    fn root_choice(&mut self) -> Option<(MoveText, Score)> {
        self.phase.search()?;
        let root = self.assignment.tree.searched(self.focus());
        let score = self.assignment.tree.node(root).value?.score;
        Some((self.assignment.tree.best_move(root)?, score))
    }

    /// The accepted move and its value; `None` if nothing was accepted and there is no emergency search.
    fn accepted_choice(&mut self) -> Option<(MoveText, Score)> {
        if self.trust.accepted.is_none() {
            let only = self.phase.search()?.request.only.clone();
            let look = self.search_emergency(&only)?;
            self.trust.accepted = Some((*look.line.first()?, look.value.score));
            self.trust.own_look = Some(look.value.as_report(&look.line));
        }
        self.trust.accepted
    }

    /// Returns whether any connected player outside of this machine can check the machine's claims.
    fn has_others(&self, machine: MachineId) -> bool {
        let members = self.assignment.roster.members.values();
        let mut others = members.filter(|m| m.profile.can_best && m.profile.machine != Some(machine) && !m.retired);
        others.any(|member| member.availability != Availability::Away)
    }

    /// Drops the machine's claim about the node, because the machine now reports something else.
    fn withdraw(&mut self, now: Time, machine: MachineId, node: NodeId) {
        if let Some(index) = self.trust.claim_of(machine, node) {
            self.drop_claim(now, index);
        }
    }

    /// Retires a worker that has just joined if its machine was set aside.
    pub(super) fn note_machine(&mut self, worker: WorkerId) {
        let machine = self.machine_of(worker);
        if machine.is_some_and(|machine| self.trust.records.is_set_aside(machine)) {
            self.assignment.roster.retire(worker);
        }
    }

    /// Gives the machine no more work, and removes its findings.
    fn set_machine_aside(&mut self, now: Time, machine: MachineId) {
        let record = self.trust.records.note(machine, |record| record.is_set_aside = true);
        let slots = self.slots_of(machine);
        let name = slots.first().map_or_else(|| "a machine".to_owned(), |&slot| self.assignment.name_of(slot));
        let place = name.split('/').next().unwrap_or_default();
        for worker in slots {
            self.assignment.cancel(now, worker);
            self.assignment.roster.retire(worker);
        }
        while let Some(index) = self.trust.claims.iter().position(|claim| claim.machine == machine) {
            self.drop_claim(now, index);
        }
        for node in self.assignment.tree.forget_machine(machine.0) {
            self.assignment.on_value(now, node);
        }
        let MachineRecord { confirmed, contradicted, .. } = record;
        let text = format!(
            "warning: {place} is set aside: {contradicted} of its values were contradicted by other workers, {confirmed} \
             confirmed"
        );
        self.assignment.out.warn(text.clone());
        self.message(text);
    }

    fn slots_of(&self, machine: MachineId) -> Vec<WorkerId> {
        let members = self.assignment.roster.members.iter();
        members.filter(|(_, member)| member.profile.machine == Some(machine)).map(|(&worker, _)| worker).collect()
    }
}
