//! The log of a virtual cluster: the paths of the nodes that workers search, move by move, for the figures of Yokoyama
//! et al. 2014.

use super::VirtualCluster;
use hasami_api::{Line, MoveText};
use hasami_tree::Snapshot;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// A file of JSON lines: one for each of our moves, and one for each of the opponent's moves during which workers
/// pondered.
pub struct Diary {
    file: File,
    start: Option<String>,
    moves: Vec<MoveText>,
}

/// An entry about one position.
#[derive(Serialize)]
struct DiaryEntry<'a> {
    start: Option<&'a str>,
    /// The moves of the game so far.
    moves: Vec<String>,
    /// Is the opponent to move?
    reply: bool,
    tree: Vec<DiaryNode>,
}

/// A node that a worker is searching.
#[derive(Serialize)]
struct DiaryNode {
    path: Vec<String>,
}

impl Diary {
    /// Opens the file for appending.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|e| format!("expected a file that can be written, found '{}': {e}", path.display()))?;
        Ok(Self { file, start: None, moves: Vec::new() })
    }

    /// Sets the position of the next entry.
    pub fn position(&mut self, line: &Line) {
        self.start = line.start.text.as_ref().map(ToString::to_string);
        self.moves.clone_from(&line.moves);
    }

    /// Writes an entry with the tree before the answer. The tree is empty if the answer did not wait for the clock.
    pub fn write(&mut self, cluster: &VirtualCluster) -> io::Result<()> {
        let tree = cluster.last_tree().filter(|tree| tree.root.moves == self.moves);
        self.append(&self.moves, false, tree.map_or_else(Vec::new, nodes))
    }

    /// Writes an entry with the tree before the opponent's move, if any worker has searched in that time.
    pub fn write_reply(&mut self, cluster: &VirtualCluster) -> io::Result<()> {
        let tree = cluster.snapshot();
        if tree.assigned().next().is_none() {
            return Ok(());
        }
        self.append(&tree.root.moves, true, nodes(&tree))
    }

    fn append(&self, moves: &[MoveText], reply: bool, tree: Vec<DiaryNode>) -> io::Result<()> {
        let entry = DiaryEntry { start: self.start.as_deref(), moves: texts(moves), reply, tree };
        let text = serde_json::to_string(&entry)?;
        (&self.file).write_all(format!("{text}\n").as_bytes())
    }
}

fn nodes(tree: &Snapshot) -> Vec<DiaryNode> {
    let searched = tree.nodes.iter().filter(|node| node.worker.is_some());
    searched.map(|node| DiaryNode { path: texts(&node.path) }).collect()
}

fn texts(moves: &[MoveText]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
