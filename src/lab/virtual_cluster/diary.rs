//! Logs which nodes the workers of a virtual cluster search during each move, for the figures of Yokoyama et al. 2014.

use super::VirtualCluster;
use hasami_api::{Line, MoveText};
use hasami_tree::Snapshot;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// A file with one JSON line for each of our moves, and one for each of the opponent's moves during which workers
/// pondered.
pub struct Diary {
    file: File,
    start: Option<String>,
    moves: Vec<MoveText>,
}

impl Diary {
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|e| format!("cannot write '{}': {e}", path.display()))?;
        Ok(Self { file, start: None, moves: Vec::new() })
    }

    pub fn position(&mut self, line: &Line) {
        self.start = line.start.text.as_ref().map(ToString::to_string);
        self.moves.clone_from(&line.moves);
    }

    /// Writes an entry for our move, with the tree just before the answer; without a tree if the answer was immediate.
    pub fn write(&mut self, cluster: &VirtualCluster) -> io::Result<()> {
        let tree = cluster.last_tree().filter(|tree| tree.root.moves == self.moves);
        self.append(&self.moves, false, tree)
    }

    /// If any worker is pondering, writes an entry for the opponent's move, with the tree just before that move.
    pub fn write_reply(&mut self, cluster: &VirtualCluster) -> io::Result<()> {
        let tree = cluster.snapshot();
        if tree.assigned().next().is_none() {
            return Ok(());
        }
        self.append(&tree.root.moves, true, Some(&tree))
    }

    /// Appends an entry: the start position and the moves of the game, whether the opponent is to move, and the nodes
    /// that workers are searching.
    fn append(&self, moves: &[MoveText], reply: bool, tree: Option<&Snapshot>) -> io::Result<()> {
        let searched = tree.into_iter().flat_map(|tree| &tree.nodes).filter(|node| node.worker.is_some());
        let tree: Vec<Value> = searched.map(|node| json!({ "path": texts(&node.path) })).collect();
        let entry = json!({ "start": self.start, "moves": texts(moves), "reply": reply, "tree": tree });
        (&self.file).write_all(format!("{entry}\n").as_bytes())
    }
}

fn texts(moves: &[MoveText]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
