//! Tests how lines are written in protocol notation and in players' notation.
#![allow(clippy::unwrap_used)]
use hasami_api::{Line, MoveText};
use hasami_catalog::{Notation, Speaker};

#[test]
fn lines_are_written_in_each_notation() {
    let chess = crate::find("chess").unwrap();
    let moves: Vec<MoveText> = ["e2e4", "e7e5", "g1f3"].map(|m| m.parse().unwrap()).to_vec();
    let speaker = |notation| Speaker::at(chess, &Line::default(), notation);
    assert_eq!(speaker(Notation::Players).text(&moves), "e4 e5 Nf3");
    assert_eq!(speaker(Notation::Protocol).text(&moves), "e2e4 e7e5 g1f3");
    assert_eq!(speaker(Notation::Players).last(&moves), "Nf3");
    let shogi = crate::find("shogi").unwrap();
    let moves: Vec<MoveText> = ["7g7f", "3c3d", "8h2b+"].map(|m| m.parse().unwrap()).to_vec();
    assert_eq!(Speaker::at(shogi, &Line::default(), Notation::Western).text(&moves), "P-7f P-3d Bx2b+");
    assert_eq!(Speaker::of_protocol().text(&moves), "7g7f 3c3d 8h2b+");
}
