//! Tests strategies of the attacker.

use crate::brute::{BELLY, CORNER, GOLDS, THREE, at, certified, certified_mate, legal};
use hasami_api::{Game, MoveText};
use hasami_certificate::{AttackBuilder, AttackNode, Certificate, Claim, StrategyNodeId, VerifyLimits, verify};
use hasami_shogi::Shogi;

fn mv(text: &str) -> MoveText {
    text.parse().unwrap()
}

/// Returns the number of plies that a certificate proves, or the error.
fn result_of(certificate: &Certificate) -> String {
    match verify::<Shogi>(certificate, VerifyLimits::default()) {
        Ok(verified) => verified.plies.unwrap().to_string(),
        Err(why) => why.to_string(),
    }
}

/// Verifies a strategy. Each node is given as a move, the index of the node after a pass, and the index of the node
/// after any defence.
fn chain(sfen: &str, claim: Claim, nodes: &[(&str, Option<usize>, Option<usize>)]) -> String {
    let mut builder = AttackBuilder::default();
    let mut ids: Vec<StrategyNodeId> = Vec::new();
    for &(text, pass, rest) in nodes {
        let (pass, rest) = (pass.map(|at| ids[at]), rest.map(|at| ids[at]));
        ids.push(builder.add(&AttackNode { mv: mv(text), pass, answers: Vec::new(), rest }));
    }
    result_of(&builder.finish(sfen, claim, *ids.last().unwrap()).unwrap())
}

#[test]
fn strategies_found_by_brute_force_are_verified() {
    for (sfen, plies, mates) in [(BELLY, 1, 3), (CORNER, 1, 3), (THREE, 3, 3)] {
        let certificate = certified(sfen, plies, mates);
        assert_eq!(result_of(&certificate), plies.to_string(), "{sfen}");
        assert_eq!(Certificate::read(&certificate.write()), Ok(certificate));
    }
    assert_eq!(result_of(&certified_mate(GOLDS, 3)), "0");
}

#[test]
fn positions_count_once_and_are_limited() {
    let certificate = certified(BELLY, 1, 3);
    let verified = verify::<Shogi>(&certificate, VerifyLimits::default()).unwrap();
    assert_eq!((verified.claim, verified.plies), (Claim::Brinkmate { plies: 1 }, Some(1)));
    let limits = |positions| VerifyLimits { positions, ..VerifyLimits::default() };
    assert_eq!(verify::<Shogi>(&certificate, limits(verified.positions)), Ok(verified));
    let why = verify::<Shogi>(&certificate, limits(verified.positions - 1)).unwrap_err().to_string();
    let found = format!("expected at most {} positions, found more", verified.positions - 1);
    assert!(why.starts_with("after S*3b ") && why.ends_with(&found), "{why}");
}

#[test]
fn the_length_of_lines_is_limited() {
    let limits = VerifyLimits { depth: 1, ..VerifyLimits::default() };
    let why = verify::<Shogi>(&certified(THREE, 3, 3), limits).unwrap_err().to_string();
    assert!(why.ends_with(": expected at most 1 moves of the attacker in a line, found more"), "{why}");
}

#[test]
fn a_claim_may_be_weaker_but_not_stronger_than_the_proof() {
    let again = |claim| {
        let certificate = certified(THREE, 3, 3);
        let (mut builder, mut ids) = (AttackBuilder::default(), Vec::new());
        for id in certificate.ids() {
            ids.push(builder.add(&certificate.attack_node(id).unwrap()));
        }
        builder.finish(THREE, claim, *ids.last().unwrap()).unwrap()
    };
    assert_eq!(result_of(&again(Claim::Brinkmate { plies: 5 })), "3");
    let verified = verify::<Shogi>(&again(Claim::Brinkmate { plies: 5 }), VerifyLimits::default()).unwrap();
    assert_eq!((verified.claim, verified.plies), (Claim::Brinkmate { plies: 5 }, Some(3)));
    let short = result_of(&again(Claim::Brinkmate { plies: 1 }));
    assert_eq!(short, "at the start: expected a brinkmate of at most 1 ply, found one of 3 plies");
    let mate = result_of(&again(Claim::Mate));
    assert!(mate.starts_with("after G*2b ") && mate.ends_with(": expected a check, found a quiet move"), "{mate}");
}

#[test]
fn every_fault_has_a_clear_message() {
    let brinkmate = Claim::Brinkmate { plies: 1 };
    let mates = ("G*5b", None, None);
    assert_eq!(chain(GOLDS, Claim::Mate, &[mates]), "0");
    for (nodes, start, end) in [
        (&[("G*5c", None, None)][..], "at the start: ", "expected a legal move, found 'G*5c'"),
        (&[("x", None, None)], "at the start: ", "expected a move, found 'x'"),
        (&[("5c5b+", None, None)], "after 5c5b+: expected an answer to ", ", found none"),
        (&[("G*5d", None, None)], "after G*5d: ", "expected a proof of the mate that it threatens, found none"),
        (&[("G*5d", None, None), ("G*5e", Some(0), None)], "after G*5e pass G*5d: ", "found a quiet move"),
        (&[("5e5d", None, None), ("G*6b", None, Some(0))], "after G*6b 5a", ": expected a legal move, found '5e5d'"),
        (&[mates, ("G*5d", Some(0), None)], "after G*5d: expected an answer to ", ", found none"),
        (&[mates, ("G*5d", Some(0), Some(0))], "after G*5d ", " found none"),
        (&[mates, ("G*4b", None, Some(0))], "after G*4b 5a", " found none"),
    ] {
        let found = chain(GOLDS, brinkmate, nodes);
        assert!(found.starts_with(start) && found.ends_with(end), "{found}");
    }
    let quiet = chain(GOLDS, Claim::Mate, &[mates, ("G*5d", Some(0), Some(0))]);
    assert_eq!(quiet, "after G*5d: expected a check, found a quiet move");
    let chess = chain("8/8/8/8/8/8/8/K6k w - - 0 1", brinkmate, &[mates]);
    assert!(chess.starts_with("expected a shogi position in SFEN, found '8/8"), "{chess}");
}

#[test]
fn a_line_may_repeat_positions_and_still_end() {
    // A gold drop would mate at any time, but the strategy lets two pieces move back and forth first, so that the same
    // position occurs four times.
    let sfen = "4k4/9/3LPL3/9/9/9/9/9/g7G b G 1";
    let shuffle = |at: usize| (if at % 2 == 1 { "1i1h" } else { "1h1i" }, Some(0), Some(at - 1));
    let nodes: Vec<_> = [("G*5b", None, None)].into_iter().chain((1..8).map(shuffle)).collect();
    assert_eq!(chain(sfen, Claim::Brinkmate { plies: 13 }, &nodes), "13");
    let short = chain(sfen, Claim::Brinkmate { plies: 11 }, &nodes);
    assert_eq!(short, "at the start: expected a brinkmate of at most 11 plies, found one of 13 plies");
}

#[test]
fn every_defence_is_tried() {
    let certificate = certified(BELLY, 1, 3);
    let nodes: Vec<AttackNode> = certificate.ids().map(|id| certificate.attack_node(id).unwrap()).collect();
    let mut game = at(BELLY);
    game.make(game.parse_move("S*3b").unwrap());
    let defences = legal(&game);
    assert_eq!(defences.len(), 466, "the number that other programs find");
    for defence in defences {
        let defence = game.format_move(defence);
        let mut builder = AttackBuilder::default();
        let wrong = builder.add(&AttackNode::new(mv("9i9h"), None, []));
        let mut ids = Vec::new();
        for node in &nodes[..nodes.len() - 1] {
            ids.push(builder.add(&renamed(node, &certificate, &ids)));
        }
        let mut root = renamed(&nodes[ids.len()], &certificate, &ids);
        root.answers.retain(|&(mv, _)| mv != defence);
        root.answers.push((defence, wrong));
        let root = builder.add(&root);
        let broken = builder.finish(BELLY, certificate.claim, root).unwrap();
        assert_eq!(result_of(&broken), format!("after S*3b {defence}: expected a legal move, found '9i9h'"));
    }
}

/// Translates the identifiers in `node` to those of another builder.
fn renamed(node: &AttackNode, certificate: &Certificate, ids: &[StrategyNodeId]) -> AttackNode {
    let new = |old: StrategyNodeId| ids[certificate.ids().position(|id| id == old).unwrap()];
    let answers = node.answers.iter().map(|&(mv, id)| (mv, new(id))).collect();
    AttackNode { mv: node.mv, pass: node.pass.map(new), answers, rest: node.rest.map(new) }
}

#[test]
fn builders_reject_invalid_strategies() {
    let node = |answers: &[(&str, StrategyNodeId)]| AttackNode {
        mv: mv("G*5b"),
        pass: None,
        answers: answers.iter().map(|&(text, id)| (mv(text), id)).collect(),
        rest: None,
    };
    let mut builder = AttackBuilder::default();
    let first = builder.add(&node(&[]));
    assert_eq!(builder.add(&node(&[])), first, "equal nodes are merged");
    let second = builder.add(&AttackNode { mv: mv("G*4b"), ..node(&[]) });
    let none = builder.finish(GOLDS, Claim::None { within: None }, first).unwrap_err();
    assert_eq!(none, "'no brinkmate' is not a claim of the attacker");
    let even = builder.finish(GOLDS, Claim::Brinkmate { plies: 2 }, first).unwrap_err();
    assert_eq!(even, "expected a brinkmate of an odd number of plies, found 2");
    let pruned = builder.finish(GOLDS, Claim::Mate, second).unwrap();
    assert_eq!(pruned.nodes(), 1);
    builder.add(&node(&[("5a4a", first), ("5a4a", second)]));
    let twice = builder.finish(GOLDS, Claim::Mate, first).unwrap_err();
    assert_eq!(twice, "two ways on after '5a4a'");
    let mut other = AttackBuilder::default();
    other.add(&node(&[("5a4a", second)]));
    let stranger = other.finish(GOLDS, Claim::Mate, first).unwrap_err();
    assert_eq!(stranger, "a node leads to one that was not made before");
}

#[test]
fn the_most_frequent_answer_becomes_the_rest() {
    let mut builder = AttackBuilder::default();
    let [a, b] = ["G*5b", "G*4b"].map(|text| builder.add(&AttackNode::new(mv(text), None, [])));
    let node = AttackNode::new(mv("G*6b"), None, [(mv("5a4a"), b), (mv("5a6a"), a), (mv("5a5b"), b)]);
    assert_eq!(node, AttackNode { mv: mv("G*6b"), pass: None, answers: vec![(mv("5a6a"), a)], rest: Some(b) });
}
