//! Min-max backup: when the value of a node changes, recomputes the nodes above it up to the root.

use super::arena::NodeId;
use super::master::MasterTree;
use super::node::{Finding, NodeValue, Settled, Source};
use super::rules::mate_probes::SolverKind;
use super::rules::pv_inference;
use hasami_api::{Bound, Game, MoveText, Report, Score, Verdict};

/// Number of plies subtracted from the depth of an inherited finding before it is compared with a new one.
const INHERITED_DISCOUNT: u16 = 3;

/// The value of one move, or of all remaining moves together, for the side to move at the parent.
#[derive(Clone, Copy, Debug)]
struct MoveValue {
    value: NodeValue,
    settled: bool,
}

impl<G: Game> MasterTree<G> {
    /// Records a report of a node's worker and backs it up. Returns false if the node's current finding is kept
    /// instead.
    pub fn record(&mut self, id: NodeId, report: &Report) -> bool {
        self.remember(id, report);
        let mut finding = Finding::from_report(report);
        finding.proved = finding.claims_proof() && self.at(id, |game| ends_in_mate(game, &finding));
        let node = self.node_mut(id);
        if let Some(old) = node.own.take() {
            if old.valid && !supersedes(&finding, &old) {
                node.own = Some(old);
                return false;
            }
            finding.complete(old);
        }
        node.own = Some(finding);
        self.back_up(id);
        true
    }

    /// Like [`Self::record`], for a worker that has joined the node's own worker: only deeper results and proofs count.
    pub fn record_joint(&mut self, id: NodeId, report: &Report) -> bool {
        let known = self.node(id).finding().filter(|own| !own.inherited);
        let is_better = known.is_none_or(|known| known.is_below(report));
        if !is_better {
            self.remember(id, report);
            self.complete_own(id, report);
        }
        let news = (is_better || Finding::from_report(report).claims_proof()) && self.record(id, report);
        if news && let Some(own) = self.node_mut(id).own.as_mut() {
            own.joint = true;
        }
        news
    }

    /// Remembers an exact line's moves, which can extend other lines that break off, and the value of its first move.
    pub fn remember(&mut self, id: NodeId, report: &Report) {
        if report.bound == Bound::Exact || report.of_move {
            self.note_exact(id, report);
        }
        let is_known = |own: &Finding| *own.pv == *report.pv && own.depth >= report.depth;
        if report.bound != Bound::Exact || report.pv.len() < 2 || self.node(id).finding().is_some_and(is_known) {
            return;
        }
        let mut continuations = std::mem::take(&mut self.continuations);
        self.at(id, |game| continuations.note(game, &report.pv, report.depth, report.score));
        self.continuations = continuations;
    }

    /// Remembers the exact value of the first move of a line.
    pub fn note_exact(&mut self, id: NodeId, report: &Report) {
        let mut exacts = std::mem::take(&mut self.exacts);
        self.at(id, |game| exacts.note(game, report));
        self.exacts = exacts;
    }

    /// The last exact value that a search has reported for a move at this node.
    pub fn last_exact(&self, id: NodeId, text: MoveText) -> Option<Report> {
        self.exacts.of(self.node(id).key, text)
    }

    /// Tells the table of exact values that a new search begins.
    pub fn begin_search(&mut self) {
        self.exacts.begin();
    }

    /// If another worker reports the same result with a longer line, adds that line to the finding. A worker may have
    /// taken its result from a table entry of another worker, whose line is longer.
    fn complete_own(&mut self, id: NodeId, report: &Report) {
        let Some(own) = self.node_mut(id).own.as_mut().filter(|own| own.valid) else { return };
        let is_same = (own.score, own.bound, own.depth) == (report.score, report.bound, report.depth);
        let is_deeper = is_same && own.seldepth < report.seldepth;
        if is_deeper {
            own.seldepth = report.seldepth;
        }
        if is_same && own.pv.first() == report.pv.first() && own.pv.len() < report.pv.len() {
            own.pv = Finding::from_report(report).pv;
        }
        if is_deeper {
            self.back_up(id);
        }
    }

    /// Uses a report whose first move has its own node. The report gives a value for the node at which its variation
    /// leaves the tree ([`pv_inference`]). Returns the node whose finding was replaced, if any.
    pub fn record_inferred(&mut self, id: NodeId, report: &Report) -> Option<NodeId> {
        let (mut at, mut plies) = (id, 0u16);
        while let Some(&text) = report.pv.get(usize::from(plies))
            && let Some(child) = self.child_by_text(at, text)
        {
            (at, plies) = (self.searched(child), plies + 1);
        }
        let report = pv_inference::along(report, plies).filter(|_| plies > 0)?;
        let node = self.node(at);
        let is_inherited = node.finding().is_none_or(|own| own.inherited);
        let is_better = node.finding().is_none_or(|own| own.is_below(&report));
        // A finding is kept if the node's own worker has searched the whole position.
        let knows_better = self.is_whole(at) && !is_inherited;
        if knows_better || node.settled.is_settled() || !is_better {
            return None;
        }
        let is_applicable = match report.pv.first().copied() {
            Some(first) => self.at(at, |game| game.parse_move(&first).is_ok()),
            None => node.children.is_empty(),
        };
        if !is_applicable {
            return None;
        }
        let mut finding = Finding { inherited: is_inherited, ..Finding::from_report(&report) };
        if let Some(old) = self.node_mut(at).own.take() {
            finding.complete(old);
        }
        self.node_mut(at).own = Some(finding);
        self.back_up(at);
        Some(at)
    }

    /// Records a mating line found by a solver, which settles the node. Returns false if the line does not end in mate.
    pub fn record_mate(&mut self, id: NodeId, line: &[MoveText], nodes: u64) -> bool {
        let depth = u16::try_from(line.len()).unwrap_or(u16::MAX);
        let score = Score::win_in(i32::from(depth));
        let report = Report { depth, seldepth: depth, nodes, pv: line.to_vec(), ..Report::new(score) };
        let finding = Finding { proved: true, ..Finding::from_report(&report) };
        let is_mate = finding.pv.len() == line.len() && self.at(id, |game| ends_in_mate(game, &finding));
        if is_mate && !self.node(id).settled.is_settled() {
            self.node_mut(id).own = Some(finding);
            self.back_up(id);
        }
        is_mate
    }

    /// Invalidates the finding of a node, which is then used only to suggest moves.
    pub fn doubt(&mut self, id: NodeId) {
        if let Some(own) = self.node_mut(id).own.as_mut() {
            own.valid = false;
            self.back_up(id);
        }
    }

    pub fn drop_finding(&mut self, id: NodeId) {
        if self.nodes.get(id).is_some_and(|node| node.own.is_some()) {
            self.node_mut(id).own = None;
            self.back_up(id);
        }
    }

    /// Records that a solver has probed a node. `none` says whether the solver reported that there is no mate.
    pub fn note_probe(&mut self, id: NodeId, solver: SolverKind, none: bool) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.probes.note(solver, none);
        }
    }

    /// Recomputes a node and all nodes above it.
    pub(super) fn back_up(&mut self, id: NodeId) {
        let mut at = Some(id);
        while let Some(id) = at {
            let changed = self.renew(id);
            at = self.node(id).parent;
            if changed && let Some(aliases) = self.aliases.get(&id).cloned() {
                aliases.into_iter().for_each(|alias| self.back_up(alias));
            }
        }
    }

    /// Recomputes one node, and returns whether the node has changed.
    pub(super) fn renew(&mut self, id: NodeId) -> bool {
        let (value, settled) = self.evaluate(id);
        let node = self.node_mut(id);
        let changed = node.value != value || node.settled != settled;
        let is_news = settled.is_settled() && !node.settled.is_settled();
        node.value = value;
        node.settled = settled;
        node.shares.take();
        if is_news {
            self.newly_settled.push(id);
            self.changed.push(id);
        }
        changed
    }

    fn evaluate(&self, id: NodeId) -> (Option<NodeValue>, Settled) {
        let node = self.node(id);
        if node.settled.is_end() {
            return (node.settled.score().map(end_value), node.settled);
        }
        if let Some(twin) = node.twin {
            let twin = self.node(twin);
            let settled = twin.settled.score().map_or(Settled::No, Settled::Proof);
            return (twin.value.map(|value| NodeValue { source: Source::Own, ..value }), settled);
        }
        let choices = self.choices(id);
        let value = best(&choices, node.value.map(|value| value.source));
        // If the best known move loses, the value is only a lower bound as long as another move may be better.
        let may_be_better = || has_lower_bound(&choices) || self.has_unknown_moves(id);
        let value = value.map(|value| match value.score.is_loss() && may_be_better() {
            true => NodeValue { bound: Bound::Lower, ..value },
            false => value,
        });
        let settled = if self.is_wanted(id) { Settled::No } else { self.settle(id, &choices) };
        (value, settled)
    }

    /// Returns whether the node is the root and must not be settled yet, because several lines or the shortest mate are
    /// requested and there is still a move to search.
    pub(super) fn is_wanted(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let is_open = || node.has_others() || node.children.iter().any(|&child| !self.node(child).settled.is_settled());
        (self.several || self.stays_open) && id == self.root && is_open()
    }

    /// Returns whether the value of the root is proved, even if the root is still searched for further lines.
    pub fn is_decided(&self) -> bool {
        let root = self.node(self.root);
        root.settled.is_settled() || self.settle(self.root, &self.choices(self.root)).is_settled()
    }

    fn choices(&self, id: NodeId) -> Vec<MoveValue> {
        let node = self.node(id);
        let own = node.finding().map(|own| MoveValue { value: own_value(own), settled: own.is_proof() });
        // A finding about all moves takes precedence over the values of single moves until all moves are settled.
        let own = own.filter(|_| !(self.is_whole(id) && self.has_settled_moves(id)));
        let is_whole = self.is_whole(id) && own.is_some();
        let children = node.children.iter().filter_map(|&id| {
            let child = self.node(id);
            let value = NodeValue { source: Source::Child(id), ..child.value?.for_parent() };
            Some(MoveValue { value, settled: child.settled.is_settled() })
        });
        let children = children.filter(|choice| !is_whole || choice.settled && choice.value.score.is_win());
        own.into_iter().chain(children).collect()
    }

    /// Returns whether every move of the node has a settled node of its own.
    fn has_settled_moves(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let mut children = node.children.iter();
        !node.has_others() && !node.children.is_empty() && children.all(|&child| self.node(child).settled.is_settled())
    }

    /// Returns whether some moves of the node have no valid value.
    fn has_unknown_moves(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let has_finding = node.finding().is_some();
        let is_child_unknown = || node.children.iter().any(|&child| self.node(child).value.is_none());
        node.has_others() && !has_finding || !(has_finding && self.is_whole(id)) && is_child_unknown()
    }

    /// Returns whether the moves settle the node: by a proved win, or by the best value once all moves are settled.
    fn settle(&self, id: NodeId, choices: &[MoveValue]) -> Settled {
        let settled = || choices.iter().filter(|choice| choice.settled).map(|choice| choice.value.score);
        if let Some(win) = settled().filter(|score| score.is_win()).max() {
            return Settled::Proof(win);
        }
        let node = self.node(id);
        let own = node.finding().is_some_and(Finding::is_proof);
        let are_settled = || node.children.iter().all(|&child| self.node(child).settled.is_settled());
        if own && are_settled() || self.has_settled_moves(id) {
            return settled().max().map_or(Settled::No, Settled::Proof);
        }
        Settled::No
    }

    /// Returns whether the node or a node above it is settled, so that searching the node is useless.
    pub fn is_dead(&self, id: NodeId) -> bool {
        let mut at = Some(id);
        while let Some(id) = at {
            let node = self.node(id);
            if node.settled.is_settled() {
                return true;
            }
            at = node.parent;
        }
        false
    }
}

/// Returns whether the variation leads to the mate that the score announces.
fn ends_in_mate<G: Game>(game: &mut G, finding: &Finding) -> bool {
    let mut made = 0;
    for text in &finding.pv {
        let Ok(m) = game.parse_move(text) else { break };
        game.make(m);
        made += 1;
    }
    let is_mate = made == finding.pv.len() && game.count_moves() == 0 && game.verdict_without_moves() == Verdict::Loss;
    (0..made).for_each(|_| game.unmake());
    // If the line is a mate, the side to move at its end is mated.
    is_mate && finding.score.is_win() == (made % 2 == 1)
}

/// Returns whether a new finding replaces an older one: it must be at least as deep, or based on at least half as many
/// nodes, or a proof. An inherited finding counts as shallower than its nominal depth, because the search that produced
/// it ended before that depth.
pub(super) fn supersedes(new: &Finding, old: &Finding) -> bool {
    if old.joint {
        return new.standing() > old.standing() || new.is_proof();
    }
    let depth = if old.inherited { old.depth.saturating_sub(INHERITED_DISCOUNT) } else { old.depth };
    // A finding without a move, inherited from a variation that ended at this node, gives way to one with a move.
    let has_move = old.pv.is_empty() && !new.pv.is_empty();
    new.depth >= depth || new.nodes >= old.nodes / 2 || has_move || new.is_proof()
}

fn own_value(own: &Finding) -> NodeValue {
    NodeValue {
        score: own.score,
        bound: own.bound,
        depth: own.depth,
        seldepth: own.seldepth,
        effort: own.nodes,
        source: Source::Own,
    }
}

fn end_value(score: Score) -> NodeValue {
    NodeValue { score, bound: Bound::Exact, depth: 0, seldepth: 0, effort: 0, source: Source::Own }
}

/// Returns whether the value of some move is only a lower bound.
fn has_lower_bound(choices: &[MoveValue]) -> bool {
    choices.iter().any(|choice| choice.value.bound == Bound::Lower)
}

/// The move value with the highest score. Among equal scores, the incumbent is kept or, without an incumbent, the value
/// with the most effort is chosen.
fn best(choices: &[MoveValue], incumbent: Option<Source>) -> Option<NodeValue> {
    let standing = choices.iter().find(|choice| Some(choice.value.source) == incumbent);
    let mut best = *standing.or_else(|| choices.iter().max_by_key(|choice| choice.value.effort))?;
    for choice in choices {
        if choice.value.score > best.value.score {
            best = *choice;
        }
    }
    Some(best.value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn choice(score: i32, effort: u64) -> MoveValue {
        let source = Source::Own;
        let value = NodeValue { score: Score::cp(score), bound: Bound::Exact, depth: 8, seldepth: 8, effort, source };
        MoveValue { value, settled: false }
    }

    #[test]
    fn min_max_takes_the_highest_value() {
        let choices = [choice(10, 1000), choice(20, 1)];
        assert_eq!(best(&choices, None).unwrap().score, Score::cp(20));
    }

    #[test]
    fn without_an_incumbent_effort_decides_among_equals() {
        let choices = [choice(10, 1), choice(10, 1000), choice(10, 5)];
        assert_eq!(best(&choices, None).unwrap().effort, 1000);
        assert_eq!(best(&choices, Some(Source::Own)).unwrap().effort, 1, "the incumbent stays");
    }
}
