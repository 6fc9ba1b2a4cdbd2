//! Formats the master tree and the state of a search as lines of text, without printing them.

use super::super::colours::Tone;
use hasami_api::{MateUnit, MoveText, Score, ScoreKind};
use hasami_catalog::Speaker;
use hasami_protocol::Info;
use hasami_tree::{NodeView, Progress, Snapshot, marked_score as value, worker_name};
use hasami_words::text::{grouped, padded, to_right, wrapped};
use hasami_words::{Value, Words};
use std::collections::BTreeSet;
use std::time::Duration;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What is shown of a search besides its tree.
pub struct Status {
    pub game: &'static str,
    pub mate_unit: MateUnit,
    pub elapsed: Duration,
    pub limit: Option<Duration>,
    /// The best line so far, followed by the other lines of MultiPV.
    pub lines: Vec<Info>,
    pub speaker: Speaker,
    pub words: &'static Words,
}

impl Status {
    pub fn info(&self) -> Option<&Info> {
        self.lines.first()
    }
}

/// Minimum number of rows for the tree table, including the column headers.
const LEAST_TREE: usize = 6;

/// A line of text and its tone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViewLine {
    pub text: String,
    pub tone: Tone,
}

impl ViewLine {
    const fn plain(text: String) -> Self {
        Self { text, tone: Tone::Plain }
    }
}

/// Width in columns of output that does not go to a terminal.
pub const COLUMNS: usize = 80;

/// Width of the columns before the score. A whole row is 80 columns wide.
const NAME: usize = 20;

/// Formats a row of the tree table.
fn row(name: &str, [score, depth, nodes, reach]: [&str; 4], worker: &str) -> String {
    // Long names are shortened at the beginning, because the names of deep nodes differ only at the end.
    let mut name = name.to_owned();
    if name.width() >= NAME {
        let skipped = name.width() + 3 - NAME;
        let tail: String = name.chars().skip(skipped).collect();
        name = format!("..{tail}");
    }
    let columns = [(score, 9), (depth, 6), (nodes, 13), (reach, 7)].map(|(text, columns)| to_right(text, columns));
    format!("{}{}  {worker}", padded(&name, NAME), columns.concat())
}

/// Formats the state of the search as lines. `columns` and `rows` are the maximum width and height.
pub fn picture(status: &Status, tree: &Snapshot, columns: usize, rows: usize) -> Vec<ViewLine> {
    let words = status.words;
    let mut lines = vec![ViewLine::plain(head(status, tree))];
    if let Some(info) = status.info() {
        let text = words.with(
            "search-so-far",
            &texts(&[
                ("depth", &format!("{}/{}", info.depth, info.seldepth)),
                ("score", &value(info.score, info.bound, status.mate_unit)),
                ("nodes", &grouped(info.nodes)),
                ("speed", &grouped(info.nps)),
            ]),
        );
        lines.push(ViewLine { text, tone: tone_of(info.score) });
        let moves = |info: &Info, columns| whole_moves(&status.speaker.text(&info.pv), columns);
        lines.push(ViewLine { text: moves(info, columns), tone: Tone::Best });
        // At least [`LEAST_TREE`] rows are left for the tree.
        let room = rows.saturating_sub(lines.len() + LEAST_TREE);
        for (place, other) in (2..).zip(status.lines.iter().skip(1)).take(room) {
            let score = value(other.score, other.bound, status.mate_unit);
            let head = format!("{place}. {score}  ");
            let text = moves(other, columns.saturating_sub(head.width()));
            lines.push(ViewLine { text: head + &text, tone: Tone::Plain });
        }
    }
    lines.push(ViewLine::plain(String::new()));
    let [mv, score, depth, nodes, reach, worker] =
        ["row-move", "row-score", "row-depth", "row-nodes", "row-reach", "row-worker"].map(|name| words.get(name));
    lines.push(ViewLine { text: row(&mv, [&score, &depth, &nodes, &reach], &worker), tone: Tone::Head });
    let room = rows.saturating_sub(lines.len() + 1);
    let best: &[MoveText] = status.info().map_or(&[], |info| &info.pv);
    lines.extend(tree_lines(tree, best, room, words));
    if tree.nodes.len() == 1 && tree.busy.len() > 1 {
        lines.extend(team_lines(tree, rows.saturating_sub(lines.len()), words));
    }
    let fitting = |line: ViewLine| ViewLine { text: cut(&line.text, columns), ..line };
    lines.into_iter().take(rows).map(fitting).collect()
}

/// Formats the header line: the game, the elapsed time and the number of workers.
fn head(status: &Status, tree: &Snapshot) -> String {
    let words = status.words;
    let mut elapsed = format!("{:.1}", status.elapsed.as_secs_f64());
    if let Some(limit) = status.limit {
        let limit = format!("{:.1}", limit.as_secs_f64());
        elapsed = words.with("part-of", &texts(&[("part", &elapsed), ("whole", &limit)]));
    }
    let (joined, free) = (tree.joined().count() as u64, tree.free.len() as u64);
    let mut workers = words.count("counted-workers", tree.workers() as u64);
    if joined > 0 {
        workers += &words.count("workers-joined", joined);
    }
    if free > 0 {
        workers += &words.count("workers-free", free);
    }
    let game = words.with("game-name", &[("game", status.game.into())]);
    words.with("search-head", &texts(&[("game", &game), ("elapsed", &elapsed), ("workers", &workers)]))
}

fn texts<'a, const N: usize>(values: &[(&'a str, &'a str); N]) -> [(&'a str, Value<'a>); N] {
    values.map(|(key, text)| (key, text.into()))
}

/// Returns the tone of a score: plain unless one side has a clear advantage.
pub fn tone_of(score: Score) -> Tone {
    match score.kind() {
        ScoreKind::Cp(-49..=49) => Tone::Plain,
        ScoreKind::Cp(cp) if cp > 0 => Tone::Good,
        ScoreKind::Mate(_) if score.is_win() => Tone::Good,
        _ => Tone::Bad,
    }
}

/// Appends moves to a text, as long as whole moves fit into `columns`.
fn moves_behind(text: &str, moves: &str, columns: usize) -> String {
    let mut line = text.to_owned();
    for word in moves.split(' ') {
        if line.width() + 1 + word.width() + 3 > columns {
            return line + " ..";
        }
        line.push(' ');
        line.push_str(word);
    }
    line
}

/// Cuts a line between two moves if the line is wider than `columns`.
fn whole_moves(moves: &str, columns: usize) -> String {
    match moves.split_once(' ').filter(|_| moves.width() > columns) {
        Some((first, others)) => moves_behind(first, others, columns),
        None => moves.to_owned(),
    }
}

/// Wraps a text at `columns` columns, and aligns all further lines with the second word.
pub fn wrapped_line(text: &str, columns: usize) -> String {
    let indent = text.split(' ').next().map_or(0, UnicodeWidthStr::width) + 1;
    wrapped(text, columns, indent)
}

/// Formats a progress line for a log, cut to `columns`.
pub fn progress(status: &Status, info: &Info, columns: usize) -> String {
    let score = value(info.score, info.bound, status.mate_unit);
    let depth = format!("{}/{}", info.depth, info.seldepth);
    let text = status.words.with(
        "search-progress",
        &texts(&[
            ("elapsed", &format!("{:6.2}", status.elapsed.as_secs_f64())),
            ("depth", &format!("{depth:<5}")),
            ("score", &format!("{score:>8}")),
            ("nodes", &format!("{:>11}", grouped(info.nodes))),
        ]),
    );
    moves_behind(&(text + " "), &status.speaker.text(&info.pv), columns)
}

/// Formats the score, depth and nodes that follow the best move in the answer. `wanted` is the node limit, if there is
/// one.
pub fn score_and_effort(info: &Info, wanted: Option<u64>, unit: MateUnit, words: &Words) -> String {
    let mut nodes = grouped(info.nodes);
    if let Some(wanted) = wanted {
        nodes = words.with("part-of", &texts(&[("part", &nodes), ("whole", &grouped(wanted))]));
    }
    words.with(
        "answer-effort",
        &texts(&[
            ("score", &full_score(info, unit, words)),
            ("depth", &info.depth.to_string()),
            ("nodes", &nodes),
            ("speed", &grouped(info.nps)),
        ]),
    )
}

/// Formats the score of a MultiPV line other than the best one.
pub fn other_score(place: usize, info: &Info, unit: MateUnit, words: &Words) -> String {
    words.with(
        "other-score",
        &texts(&[
            ("place", &place.to_string()),
            ("score", &full_score(info, unit, words)),
            ("depth", &info.depth.to_string()),
        ]),
    )
}

/// Formats a score; for a mate (`#`), adds the distance in words.
fn full_score(info: &Info, unit: MateUnit, words: &Words) -> String {
    let score = value(info.score, info.bound, unit);
    mate_words(info.score, unit, words).map_or_else(|| score.clone(), |mate| format!("{score} ({mate})"))
}

fn mate_words(score: Score, unit: MateUnit, words: &Words) -> Option<String> {
    let ScoreKind::Mate(plies) = score.kind() else { return None };
    let count = u64::from(unit.count(plies.abs()).unsigned_abs());
    Some(match (unit, score.is_win()) {
        (MateUnit::Plies, true) => words.count("mates-in-plies", count),
        (MateUnit::Plies, false) => words.count("mated-in-plies", count),
        (MateUnit::Moves, true) => words.count("mates-in-moves", count),
        (MateUnit::Moves, false) => words.count("mated-in-moves", count),
    })
}

/// Formats the most probable nodes, as many as fit, and marks those on the best line. The chosen nodes form a tree,
/// because a parent is never less probable than its child.
fn tree_lines(tree: &Snapshot, best: &[MoveText], room: usize, words: &Words) -> Vec<ViewLine> {
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
        Branches { tree, order: &order, best, words }.write(0, "", "", &mut lines);
    }
    if hidden > 0 {
        lines.push(ViewLine::plain(words.count("nodes-hidden", hidden as u64)));
    }
    lines
}

/// Formats a row of the tree table for each worker that searches the root together with others.
fn team_lines(tree: &Snapshot, room: usize, words: &Words) -> Vec<ViewLine> {
    let line = |one: &Progress| {
        ViewLine::plain(row("", ["", &one.depth.to_string(), &grouped(one.nodes), ""], &worker_name(&one.name, words)))
    };
    let shown = if tree.busy.len() > room { room.saturating_sub(1) } else { room };
    let mut lines: Vec<ViewLine> = tree.busy.iter().take(shown).map(line).collect();
    if tree.busy.len() > shown {
        lines.push(ViewLine::plain(words.count("workers-hidden", (tree.busy.len() - shown) as u64)));
    }
    lines
}

/// The part of a tree to show: its most probable nodes, and the best line.
struct Branches<'a> {
    tree: &'a Snapshot,
    order: &'a [usize],
    best: &'a [MoveText],
    words: &'a Words,
}

impl Branches<'_> {
    /// Writes a node and its children. `stem` is printed before the node's name, and `indent` before the stems of its
    /// children.
    fn write(&self, at: usize, stem: &str, indent: &str, lines: &mut Vec<ViewLine>) {
        let node = &self.tree.nodes[at];
        let is_best = !node.path.is_empty() && self.best.starts_with(&node.path);
        let name = format!("{}{}", self.tree.name(at, self.words), if is_best { " *" } else { "" });
        let text = node_line(node, &name, self.tree.mate_unit, stem, self.words);
        lines.push(ViewLine { text, tone: if is_best { Tone::Best } else { Tone::Plain } });
        let is_child = |&i: &usize| self.tree.nodes[i].parent == Some(at);
        let children: Vec<usize> = self.order.iter().copied().filter(is_child).collect();
        for (i, &child) in children.iter().enumerate() {
            let (fork, below) = if i + 1 == children.len() { ("`- ", "   ") } else { ("|- ", "|  ") };
            self.write(child, &format!("{indent}{fork}"), &format!("{indent}{below}"), lines);
        }
    }
}

fn node_line(node: &NodeView, name: &str, unit: MateUnit, stem: &str, words: &Words) -> String {
    let score = node.value_at_root().map_or_else(|| "?".to_string(), |score| value(score, node.bound_at_root(), unit));
    let worker = match &node.worker {
        Some((name, since)) => {
            let team = if node.joined.is_empty() { String::new() } else { format!(" +{}", node.joined.len()) };
            let (worker, since) =
                (format!("{}{team}", worker_name(name, words)), format!("{:.1}", since.as_secs_f64()));
            words.with("worker-since", &texts(&[("worker", &worker), ("seconds", &since)]))
        }
        None if node.solved => words.get("decided"),
        None => String::new(),
    };
    let (nodes, reach) = (grouped(node.nodes), format!("{:.1}%", 100.0 * node.probability));
    row(&format!("{stem}{name}"), [&score, &node.depth.to_string(), &nodes, &reach], &worker)
}

/// Cuts a line to a width of `columns`.
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
