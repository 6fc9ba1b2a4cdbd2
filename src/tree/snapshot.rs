//! A snapshot of the tree, to be shown as JSON, as a picture, or in the terminal.

use hasami_api::{Bound, Line, MateUnit, MoveText, Score, ScoreKind};
use hasami_words::Words;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// One node of the master tree.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeView {
    /// Index of the parent in [`Snapshot::nodes`]; `None` for the root, which is the first node.
    pub parent: Option<usize>,
    /// Moves from the root.
    pub path: Vec<MoveText>,
    /// The value after min-max backup, for the side to move at the node.
    pub value: Option<Score>,
    pub bound: Bound,
    /// The value that the node's own worker reported, which covers only the remaining moves if the node has children.
    pub own_value: Option<Score>,
    pub own_bound: Bound,
    pub depth: u16,
    pub nodes: u64,
    /// Probability that the game reaches the node (realization probability).
    pub probability: f64,
    /// Name of the worker that searches the node (at an inner node, the remaining moves), and its time at the node so
    /// far.
    pub worker: Option<(String, Duration)>,
    /// Names of the workers that have joined the node's worker in a search group.
    pub joined: Vec<String>,
    /// True if the node is decided by the rules or by a proof.
    pub solved: bool,
    /// Principal variation below the node, as its worker reported it.
    pub pv: Vec<MoveText>,
}

/// One of the lines of an answer with MultiPV.
#[derive(Clone, PartialEq, Debug)]
pub struct LineView {
    /// The line's value for the side to move at the root.
    pub value: Score,
    pub bound: Bound,
    pub depth: u16,
    pub pv: Vec<MoveText>,
}

/// A worker's name and its progress.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    pub name: String,
    pub depth: u16,
    pub nodes: u64,
}

/// The whole tree at one moment. Each worker has its own node, has joined another worker, or is free.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Snapshot {
    pub game: &'static str,
    pub mate_unit: MateUnit,
    pub root: Line,
    pub nodes: Vec<NodeView>,
    /// Names of the workers that search no node, because they are between two tasks or have no task.
    pub free: Vec<String>,
    /// The workers that search a node.
    pub busy: Vec<Progress>,
    /// The answer's line; empty before there is an answer.
    pub answer: Vec<MoveText>,
    /// With MultiPV, the answer's lines, the best first; empty before there is an answer.
    pub lines: Vec<LineView>,
    /// The moves of each node in players' notation; empty if players use the notation of the protocol.
    pub spoken: Vec<SpokenNode>,
}

/// The path from the root to a node and the node's variation, in human-readable notation (the players' notation).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpokenNode {
    /// The moves from the root.
    pub path: Vec<String>,
    pub pv: Vec<String>,
}

impl NodeView {
    /// The node's value for the side to move at the root.
    pub fn value_at_root(&self) -> Option<Score> {
        self.value.map(|value| (0..self.path.len()).fold(value, |value, _| value.for_parent()))
    }

    /// The bound of [`Self::value_at_root`].
    pub fn bound_at_root(&self) -> Bound {
        self.seen_from_root(self.bound)
    }

    /// Converts a bound at the node to the point of view of the side to move at the root.
    pub fn seen_from_root(&self, bound: Bound) -> Bound {
        if self.path.len().is_multiple_of(2) { bound } else { bound.flipped() }
    }
}

impl Snapshot {
    /// Fills [`Self::spoken`] with the notation of `speak`, which formats lines from the root.
    #[must_use]
    pub fn spoken_by(mut self, speak: impl Fn(&[MoveText]) -> Vec<String>) -> Self {
        let spoken = |node: &NodeView| {
            let whole: Vec<MoveText> = node.path.iter().chain(&node.pv).copied().collect();
            let mut path = speak(&whole);
            let pv = path.split_off(node.path.len().min(path.len()));
            SpokenNode { path, pv }
        };
        self.spoken = self.nodes.iter().map(spoken).collect();
        self
    }

    /// The last move of a node's path, or the word for the root.
    pub fn name(&self, index: usize, words: &Words) -> String {
        let written = self.nodes[index].path.last().map_or_else(|| words.get("root-of-tree"), ToString::to_string);
        self.spoken.get(index).and_then(|spoken| spoken.path.last().cloned()).unwrap_or(written)
    }

    /// The moves to a node, and the variation below it.
    pub fn lines_of(&self, index: usize) -> [String; 2] {
        let node = &self.nodes[index];
        match self.spoken.get(index) {
            Some(spoken) => [spoken.path.join(" "), spoken.pv.join(" ")],
            None => [&node.path, &node.pv].map(|moves| moves.iter().map(|m| &**m).collect::<Vec<_>>().join(" ")),
        }
    }

    /// Number of players: the workers at nodes, those that have joined another worker, and those that are free.
    pub fn workers(&self) -> usize {
        self.assigned().count() + self.joined().count() + self.free.len()
    }

    /// Returns whether the root's value is certain and no worker is searching any more.
    pub fn is_decided(&self) -> bool {
        self.nodes.first().is_some_and(|root| root.solved) && self.assigned().next().is_none()
    }

    /// Names of the workers that have a node of their own.
    pub fn assigned(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter_map(|node| node.worker.as_ref()).map(|(name, _)| name.as_str())
    }

    /// Names of the workers that have joined another worker.
    pub fn joined(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().flat_map(|node| &node.joined).map(String::as_str)
    }

    /// Returns this tree with each worker at the node where it was in the earlier snapshot `before`. The answer
    /// releases all workers, so a snapshot that is taken after the answer shows no workers at nodes.
    pub fn with_seats_of(mut self, before: &Self) -> Self {
        let names: BTreeSet<String> = [&self, before]
            .iter()
            .flat_map(|tree| tree.assigned().chain(tree.joined()).chain(tree.free.iter().map(String::as_str)))
            .map(str::to_owned)
            .collect();
        let mut standing: BTreeSet<String> = self.assigned().chain(self.joined()).map(str::to_owned).collect();
        let occupied: HashMap<&[MoveText], &NodeView> =
            before.nodes.iter().map(|node| (node.path.as_slice(), node)).collect();
        for node in &mut self.nodes {
            let Some(old) = occupied.get(node.path.as_slice()) else { continue };
            if let Some(assigned) = old.worker.as_ref().filter(|_| node.worker.is_none())
                && standing.insert(assigned.0.clone())
            {
                node.worker = Some(assigned.clone());
            }
            let joined = old.joined.iter().filter(|_| node.worker.is_some());
            node.joined.extend(joined.filter(|name| standing.insert((*name).clone())).cloned());
        }
        if self.busy.is_empty() {
            self.busy = before.busy.clone();
        }
        self.free = names.into_iter().filter(|name| !standing.contains(name)).collect();
        self.free.sort_by_key(|name| name.len());
        self
    }
}

/// A value as players of the game write it, such as `+0.35` (in shogi `+35`) or, for a forced end after four moves or
/// plies, `-#4`.
pub fn score_text(score: Score, unit: MateUnit) -> String {
    match score.kind() {
        ScoreKind::Cp(cp) => unit.value(cp),
        ScoreKind::Mate(plies) if score.is_win() => format!("+#{}", unit.count(plies)),
        ScoreKind::Mate(plies) => format!("-#{}", unit.count(-plies)),
    }
}

/// Like [`score_text`], with a mark if the value is a bound: `>=+0.35`.
pub fn marked_score(score: Score, bound: Bound, unit: MateUnit) -> String {
    let mark = match bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    };
    format!("{mark}{}", score_text(score, unit))
}

/// The names of Hasami's own threads consist of this prefix and a number.
const THREAD: &str = "thread ";

/// A worker's name as it is displayed. Names of child engines and remote workers are displayed unchanged.
pub fn worker_name<'a>(name: &'a str, words: &Words) -> Cow<'a, str> {
    match name.strip_prefix(THREAD).and_then(|number| number.parse::<u64>().ok()) {
        Some(number) => words.with("thread-number", &[("number", number.into())]).into(),
        None => name.into(),
    }
}

/// The names of several workers, separated by commas.
pub fn worker_names(names: &[String], words: &Words) -> String {
    names.iter().map(|name| worker_name(name, words)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::event::Profile;
    use hasami_words::Language;

    fn node(path: &str, worker: Option<&str>) -> NodeView {
        let path: Vec<MoveText> = path.split_whitespace().map(|m| m.parse().unwrap()).collect();
        NodeView {
            parent: (!path.is_empty()).then_some(0),
            path,
            value: Some(Score::loss_in(4)),
            bound: Bound::Exact,
            own_value: None,
            own_bound: hasami_api::Bound::Exact,
            depth: 1,
            nodes: 1,
            probability: 1.0,
            worker: worker.map(|name| (name.to_owned(), Duration::from_secs(1))),
            joined: Vec::new(),
            solved: false,
            pv: Vec::new(),
        }
    }

    fn tree(nodes: Vec<NodeView>, free: &[&str]) -> Snapshot {
        Snapshot { nodes, free: free.iter().map(|&name| name.to_owned()).collect(), ..Snapshot::default() }
    }

    #[test]
    fn released_workers_are_shown_once_at_their_earlier_nodes() {
        let before = tree(vec![node("", Some("a")), node("e2e4", Some("b")), node("d2d4", Some("c"))], &["d"]);
        let after = tree(vec![node("", None), node("e2e4", None), node("c2c4", Some("a"))], &["b", "c", "d"]);
        let merged = after.with_seats_of(&before);
        assert_eq!(merged.assigned().collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!((merged.free.as_slice(), merged.workers()), (["c".to_owned(), "d".to_owned()].as_slice(), 4));
    }

    #[test]
    fn a_released_team_is_shown_together() {
        let mut before = tree(vec![node("", Some("a"))], &["d"]);
        before.nodes[0].joined = vec!["b".into(), "c".into()];
        let merged = tree(vec![node("", None)], &["a", "b", "c", "d"]).with_seats_of(&before);
        assert_eq!(merged, before);
        assert_eq!(merged.workers(), 4);
    }

    #[test]
    fn scores_are_written_in_the_unit_of_the_game() {
        let text = |score| [MateUnit::Plies, MateUnit::Moves].map(|unit| score_text(score, unit));
        assert_eq!(text(Score::cp(-5)), ["-5", "-0.05"]);
        assert_eq!(text(Score::win_in(5)), ["+#5", "+#3"]);
        assert_eq!(text(Score::loss_in(4)), ["-#4", "-#2"]);
        assert_eq!(text(Score::loss_in(0)), ["-#0", "-#0"]);
    }

    #[test]
    fn values_are_converted_to_the_side_to_move_at_the_root() {
        assert_eq!(node("", None).value_at_root(), Some(Score::loss_in(4)));
        assert_eq!(node("e2e4", None).value_at_root(), Some(Score::win_in(5)));
    }

    #[test]
    fn names_of_threads_are_translated() {
        let japanese = Words::of(Language::Japanese);
        let own = Profile::thread(3).name;
        assert_eq!(
            (worker_name(&own, Words::english()), worker_name(&own, japanese)),
            (own.as_str().into(), "スレッド3".into())
        );
        assert_eq!(worker_names(&[own, "thread x".to_owned()], japanese), "スレッド3, thread x");
    }
}
