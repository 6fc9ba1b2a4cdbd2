//! A snapshot as JSON, for other programs.

use super::snapshot::{NodeView, Snapshot};
use hasami_api::{Bound, MoveText, Score, ScoreKind};
use serde::Serialize;

/// The whole tree. `root` is the start position and the moves played from it; nodes come parents first.
#[derive(Serialize)]
struct TreeJson<'a> {
    start: Option<&'a str>,
    moves: Vec<&'a str>,
    workers: usize,
    busy: usize,
    nodes: Vec<NodeJson<'a>>,
}

#[derive(Serialize)]
struct NodeJson<'a> {
    /// Index of the parent; `null` for the root.
    parent: Option<usize>,
    path: Vec<&'a str>,
    value: Option<ScoreJson>,
    bound: &'static str,
    own_value: Option<ScoreJson>,
    depth: u16,
    nodes: u64,
    /// Realization probability.
    p: f64,
    worker: Option<&'a str>,
    /// Milliseconds that the worker has been here.
    since_ms: Option<u64>,
    solved: bool,
    pv: Vec<&'a str>,
}

/// Centipawns, or plies to the forced end (negative: lost), for the side to move.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ScoreJson {
    Cp(i32),
    Mate(i32),
}

impl From<Score> for ScoreJson {
    fn from(score: Score) -> Self {
        match score.kind() {
            ScoreKind::Cp(cp) => Self::Cp(cp),
            ScoreKind::Mate(plies) => Self::Mate(plies),
        }
    }
}

fn texts(moves: &[MoveText]) -> Vec<&str> {
    moves.iter().map(|text| &**text).collect()
}

impl<'a> From<&'a NodeView> for NodeJson<'a> {
    fn from(node: &'a NodeView) -> Self {
        Self {
            parent: node.parent,
            path: texts(&node.path),
            value: node.value.map(ScoreJson::from),
            bound: match node.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            own_value: node.own_value.map(ScoreJson::from),
            depth: node.depth,
            nodes: node.nodes,
            p: node.probability,
            worker: node.worker.as_ref().map(|(name, _)| name.as_str()),
            since_ms: node.worker.as_ref().map(|(_, since)| since.as_millis() as u64),
            solved: node.solved,
            pv: texts(&node.pv),
        }
    }
}

impl Snapshot {
    /// The tree as one JSON object.
    pub fn to_json(&self) -> String {
        let tree = TreeJson {
            start: self.root.start.text.as_deref(),
            moves: texts(&self.root.moves),
            workers: self.workers,
            busy: self.busy,
            nodes: self.nodes.iter().map(NodeJson::from).collect(),
        };
        serde_json::to_string_pretty(&tree).expect("texts and finite numbers are always valid JSON")
    }
}
