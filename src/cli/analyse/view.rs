//! The master tree and the state of a search as lines of text. Pure.

use crate::catalog::Speaker;
use crate::protocol::Info;
use crate::text::grouped;
use crate::tree::{NodeView, Progress, Snapshot, marked_score as value};
use hasami_api::{MateUnit, MoveText, Score, ScoreKind};
use std::collections::BTreeSet;
use std::time::Duration;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Facts about the search as a whole.
pub struct Status<'a> {
    pub game: &'static str,
    pub mate_unit: MateUnit,
    pub elapsed: Duration,
    pub limit: Option<Duration>,
    pub info: Option<&'a Info>,
    pub speaker: &'a Speaker,
}

/// Lines of a picture of the search, at most `columns` wide and `rows` high.
pub fn picture(status: &Status, tree: &Snapshot, columns: usize, rows: usize) -> Vec<String> {
    let limit = status.limit.map_or_else(String::new, |limit| format!(" of {:.1}", limit.as_secs_f64()));
    let elapsed = status.elapsed.as_secs_f64();
    let parts = [(tree.joined().count(), "joined"), (tree.free.len(), "free")];
    let parts: String = parts.iter().filter(|part| part.0 > 0).map(|(n, what)| format!(", {n} {what}")).collect();
    let mut lines = vec![format!("{}   {elapsed:.1}{limit} s   {} workers{parts}", status.game, tree.workers())];
    if let Some(info) = status.info {
        let effort = format!("{} nodes, {} nodes/s", grouped(info.nodes), grouped(info.nps));
        let score = value(info.score, info.bound, status.mate_unit);
        lines.push(format!("depth {}/{}   {score}   {effort}", info.depth, info.seldepth));
        lines.push(status.speaker.text(&info.pv));
    }
    lines.push(String::new());
    lines.push(format!("{:<22}{:>9} {:>6} {:>12} {:>8}  worker", "move", "score", "depth", "nodes", "reach"));
    let room = rows.saturating_sub(lines.len() + 1);
    let best: &[MoveText] = status.info.map_or(&[], |info| &info.pv);
    lines.extend(tree_lines(tree, best, room));
    if tree.nodes.len() == 1 && tree.busy.len() > 1 {
        lines.extend(team_lines(tree, rows.saturating_sub(lines.len())));
    }
    lines.iter().take(rows).map(|line| cut(line, columns)).collect()
}

/// One line for a log.
pub fn progress(status: &Status, info: &Info) -> String {
    let (elapsed, score) = (status.elapsed.as_secs_f64(), value(info.score, info.bound, status.mate_unit));
    format!(
        "{elapsed:7.2} s  depth {:>2}/{:<2}  {score:>8}  {:>13} nodes  {}",
        info.depth,
        info.seldepth,
        grouped(info.nodes),
        status.speaker.text(&info.pv)
    )
}

/// The words behind the best move in the answer: score, depth, effort, line. `wanted` nodes were asked for.
pub fn score_and_effort(info: &Info, wanted: Option<u64>, unit: MateUnit, speaker: &Speaker) -> String {
    let (score, nodes) = (value(info.score, info.bound, unit), grouped(info.nodes));
    let limit = wanted.map_or_else(String::new, |wanted| format!(" of {}", grouped(wanted)));
    format!(
        "\nscore {score}{} at depth {}, {nodes}{limit} nodes, {} nodes/s\nline {}",
        mate_words(info.score, unit),
        info.depth,
        grouped(info.nps),
        speaker.text(&info.pv)
    )
}

/// One of the lines beside the best one.
pub fn other_line(place: usize, info: &Info, unit: MateUnit, speaker: &Speaker) -> String {
    let score = value(info.score, info.bound, unit);
    format!(
        "\n{place}. score {score}{} at depth {}\nline {}",
        mate_words(info.score, unit),
        info.depth,
        speaker.text(&info.pv)
    )
}

/// The unit of the number behind `#`.
fn mate_words(score: Score, unit: MateUnit) -> String {
    let ScoreKind::Mate(plies) = score.kind() else { return String::new() };
    let (who, count) = (if score.is_win() { "mate" } else { "mated" }, unit.count(plies.abs()));
    let what = match (unit, count) {
        (MateUnit::Plies, 1) => "ply",
        (MateUnit::Plies, _) => "plies",
        (MateUnit::Moves, 1) => "move",
        (MateUnit::Moves, _) => "moves",
    };
    format!(" ({who} in {count} {what})")
}

/// The likeliest nodes that fit. A parent is never less likely than its child, so the choice is a tree. Those on the best
/// line are marked.
fn tree_lines(tree: &Snapshot, best: &[MoveText], room: usize) -> Vec<String> {
    let mut order: Vec<usize> = (0..tree.nodes.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&tree.nodes[a], &tree.nodes[b]);
        b.probability.total_cmp(&a.probability).then(a.path.len().cmp(&b.path.len()))
    });
    let hidden = order.len().saturating_sub(room);
    let shown: BTreeSet<usize> = order.iter().copied().take(room).collect();
    order.truncate(room);
    let mut lines = Vec::new();
    if shown.contains(&0) {
        Branches { tree, order: &order, best }.write(0, "", "", &mut lines);
    }
    if hidden > 0 {
        lines.push(format!("... and {hidden} nodes more"));
    }
    lines
}

/// How far each of those is who search the root together, as rows of the same table.
fn team_lines(tree: &Snapshot, room: usize) -> Vec<String> {
    let line = |one: &Progress| {
        format!("{:<22}{:>9} {:>6} {:>12} {:>8}  {}", "", "", one.depth, grouped(one.nodes), "", one.name)
    };
    let shown = if tree.busy.len() > room { room.saturating_sub(1) } else { room };
    let mut lines: Vec<String> = tree.busy.iter().take(shown).map(line).collect();
    if tree.busy.len() > shown {
        lines.push(format!("... and {} workers more", tree.busy.len() - shown));
    }
    lines
}

/// A part of a tree: the nodes to show, the likeliest first, and the best line.
struct Branches<'a> {
    tree: &'a Snapshot,
    order: &'a [usize],
    best: &'a [MoveText],
}

impl Branches<'_> {
    /// `stem` stands before the node's own name, `indent` before its children's stems.
    fn write(&self, at: usize, stem: &str, indent: &str, lines: &mut Vec<String>) {
        let node = &self.tree.nodes[at];
        let is_best = !node.path.is_empty() && self.best.starts_with(&node.path);
        let name = format!("{}{}", self.tree.name(at), if is_best { " *" } else { "" });
        lines.push(node_line(node, &name, self.tree.mate_unit, stem));
        let is_child = |&i: &usize| self.tree.nodes[i].parent == Some(at);
        let children: Vec<usize> = self.order.iter().copied().filter(is_child).collect();
        for (i, &child) in children.iter().enumerate() {
            let (fork, below) = if i + 1 == children.len() { ("`- ", "   ") } else { ("|- ", "|  ") };
            self.write(child, &format!("{indent}{fork}"), &format!("{indent}{below}"), lines);
        }
    }
}

fn node_line(node: &NodeView, name: &str, unit: MateUnit, stem: &str) -> String {
    let score = node.value_at_root().map_or_else(|| "?".to_string(), |score| value(score, node.bound_at_root(), unit));
    let worker = match &node.worker {
        Some((name, since)) => {
            let team = if node.joined.is_empty() { String::new() } else { format!(" and {} more", node.joined.len()) };
            format!("{name}{team}, {:.1} s", since.as_secs_f64())
        }
        None if node.solved => "decided".to_string(),
        None => String::new(),
    };
    let (nodes, reach) = (grouped(node.nodes), 100.0 * node.probability);
    let name = format!("{stem}{name}");
    // Japanese characters are two columns wide.
    let room = " ".repeat(22usize.saturating_sub(name.width()).max(1));
    format!("{name}{room}{score:>9} {:>6} {nodes:>12} {reach:>6.1} %  {worker}", node.depth)
}

/// As many letters as fit.
fn cut(line: &str, columns: usize) -> String {
    let mut left = columns;
    let fits = |letter: &char| {
        let width = letter.width().unwrap_or(0);
        let fits = width <= left;
        left = if fits { left - width } else { 0 };
        fits
    };
    line.chars().take_while(fits).collect()
}

#[cfg(test)]
pub(super) mod tests;
