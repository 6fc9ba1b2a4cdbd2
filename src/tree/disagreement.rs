//! Explains why the value of the root differs from that of the answer, or from that of the best move's node.

use super::Told;
use super::snapshot::{NodeView, Snapshot};
use hasami_api::{Bound, MoveText, Score};
use hasami_words::Words;

/// Two values that one would expect to be equal, both from the point of view of the side to move at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Disagreement {
    /// The root's value is currently a bound, so its last exact value was reported.
    Root { value: Score, bound: Bound, told: Score },
    /// The root was searched with all its moves, and the move that was best there has also been searched on its own.
    Move { node: usize, mv: MoveText, value: (Score, Bound), root: (Score, Bound) },
}

impl Disagreement {
    /// The index of the node in [`Snapshot::nodes`].
    pub const fn node(&self) -> usize {
        match self {
            Self::Root { .. } => 0,
            Self::Move { node, .. } => *node,
        }
    }

    /// The disagreement as a line of text. `name` writes a move at the root, `marked` a value.
    pub fn text(
        &self,
        name: impl Fn(&[MoveText]) -> String,
        marked: impl Fn(Score, Bound) -> String,
        words: &Words,
    ) -> String {
        match *self {
            Self::Root { value, bound, told } => {
                let (value, told) = (marked(value, bound), marked(told, Bound::Exact));
                words.with("differs-root", &[("value", (&value).into()), ("told", (&told).into())])
            }
            Self::Move { mv, value, root, .. } => {
                let (mv, value, root) = (name(&[mv]), marked(value.0, value.1), marked(root.0, root.1));
                let values = [("move", (&mv).into()), ("value", (&value).into()), ("root", (&root).into())];
                words.with("differs-move", &values)
            }
        }
    }
}

/// The disagreements between a tree and the answer that was reported.
pub fn disagreements(tree: &Snapshot, told: Told) -> Vec<Disagreement> {
    let Some(root) = tree.nodes.first() else { return Vec::new() };
    of_root(root, told).into_iter().chain(of_move(tree, root, told)).collect()
}

fn of_root(root: &NodeView, told: Told) -> Option<Disagreement> {
    let value = root.value.filter(|value| *value != told.score && root.bound != Bound::Exact)?;
    Some(Disagreement::Root { value, bound: root.bound, told: told.score })
}

fn of_move(tree: &Snapshot, root: &NodeView, told: Told) -> Option<Disagreement> {
    let value = root.value.filter(|value| root.own_value == Some(*value) && root.pv.first() == Some(&told.best))?;
    let is_best = |node: &&NodeView| node.parent == Some(0) && node.path.last() == Some(&told.best);
    let node = tree.nodes.iter().position(|node| is_best(&node))?;
    let child = &tree.nodes[node];
    let found = (child.value_at_root()?, child.bound_at_root());
    let root = (value, root.bound);
    (found.0 != root.0).then_some(Disagreement::Move { node, mv: told.best, value: found, root })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::marked_score;
    use hasami_api::MateUnit;
    use hasami_words::Language;

    fn node(parent: Option<usize>, path: &str, cp: i32) -> NodeView {
        NodeView {
            parent,
            path: path.split_whitespace().map(|m| m.parse().unwrap()).collect(),
            value: Some(Score::cp(cp)),
            bound: Bound::Exact,
            own_value: Some(Score::cp(cp)),
            own_bound: Bound::Exact,
            depth: 9,
            nodes: 1,
            probability: 1.0,
            worker: None,
            joined: Vec::new(),
            solved: false,
            pv: vec!["e7e8q".parse().unwrap()],
        }
    }

    fn texts(nodes: Vec<NodeView>, told: i32, language: Language) -> Vec<String> {
        let told = Told { best: "e7e8q".parse().unwrap(), score: Score::cp(told) };
        let tree = Snapshot { nodes, mate_unit: MateUnit::Moves, ..Snapshot::default() };
        let name = |line: &[MoveText]| line[0].to_string();
        let marked = |score, bound| marked_score(score, bound, MateUnit::Moves);
        let found = disagreements(&tree, told);
        found.iter().map(|found| found.text(name, marked, Words::of(language))).collect()
    }

    #[test]
    fn a_move_with_another_value_in_its_own_search_is_explained() {
        let tree = |child: i32| vec![node(None, "", 43), node(Some(0), "d2d4", -50), node(Some(0), "e7e8q", -child)];
        let expected = "e7e8q is +0.04 in its own search and +0.43 in the search of all root moves";
        assert_eq!(texts(tree(4), 43, Language::English), [expected]);
        assert!(texts(tree(43), 43, Language::English).is_empty(), "they agree");
        // The root's value comes from another move, so there is no disagreement about the first one.
        let mut other = tree(4);
        other[0].pv = vec!["d2d4".parse().unwrap()];
        assert!(texts(other, 43, Language::English).is_empty());
        let mut of_tree = tree(4);
        of_tree[0].own_value = Some(Score::cp(1));
        assert!(texts(of_tree, 43, Language::English).is_empty());
    }

    #[test]
    fn a_root_that_is_only_a_bound_is_explained_with_its_last_exact_value() {
        let tree =
            |bound| vec![NodeView { bound, ..node(None, "", 30) }, NodeView { bound, ..node(Some(0), "e7e8q", -30) }];
        let found = texts(tree(Bound::Upper), 43, Language::English);
        assert_eq!(found[0], "the root is <=+0.30 in the tree, and its last exact value is +0.43");
        assert!(texts(tree(Bound::Exact), 30, Language::English).is_empty());
        for language in Language::ALL {
            assert!(texts(tree(Bound::Upper), 43, language).iter().all(|line| line.chars().count() <= 80));
        }
    }
}
