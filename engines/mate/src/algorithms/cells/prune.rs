//! Frees room in a host's tree by dropping the worst sub-trees, which are searched again if they are needed.

use super::tree::{HostTree, Id, ROOT};

/// Collapses sub-trees until the tree has at most `most` nodes, if possible, and returns the number of collapsed
/// sub-trees. Sub-trees ranked farthest behind the best alternative are collapsed first. Sub-trees on the best line and
/// sub-trees that a cell is searching are kept.
pub(crate) fn make_room<M: Copy>(tree: &mut HostTree<M>, most: usize) -> u64 {
    let mut pruned = 0;
    let mut worst = candidates(tree);
    worst.sort_unstable_by_key(|&(behind, id)| (std::cmp::Reverse(behind), id));
    for (_, id) in worst {
        if tree.len() <= most {
            break;
        }
        pruned += 1;
        tree.collapse(id);
        let node = tree.node_mut(id);
        node.visits = node.visits.saturating_add(1);
        tree.update(id);
    }
    pruned
}

/// Returns the uppermost nodes that could become leaves, each with how far it ranks behind the best alternative.
fn candidates<M: Copy>(tree: &HostTree<M>) -> Vec<(u32, Id)> {
    let (mut found, mut open) = (Vec::new(), vec![(ROOT, 0u32)]);
    let leaf_attacks = tree.measure().leaf_attacks();
    while let Some((id, behind)) = open.pop() {
        let node = tree.node(id);
        if behind > 0 && node.busy() == 0 && node.attacks == leaf_attacks {
            found.push((behind, id));
            continue;
        }
        let own = |child: Id| {
            let child = tree.node(child);
            tree.measure().rank(node.attacks, child.pn, child.dn, 0).0
        };
        let inner = |&child: &Id| !tree.node(child).is_leaf() && !tree.node(child).is_decided();
        let best = tree.children(id).filter(|&child| !tree.node(child).is_decided()).map(own).min().unwrap_or_default();
        open.extend(tree.children(id).filter(inner).map(|child| (child, behind.max(own(child) - best))));
    }
    found
}
