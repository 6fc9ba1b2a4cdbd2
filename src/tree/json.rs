//! Converts a snapshot to JSON for other programs. docs/guide/analyse.md describes the fields.

use super::snapshot::{LineView, NodeView, Snapshot, SpokenNode};
use hasami_api::{Bound, MateUnit, MoveText, Score, ScoreKind};
use serde_json::{Value, json};

impl Snapshot {
    /// The tree as one JSON object. The fields `start` (`null` for the initial position of the game) and `moves` give
    /// the position at the root. Parents precede their children in `nodes`. `workers` counts the workers at nodes,
    /// those that have joined another worker, and the `free` ones.
    pub fn to_json(&self) -> String {
        let nodes = self.nodes.iter().enumerate();
        let tree = json!({
            "game": self.game,
            "start": self.root.start.text.as_deref(),
            "moves": texts(&self.root.moves),
            "workers": self.workers(),
            "free": self.free,
            "lines": self.lines.iter().map(|line| line_json(line, self.mate_unit)).collect::<Vec<_>>(),
            "nodes": nodes
                .map(|(index, node)| node_json(node, self.spoken.get(index), self.mate_unit))
                .collect::<Vec<_>>(),
        });
        format!("{tree:#}")
    }
}

fn line_json(line: &LineView, unit: MateUnit) -> Value {
    json!({
        "value": score_json(line.value, unit),
        "bound": word(line.bound),
        "depth": line.depth,
        "pv": texts(&line.pv),
    })
}

fn node_json(node: &NodeView, spoken: Option<&SpokenNode>, unit: MateUnit) -> Value {
    let score = |value: Option<Score>| value.map(|value| score_json(value, unit));
    let mut entry = json!({
        "parent": node.parent,
        "path": texts(&node.path),
        "value": score(node.value),
        "bound": word(node.bound),
        "own_value": score(node.own_value),
        "own_bound": word(node.own_bound),
        "depth": node.depth,
        "nodes": node.nodes,
        "p": node.probability,
        "worker": node.worker.as_ref().map(|(name, _)| name),
        "since_ms": node.worker.as_ref().map(|(_, since)| since.as_millis() as u64),
        "joined": node.joined,
        "solved": node.solved,
        "pv": texts(&node.pv),
    });
    if let Some(spoken) = spoken {
        (entry["spoken_path"], entry["spoken_pv"]) = (json!(spoken.path), json!(spoken.pv));
    }
    entry
}

/// A value for the side to move: centipawns, or the number of plies to the forced end (negative if lost). If the game
/// counts mates in moves, the object also contains the number of moves of the winning side.
fn score_json(score: Score, unit: MateUnit) -> Value {
    match score.kind() {
        ScoreKind::Cp(cp) => json!({ "cp": cp }),
        ScoreKind::Mate(plies) if unit == MateUnit::Moves => {
            json!({ "mate_in_plies": plies, "mate_in_moves": unit.count(plies) })
        }
        ScoreKind::Mate(plies) => json!({ "mate_in_plies": plies }),
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
