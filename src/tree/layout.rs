//! Computes where a picture shows each node: one column per ply, one row per leaf, and each parent midway between its
//! first and last child.

use super::snapshot::Snapshot;

/// Column and row of each node. The row of an inner node may be fractional.
pub struct Layout {
    pub places: Vec<(f64, f64)>,
    pub columns: usize,
    pub rows: usize,
}

impl Layout {
    /// Places the nodes. Siblings are ordered from top to bottom by probability.
    pub fn new(tree: &Snapshot) -> Self {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); tree.nodes.len()];
        for (index, node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(index);
            }
        }
        for siblings in &mut children {
            siblings.sort_by(|&a, &b| tree.nodes[b].probability.total_cmp(&tree.nodes[a].probability));
        }
        let (leaf_rows, rows) = leaf_rows(&children);
        let mut layout = Self { places: vec![(0.0, 0.0); tree.nodes.len()], columns: 1, rows };
        // Parents precede their children in the list, so traversing the list backwards visits children first.
        for index in (0..tree.nodes.len()).rev() {
            let column = tree.nodes[index].path.len();
            let row = match (children[index].first(), children[index].last()) {
                (Some(&first), Some(&last)) => (layout.places[first].1 + layout.places[last].1) / 2.0,
                _ => leaf_rows[index] as f64,
            };
            layout.columns = layout.columns.max(column + 1);
            layout.places[index] = (column as f64, row);
        }
        layout
    }
}

/// Numbers the leaves in depth-first order, from top to bottom. Returns the row of each node, which is meaningful for
/// leaves only, and the number of rows.
fn leaf_rows(children: &[Vec<usize>]) -> (Vec<usize>, usize) {
    let (mut rows, mut count) = (vec![0; children.len()], 0);
    let mut open: Vec<usize> = if children.is_empty() { Vec::new() } else { vec![0] };
    while let Some(index) = open.pop() {
        if children[index].is_empty() {
            rows[index] = count;
            count += 1;
        }
        open.extend(children[index].iter().rev());
    }
    (rows, count)
}
