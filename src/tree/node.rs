//! A node of the master tree: a position, its worker's finding, and its value after backup.

use super::arena::NodeId;
use super::rules::mate_probes::ProbeCounts;
use hasami_api::{Bound, MoveText, RankedMove, Report, Score};
use std::cell::{Cell, OnceCell};
use std::time::Duration;

/// Number of ranked moves that a finding keeps. Moves of lower rank hardly ever deserve a worker.
const KEPT_RANKS: usize = 12;
/// Number of earlier variations that a finding keeps, each with a different first move.
const KEPT_LINES: usize = 4;
/// Longer variations are truncated to this many moves.
const KEPT_PV: usize = 192;

/// A root move, with its share of the search effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveShare {
    pub text: MoveText,
    /// The share in 65,535ths, so that a move takes only ten bytes (a tree may hold a hundred thousand moves).
    share: u16,
}

impl MoveShare {
    fn of(ranking: &[RankedMove]) -> Box<[Self]> {
        // The sum is a floating-point number, because workers may report node counts whose sum overflows.
        let all: f64 = ranking.iter().map(|ranked| ranked.nodes as f64).sum();
        let share = |nodes: u64| (nodes as f64 / all * f64::from(u16::MAX)).round() as u16;
        ranking.iter().map(|ranked| Self { text: ranked.text, share: share(ranked.nodes) }).collect()
    }

    pub fn share(self) -> f64 {
        f64::from(self.share) / f64::from(u16::MAX)
    }
}

/// The number of the worker that searches a node, and the time at which it began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeWorker {
    pub worker: u32,
    /// When the worker began, measured from the start of the program.
    pub since: Duration,
}

/// The last result of a worker for the moves that the node covers: all moves at a leaf, and the remaining moves at
/// other nodes (with [`super::rules::anticipation`], all moves at nodes where the engine is to move).
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub score: Score,
    pub bound: Bound,
    pub depth: u16,
    pub seldepth: u16,
    pub nodes: u64,
    /// The variation from the node's position. The first move is legal; the other moves are checked only when they are
    /// used.
    pub pv: Box<[MoveText]>,
    /// Earlier variations, newest first, to complete reports that give a move without its continuation, for example
    /// after a cutoff.
    pub(super) lines: Box<[Box<[MoveText]>]>,
    /// Root moves by effort, in descending order.
    pub ranking: Box<[MoveShare]>,
    /// True if the finding is a mate that was replayed to its end.
    pub proved: bool,
    /// True if the finding was inherited from the parent's variation, because no worker has searched the node yet.
    pub inherited: bool,
    /// True if the reporting worker had joined the node's own worker ([`super::rules::groups`]).
    pub joint: bool,
    /// The number of the remote machine whose worker reported the finding; `None` for a trusted worker.
    pub machine: Option<u64>,
    /// True if the finding still describes the moves that the node covers. A finding becomes invalid when one of the
    /// moves that it describes gets its own node, and is then used only to suggest moves.
    pub valid: bool,
}

impl Finding {
    pub fn from_report(report: &Report) -> Self {
        Self {
            score: report.score,
            bound: report.bound,
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            pv: report.pv[..report.pv.len().min(KEPT_PV)].into(),
            lines: Box::default(),
            ranking: MoveShare::of(&report.ranking[..report.ranking.len().min(KEPT_RANKS)]),
            proved: false,
            inherited: false,
            joint: false,
            machine: None,
            valid: true,
        }
    }

    /// Total number of moves in all variations of the finding.
    pub fn moves(&self) -> usize {
        self.pv.len() + self.lines.iter().map(|line| line.len()).sum::<usize>()
    }

    /// The rank of this finding among results for the same node; see [`standing`].
    pub(super) fn standing(&self) -> u32 {
        standing(self.depth, self.bound)
    }

    /// Returns whether the report ranks above this finding.
    pub(super) fn is_below(&self, report: &Report) -> bool {
        self.standing() < standing(report.depth, report.bound)
    }

    /// Takes over what this finding lacks from the old one: the ranking of moves, the variation if the value has
    /// dropped and no better move is named, and the continuation if the new variation breaks off.
    pub(super) fn complete(&mut self, old: Self) {
        if old.valid && (self.score, self.bound, self.depth) == (old.score, old.bound, old.depth) {
            self.seldepth = self.seldepth.max(old.seldepth);
        }
        if self.ranking.is_empty() {
            self.ranking = old.ranking;
        }
        let has_dropped = old.valid && self.bound == Bound::Upper && self.pv.len() < old.pv.len();
        let others = old.lines.into_iter().filter(|line| old.pv.len() <= 1 || line.first() != old.pv.first());
        let latest = (old.pv.len() > 1).then(|| old.pv.clone());
        self.lines = latest.into_iter().chain(others).take(KEPT_LINES).collect();
        let goes_on = |line: &[MoveText]| line.len() > self.pv.len() && line.starts_with(&self.pv);
        if has_dropped {
            self.pv = old.pv;
        } else if !self.score.is_decisive()
            && !self.pv.is_empty()
            && let Some(longer) = self.lines.iter().find(|line| goes_on(line))
        {
            self.pv = longer.clone();
        }
    }

    /// Returns whether the finding shows every move up to a mate within the searched depth, where no shorter mate can
    /// have been missed. [`super::MasterTree::record`] replays the moves before it accepts the claim.
    pub(super) fn claims_proof(&self) -> bool {
        let plies = Score::MATE.abs_diff(self.score.raw().abs());
        let is_whole = plies <= u32::from(self.depth) && plies as usize == self.pv.len();
        self.bound == Bound::Exact && self.score.is_decisive() && is_whole
    }

    /// Returns whether the finding is a valid proof of a mate.
    pub fn is_proof(&self) -> bool {
        self.valid && self.proved
    }
}

/// The rank of a result among results for the same node: deeper results rank higher. A lower bound at the next depth
/// ranks above all finished iterations, because it names a better move. An upper bound ranks like the last finished
/// iteration, because it names no better move.
fn standing(depth: u16, bound: Bound) -> u32 {
    match bound {
        Bound::Lower => 2 * u32::from(depth),
        _ => 2 * u32::from(bound.finished(depth)) + 1,
    }
}

/// Whether and why a node is settled, so that it needs no worker. Scores are for the side to move at the node.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Settled {
    #[default]
    No,
    /// The rules end the game at the node.
    Rules(Score),
    /// The position repeats an earlier position in a way that counts for the current root.
    Repetition(Score),
    /// The value is proved by the node's own worker or by its children.
    Proof(Score),
}

impl Settled {
    pub fn score(self) -> Option<Score> {
        match self {
            Self::No => None,
            Self::Rules(score) | Self::Repetition(score) | Self::Proof(score) => Some(score),
        }
    }

    pub fn is_settled(self) -> bool {
        self != Self::No
    }

    /// Returns whether the rules or a repetition settle the node, so that nothing is searched below it.
    pub fn is_end(self) -> bool {
        matches!(self, Self::Rules(_) | Self::Repetition(_))
    }
}

/// Where the value of a node comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The node's own worker, or the rules.
    Own,
    Child(NodeId),
}

/// The value of a node after min-max backup, for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NodeValue {
    pub score: Score,
    pub bound: Bound,
    /// Searched depth in plies, counted from the node along the line that gives the value.
    pub depth: u16,
    pub seldepth: u16,
    /// Number of nodes searched by the worker that reported the value, as a measure of reliability.
    pub effort: u64,
    pub source: Source,
}

impl NodeValue {
    /// Converts the value to the parent's point of view, one ply earlier.
    pub fn for_parent(self) -> Self {
        Self {
            score: self.score.for_parent(),
            bound: self.bound.flipped(),
            depth: self.depth.saturating_add(1),
            seldepth: self.seldepth.saturating_add(1),
            ..self
        }
    }

    /// The value of a single report, before any backup.
    pub fn of_report(report: &Report) -> Self {
        Self {
            score: report.score,
            bound: report.bound,
            depth: report.depth,
            seldepth: report.seldepth,
            effort: report.nodes,
            source: Source::Own,
        }
    }

    /// The value and its variation, in the form of a report.
    pub fn as_report(&self, line: &[MoveText]) -> Report {
        let Self { score, bound, depth, seldepth, effort: nodes, .. } = *self;
        Report { depth, seldepth, bound, nodes, pv: line.to_vec(), ..Report::new(score) }
    }
}

/// Which work items of a node are in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Queued {
    pub search: bool,
    pub expand: bool,
}

#[derive(Debug)]
pub struct TreeNode<M> {
    pub parent: Option<NodeId>,
    /// The move from the parent to this node, and its text.
    pub step: Option<(M, MoveText)>,
    pub key: u64,
    /// Number of plies since the first root of the tree.
    pub ply: u32,
    pub children: Vec<NodeId>,
    /// The node with the same position at the same ply that is searched instead of this one.
    pub twin: Option<NodeId>,
    /// Number of legal moves. At the root, only moves that may be searched count.
    pub legal: u16,
    /// The phase in 255ths; see [`Self::phase`].
    phase: u8,
    pub own: Option<Finding>,
    pub worker: Option<NodeWorker>,
    pub value: Option<NodeValue>,
    pub settled: Settled,
    /// True if nothing is left to find at the node, because its worker ended without being stopped.
    pub exhausted: bool,
    /// How often mate solvers have probed the node.
    pub probes: ProbeCounts,
    /// Which work items of the node are in the queue ([`super::Frontier`]).
    pub(super) queued: Cell<Queued>,
    /// The children's transition probabilities, cached until a value at the node changes
    /// ([`super::MasterTree::shares`]).
    pub(super) shares: OnceCell<Box<[f64]>>,
}

impl<M: Copy> TreeNode<M> {
    pub fn new(parent: Option<NodeId>, step: Option<(M, MoveText)>, key: u64, ply: u32, legal: u16) -> Self {
        Self {
            phase: 0,
            parent,
            step,
            key,
            ply,
            children: Vec::new(),
            twin: None,
            legal,
            own: None,
            worker: None,
            value: None,
            settled: Settled::No,
            exhausted: false,
            probes: ProbeCounts::default(),
            queued: Cell::default(),
            shares: OnceCell::new(),
        }
    }

    #[must_use]
    pub fn in_phase(self, phase: f64) -> Self {
        Self { phase: (phase * 255.0).round() as u8, ..self }
    }

    /// The share of the material that has left the board, from 0 to 1 ([`super::phase::phase`]).
    pub fn phase(&self) -> f64 {
        f64::from(self.phase) / 255.0
    }

    pub fn text(&self) -> Option<MoveText> {
        self.step.map(|(_, text)| text)
    }

    /// Returns whether any legal move lacks its own node.
    pub fn has_others(&self) -> bool {
        self.children.len() < usize::from(self.legal)
    }

    /// Returns whether a worker at this node could find anything.
    pub fn is_open(&self) -> bool {
        !self.settled.is_settled() && self.twin.is_none() && !self.exhausted && self.has_others()
    }

    /// The finding, unless it is invalid.
    pub fn finding(&self) -> Option<&Finding> {
        self.own.as_ref().filter(|own| own.valid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_findings_rank_higher() {
        let order = [(7, Bound::Exact), (8, Bound::Lower), (8, Bound::Exact), (9, Bound::Lower)];
        assert!(order.windows(2).all(|pair| standing(pair[0].0, pair[0].1) < standing(pair[1].0, pair[1].1)));
        assert_eq!(standing(9, Bound::Upper), standing(8, Bound::Exact));
    }
}
