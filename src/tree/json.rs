//! Converts a snapshot to JSON, for other programs.

use super::snapshot::{LineView, NodeView, Snapshot, SpokenNode};
use hasami_api::{Bound, MateUnit, MoveText, Score, ScoreKind};
use serde::Serialize;

/// The whole tree. The position at its root is given by `start` (`null` for the initial position of the game) and the
/// moves played from there. Parents precede their children in `nodes`. `workers` counts the workers at nodes, the
/// workers that have joined another one, and the `free` ones.
#[derive(Serialize)]
struct TreeJson<'a> {
    game: &'a str,
    start: Option<&'a str>,
    moves: Vec<&'a str>,
    workers: usize,
    free: &'a [String],
    /// The lines of the answer with MultiPV, the best first.
    lines: Vec<LineJson<'a>>,
    nodes: Vec<NodeJson<'a>>,
}

#[derive(Serialize)]
struct LineJson<'a> {
    value: ScoreJson,
    bound: &'static str,
    depth: u16,
    pv: Vec<&'a str>,
}

#[derive(Serialize)]
struct NodeJson<'a> {
    /// Index of the parent; `null` for the root.
    parent: Option<usize>,
    path: Vec<&'a str>,
    value: Option<ScoreJson>,
    bound: &'static str,
    own_value: Option<ScoreJson>,
    own_bound: &'static str,
    depth: u16,
    nodes: u64,
    /// Realization probability.
    p: f64,
    worker: Option<&'a str>,
    /// Milliseconds since the worker began at this node.
    since_ms: Option<u64>,
    /// The names of the workers that have joined this one.
    joined: &'a [String],
    solved: bool,
    pv: Vec<&'a str>,
    /// The moves in the notation that players use.
    #[serde(skip_serializing_if = "Option::is_none")]
    spoken_path: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spoken_pv: Option<&'a [String]>,
}

/// A value for the side to move: `cp` in centipawns, or the number of plies to the forced end (negative if lost). If
/// the game counts mates in moves, the object also contains the number of moves of the winning side.
#[derive(Serialize)]
#[serde(untagged)]
enum ScoreJson {
    Cp {
        cp: i32,
    },
    Mate {
        mate_in_plies: i32,
        #[serde(skip_serializing_if = "Option::is_none")]
        mate_in_moves: Option<i32>,
    },
}

impl ScoreJson {
    fn new(score: Score, unit: MateUnit) -> Self {
        match score.kind() {
            ScoreKind::Cp(cp) => Self::Cp { cp },
            ScoreKind::Mate(plies) => {
                let mate_in_moves = (unit == MateUnit::Moves).then(|| unit.count(plies));
                Self::Mate { mate_in_plies: plies, mate_in_moves }
            }
        }
    }
}

fn texts(moves: &[MoveText]) -> Vec<&str> {
    moves.iter().map(|text| &**text).collect()
}

const fn word(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

impl<'a> LineJson<'a> {
    fn new(line: &'a LineView, unit: MateUnit) -> Self {
        let value = ScoreJson::new(line.value, unit);
        Self { value, bound: word(line.bound), depth: line.depth, pv: texts(&line.pv) }
    }
}

impl<'a> NodeJson<'a> {
    fn new(node: &'a NodeView, spoken: Option<&'a SpokenNode>, unit: MateUnit) -> Self {
        let score = |value: Option<Score>| value.map(|value| ScoreJson::new(value, unit));
        Self {
            parent: node.parent,
            path: texts(&node.path),
            value: score(node.value),
            bound: word(node.bound),
            own_value: score(node.own_value),
            own_bound: word(node.own_bound),
            depth: node.depth,
            nodes: node.nodes,
            p: node.probability,
            worker: node.worker.as_ref().map(|(name, _)| name.as_str()),
            since_ms: node.worker.as_ref().map(|(_, since)| since.as_millis() as u64),
            joined: &node.joined,
            solved: node.solved,
            pv: texts(&node.pv),
            spoken_path: spoken.map(|spoken| spoken.path.as_slice()),
            spoken_pv: spoken.map(|spoken| spoken.pv.as_slice()),
        }
    }
}

impl Snapshot {
    /// The tree as one JSON object.
    pub fn to_json(&self) -> String {
        let tree = TreeJson {
            game: self.game,
            start: self.root.start.text.as_deref(),
            moves: texts(&self.root.moves),
            workers: self.workers(),
            free: &self.free,
            lines: self.lines.iter().map(|line| LineJson::new(line, self.mate_unit)).collect(),
            nodes: (self.nodes.iter().enumerate())
                .map(|(index, node)| NodeJson::new(node, self.spoken.get(index), self.mate_unit))
                .collect(),
        };
        serde_json::to_string_pretty(&tree).expect("texts and finite numbers are always valid JSON")
    }
}
