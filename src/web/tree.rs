//! Renders the most likely nodes of the master tree as nested lists.

use super::cells;
use super::spoken::PageSpeaker;
use hasami_api::MoveText;
use hasami_tree::{NodeView, Reason, Snapshot, worker_name, worker_names};
use hasami_words::Words;
use hasami_words::text::grouped;
use maud::{Markup, html};
use std::collections::HashMap;

/// Maximum number of nodes to show; a longer list would be hard to read.
const SHOWN: usize = 160;

/// Formats a path of moves for the query of a URL, such as `e2e4.e7e5`.
pub fn address(path: &[MoveText]) -> String {
    path.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(".")
}

/// A snapshot of the master tree, with the data for rendering its nodes.
pub struct TreeView<'a> {
    pub tree: &'a Snapshot,
    pub speaker: &'a PageSpeaker,
    pub words: &'a Words,
    /// The moves of the current best line.
    pub best: &'a [MoveText],
    pub reasons: &'a [Reason],
}

impl TreeView<'_> {
    pub fn draw(&self) -> Markup {
        let nodes = &self.tree.nodes;
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        // A parent is never less likely than its children, so the most likely nodes form a tree.
        order.sort_by(|&a, &b| {
            nodes[b].probability.total_cmp(&nodes[a].probability).then(nodes[a].path.len().cmp(&nodes[b].path.len()))
        });
        let hidden = order.len().saturating_sub(SHOWN);
        order.truncate(SHOWN);
        let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
        for &index in &order {
            if let Some(parent) = nodes[index].parent {
                children.entry(parent).or_default().push(index);
            }
        }
        html! {
            @if nodes.is_empty() { p class="quiet" { (self.words.get("nothing-yet")) } }
            @else { ul class="nodes" { (self.branch(0, &children)) } }
            @if hidden > 0 { p class="quiet" { (self.words.with("nodes-more", &[("count", (hidden as u64).into())])) } }
        }
    }

    fn branch(&self, index: usize, children: &HashMap<usize, Vec<usize>>) -> Markup {
        let below = children.get(&index).map(Vec::as_slice).unwrap_or_default();
        html! {
            li {
                (self.row(index))
                @if !below.is_empty() { ul { @for &child in below { (self.branch(child, children)) } } }
            }
        }
    }

    fn row(&self, index: usize) -> Markup {
        let node = &self.tree.nodes[index];
        let address = address(&node.path);
        let is_best = !node.path.is_empty() && self.best.starts_with(&node.path);
        let reason = self.reasons.iter().find(|reason| reason.node == index);
        html! {
            a id={ "node-" (address) } data-detail href={ "?node=" (address) } class=[is_best.then_some("best")] {
                span class="move" { @if node.path.is_empty() { (self.words.get("root")) } @else { (self.speaker.notation.last(&node.path)) } }
                " " b class="value" { (value(node, self.speaker)) }
                " " span class="depth" title=(self.words.get("depth")) { "d" (node.depth) }
                " " span class="reach" title=(self.words.get("reach")) { (percent(node.probability)) }
                @if let Some(place) = place(node, self.words) { " " span class="worker" { (place) } }
            }
            @if let Some(reason) = reason { " " small class="why" { (self.speaker.reason(reason, self.words)) } }
        }
    }

    /// Renders a table of facts about one node of the tree.
    pub fn facts(&self, index: usize) -> Markup {
        let node = &self.tree.nodes[index];
        let (words, speaker) = (self.words, self.speaker);
        let whole: Vec<MoveText> = node.path.iter().chain(&node.pv).copied().collect();
        let spoken = speaker.notation.moves(&whole);
        let (before, after) = spoken.split_at(node.path.len().min(spoken.len()));
        let wide = |name: &str, content: Markup| html! { tr { th scope="row" { (words.get(name)) } td { (content) } } };
        let row = |name: &str, text: String| wide(name, html! { (text) });
        let own = node.own_value.map(|own| {
            let at_root = (0..node.path.len()).fold(own, |score, _| score.for_parent());
            speaker.score(at_root, node.seen_from_root(node.own_bound))
        });
        html! {
            table class="facts" {
                (wide("path", if before.is_empty() { html! { (words.get("root")) } } else { cells::moves(before) }))
                (row("value", value(node, speaker)))
                @if let Some(own) = own { (row("own-value", own)) }
                (row("depth", node.depth.to_string()))
                (row("nodes", grouped(node.nodes)))
                (row("reach", percent(node.probability)))
                (row("worker", place(node, words).unwrap_or_else(|| words.get("nobody"))))
                @if !node.joined.is_empty() { (row("joined", worker_names(&node.joined, words))) }
                @if !after.is_empty() { (wide("line", cells::moves(after))) }
                @if let Some(reason) = self.reasons.iter().find(|reason| reason.node == index) {
                    (row("why-not", speaker.reason(reason, words)))
                }
            }
        }
    }
}

fn value(node: &NodeView, speaker: &PageSpeaker) -> String {
    node.value_at_root().map_or_else(|| "?".to_owned(), |score| speaker.score(score, node.bound_at_root()))
}

/// Describes which worker is searching the node, and for how long.
fn place(node: &NodeView, words: &Words) -> Option<String> {
    match &node.worker {
        Some((name, since)) => {
            let more = if node.joined.is_empty() { String::new() } else { format!(" +{}", node.joined.len()) };
            Some(format!("{}{more}, {:.1} s", worker_name(name, words), since.as_secs_f64()))
        }
        None if node.solved => Some(words.get("decided")),
        None => None,
    }
}

pub fn percent(share: f64) -> String {
    let share = 100.0 * share;
    if share >= 9.95 { format!("{share:.0} %") } else { format!("{share:.1} %") }
}
