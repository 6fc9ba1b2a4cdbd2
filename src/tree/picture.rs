//! A snapshot as a picture: the root on the left, one row for each leaf, the principal variation in bold.

use super::snapshot::{NodeView, Snapshot};
use hasami_api::{Score, ScoreKind};
use svg::Document;
use svg::node::element::{Line as Edge, Rectangle, Text, Title};

/// Pixels of a node's box and of the grid it stands in.
const BOX: (f64, f64) = (172.0, 34.0);
const GRID: (f64, f64) = (212.0, 42.0);
const MARGIN: f64 = 16.0;

/// Where the nodes stand: column by depth, row by leaf.
struct Layout {
    places: Vec<(f64, f64)>,
    size: (f64, f64),
}

impl Snapshot {
    /// The tree as an SVG document.
    pub fn to_svg(&self) -> String {
        let layout = Layout::new(self);
        let on_pv = self.principal();
        let mut picture = Document::new()
            .set("viewBox", (0.0, 0.0, layout.size.0, layout.size.1))
            .set("width", layout.size.0)
            .set("height", layout.size.1)
            .set("font-family", "sans-serif")
            .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#ffffff"));
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                picture = picture.add(edge(layout.places[parent], layout.places[index], on_pv[index]));
            }
        }
        for (index, node) in self.nodes.iter().enumerate() {
            picture = draw_node(picture, node, layout.places[index], on_pv[index]);
        }
        picture.to_string()
    }

    /// Which nodes lie on the principal variation: from the root always to the child that gives the value.
    fn principal(&self) -> Vec<bool> {
        let mut on_pv = vec![false; self.nodes.len()];
        let mut at = if self.nodes.is_empty() { None } else { Some(0) };
        while let Some(index) = at {
            on_pv[index] = true;
            let value = self.nodes[index].value;
            let children = (index + 1..self.nodes.len()).filter(|&child| self.nodes[child].parent == Some(index));
            let gives_value =
                |&child: &usize| value.is_some() && self.nodes[child].value.map(Score::for_parent) == value;
            at = children.into_iter().find(gives_value);
        }
        on_pv
    }
}

impl Layout {
    /// Parents come before their children, so rows are summed up backwards and positions follow forwards.
    fn new(tree: &Snapshot) -> Self {
        let mut rows = vec![0usize; tree.nodes.len()];
        for index in (0..tree.nodes.len()).rev() {
            rows[index] = rows[index].max(1);
            if let Some(parent) = tree.nodes[index].parent {
                rows[parent] += rows[index];
            }
        }
        let mut next_row = vec![0usize; tree.nodes.len()];
        let mut places = Vec::with_capacity(tree.nodes.len());
        let mut columns = 1;
        for (index, node) in tree.nodes.iter().enumerate() {
            let row = node.parent.map_or(0, |parent| next_row[parent]);
            if let Some(parent) = node.parent {
                next_row[parent] += rows[index];
            }
            next_row[index] = row;
            columns = columns.max(node.path.len() + 1);
            places.push((MARGIN + node.path.len() as f64 * GRID.0, MARGIN + row as f64 * GRID.1));
        }
        let height = rows.first().copied().unwrap_or(1) as f64 * GRID.1;
        Self { places, size: (columns as f64 * GRID.0 + 2.0 * MARGIN, height + 2.0 * MARGIN) }
    }
}

fn edge(from: (f64, f64), to: (f64, f64), bold: bool) -> Edge {
    Edge::new()
        .set("x1", from.0 + BOX.0)
        .set("y1", from.1 + BOX.1 / 2.0)
        .set("x2", to.0)
        .set("y2", to.1 + BOX.1 / 2.0)
        .set("stroke", if bold { "#204a87" } else { "#aaaaaa" })
        .set("stroke-width", if bold { 3 } else { 1 })
}

fn draw_node(picture: Document, node: &NodeView, at: (f64, f64), bold: bool) -> Document {
    let fill = match (node.solved, node.worker.is_some()) {
        (true, _) => "#fce8b2",
        (false, true) => "#dcecdc",
        (false, false) => "#eeeeee",
    };
    let frame = Rectangle::new()
        .set("x", at.0)
        .set("y", at.1)
        .set("width", BOX.0)
        .set("height", BOX.1)
        .set("rx", 4)
        .set("fill", fill)
        .set("stroke", if bold { "#204a87" } else { "#888888" })
        .set("stroke-width", if bold { 2 } else { 1 })
        .add(Title::new(hint(node)));
    let name = node.path.last().map_or_else(|| "root".to_owned(), ToString::to_string);
    let value = node.value.map_or_else(|| "?".to_owned(), show_score);
    let first = format!("{name}  {value}  d{}  p {:.3}", node.depth, node.probability);
    let second = node
        .worker
        .as_ref()
        .map_or_else(String::new, |(name, since)| format!("{} {:.1}s", shorten(name), since.as_secs_f64()));
    picture.add(frame).add(label(first, at, 14.0, "bold")).add(label(second, at, 28.0, "normal"))
}

fn label(text: String, at: (f64, f64), down: f64, weight: &str) -> Text {
    Text::new(text).set("x", at.0 + 6.0).set("y", at.1 + down).set("font-size", 11).set("font-weight", weight)
}

/// What a viewer shows when the mouse rests on a node.
fn hint(node: &NodeView) -> String {
    let path = node.path.iter().map(|text| &**text).collect::<Vec<_>>().join(" ");
    let pv = node.pv.iter().map(|text| &**text).collect::<Vec<_>>().join(" ");
    format!("{path} | {} nodes | pv {pv}", node.nodes)
}

fn show_score(score: Score) -> String {
    match score.kind() {
        ScoreKind::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        ScoreKind::Mate(plies) => format!("mate {plies}"),
    }
}

fn shorten(name: &str) -> String {
    if name.chars().count() <= 18 { name.to_owned() } else { name.chars().take(17).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::{Bound, Line, Start};
    use std::time::Duration;

    fn node(parent: Option<usize>, path: &[&str], cp: i32) -> NodeView {
        NodeView {
            parent,
            path: path.iter().map(|text| text.parse().unwrap()).collect(),
            value: Some(Score::cp(cp)),
            bound: Bound::Exact,
            own_value: None,
            depth: 5,
            nodes: 10,
            probability: 0.5,
            worker: Some(("a <thread> & more".into(), Duration::from_millis(1500))),
            solved: false,
            pv: Vec::new(),
        }
    }

    fn tree() -> Snapshot {
        let nodes = vec![
            node(None, &[], 20),
            node(Some(0), &["e2e4"], -20),
            node(Some(1), &["e2e4", "e7e5"], 20),
            node(Some(1), &["e2e4", "c7c5"], 25),
            node(Some(0), &["d2d4"], -10),
        ];
        Snapshot { root: Line { start: Start::default(), moves: Vec::new() }, nodes, workers: 5, busy: 5 }
    }

    #[test]
    fn every_leaf_has_its_row() {
        let layout = Layout::new(&tree());
        let row = |index: usize| ((layout.places[index].1 - MARGIN) / GRID.1) as usize;
        assert_eq!([0, 1, 2, 3, 4].map(row), [0, 0, 0, 1, 2]);
    }

    #[test]
    fn the_picture_is_well_formed_and_names_every_node() {
        let text = tree().to_svg();
        assert!(text.starts_with("<svg") && text.contains("e7e5  +0.20"));
        assert!(text.contains("a &lt;thread&gt; &amp; m"), "texts are escaped");
        assert_eq!(tree().principal(), [true, true, true, false, false]);
        assert_eq!(Snapshot::default().to_svg().matches("<rect").count(), 1, "an empty tree is an empty picture");
    }

    #[test]
    fn json_has_every_node() {
        let json: serde_json::Value = serde_json::from_str(&tree().to_json()).unwrap();
        assert_eq!(json["nodes"].as_array().unwrap().len(), 5);
        assert_eq!(json["nodes"][2]["path"][1], "e7e5");
        assert_eq!(json["nodes"][1]["value"]["cp"], -20);
        assert_eq!(json["nodes"][4]["since_ms"], 1500);
    }
}
