//! Tests how a tree computes numbers, and how it adds and drops nodes.

use super::{task, virtual_machine};
use crate::algorithms::cells::measure::Measure;
use crate::algorithms::cells::prune::make_room;
use crate::algorithms::cells::tree::{HostTree, Id, NO_TASK, ROOT};
use crate::interface::cell_options::{CellOptions, CellSearch};
use crate::interface::options::SolverOptions;
use crate::interface::request::MateRequest;
use crate::interface::solver::MateSolver;
use crate::{Algorithm, MateEngine};
use hasami_api::{MateAnswer, Stop};
use hasami_shogi::Shogi;

/// Adds children with the proof and disproof numbers, or the values, in `numbers`.
fn with_children(tree: &mut HostTree<u32>, parent: Id, numbers: &[(u32, u32)]) -> Vec<Id> {
    let mut ids: Vec<Id> = numbers.iter().enumerate().rev().map(|(m, _)| tree.add(parent, m as u32)).collect();
    ids.reverse();
    for (&id, &(pn, dn)) in ids.iter().zip(numbers) {
        let node = tree.node_mut(id);
        (node.pn, node.dn) = (pn, dn);
        tree.combine(id);
    }
    tree.update(parent);
    ids
}

#[test]
fn values_are_minimax_and_leaves_are_chosen_in_their_order() {
    let mut tree = HostTree::new(Measure::Value, true);
    let checks = with_children(&mut tree, ROOT, &[(9, 1), (5, 1), (7, 1)]);
    assert_eq!((tree.root().pn, tree.choose()), (5, Some(checks[1])));
    let answers = with_children(&mut tree, checks[1], &[(6, 1), (8, 1)]);
    assert_eq!(tree.node(checks[1]).pn, 8, "the defender's best answer");
    assert_eq!((tree.root().pn, tree.choose()), (7, Some(checks[2])));
    tree.node_mut(checks[2]).task = 1;
    tree.update(checks[2]);
    assert_eq!((tree.choose(), tree.leaves(), tree.root().busy()), (Some(answers[1]), 4, 1));
}

#[test]
fn proof_numbers_are_between_weak_numbers_and_sums() {
    let mut tree = HostTree::new(Measure::Proof, true);
    let checks = with_children(&mut tree, ROOT, &[(4, 3), (2, 5)]);
    assert_eq!((tree.root().pn, tree.root().dn), (2, 6), "the other side's number is weak");
    with_children(&mut tree, checks[1], &[(8, 2), (5, 3)]);
    assert_eq!((tree.node(checks[1]).pn, tree.node(checks[1]).dn), (8 + 2, 2));
    assert_eq!(tree.root().pn, 4);
}

#[test]
fn a_decided_node_keeps_one_line_and_cancels_tasks_at_siblings() {
    let mut tree = HostTree::new(Measure::Value, true);
    let checks = with_children(&mut tree, ROOT, &[(9, 1), (5, 1), (7, 1)]);
    let answers = with_children(&mut tree, checks[0], &[(3, 1), (4, 1), (5, 1)]);
    for (task, id) in [(1, checks[1]), (2, answers[0]), (3, checks[2])] {
        tree.node_mut(id).task = task;
        tree.update(id);
    }
    tree.prove(answers[1], 3);
    tree.update(answers[1]);
    tree.prove(answers[2], 7);
    tree.update(answers[2]);
    assert!(
        tree.useless.is_empty() && tree.len() == 6,
        "the shorter of two failed defences is dropped: {}",
        tree.len()
    );
    tree.disprove(checks[2]);
    tree.update(checks[2]);
    assert_eq!((tree.useless.drain(..).collect::<Vec<_>>(), tree.len()), (vec![3], 5));
    let leaf = tree.node_mut(answers[0]);
    leaf.task = NO_TASK;
    tree.prove(answers[0], 1);
    tree.update(answers[0]);
    assert_eq!((tree.root().is_proved(), tree.root().plies, tree.line_from(ROOT)), (true, 9, vec![0, 2]));
    assert_eq!((tree.useless.drain(..).collect::<Vec<_>>(), tree.len()), (vec![1], 3));
}

#[test]
fn a_refuting_answer_cancels_tasks_at_its_siblings() {
    let mut tree = HostTree::new(Measure::Proof, true);
    let checks = with_children(&mut tree, ROOT, &[(9, 1)]);
    let answers = with_children(&mut tree, checks[0], &[(3, 1), (4, 1)]);
    tree.node_mut(answers[1]).task = 8;
    tree.update(answers[1]);
    tree.disprove(answers[0]);
    tree.update(answers[0]);
    assert_eq!((tree.root().is_disproved(), tree.len(), &tree.useless[..]), (true, 1, &[8][..]));
}

#[test]
fn drops_wait_for_the_first_drop_on_their_square_to_fail() {
    let mut tree = HostTree::new(Measure::Proof, true);
    let checks = with_children(&mut tree, ROOT, &[(9, 1)]);
    let answers = with_children(&mut tree, checks[0], &[(3, 1), (4, 1), (5, 1)]);
    for (index, &id) in answers.iter().enumerate() {
        let node = tree.node_mut(id);
        (node.square, node.waits) = (Some(7), index > 0);
        tree.combine(id);
    }
    tree.update(checks[0]);
    assert_eq!((tree.root().pn, tree.leaves()), (3, 1));
    for (index, &id) in answers.iter().enumerate() {
        assert_eq!(tree.choose(), Some(id));
        tree.prove(id, 2);
        tree.update(id);
        assert_eq!(tree.root().is_proved(), index == 2);
    }
}

#[test]
fn the_worst_sub_trees_are_pruned_first_and_the_best_line_never() {
    let mut tree = HostTree::new(Measure::Value, true);
    let checks = with_children(&mut tree, ROOT, &[(9, 1), (5, 1), (7, 1)]);
    for &check in &checks {
        let value = tree.node(check).pn;
        let answers = with_children(&mut tree, check, &[(value, 1)]);
        with_children(&mut tree, answers[0], &[(value, 1); 5]);
    }
    let all = tree.len();
    assert!(make_room(&mut tree, all - 1) > 0);
    assert!(tree.node(checks[0]).is_leaf() && !tree.node(checks[2]).is_leaf(), "no more is pruned than needed");
    assert_eq!((tree.len(), tree.node(checks[0]).pn, tree.node(checks[0]).visits), (all - 6, 9, 1));
    let busy = tree.children(checks[2]).next().and_then(|answer| tree.children(answer).next()).unwrap();
    tree.node_mut(busy).task = 1;
    tree.update(busy);
    make_room(&mut tree, 1);
    assert_eq!(tree.len(), all - 6, "the second worst has a task and the best is never pruned");
}

/// In problem 75 of Shogi Muso, large sub-trees arrive that fit only after others have been pruned.
#[test]
fn a_leaf_whose_sub_tree_arrives_is_not_pruned_to_make_room() {
    let position = "1pg2p1l1/3gG1n2/6S2/1Sbp5/2p2s2L/1l2P1+p2/LR4+R2/k6P1/2+p+s1G1+p1 b B6P3n3p 1";
    let (cells, machine) =
        (CellOptions { search: CellSearch::BestFirst, ..CellOptions::default() }, virtual_machine(8, 0, 1));
    let options = SolverOptions { hash_mb: 1, machine, cells, ..SolverOptions::default() };
    let mut solver = MateEngine::<Shogi>::with_options(Algorithm::Cells, &options);
    let found = solver.examine(&task(position, 300_000), MateRequest::default(), &Stop::new()).unwrap();
    assert_eq!(found.answer, MateAnswer::Unknown);
    assert!(found.usage.unwrap().pruned.0 > 100);
}
