//! Draws a snapshot of the tree: the root is on the left, each leaf has its own row, and the principal variation is
//! bold.

use super::layout::Layout;
use super::snapshot::{NodeView, Snapshot, marked_score, worker_name, worker_names};
use hasami_api::{MateUnit, MoveText, Score};
use hasami_words::Words;
use svg::Document;
use svg::node::element::{Group, Path, Rectangle, Text, Title};

/// Size in pixels of a node's box, and of a cell of the grid that holds the boxes.
const BOX: (f64, f64) = (176.0, 34.0);
const GRID: (f64, f64) = (212.0, 42.0);
const MARGIN: f64 = 16.0;
/// Height of the two lines above the tree, and of the legend below it.
const CAPTION: f64 = 44.0;
const LEGEND: f64 = 54.0;
/// Minimum width of a picture, so that the legend fits.
const LEAST_WIDTH: f64 = 680.0;

const LINE: f64 = 14.0;
const FONT: f64 = 11.0;
/// Width of a letter of DejaVu relative to the font size. Letters of most other sans-serif fonts are narrower.
const LETTER: f64 = 0.62;

const BLUE: &str = "#204a87";
const GREY: &str = "#888888";
const SEARCHED: &str = "#d3ecd3";
const DECIDED: &str = "#fce8b2";
const VACANT: &str = "#f4f4f4";

impl Snapshot {
    /// Draws the tree as an SVG document. Values are for the side to move at the root.
    pub fn to_svg(&self, words: &Words) -> String {
        let layout = Layout::new(self);
        let places: Vec<(f64, f64)> = layout.places.iter().map(pixels).collect();
        let width = (layout.columns as f64 * GRID.0 - GRID.0 + BOX.0 + 2.0 * MARGIN).max(LEAST_WIDTH);
        let bottom = CAPTION + layout.rows as f64 * GRID.1 + 2.0 * MARGIN;
        let on_pv = self.principal();
        let mut picture =
            canvas(width, bottom + LEGEND).add(Title::new(self.position(words))).add(self.caption(width, words));
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                picture = picture.add(edge(places[parent], places[index], on_pv[index]));
            }
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let said = (self.name(index, words), hint(self, index, words), state(node, words));
            picture = picture.add(drawn(node, said, self.mate_unit, places[index], on_pv[index]));
        }
        picture.add(legend(bottom, words)).to_string()
    }

    /// Describes the position at the root.
    fn position(&self, words: &Words) -> String {
        let usual = words.get("start-position");
        let start = self.root.start.text.as_deref().unwrap_or(&usual);
        let game = words.with("game-name", &[("game", self.game.into())]);
        let moves = joined(&self.root.moves);
        let name = if moves.is_empty() { "tree-of" } else { "tree-after" };
        words.with(name, &[("game", (&game).into()), ("start", start.into()), ("moves", (&moves).into())])
    }

    /// The two lines above the tree: the position, and the state of the search.
    fn caption(&self, width: f64, words: &Words) -> Group {
        let value = |root: &NodeView| {
            let value = marked_score(root.value?, root.bound, self.mate_unit);
            Some(words.with("tree-value", &[("value", (&value).into()), ("depth", u64::from(root.depth).into())]))
        };
        let value = self.nodes.first().and_then(value).unwrap_or_else(|| words.get("no-value-yet"));
        let free = match self.free.is_empty() {
            true => words.get("none-free"),
            false => words.with("these-free", &[("names", (&worker_names(&self.free, words)).into())]),
        };
        let nodes = words.count("counted-nodes", self.nodes.len() as u64);
        let workers = words.count("counted-workers", self.workers() as u64);
        let values = [("value", (&value).into()), ("nodes", (&nodes).into())];
        let values = [&values[..], &[("workers", (&workers).into()), ("free", (&free).into())]].concat();
        let state = words.with("tree-state", &values);
        let room = width - 2.0 * MARGIN;
        let line = |text: &str, y, size: f64| label(&shorten(text, room / (size * LETTER)), (MARGIN, y), size);
        Group::new().add(line(&self.position(words), MARGIN + 10.0, 13.0).set("font-weight", "bold")).add(line(
            &state,
            MARGIN + 28.0,
            FONT,
        ))
    }

    /// Marks the nodes on the answer's line or, before there is an answer, on the principal variation. The principal
    /// variation goes from each node to the child that gives the node its value.
    fn principal(&self) -> Vec<bool> {
        if !self.answer.is_empty() {
            return self.nodes.iter().map(|node| self.answer.starts_with(&node.path)).collect();
        }
        let mut on_pv = vec![false; self.nodes.len()];
        let mut at = if self.nodes.is_empty() { None } else { Some(0) };
        while let Some(index) = at {
            on_pv[index] = true;
            let value = self.nodes[index].value;
            let mut children = (index + 1..self.nodes.len()).filter(|&child| self.nodes[child].parent == Some(index));
            at = children.find(|&child| value.is_some() && self.nodes[child].value.map(Score::for_parent) == value);
        }
        on_pv
    }
}

fn pixels(&(column, row): &(f64, f64)) -> (f64, f64) {
    (MARGIN + column * GRID.0, CAPTION + MARGIN + row * GRID.1)
}

fn canvas(width: f64, height: f64) -> Document {
    Document::new()
        .set("viewBox", (0.0, 0.0, width, height))
        .set("width", width)
        .set("height", height)
        .set("font-family", "Helvetica, Arial, 'DejaVu Sans', sans-serif")
        .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#ffffff"))
}

/// A curve from a parent to its child, horizontal at both ends.
fn edge(from: (f64, f64), to: (f64, f64), bold: bool) -> Path {
    let (x1, y1) = (from.0 + BOX.0, from.1 + BOX.1 / 2.0);
    let (x2, y2) = (to.0, to.1 + BOX.1 / 2.0);
    let middle = (x1 + x2) / 2.0;
    Path::new()
        .set("d", format!("M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}"))
        .set("fill", "none")
        .set("stroke", if bold { BLUE } else { GREY })
        .set("stroke-width", if bold { 3 } else { 1 })
}

/// The move of a node, its tooltip, its worker, and how long the worker has been at the node.
type NodeWords = (String, String, (String, String));

/// Draws a node: its move, value, depth and probability on the left, and its worker and how long the worker has been at
/// the node on the right.
fn drawn(node: &NodeView, said: NodeWords, unit: MateUnit, at: (f64, f64), bold: bool) -> Group {
    let (name, hint, (state, since)) = said;
    let value = node.value_at_root();
    let value = value.map_or_else(|| "?".to_owned(), |value| marked_score(value, node.bound_at_root(), unit));
    let (first, second) = (at.1 + LINE, at.1 + 2.0 * LINE);
    let right = |text: &str, y| label(text, (at.0 + BOX.0 - 6.0, y), FONT).set("text-anchor", "end");
    Group::new()
        .add(Title::new(hint))
        .add(frame(at, BOX, colour(node), bold))
        .add(label(&name, (at.0 + 6.0, first), 12.0).set("font-weight", "bold"))
        .add(label(&value, (at.0 + 56.0, first), 12.0).set("font-weight", "bold"))
        .add(label(&format!("d {}", node.depth), (at.0 + 6.0, second), FONT))
        .add(label(&format!("p {:.4}", node.probability), (at.0 + 56.0, second), FONT))
        .add(right(&state, first))
        .add(right(&since, second))
}

/// The worker of a node, and how long the worker has been at the node.
fn state(node: &NodeView, words: &Words) -> (String, String) {
    match &node.worker {
        Some((worker, since)) => {
            let team = if node.joined.is_empty() { String::new() } else { format!("+{}, ", node.joined.len()) };
            (shorten_name(&worker_name(worker, words), 12.0), format!("{team}{:.1} s", since.as_secs_f64()))
        }
        None if node.solved => (words.get("decided"), String::new()),
        None => Default::default(),
    }
}

fn colour(node: &NodeView) -> &'static str {
    match (node.solved, node.worker.is_some()) {
        (true, _) => DECIDED,
        (false, true) => SEARCHED,
        (false, false) => VACANT,
    }
}

fn frame(at: (f64, f64), size: (f64, f64), fill: &str, bold: bool) -> Rectangle {
    Rectangle::new()
        .set("x", at.0)
        .set("y", at.1)
        .set("width", size.0)
        .set("height", size.1)
        .set("rx", 4)
        .set("fill", fill)
        .set("stroke", if bold { BLUE } else { GREY })
        .set("stroke-width", if bold { 2 } else { 1 })
}

/// The legend's lines that explain abbreviations; each fits into the narrowest picture.
const EXPLAINED: [&str; 2] = ["tree-letters", "tree-values"];

/// Draws the legend, which explains colours and abbreviations.
fn legend(top: f64, words: &Words) -> Group {
    let mut group = Group::new();
    let swatches = [
        (MARGIN, SEARCHED, false, "swatch-searched"),
        (MARGIN + 165.0, VACANT, false, "swatch-vacant"),
        (MARGIN + 275.0, DECIDED, false, "decided"),
        (MARGIN + 365.0, "#ffffff", true, "swatch-answer"),
    ];
    for (x, fill, bold, name) in swatches {
        let text = &words.get(name);
        group = group.add(frame((x, top), (18.0, 12.0), fill, bold)).add(label(text, (x + 24.0, top + 10.0), FONT));
    }
    for (name, y) in EXPLAINED.into_iter().zip([28.0, 42.0]) {
        group = group.add(label(&words.get(name), (MARGIN, top + y), FONT));
    }
    group
}

fn label(text: &str, at: (f64, f64), size: f64) -> Text {
    Text::new(text).set("x", at.0).set("y", at.1).set("font-size", size)
}

/// The tooltip of a node.
fn hint(tree: &Snapshot, index: usize, words: &Words) -> String {
    let [path, pv] = tree.lines_of(index);
    format!("{path} | {} | pv {pv}", words.count("counted-nodes", tree.nodes[index].nodes))
}

fn joined(moves: &[MoveText]) -> String {
    moves.iter().map(|text| &**text).collect::<Vec<_>>().join(" ")
}

/// Shortens a worker's name but keeps its final number, which distinguishes workers of the same engine.
fn shorten_name(name: &str, room: f64) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = stem.strip_suffix('#').filter(|stem| stem.len() + 1 < name.len()).unwrap_or(name);
    let number = &name[stem.len()..];
    format!("{}{number}", shorten(stem, room - number.len() as f64))
}

/// Truncates a text to the width of `room` Latin letters. East Asian characters count as almost twice as wide.
fn shorten(text: &str, room: f64) -> String {
    let width = |c: char| if c < '\u{1100}' { 1.0 } else { 1.8 };
    if text.chars().map(width).sum::<f64>() <= room {
        return text.to_owned();
    }
    let mut left = room - 1.0;
    let fits = |c: &char| {
        left -= width(*c);
        left >= 0.0
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::Bound;
    use std::time::Duration;

    fn node(parent: Option<usize>, path: &[&str], cp: i32, probability: f64) -> NodeView {
        NodeView {
            parent,
            path: path.iter().map(|text| text.parse().unwrap()).collect(),
            value: Some(Score::cp(cp)),
            bound: Bound::Exact,
            own_value: None,
            own_bound: hasami_api::Bound::Exact,
            depth: 5,
            nodes: 10,
            probability,
            worker: Some(("a <thread> & more".into(), Duration::from_millis(1500))),
            joined: Vec::new(),
            solved: false,
            pv: Vec::new(),
        }
    }

    fn tree() -> Snapshot {
        let nodes = vec![
            node(None, &[], 20, 1.0),
            node(Some(0), &["d2d4"], -10, 0.2),
            node(Some(0), &["e2e4"], -20, 0.8),
            node(Some(2), &["e2e4", "e7e5"], 20, 0.5),
            node(Some(2), &["e2e4", "c7c5"], 25, 0.1),
        ];
        let free = vec!["thread 6".into()];
        Snapshot { game: "chess", mate_unit: hasami_api::MateUnit::Moves, nodes, free, ..Snapshot::default() }
    }

    #[test]
    fn leaves_have_rows_and_parents_are_centred_on_their_children() {
        let layout = Layout::new(&tree());
        assert_eq!(layout.places, [(0.0, 1.25), (1.0, 2.0), (1.0, 0.5), (2.0, 0.0), (2.0, 1.0)]);
        assert_eq!((layout.columns, layout.rows), (3, 3));
        assert_eq!(Layout::new(&Snapshot::default()).rows, 0);
    }

    #[test]
    fn the_picture_is_well_formed_and_names_every_node() {
        let text = tree().to_svg(Words::english());
        assert!(text.starts_with("<svg") && text.contains("\ne7e5\n") && text.contains("free: thread 6"), "{text}");
        assert!(text.contains("a &lt;thread&gt; …"), "texts are escaped and shortened");
        assert_eq!(text.matches("\n+0.20\n").count(), 3, "values are seen from the root: {text}");
        assert_eq!(tree().principal(), [true, false, true, true, false]);
        // The nodes on the answer's line are framed in bold whatever their values, and bounds are marked.
        let mut other = Snapshot { answer: ["d2d4", "d7d5"].map(|m| m.parse().unwrap()).to_vec(), ..tree() };
        assert_eq!(other.principal(), [true, true, false, false, false]);
        other.nodes[1].bound = hasami_api::Bound::Upper;
        assert!(other.to_svg(Words::english()).contains("\n&gt;=+0.10\n"), "{}", other.to_svg(Words::english()));
        let boxes = |tree: &Snapshot| tree.to_svg(Words::english()).matches("<rect").count();
        assert_eq!(boxes(&tree()), boxes(&Snapshot::default()) + 5, "an empty tree is an empty picture");
    }

    #[test]
    fn long_texts_are_truncated_to_the_room() {
        assert_eq!(shorten("thread 12", 12.0), "thread 12");
        assert_eq!(shorten("stockfish#12 far away", 12.0), "stockfish#1…");
        assert_eq!(shorten("将棋エンジン", 6.0), "将棋…");
        let room = (LEAST_WIDTH - 2.0 * MARGIN) / (FONT * LETTER);
        for words in hasami_words::Language::ALL.map(Words::of) {
            let lines = EXPLAINED.map(|name| words.get(name));
            assert!(lines.iter().all(|line| shorten(line, room) == *line), "{lines:?}");
        }
    }

    #[test]
    fn shortened_names_keep_their_numbers() {
        let shown =
            ["fairy-stockfish#1", "fairy-stockfish#12", "stockfish", "thread 128", "#7", "engine#", "a long engine 3"]
                .map(|name| shorten_name(name, 12.0));
        assert_eq!(shown, ["fairy-sto…#1", "fairy-st…#12", "stockfish", "thread 128", "#7", "engine#", "a long engi…"]);
        let counted = |count| Words::english().count("counted-nodes", count);
        assert_eq!(["0 nodes", "1 node", "2 nodes"], [0, 1, 2].map(counted));
    }

    #[test]
    fn json_has_every_node_and_names_the_unit_of_mates() {
        let mut tree = tree();
        tree.nodes[3].value = Some(Score::win_in(5));
        tree.mate_unit = MateUnit::Plies;
        let json: serde_json::Value = serde_json::from_str(&tree.to_json()).unwrap();
        assert_eq!((json["nodes"].as_array().unwrap().len(), &json["workers"]), (5, &serde_json::json!(6)));
        assert_eq!(json["nodes"][3]["path"][1], "e7e5");
        assert_eq!(json["nodes"][2]["value"], serde_json::json!({"cp": -20}));
        assert_eq!(json["nodes"][4]["since_ms"], 1500);
        assert_eq!(json["nodes"][3]["value"], serde_json::json!({"mate_in_plies": 5}));
        tree.mate_unit = MateUnit::Moves;
        let json: serde_json::Value = serde_json::from_str(&tree.to_json()).unwrap();
        assert_eq!(json["nodes"][3]["value"], serde_json::json!({"mate_in_plies": 5, "mate_in_moves": 3}));
    }
}
