//! The tree as a stranger sees it: for JSON, for pictures, for the terminal.

use hasami_api::{Bound, Line, MoveText, Score};
use std::time::Duration;

/// One node of the master tree.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeView {
    /// Index of the parent in [`Snapshot::nodes`]; `None` for the root, which is the first node.
    pub parent: Option<usize>,
    /// Moves from the root.
    pub path: Vec<MoveText>,
    /// From the point of view of the side to move at the node; after min-max backup.
    pub value: Option<Score>,
    pub bound: Bound,
    /// The value that the node's own worker reported (its "others" if the node has children).
    pub own_value: Option<Score>,
    pub depth: u16,
    pub nodes: u64,
    /// Probability to be reached from the root (realization probability).
    pub probability: f64,
    /// Name of the worker that sits here ("others" of an inner node), with the time it has been here.
    pub worker: Option<(String, Duration)>,
    /// The rules or a proof have decided it.
    pub solved: bool,
    /// Principal variation below, from its worker's report.
    pub pv: Vec<MoveText>,
}

/// The whole tree at one moment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Snapshot {
    pub root: Line,
    pub nodes: Vec<NodeView>,
    pub workers: usize,
    pub busy: usize,
}
