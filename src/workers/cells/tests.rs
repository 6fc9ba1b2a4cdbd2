//! Tests that decoding an encoded message gives the same message, and that invalid messages are rejected.
#![allow(clippy::unwrap_used)]

use super::{VERSION, decode_order, decode_reply, encode_order, encode_reply};
use hasami_api::{Hand, Line, MoveText, Rules, Start};
use hasami_mate::{CellOrder, CellProblem, CellReply, CellResult, CellSearch, Fact};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

fn moves() -> impl Strategy<Value = Vec<MoveText>> {
    vec("[1-9a-zA-Z*+]{4,5}".prop_map(|text| text.parse().unwrap()), 0..8)
}

fn begin() -> impl Strategy<Value = CellProblem> {
    let search = prop_oneof![Just(CellSearch::BestFirst), Just(CellSearch::Dfpn)];
    let text = of("[a-zA-Z0-9/+]{1,60} [bw] [a-zA-Z0-9]{1,9} 1");
    let rules = (any::<bool>(), any::<u8>(), any::<u32>());
    let rules = rules.prop_map(|(chess960, own, max_moves)| Rules { chess960, own, max_moves });
    (any::<u32>(), search, any::<bool>(), any::<u64>(), text, rules, moves()).prop_map(
        |(number, search, any_moves, longest, text, rules, moves)| {
            let line = Line { start: Start { text: text.map(Into::into), rules }, moves };
            CellProblem { number, game: "shogi".into(), search, any_moves, longest, line }
        },
    )
}

fn facts() -> impl Strategy<Value = Vec<Fact>> {
    let fact = (any::<u64>(), any::<u32>(), of(0..=i16::MAX as u16), any::<u32>());
    let fact = fact.prop_map(|(key, bits, plies, work)| Fact { key, hand: Hand::from_bits(bits), plies, work });
    vec(fact, 0..5)
}

fn order() -> impl Strategy<Value = CellOrder> {
    prop_oneof![
        begin().prop_map(CellOrder::Begin),
        (any::<u64>(), any::<u64>(), moves()).prop_map(|(task, size, moves)| CellOrder::Search { task, size, moves }),
        any::<u64>().prop_map(|task| CellOrder::Stop { task }),
        (any::<u32>(), facts()).prop_map(|(problem, facts)| CellOrder::Facts { problem, facts }),
        Just(CellOrder::End),
    ]
}

fn reply() -> impl Strategy<Value = CellReply> {
    let tree = (any::<u32>(), "\\([a-z0-9:,!()]{0,60}\\)", any::<bool>());
    let found = prop_oneof![
        tree.prop_map(|(value, branch, cut)| CellResult::Tree { value, branch, cut }),
        (any::<u32>(), any::<u32>()).prop_map(|(pn, dn)| CellResult::Open { pn, dn }),
        moves().prop_map(CellResult::Mate),
        any::<bool>().prop_map(|cut| CellResult::None { cut }),
        Just(CellResult::Stopped),
    ];
    prop_oneof![
        any::<u32>().prop_map(|problem| CellReply::Ready { problem }),
        (any::<u32>(), facts()).prop_map(|(problem, facts)| CellReply::Facts { problem, facts }),
        (any::<u64>(), any::<u64>(), found).prop_map(|(task, nodes, found)| CellReply::Done { task, nodes, found }),
        "[ -~]{0,40}[!-~]".prop_map(CellReply::Fault),
    ]
}

proptest! {
    #[test]
    fn messages_are_decoded_to_the_same_value(order in order(), reply in reply()) {
        let (written, answered) = (encode_order(&order), encode_reply(&reply));
        prop_assert_eq!(decode_order(&written), Ok(order));
        prop_assert_eq!(decode_reply(&answered), Ok(reply));
    }

    #[test]
    fn any_bytes_are_decoded_or_refused(mut bytes in vec(any::<u8>(), 0..80), is_ours in any::<bool>()) {
        if let Some(first) = bytes.first_mut().filter(|_| is_ours) {
            *first = VERSION;
        }
        for why in [decode_order(&bytes).err(), decode_reply(&bytes).err()].into_iter().flatten() {
            prop_assert!(why.starts_with("expected ") && !why.contains('\n'), "{}", why);
        }
    }

    #[test]
    fn a_truncated_message_is_refused(order in order(), end in any::<prop::sample::Index>()) {
        let written = encode_order(&order);
        let part = &written[..end.index(written.len())];
        prop_assert!(decode_order(part).is_err(), "{:?}", part);
    }
}

#[test]
fn errors_are_explained_in_one_line() {
    let end = encode_order(&CellOrder::End);
    assert_eq!(decode_order(&[]).unwrap_err(), "expected a message, found nothing");
    let text = decode_order(b"begin 1 1 shogi").unwrap_err();
    assert_eq!(text, "expected messages of cells of version 4, found version 98");
    let more = decode_order(&[&end[..], &[0]].concat()).unwrap_err();
    assert_eq!(more, "expected the end of a message, found 1 bytes more");
    let facts = |hand| {
        let fact = [&5_u64.to_le_bytes()[..], &u32::to_le_bytes(hand), &[0, 1]].concat();
        decode_reply(&[&[VERSION, 1, 1, 1][..], &fact].concat())
    };
    assert_eq!(facts(0x7fff_ffff).unwrap_err(), "expected a hand, found 7fffffff");
    assert!(facts(1).is_ok());
}
