//! A node of the master tree: a position, the finding of its worker, and the value that follows from its children.

use super::arena::NodeId;
use super::rules::mate_probes::ProbeCounts;
use hasami_api::{Bound, MoveText, RankedMove, Report, Score};
use std::cell::{Cell, OnceCell};
use std::time::Duration;

/// Number of ranked moves that are kept. Moves of lower rank hardly ever deserve a worker.
const KEPT_RANKS: usize = 12;
/// Number of earlier variations that are kept, each with a different first move.
const KEPT_LINES: usize = 4;
/// Number of moves of a variation that are kept. Longer variations are truncated.
const KEPT_PV: usize = 192;

/// A root move, with its share of the search effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveShare {
    pub text: MoveText,
    /// The share in 65,535ths, so that a move takes only ten bytes: a tree may hold a hundred thousand moves.
    share: u16,
}

impl MoveShare {
    fn of(ranking: &[RankedMove]) -> Box<[Self]> {
        // Workers may report arbitrary numbers, so the sum must not overflow.
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
    /// Time since the start of the program at which the worker began.
    pub since: Duration,
}

/// The last result of a worker for the moves that the node covers: all moves at a leaf, the remaining moves elsewhere
/// (with [`super::rules::anticipation`], all moves where we move).
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
    /// Earlier variations, the newest first, which complete reports that name a move but not its continuation, for
    /// example after a cutoff.
    pub(super) lines: Box<[Box<[MoveText]>]>,
    /// Root moves by effort, in descending order.
    pub ranking: Box<[MoveShare]>,
    /// Whether the finding is a mate that was replayed to its end.
    pub proved: bool,
    /// Whether the finding was taken from the parent's variation, because no worker has searched the node yet.
    pub inherited: bool,
    /// Whether the reporting worker had joined the node's own worker ([`super::rules::groups`]).
    pub joint: bool,
    /// The number of the remote machine whose worker reported the finding; `None` for a trusted worker.
    pub machine: Option<u64>,
    /// Whether the finding still describes the moves that the node covers. A finding becomes invalid when one of these
    /// moves gets its own node, and is then used only to suggest moves.
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

    /// Number of moves in all variations that are kept.
    pub fn moves(&self) -> usize {
        self.pv.len() + self.lines.iter().map(|line| line.len()).sum::<usize>()
    }

    /// The rank of this finding among the results of several searches of the node; see [`standing`].
    pub(super) fn standing(&self) -> u32 {
        standing(self.depth, self.bound)
    }

    /// Returns whether the report ranks above this finding.
    pub(super) fn is_below(&self, report: &Report) -> bool {
        self.standing() < standing(report.depth, report.bound)
    }

    /// Keeps those parts of the old finding that the new one lacks: the ranking of other moves, the variation if the
    /// value has dropped without naming a better move, and the continuation where the new variation breaks off.
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

    /// Returns whether the finding shows, move by move, a mate within the searched depth, which is therefore the
    /// shortest one. [`super::MasterTree::record`] replays the moves before it accepts the claim.
    pub(super) fn claims_proof(&self) -> bool {
        let plies = Score::MATE.abs_diff(self.score.raw().abs());
        let is_whole = plies <= u32::from(self.depth) && plies as usize == self.pv.len();
        self.bound == Bound::Exact && self.score.is_decisive() && is_whole
    }

    /// Returns whether the finding is a forced end that needs no further search.
    pub fn is_proof(&self) -> bool {
        self.valid && self.proved
    }
}

/// The rank of a result among the results of several searches of the same node: deeper results rank higher. A lower
/// bound at the next depth names a better move than all finished searches. An upper bound names no better move, because
/// its move was only the best of an unfinished search.
fn standing(depth: u16, bound: Bound) -> u32 {
    match bound {
        Bound::Lower => 2 * u32::from(depth),
        _ => 2 * u32::from(bound.finished(depth)) + 1,
    }
}

/// The reason why a node needs no worker any more. Scores are for the side to move at the node.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Settled {
    #[default]
    No,
    /// The rules end the game at the node.
    Rules(Score),
    /// The position repeats one on the path from the root, so the verdict depends on the root.
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

    /// Returns whether the game or the search ends at the node.
    pub fn is_end(self) -> bool {
        matches!(self, Self::Rules(_) | Self::Repetition(_))
    }
}

/// The source of a backed-up value.
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
    /// Depth in plies below the node along the line that gives the value.
    pub depth: u16,
    pub seldepth: u16,
    /// Number of nodes searched by the busiest worker on the line that gives the value, as a measure of reliability.
    pub effort: u64,
    pub source: Source,
}

impl NodeValue {
    /// The value for the side to move one ply earlier.
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

    /// The value with its variation, in the form of a report of a single search.
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
    /// Number of moves made since the first root of the tree; grows along every path.
    pub ply: u32,
    pub children: Vec<NodeId>,
    /// The node that is searched instead of this one, with the same position at the same ply.
    pub twin: Option<NodeId>,
    /// Number of legal moves of the position (at the root, of the moves that may be searched).
    pub legal: u16,
    /// The phase in 255ths; see [`Self::phase`].
    phase: u8,
    pub own: Option<Finding>,
    pub worker: Option<NodeWorker>,
    pub value: Option<NodeValue>,
    pub settled: Settled,
    /// Whether the worker ended without being stopped, so that there is nothing left to find.
    pub exhausted: bool,
    /// Number of times that mate solvers have searched the node.
    pub probes: ProbeCounts,
    /// The work items of the node that are in the queue ([`super::Frontier`]).
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

    /// Returns whether some legal moves do not have their own node.
    pub fn has_others(&self) -> bool {
        self.children.len() < usize::from(self.legal)
    }

    /// Returns whether a worker could find anything at this node.
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
