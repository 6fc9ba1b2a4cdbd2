//! Tests strategies of the defender.

use crate::brute::{ALONE, ROOK, THREAT, at, checks, legal};
use crate::refute::refuted;
use hasami_api::{Game, MoveText};
use hasami_certificate::{
    Certificate, Claim, DefenceBuilder, DefenceNode, DefenderReply, StrategyNodeId, VerifyLimits, verify,
};
use hasami_shogi::Shogi;

/// A position in which advancing the pawn threatens no mate.
const SLOW: &str = "4k4/9/9/9/9/9/9/9/4P4 b 2r2b4g4s4n4l17p 1";
/// A position in which a pawn move mates, with or without promotion.
const MATE: &str = "3lkl3/3p1p3/4P4/4L4/9/9/9/9/9 b 2r2b4g4s4nl15p 1";

fn mv(text: &str) -> MoveText {
    text.parse().unwrap()
}

#[test]
fn refutations_found_by_brute_force_are_verified() {
    for (sfen, within) in
        [(ALONE, None), (ALONE, Some(1)), (THREAT, Some(0)), (THREAT, Some(1)), (ROOK, Some(0)), (SLOW, None)]
    {
        let certificate = refuted(sfen, within).unwrap();
        let verified = verify::<Shogi>(&certificate, VerifyLimits::default()).unwrap();
        assert_eq!(verified.plies, None, "{sfen}");
        assert_eq!(Certificate::read(&certificate.write()), Ok(certificate));
    }
    assert_eq!(refuted(MATE, Some(0)), None);
}

#[test]
fn a_claim_must_not_be_stronger_than_the_proof() {
    let certificate = refuted(THREAT, Some(0)).unwrap();
    let again = |claim: Claim| {
        let mut builder = DefenceBuilder::default();
        let ids: Vec<StrategyNodeId> = certificate.ids().map(|_| builder.reserve()).collect();
        for (&id, old) in ids.iter().zip(certificate.ids()) {
            builder.set(id, &certificate.defence_node(old).unwrap());
        }
        let certificate = builder.finish(THREAT, claim, *ids.last().unwrap()).unwrap();
        verify::<Shogi>(&certificate, VerifyLimits::default()).map(|verified| verified.claim)
    };
    let [none, one] = [Some(0), Some(1)].map(|within| Claim::None { within });
    assert_eq!(again(none), Ok(none));
    let why = again(one).unwrap_err().to_string();
    assert!(why.starts_with("after ") && why.contains(": expected a legal move, found '"), "{why}");
}

/// Verifies a strategy with a single node, to which every edge leads back.
fn circle(sfen: &str, within: Option<u16>, replies: &[(&str, &str)], rest: Option<&str>) -> String {
    let reply = |text: &str| if text == "pass" { DefenderReply::Pass } else { DefenderReply::Move(mv(text)) };
    let mut builder = DefenceBuilder::default();
    let id = builder.reserve();
    let replies = replies.iter().map(|&(attack, text)| (mv(attack), (reply(text), id))).collect();
    builder.set(id, &DefenceNode { replies, rest: rest.map(|text| (reply(text), id)) });
    let certificate = builder.finish(sfen, Claim::None { within }, id).unwrap();
    match verify::<Shogi>(&certificate, VerifyLimits { positions: 10, ..VerifyLimits::default() }) {
        Ok(verified) => format!("{}, {} positions", verified.claim, verified.positions),
        Err(why) => why.to_string(),
    }
}

#[test]
fn every_fault_has_a_clear_message() {
    assert_eq!(circle(SLOW, None, &[], Some("pass")), "no brinkmate, 2 positions");
    let to_and_fro = circle(SLOW, Some(3), &[("5i5h", "5a5b"), ("5h5g", "5b5a")], None);
    assert_eq!(to_and_fro, "no brinkmate within 3 plies, 3 positions");
    for (sfen, rest, expected) in [
        (SLOW, None, "after 5i5h: expected a reply, found none"),
        (SLOW, Some("5a9i"), "after 5i5h: expected a legal move, found '5a9i'"),
    ] {
        assert_eq!(circle(sfen, None, &[], rest), expected);
    }
    let check = circle(ALONE, None, &[], Some("pass"));
    assert!(
        check.starts_with("after 5d")
            && check.contains(" pass ")
            && check.ends_with(": expected a legal move, found a pass in check"),
        "{check}"
    );
    for (reply, end) in [
        (Some("pass"), ": expected a legal move, found a pass in check"),
        (Some("5a4a"), ": expected a legal move, found mate"),
        (None, ": expected a reply, found mate"),
    ] {
        let found = circle(MATE, Some(0), &[], reply);
        assert!(found.starts_with("after 5c5b") && found.ends_with(end), "{found}");
    }
}

#[test]
fn every_attack_is_tried() {
    let game = at(SLOW);
    for attack in legal(&game) {
        let attack = game.format_move(attack);
        let found = circle(SLOW, None, &[(&attack, "5a9i")], Some("pass"));
        assert_eq!(found, format!("after {attack}: expected a legal move, found '5a9i'"));
    }
    // The claim concerns only mates, so no attacks other than checks are tried.
    for check in checks(&at(ROOK)) {
        let (check, certificate) = (at(ROOK).format_move(check), refuted(ROOK, Some(0)).unwrap());
        let mut builder = DefenceBuilder::default();
        let ids: Vec<StrategyNodeId> = certificate.ids().map(|_| builder.reserve()).collect();
        for (&id, old) in ids.iter().zip(certificate.ids()) {
            let mut node = certificate.defence_node(old).unwrap();
            if old == certificate.root {
                node.replies.retain(|&(mv, _)| mv != check);
                node.replies.push((check, (DefenderReply::Pass, id)));
            }
            builder.set(id, &node);
        }
        let broken = builder.finish(ROOK, certificate.claim, *ids.last().unwrap()).unwrap();
        let why = verify::<Shogi>(&broken, VerifyLimits::default()).unwrap_err().to_string();
        assert_eq!(why, format!("after {check}: expected a legal move, found a pass in check"));
    }
}

#[test]
fn no_more_positions_are_visited_than_allowed() {
    let certificate = refuted(ROOK, Some(0)).unwrap();
    let result_of = |positions| verify::<Shogi>(&certificate, VerifyLimits { positions, ..VerifyLimits::default() });
    let all = result_of(u64::MAX).unwrap().positions;
    assert_eq!(result_of(all).unwrap().positions, all);
    let why = result_of(all - 1).unwrap_err().to_string();
    assert!(why.ends_with(&format!(": expected at most {} positions, found more", all - 1)), "{why}");
}

#[test]
fn builders_reject_invalid_strategies() {
    let mut builder = DefenceBuilder::default();
    let id = builder.reserve();
    let claim = Claim::None { within: None };
    let open = builder.finish(SLOW, claim, id).unwrap_err();
    assert_eq!(open, "a reserved node was not set");
    builder.set(id, &DefenceNode::default());
    assert!(builder.finish(SLOW, claim, id).is_ok());
    let mate = builder.finish(SLOW, Claim::Mate, id).unwrap_err();
    assert_eq!(mate, "'a mate' is not a claim of the defender");
    builder.set(id, &DefenceNode::default());
    let twice = builder.finish(SLOW, claim, id).unwrap_err();
    assert_eq!(twice, "the node was not reserved, or was set before");
}
