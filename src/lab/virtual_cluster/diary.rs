//! The log of a virtual cluster: describes the tree move by move, for the tables and figures of the experiments.

use super::{ClusterTally, VirtualCluster};
use hasami_api::{Line, MoveText};
use hasami_tree::Snapshot;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// A file of JSON lines: one for each of our moves, and one for each of the opponent's moves during which workers
/// pondered.
pub struct Diary {
    file: File,
    start: Option<String>,
    moves: Vec<MoveText>,
    before: ClusterTally,
}

/// An entry about one position. Times are in virtual milliseconds.
#[derive(Serialize, Default)]
struct DiaryEntry<'a> {
    start: Option<&'a str>,
    /// The moves of the game so far.
    moves: Vec<String>,
    /// Is the opponent to move?
    reply: bool,
    took: f64,
    /// Counts since the last entry: nodes, milliseconds of worker time without work, tasks, messages to the manager,
    /// and news between workers (16 bytes each).
    nodes: u64,
    idle: f64,
    starts: u64,
    messages: u64,
    news: u64,
    workers: usize,
    tree: Vec<DiaryNode>,
}

/// A node that a worker is searching.
#[derive(Serialize)]
struct DiaryNode {
    path: Vec<String>,
    /// Time for which the worker has been searching the node.
    since: f64,
    depth: u16,
    probability: f64,
    nodes: u64,
}

impl Diary {
    /// Opens the file for appending.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|e| format!("expected a file that can be written, found '{}': {e}", path.display()))?;
        Ok(Self { file, start: None, moves: Vec::new(), before: ClusterTally::default() })
    }

    /// Sets the position of the next entry.
    pub fn position(&mut self, line: &Line) {
        self.start = line.start.text.as_ref().map(ToString::to_string);
        self.moves.clone_from(&line.moves);
    }

    /// Writes an entry with the tree before the answer that took `took`. The tree is empty if the answer did not wait
    /// for the clock.
    pub fn write(&mut self, cluster: &mut VirtualCluster, took: Duration) -> io::Result<()> {
        let tree = cluster.last_tree().filter(|tree| tree.root.moves == self.moves).cloned();
        self.append(cluster, tree.as_ref(), DiaryEntry { took: milliseconds(took), ..DiaryEntry::of(&self.moves) })
    }

    /// Writes an entry with the tree before the opponent's move that took `took`, if any worker has searched in that
    /// time.
    pub fn write_reply(&mut self, cluster: &mut VirtualCluster, took: Duration) -> io::Result<()> {
        let tree = cluster.snapshot();
        if tree.assigned().next().is_none() {
            return Ok(());
        }
        let entry = DiaryEntry { reply: true, took: milliseconds(took), ..DiaryEntry::of(&tree.root.moves) };
        self.append(cluster, Some(&tree), entry)
    }

    fn append(&mut self, cluster: &mut VirtualCluster, tree: Option<&Snapshot>, entry: DiaryEntry) -> io::Result<()> {
        let so_far = cluster.tally();
        let tally = so_far - self.before;
        let entry = DiaryEntry {
            start: self.start.as_deref(),
            nodes: tally.nodes,
            idle: milliseconds(tally.idle),
            starts: tally.starts,
            messages: tally.messages,
            news: tally.news,
            workers: tree.map_or(0, Snapshot::workers),
            tree: tree.map_or_else(Vec::new, seats),
            ..entry
        };
        let mut text = serde_json::to_string(&entry)?;
        text.push('\n');
        self.before = so_far;
        self.file.write_all(text.as_bytes())
    }
}

impl DiaryEntry<'_> {
    fn of(moves: &[MoveText]) -> Self {
        Self { moves: moves.iter().map(ToString::to_string).collect(), ..Self::default() }
    }
}

fn seats(tree: &Snapshot) -> Vec<DiaryNode> {
    let seats = tree.nodes.iter().filter_map(|node| {
        let (_, since) = node.worker.as_ref()?;
        Some(DiaryNode {
            path: node.path.iter().map(ToString::to_string).collect(),
            since: milliseconds(*since),
            depth: node.depth,
            probability: node.probability,
            nodes: node.nodes,
        })
    });
    seats.collect()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
