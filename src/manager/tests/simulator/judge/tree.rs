//! Rules about the master tree, checked on its snapshot.

use super::super::gui::position;
use super::{Broken, broken};
use hasami_api::Game;
use hasami_toy::Toy;
use hasami_tree::{NodeView, Snapshot};
use std::collections::HashSet;

/// The tree may have this many nodes per worker. When a worker moves to another node, its old node stays in the tree.
const NODES_PER_WORKER: usize = 64;

pub fn check(snapshot: &Snapshot, workers: usize) -> Result<(), Broken> {
    let nodes = &snapshot.nodes;
    if nodes.len() > 256 + NODES_PER_WORKER * workers {
        return broken("tree-grows", format!("{} nodes for {workers} workers", nodes.len()));
    }
    let Some(root) = position(&snapshot.root) else { return broken("illegal-root", format!("{:?}", snapshot.root)) };
    let mut paths = HashSet::new();
    for (index, node) in nodes.iter().enumerate() {
        if !paths.insert(&node.path) {
            return broken("siblings-alike", format!("{:?}", node.path));
        }
        member(&root, nodes, index, node)?;
    }
    let busy = nodes.iter().filter(|node| node.worker.is_some()).count();
    if busy > nodes.len().min(workers) { broken("more-sitting-than-hired", busy.to_string()) } else { Ok(()) }
}

fn member(root: &Toy, nodes: &[NodeView], index: usize, node: &NodeView) -> Result<(), Broken> {
    let found = || format!("node {index}: {:?}", node.path);
    match (index, node.parent) {
        (0, None) if node.path.is_empty() => {}
        (_, Some(parent)) if parent < index => {
            let above = &nodes[parent];
            if node.path.split_last().map(|(_, path)| path) != Some(&above.path[..]) {
                return broken("path-not-its-parents", found());
            }
            if node.probability > above.probability + 1e-9 {
                return broken("likelier-than-its-parent", found());
            }
        }
        _ => return broken("child-before-parent", found()),
    }
    if !(0.0..=1.0 + 1e-9).contains(&node.probability) {
        return broken("not-a-probability", format!("{}: {}", found(), node.probability));
    }
    let mut game = root.clone();
    for text in &node.path {
        let Ok(m) = game.parse_move(text) else { return broken("illegal-node", found()) };
        game.make(m);
    }
    Ok(())
}
