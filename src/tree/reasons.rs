//! Explains why a move that looks as good as the answer, or better, was not chosen.

use super::snapshot::{NodeView, Snapshot, marked_score};
use hasami_api::{Bound, MateUnit, MoveText, Score};
use hasami_words::Words;

/// The answer's first move and its score, as they were reported.
#[derive(Clone, Copy)]
pub struct ChosenMove {
    pub best: MoveText,
    pub score: Score,
}

/// A move at the root that was not chosen, and why. Values are for the side to move at the root.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// The index of the move's node in [`Snapshot::nodes`].
    pub node: usize,
    pub mv: MoveText,
    /// The value that the move appears to have. For a refuted move, the value without the refuting reply.
    pub value: Score,
    pub bound: Bound,
    pub why: Why,
    unit: MateUnit,
}

/// The reason why a move was not chosen.
#[derive(Clone, PartialEq, Debug)]
pub enum Why {
    /// The answer has the same value and reached it earlier.
    Later { best: MoveText },
    /// The value of the move is only a lower bound.
    Uncertain,
    /// The named reply lowers the value of the move.
    Refuted { reply: MoveText, value: Score, bound: Bound },
    /// In the tree, the answer's value is higher than its last exact value, which was reported.
    AboveItsExact { best: MoveText, value: Score, bound: Bound, exact: Score },
    /// The answer comes from a search of all moves at the root.
    FromTheRoot { best: MoveText },
}

impl Reason {
    /// Describes the move, its value, and why it was not chosen. `name` formats the last move of a line from the root.
    pub fn text(&self, name: impl Fn(&[MoveText]) -> String, words: &Words) -> String {
        let score = |score, bound| marked_score(score, bound, self.unit);
        let (mv, value) = (name(&[self.mv]), score(self.value, self.bound));
        let why = self.why_text(name, score, words);
        words.with("reason-not", &[("move", (&mv).into()), ("value", (&value).into()), ("why", (&why).into())])
    }

    /// Explains why the move was not chosen. `name` formats the last move of a line from the root, and `score` formats
    /// a value.
    pub fn why_text(
        &self,
        name: impl Fn(&[MoveText]) -> String,
        score: impl Fn(Score, Bound) -> String,
        words: &Words,
    ) -> String {
        match self.why {
            Why::Later { best } => words.with("reason-later", &[("best", (&name(&[best])).into())]),
            Why::Uncertain => words.get("reason-uncertain"),
            Why::Refuted { reply, value, bound } => {
                let (reply, value) = (name(&[self.mv, reply]), score(value, bound));
                words.with("reason-refuted", &[("reply", (&reply).into()), ("value", (&value).into())])
            }
            Why::AboveItsExact { best, value, bound, exact } => {
                let (best, value, exact) = (name(&[best]), score(value, bound), score(exact, Bound::Exact));
                let values = [("best", (&best).into()), ("value", (&value).into()), ("exact", (&exact).into())];
                words.with("reason-above", &values)
            }
            Why::FromTheRoot { best } => words.with("reason-root", &[("best", (&name(&[best])).into())]),
        }
    }
}

/// For each move at the root that looks as good as the answer, why it was not chosen. The moves are in tree order.
pub fn reasons(tree: &Snapshot, chosen: ChosenMove) -> Vec<Reason> {
    let others = children_of(tree, 0).filter(|(_, node)| node.path.last() != Some(&chosen.best));
    others.filter_map(|(index, node)| reason(tree, index, node, chosen)).collect()
}

fn children_of(tree: &Snapshot, parent: usize) -> impl Iterator<Item = (usize, &NodeView)> {
    tree.nodes.iter().enumerate().filter(move |(_, node)| node.parent == Some(parent))
}

/// Why one move was not chosen; `None` if the move looks worse than the answer or its value is unknown.
fn reason(tree: &Snapshot, index: usize, node: &NodeView, chosen: ChosenMove) -> Option<Reason> {
    let (unit, mv) = (tree.mate_unit, *node.path.last()?);
    let (value, bound) = (node.value_at_root()?, node.bound_at_root());
    let because = |why| Some(Reason { node: index, mv, value, bound, why, unit });
    if value > chosen.score {
        return because(beyond(tree, value, chosen));
    }
    if value == chosen.score {
        return because(Why::Later { best: chosen.best });
    }
    if bound == Bound::Lower {
        return because(Why::Uncertain);
    }
    // The move's worker searches only the replies without nodes, so a reply with its own node may refute the move.
    let own = node.own_value.map(|own| at_root(own, node)).filter(|own| *own >= chosen.score)?;
    let (_, reply) = children_of(tree, index).find(|(_, reply)| reply.value_at_root() == Some(value))?;
    let why = Why::Refuted { reply: *reply.path.last()?, value, bound };
    Some(Reason { node: index, mv, value: own, bound: Bound::Exact, why, unit })
}

/// Explains why a move with a higher value in the tree is not the answer.
fn beyond(tree: &Snapshot, found: Score, chosen: ChosenMove) -> Why {
    let best = chosen.best;
    let best_child = children_of(tree, 0).find(|(_, node)| node.path.last() == Some(&best));
    let standing = best_child.and_then(|(_, node)| Some((node.value_at_root()?, node.bound_at_root())));
    match standing.filter(|(score, _)| *score >= found) {
        Some((value, bound)) => Why::AboveItsExact { best, value, bound, exact: chosen.score },
        None => Why::FromTheRoot { best },
    }
}

/// Converts a score at a node to the point of view of the side to move at the root.
fn at_root(score: Score, node: &NodeView) -> Score {
    (0..node.path.len()).fold(score, |score, _| score.for_parent())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::time::Duration;

    /// Creates a node whose value is `cp` centipawns for the side to move at the node.
    fn node(parent: Option<usize>, path: &str, cp: i32, probability: f64) -> NodeView {
        NodeView {
            parent,
            path: path.split_whitespace().map(|m| m.parse().unwrap()).collect(),
            value: Some(Score::cp(cp)),
            bound: Bound::Exact,
            own_value: None,
            own_bound: hasami_api::Bound::Exact,
            depth: 9,
            nodes: 1,
            probability,
            worker: Some(("a".to_owned(), Duration::from_secs(1))),
            joined: Vec::new(),
            solved: false,
            pv: Vec::new(),
        }
    }

    fn chosen(cp: i32) -> ChosenMove {
        ChosenMove { best: "e2e4".parse().unwrap(), score: Score::cp(cp) }
    }

    /// Adds the nodes `more` to the test tree, and returns the reasons if the answer is `chosen`.
    fn reasons_of(more: Vec<NodeView>, chosen: ChosenMove) -> Vec<String> {
        let mut nodes = vec![node(None, "", 30, 1.0), node(Some(0), "e2e4", -30, 0.6)];
        nodes.extend(more);
        texts(reasons(&Snapshot { nodes, mate_unit: MateUnit::Moves, ..Snapshot::default() }, chosen))
    }

    fn texts(reasons: Vec<Reason>) -> Vec<String> {
        reasons.iter().map(|reason| reason.text(|line| line.last().unwrap().to_string(), Words::english())).collect()
    }

    #[test]
    fn worse_and_unknown_moves_need_no_reason() {
        let unknown = NodeView { value: None, ..node(Some(0), "g1f3", 0, 0.1) };
        assert!(reasons_of(vec![node(Some(0), "d2d4", -10, 0.3), unknown], chosen(30)).is_empty());
    }

    #[test]
    fn a_refutation_is_named() {
        let looks_good = NodeView { own_value: Some(Score::cp(-45)), ..node(Some(0), "d2d4", -20, 0.3) };
        let reply = node(Some(2), "d2d4 d7d5", 20, 0.2);
        let expected = "not d2d4, +0.45: after the reply d7d5 its value is +0.20";
        assert_eq!(reasons_of(vec![looks_good.clone(), reply], chosen(30)), [expected]);
        let modest = NodeView { own_value: Some(Score::cp(-25)), ..looks_good };
        assert!(reasons_of(vec![modest, node(Some(2), "d2d4 d7d5", 20, 0.2)], chosen(30)).is_empty());
    }

    #[test]
    fn equal_values_and_bounds_are_explained() {
        let equal = node(Some(0), "d2d4", -30, 0.3);
        // A value of at most -25 for the opponent is a value of at least 25 for the side to move at the root.
        let open = NodeView { bound: Bound::Upper, ..node(Some(0), "c2c4", -25, 0.3) };
        let closed = NodeView { bound: Bound::Lower, ..node(Some(0), "b2b3", -25, 0.3) };
        let found = reasons_of(vec![equal, open, closed], chosen(30));
        assert_eq!(found[0], "not d2d4, +0.30: e2e4 has the same value and was found first");
        assert_eq!(found[1], "not c2c4, >=+0.25: its value may be higher, but that is not certain");
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_higher_value_than_the_reported_one_is_explained() {
        let higher = || vec![node(Some(0), "d2d4", -40, 0.3)];
        assert_eq!(
            reasons_of(higher(), chosen(30)),
            ["not d2d4, +0.40: e2e4 comes from a search of all moves at the root"]
        );
        let mut nodes = vec![node(None, "", 50, 1.0)];
        nodes.push(NodeView { bound: Bound::Upper, ..node(Some(0), "e2e4", -50, 0.6) });
        nodes.extend(higher());
        let found = texts(reasons(&Snapshot { nodes, mate_unit: MateUnit::Moves, ..Snapshot::default() }, chosen(30)));
        assert_eq!(found, ["not d2d4, +0.40: e2e4 is >=+0.50 in the tree, and its last exact value is +0.30"]);
    }

    #[test]
    fn every_reason_fits_a_narrow_terminal() {
        let long = |cp| NodeView { bound: Bound::Upper, ..node(Some(0), "e7e8q", cp, 0.3) };
        let mut more = vec![long(-40), long(-30), long(-25)];
        more[2].own_value = Some(Score::cp(-30));
        assert!(reasons_of(more, chosen(30)).iter().all(|line| line.chars().count() <= 80));
    }
}
