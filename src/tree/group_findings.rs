//! A node that several search groups search, each for itself ([`consultation`]): its finding is that of one of them which holds
//! the move of most of them for best.

use super::arena::NodeId;
use super::master::MasterTree;
use super::node::Finding;
use super::rules::consultation;
use hasami_api::{Game, MoveText, Report};

/// What each group has found, by its number.
#[derive(Debug, Default)]
pub(super) struct GroupFindings {
    findings: Vec<Option<Finding>>,
    /// What stood at the node before any of them had spoken.
    before: Option<Finding>,
}

impl GroupFindings {
    fn known(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().flatten().filter(|found| found.valid)
    }

    /// A proof counts whoever has it, then a win; else one of those that vote for the move of most, the deepest of them.
    fn chosen(&self, stands: Option<MoveText>) -> Option<&Finding> {
        let best = |found: &&Finding| found.score;
        if let Some(proof) = self.known().filter(|found| found.is_proof()).max_by_key(best) {
            return Some(proof);
        }
        if let Some(win) = self.known().filter(|found| found.score.is_win()).max_by_key(best) {
            return Some(win);
        }
        let votes: Vec<MoveText> = self.known().filter_map(Finding::vote).collect();
        let winner = consultation::winner(&votes, stands)?;
        let supporters = self.known().filter(|found| found.vote() == Some(winner));
        // Of equally deep ones the first: it has no noise in its value.
        supporters.reduce(|best, found| if found.standing() > best.standing() { found } else { best })
    }
}

impl<G: Game> MasterTree<G> {
    /// Takes what a group at the node has found: its first member, or one that has joined it (`is_joint`). False: it says no
    /// more than what the group has found before.
    pub fn record_in_group(
        &mut self,
        id: NodeId,
        group: u8,
        (report, machine): (&Report, Option<u64>),
        is_joint: bool,
    ) -> bool {
        let group = usize::from(group);
        let stood = self.node_mut(id).own.take();
        let mut groups = self
            .node_mut(id)
            .group_findings
            .take()
            .unwrap_or_else(|| Box::new(GroupFindings { findings: Vec::new(), before: stood.clone() }));
        if groups.findings.len() <= group {
            groups.findings.resize_with(group + 1, || None);
        }
        let known = groups.findings[group].take();
        let has_spoken = known.is_some();
        self.node_mut(id).own = known.or_else(|| groups.before.clone());
        let is_news = if is_joint { self.record_joint(id, report) } else { self.record(id, report) };
        let mut own = self.node_mut(id).own.take().filter(|_| is_news || has_spoken);
        if let Some(own) = own.as_mut().filter(|_| is_news) {
            own.machine = machine;
        }
        groups.findings[group] = own;
        let stands = stood.as_ref().and_then(Finding::vote);
        let chosen = if is_news { groups.chosen(stands).cloned() } else { None };
        let node = self.node_mut(id);
        node.own = chosen.or(stood);
        node.group_findings = Some(groups);
        self.back_up(id);
        is_news
    }

    /// Groups of several machines, or one that is believed, hold the node's move for best.
    pub fn is_agreed(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let (Some(groups), Some(own)) = (&node.group_findings, &node.own) else { return false };
        let mut agree = groups.known().filter(|found| found.vote() == own.vote());
        own.machine.is_none() || agree.any(|found| found.machine != own.machine)
    }

    /// The group whose finding stands at the node has none any more.
    pub(super) fn forget_group_finding(&mut self, id: NodeId) {
        let node = self.node_mut(id);
        let (Some(groups), Some(own)) = (&mut node.group_findings, &node.own) else { return };
        let is_it = |found: &Finding| found.machine == own.machine && found.vote() == own.vote();
        groups.findings.iter_mut().filter(|found| found.as_ref().is_some_and(is_it)).for_each(|found| *found = None);
        groups.before = None;
    }

    /// What a machine has told in any group counts for nothing.
    pub(super) fn forget_group_findings_of(&mut self, id: NodeId, machine: u64) {
        let Some(groups) = self.node_mut(id).group_findings.as_mut() else { return };
        let all = groups.findings.iter_mut().chain([&mut groups.before]);
        all.filter(|found| found.as_ref().is_some_and(|found| found.machine == Some(machine)))
            .for_each(|found| *found = None);
    }
}
