//! Tests the tree with chess and with synthetic games.
#![allow(clippy::unwrap_used)]

use super::rules::TreeRules;
use super::*;
use hasami_api::{Bound, Game, MoveText, RankedMove, Report, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::settings::TreeModel;
use hasami_toy::{Toy, mix};

fn text(text: &str) -> MoveText {
    text.parse().unwrap()
}

fn chess() -> MasterTree<Chess> {
    MasterTree::new(Chess::new(&Start::default()).unwrap())
}

fn position(fen: &str) -> MasterTree<Chess> {
    MasterTree::new(Chess::new(&Start { text: Some(fen.into()), ..Start::default() }).unwrap())
}

fn report(cp: i32, depth: u16, pv: &[&str]) -> Report {
    let pv = pv.iter().map(|m| text(m)).collect();
    Report { depth, seldepth: depth, nodes: u64::from(depth) * 1000, pv, ..Report::new(Score::cp(cp)) }
}

/// Returns the node that a worker is assigned to.
fn node_of<G: Game>(tree: &MasterTree<G>, worker: u32) -> Option<NodeId> {
    tree.iter().find(|(_, node)| node.worker.is_some_and(|assigned| assigned.worker == worker)).map(|(id, _)| id)
}

fn child(tree: &mut MasterTree<Chess>, parent: NodeId, m: &str) -> NodeId {
    let m = tree.at(parent, |game| game.parse_move(m).unwrap());
    tree.add_child(parent, m)
}

fn node_worker(worker: u32) -> Option<NodeWorker> {
    Some(NodeWorker { worker, since: std::time::Duration::ZERO })
}

#[test]
fn values_are_backed_up_by_min_max() {
    let mut tree = chess();
    let root = tree.root();
    let e4 = child(&mut tree, root, "e2e4");
    let e5 = child(&mut tree, e4, "e7e5");
    let d4 = child(&mut tree, root, "d2d4");
    tree.record(e4, &report(-10, 8, &["c7c5"]));
    tree.record(d4, &report(-25, 8, &["d7d5"]));
    assert_eq!(tree.node(root).value.unwrap().score, Score::cp(25));
    assert_eq!(tree.best_move(root), Some(text("d2d4")));
    tree.record(e5, &report(-40, 7, &["g1f3"]));
    // Black's best move is e7e5, which is better than c7c5 and worth 40 to Black.
    assert_eq!(tree.node(e4).value.unwrap().score, Score::cp(40));
    assert_eq!(tree.node(root).value.unwrap().score, Score::cp(25));
    tree.record(root, &report(90, 9, &["c2c4", "e7e5"]));
    assert_eq!(tree.variation(root), vec![text("c2c4"), text("e7e5")], "one of the remaining moves is best");
    tree.check().unwrap();
}

#[test]
fn a_position_searched_with_all_moves_is_settled_when_they_are() {
    // The only legal move leaves just the two kings, which is a draw.
    let start = Start { text: Some("7k/8/8/8/8/8/1q6/K7 w - - 0 1".into()), ..Start::default() };
    let mut tree = MasterTree::anticipating(Chess::new(&start).unwrap());
    let root = tree.root();
    tree.record(root, &report(-30, 9, &["a1b2"]));
    child(&mut tree, root, "a1b2");
    assert_eq!(tree.node(root).settled, Settled::Proof(Score::DRAW));
    assert_eq!(tree.node(root).value.unwrap().score, Score::DRAW);
    assert_eq!(tree.best_move(root), Some(text("a1b2")));
    tree.check().unwrap();
}

#[test]
fn findings_about_some_replies_do_not_cover_all_after_our_move() {
    let mut tree = MasterTree::anticipating(Chess::new(&Start::default()).unwrap());
    let root = tree.root();
    let e4 = child(&mut tree, root, "e2e4");
    let e5 = child(&mut tree, e4, "e7e5");
    tree.record(e5, &report(-50, 8, &["g1f3"]));
    // This finding covers all replies except e7e5, which has its own node.
    tree.record(e4, &Report { score: Score::loss_in(4), ..report(0, 8, &["a7a6"]) });
    assert_eq!(tree.node(e4).value.unwrap().score, Score::cp(50));
    let m = tree.at(root, |game| game.parse_move("e2e4").unwrap());
    tree.reroot_before_reply(&[m]);
    assert_eq!(tree.root(), e4);
    assert_eq!(tree.node(e4).value.unwrap().score, Score::cp(50));
    tree.check().unwrap();
}

#[test]
fn a_lost_value_is_a_lower_bound_if_another_move_may_be_better() {
    let mut tree = chess();
    let root = tree.root();
    let e4 = child(&mut tree, root, "e2e4");
    tree.record(e4, &Report { score: Score::win_in(3), ..report(0, 8, &["e7e5"]) });
    for (bound, expected) in [(Bound::Upper, Bound::Exact), (Bound::Exact, Bound::Exact), (Bound::Lower, Bound::Lower)]
    {
        for plies in [2, 4] {
            tree.record(root, &Report { score: Score::loss_in(plies), bound, ..report(0, 9, &["d2d4"]) });
            let value = tree.node(root).value.unwrap();
            assert_eq!((value.score, value.bound), (Score::loss_in(4), expected), "{bound:?} {plies}");
        }
    }
}

#[test]
fn a_child_inherits_the_finding_of_its_parent() {
    let mut tree = chess();
    let root = tree.root();
    tree.record(root, &report(30, 12, &["e2e4", "e7e5", "g1f3"]));
    let e4 = child(&mut tree, root, "e2e4");
    let own = tree.node(e4).finding().unwrap();
    assert_eq!((own.score, own.depth, own.inherited), (Score::cp(-30), 11, true));
    assert!(tree.node(root).finding().is_none(), "the remaining moves are unknown now");
    assert_eq!(tree.variation(root), vec![text("e2e4"), text("e7e5"), text("g1f3")]);
    tree.record(e4, &report(50, 3, &["c7c5"]));
    assert_eq!(tree.node(root).value.unwrap().score, Score::cp(30), "a shallow report does not replace a deep one");
    tree.record(e4, &report(-5, 9, &["c7c5"]));
    assert_eq!(tree.node(root).value.unwrap().score, Score::cp(5));
}

#[test]
fn a_child_does_not_inherit_illegal_moves() {
    for word in ["resign", "e2e4", "(none)"] {
        let mut tree = chess();
        let root = tree.root();
        tree.record(root, &report(30, 12, &["e2e4", word, "g1f3"]));
        let e4 = child(&mut tree, root, "e2e4");
        let own = tree.node(e4).finding().unwrap();
        assert_eq!((own.score, own.pv.len()), (Score::cp(-30), 0), "{word}");
        assert_eq!(tree.best_move(e4), None, "{word}");
    }
}

#[test]
fn workers_stay_at_their_nodes_when_moves_are_played() {
    let mut tree = chess();
    let root = tree.root();
    let e4 = child(&mut tree, root, "e2e4");
    let e5 = child(&mut tree, e4, "e7e5");
    let nf3 = child(&mut tree, e5, "g1f3");
    let d4 = child(&mut tree, root, "d2d4");
    for (worker, id) in [root, e4, e5, nf3, d4].into_iter().enumerate() {
        tree.set_worker(id, node_worker(worker as u32));
    }
    let moves: Vec<_> = tree.path(e5).into_iter().map(|(m, _)| m).collect();
    tree.reroot(&moves);
    tree.check().unwrap();
    assert_eq!(tree.root(), e5);
    assert_eq!((node_of(&tree, 2), node_of(&tree, 3)), (Some(e5), Some(nf3)));
    assert_eq!([0, 1, 4].map(|worker| node_of(&tree, worker)), [None; 3]);
    assert_eq!(tree.depth(nf3), 1);
    assert!(tree.get(d4).is_none());
}

#[test]
fn a_move_without_a_node_makes_a_new_root() {
    let mut tree = chess();
    let root = tree.root();
    tree.record(root, &report(20, 9, &["e2e4", "c7c5"]));
    let m = tree.game().parse_move("e2e4").unwrap();
    tree.reroot(&[m]);
    tree.check().unwrap();
    assert_eq!(tree.len(), 1);
    let value = tree.node(tree.root()).value.unwrap();
    assert_eq!((value.score, value.depth), (Score::cp(-20), 8), "inherited from the variation");
}

#[test]
fn transpositions_share_one_node() {
    let mut tree = chess();
    let root = tree.root();
    let mut line = |moves: &[&str]| moves.iter().fold(root, |at, m| child(&mut tree, at, m));
    let first = line(&["g1f3", "g8f6", "b1c3"]);
    let second = line(&["b1c3", "g8f6", "g1f3"]);
    assert_eq!(tree.node(second).twin, Some(first));
    assert!(!tree.node(second).is_open() && tree.node(first).is_open());
    tree.record(first, &report(12, 8, &["e7e5"]));
    assert_eq!(tree.node(second).value.unwrap().score, Score::cp(12));
    let parent = tree.node(second).parent.unwrap();
    assert_eq!(tree.node(parent).value.unwrap().score, Score::cp(-12), "the value is backed up on both paths");
    tree.check().unwrap();
}

#[test]
fn a_transposition_takes_over_when_its_twin_is_removed() {
    let mut tree = chess();
    let root = tree.root();
    let mut line = |moves: &[&str]| moves.iter().fold(root, |at, m| child(&mut tree, at, m));
    let first = line(&["g1f3", "g8f6", "b1c3"]);
    let deeper = line(&["g1f3", "g8f6", "b1c3", "e7e5"]);
    let second = line(&["b1c3", "g8f6", "g1f3"]);
    tree.set_worker(first, node_worker(7));
    tree.set_worker(deeper, node_worker(8));
    tree.record(deeper, &report(33, 8, &["d2d4"]));
    let m = tree.game().parse_move("b1c3").unwrap();
    tree.reroot(&[m]);
    tree.check().unwrap();
    assert!(tree.get(first).is_none());
    assert_eq!(node_of(&tree, 7), Some(second), "the worker continues at the other node of its position");
    assert_eq!(tree.node(deeper).parent, Some(second));
    assert_eq!(tree.node(second).value.unwrap().score, Score::cp(-33));
}

#[test]
fn mate_and_stalemate_are_settled() {
    let mut tree = position("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
    let root = tree.root();
    let stalemate = child(&mut tree, root, "f7f6");
    assert!(!tree.node(stalemate).settled.is_settled(), "f7f6 leaves a move");
    let mate = child(&mut tree, root, "f7g7");
    assert_eq!(tree.node(mate).settled, Settled::Rules(Score::loss_in(0)));
    assert_eq!(tree.node(root).settled, Settled::Proof(Score::win_in(1)));
    assert!(tree.is_dead(stalemate), "nothing below a decided node matters");
    assert_eq!(tree.variation(root), vec![text("f7g7")]);
}

#[test]
fn a_repetition_is_a_draw_in_the_tree_but_does_not_end_the_game_at_the_root() {
    let mut tree = chess();
    let mut at = tree.root();
    for m in ["g1f3", "g8f6", "f3g1", "f6g8"] {
        at = child(&mut tree, at, m);
    }
    assert_eq!(tree.node(at).settled, Settled::Repetition(Score::DRAW));
    let moves: Vec<_> = tree.path(at).into_iter().map(|(m, _)| m).collect();
    tree.reroot(&moves[..1]);
    tree.check().unwrap();
    assert!(!tree.node(at).settled.is_settled(), "its first occurrence lies before the new root");
    tree.reroot(&moves[1..]);
    assert!(tree.node(tree.root()).is_open());
    tree.check().unwrap();
}

#[test]
fn a_mate_within_the_searched_depth_is_a_proof_if_it_can_be_replayed() {
    let claim = |depth, pv: &[&str]| Report { depth, ..report(0, depth, pv) };
    let mate = |depth, pv: &[&str]| Report { score: Score::win_in(1), ..claim(depth, pv) };
    let mut tree = position("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    let root = tree.root();
    tree.record(root, &mate(1, &["a1a7"]));
    assert_eq!(tree.node(root).settled, Settled::No, "the claim is wrong");
    tree.record(root, &mate(2, &["a1a8", "g8f8"]));
    assert_eq!(tree.node(root).settled, Settled::No);
    tree.record(root, &mate(2, &["a1a8"]));
    assert_eq!(tree.node(root).settled, Settled::Proof(Score::win_in(1)));
}

#[test]
fn a_lost_child_settles_its_parent() {
    let mut tree = position("5rk1/5ppp/8/8/8/8/8/R3R2K b - - 0 1");
    let root = tree.root();
    let blunder = child(&mut tree, root, "f8a8");
    let lost = Report { score: Score::win_in(3), ..report(0, 4, &["a1a8"]) };
    tree.record(blunder, &lost);
    assert_eq!(tree.node(blunder).settled, Settled::No, "the line stops short of the mate");
    let lost = Report { score: Score::win_in(1), ..report(0, 4, &["a1a8"]) };
    tree.record(blunder, &lost);
    assert_eq!(tree.node(blunder).settled, Settled::Proof(Score::win_in(1)));
    assert_eq!(tree.node(root).settled, Settled::No, "other moves remain");
}

/// One move at the root is refuted, and the finding about the other moves is removed.
#[test]
fn a_lost_reply_says_nothing_about_the_others() {
    let mut tree = position("5rk1/5ppp/8/8/8/8/8/R3R2K b - - 0 1");
    let root = tree.root();
    let reply = child(&mut tree, root, "f8a8");
    tree.record(root, &report(-900, 9, &["h7h6"]));
    tree.record_mate(reply, &[text("a1a8")], 5);
    assert_eq!(tree.node(root).value.map(|value| value.score), Some(Score::cp(-900)), "another move is not a mate");
    tree.drop_finding(root);
    let value = tree.node(root).value.unwrap();
    assert_eq!((value.score, value.bound), (Score::loss_in(2), Bound::Lower));
    assert!(!tree.node(root).settled.is_settled());
    // Only two moves are allowed, and each has its own node, one without a value.
    let mut tree = position("5rk1/5ppp/8/8/8/8/8/R3R2K b - - 0 1");
    let root = tree.root();
    let both: Vec<_> = ["f8a8", "h7h6"].iter().map(|m| tree.game().parse_move(m).unwrap()).collect();
    tree.restrict(&both);
    let [reply, other] = ["f8a8", "h7h6"].map(|m| child(&mut tree, root, m));
    tree.record_mate(reply, &[text("a1a8")], 5);
    let value_of = |tree: &MasterTree<Chess>| tree.node(root).value.map(|value| (value.score, value.bound));
    assert_eq!(value_of(&tree), Some((Score::loss_in(2), Bound::Lower)));
    tree.record(other, &report(900, 9, &["a1a7"]));
    assert_eq!(value_of(&tree), Some((Score::cp(-900), Bound::Exact)));
}

#[test]
fn an_upper_bound_keeps_the_best_move() {
    let mut tree = chess();
    let root = tree.root();
    tree.record(root, &report(30, 9, &["e2e4", "e7e5"]));
    let fallen = Report { bound: Bound::Upper, ..report(-5, 10, &["e2e4"]) };
    tree.record(root, &fallen);
    assert_eq!(tree.variation(root), vec![text("e2e4"), text("e7e5")]);
    assert_eq!(tree.node(root).value.unwrap().score, Score::cp(-5));
}

#[test]
fn candidates_come_from_the_best_line_and_then_by_effort() {
    let mut tree = chess();
    let root = tree.root();
    let rank = |text: MoveText, nodes| RankedMove { text, nodes };
    let ranking = vec![rank(text("e2e4"), 900), rank(text("d2d4"), 500), rank(text("a2a5"), 50), rank(text("c2c4"), 9)];
    tree.record(root, &Report { ranking, ..report(30, 9, &["d2d4"]) });
    let next = |tree: &mut MasterTree<Chess>| tree.candidate(root).map(|c| (tree.game().format_move(c.m), c.score));
    assert_eq!(next(&mut tree), Some((text("d2d4"), Some(Score::cp(30)))));
    child(&mut tree, root, "d2d4");
    assert_eq!(next(&mut tree), Some((text("e2e4"), None)));
    child(&mut tree, root, "e2e4");
    assert_eq!(next(&mut tree), None, "a2a5 is illegal: the moves of workers are checked");
}

#[test]
fn only_some_moves_may_be_allowed_at_the_root() {
    let mut tree = chess();
    let root = tree.root();
    child(&mut tree, root, "e2e4");
    let allowed: Vec<_> = ["d2d4", "c2c4"].iter().map(|m| tree.game().parse_move(m).unwrap()).collect();
    tree.restrict(&allowed);
    tree.check().unwrap();
    assert_eq!(tree.len(), 1);
    assert!(tree.allows(root, allowed[0]) && tree.node(root).legal == 2);
    for m in &allowed {
        tree.add_child(root, *m);
    }
    assert!(!tree.node(root).has_others());
    tree.reroot(&allowed[..1]);
    tree.check().unwrap();
    assert!(tree.node(tree.root()).legal > 2, "the restriction applied to the old root");
}

#[test]
fn growth_maximizes_the_sum_of_depth_times_probability() {
    let table = Transitions { rank: vec![0.6, 0.3, 0.1], gap: vec![1.0; 11], logit: None };
    let model = Model::new(TreeModel::Rank, table, TreeRules::PAPER);
    let mut tree = chess();
    let root = tree.root();
    tree.record(root, &report(30, 20, &["e2e4", "e7e5", "g1f3", "b8c6"]));
    tree.set_worker(root, node_worker(0));
    let mut frontier = Frontier::default();
    frontier.rebuild(&tree, &model);
    let Some(WorkItem::Expand(first)) = frontier.pop(&tree, &model) else { panic!("the best line grows") };
    assert_eq!(first, root);
    let e4 = child(&mut tree, root, "e2e4");
    tree.set_worker(e4, node_worker(1));
    frontier.rebuild(&tree, &model);
    // The root has no second candidate. For e7e5 after e2e4, the probability is 0.6 x 0.6.
    assert_eq!(frontier.pop(&tree, &model), Some(WorkItem::Expand(e4)));
    assert!((tree.realization_probability(&model, e4).unwrap() - 0.6).abs() < 1e-12);
}

#[test]
fn both_ways_to_compute_realization_probabilities_agree() {
    let model = Model::new(TreeModel::Hasami, Transitions::default(), TreeRules::ALL);
    for replies in [false, true] {
        let mut tree = chess();
        let root = tree.root();
        for (step, line) in ["e2e4 e7e5 g1f3", "e2e4 c7c5 g1f3", "d2d4 d7d5 c2c4", "e2e4 e7e5 d2d4"].iter().enumerate()
        {
            let leaf = line.split(' ').fold(root, |at, m| child(&mut tree, at, m));
            tree.record(leaf, &report(30 * step as i32 - 40, 8, &[]));
        }
        if replies {
            tree.set_reply_awaited();
        }
        let all = tree.realization_probabilities(&model);
        assert_eq!(all.len(), tree.len());
        for (id, probability) in all {
            let Some(single) = tree.realization_probability(&model, id) else { panic!("{id:?} is not settled") };
            assert!((single - probability).abs() < 1e-12, "{:?}", tree.path(id));
        }
    }
}

/// Adds nodes, records reports, assigns workers and plays moves in random order.
#[test]
fn invariants_hold_under_random_operations() {
    for seed in 0..60u64 {
        let mut tree = MasterTree::new(Toy::new(&Toy::start(seed, 5)).unwrap());
        let mut noise = seed;
        let mut random = |below: usize| {
            noise = mix(noise);
            (noise >> 8) as usize % below.max(1)
        };
        for step in 0..150 {
            let ids: Vec<NodeId> = tree.iter().filter(|(_, node)| node.is_open()).map(|(id, _)| id).collect();
            let Some(&id) = ids.get(random(ids.len())) else { break };
            let moves = tree.at(id, |game| legal_moves(game).to_vec());
            let m = moves[random(moves.len())];
            match random(12) {
                0..=4 => drop(tree.add_child(id, m)),
                5..=8 => {
                    let pv = vec![tree.at(id, |game| game.format_move(m))];
                    let score = Score::cp(random(400) as i32 - 200);
                    tree.record(id, &Report { depth: random(20) as u16, pv, nodes: 1000, ..Report::new(score) });
                }
                9 if node_of(&tree, step).is_none() => tree.set_worker(id, node_worker(step)),
                10 if random(4) == 0 => {
                    let root_moves = legal_moves(tree.game()).to_vec();
                    let m = root_moves[random(root_moves.len())];
                    tree.reroot(&[m]);
                }
                _ => {
                    tree.variation(id);
                }
            }
            tree.check().unwrap_or_else(|why| panic!("seed {seed}, step {step}: {why}"));
        }
    }
}
