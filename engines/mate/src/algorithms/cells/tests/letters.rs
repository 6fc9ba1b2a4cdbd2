//! Letters: what is printed is read again, and nothing else is.

use crate::algorithms::cells::letter::{Begin, CellOrder, CellReply, CellResult};
use crate::core::fact::Fact;
use crate::interface::cell_link::CellSearch;
use hasami_api::{Hand, Line, MoveText, Rules, Start};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

fn moves() -> impl Strategy<Value = Vec<MoveText>> {
    vec("[1-9a-zA-Z*+]{4,5}".prop_map(|text| text.parse().unwrap()), 0..8)
}

fn begin() -> impl Strategy<Value = Begin> {
    let search = prop_oneof![Just(CellSearch::BestFirst), Just(CellSearch::Dfpn)];
    let text = of("[a-zA-Z0-9/+]{1,60} [bw] [a-zA-Z0-9]{1,9} 1");
    let rules = (any::<bool>(), any::<u8>(), any::<u32>()).prop_map(|(chess960, own, max_moves)| Rules {
        chess960,
        own,
        max_moves,
    });
    (any::<u32>(), search, any::<bool>(), any::<usize>(), text, rules, moves()).prop_map(
        |(problem, search, any_moves, longest, text, rules, moves)| {
            let line = Line { start: Start { text: text.map(Into::into), rules }, moves };
            Begin { problem, game: "shogi".into(), search, any_moves, longest, line }
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
    let number = || 1..u32::MAX / 2;
    let found = prop_oneof![
        (number(), "\\([a-z0-9:,!()]{0,60}\\)", any::<bool>()).prop_map(|(value, branch, cut)| CellResult::Tree {
            value,
            branch,
            cut
        }),
        (number(), number()).prop_map(|(pn, dn)| CellResult::Open { pn, dn }),
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
    fn what_is_printed_is_read_again(order in order(), reply in reply()) {
        prop_assert_eq!(CellOrder::parse(&order.print()), Ok(order));
        prop_assert_eq!(CellReply::parse(&reply.print()), Ok(reply));
    }

    #[test]
    fn a_letter_that_was_changed_is_refused(order in order(), reply in reply(), place in any::<prop::sample::Index>(), byte in b' '..=b'~') {
        for letter in [order.print(), reply.print()] {
            let mut bytes = letter.clone().into_bytes();
            *place.get_mut(&mut bytes) = byte;
            let changed = String::from_utf8(bytes).unwrap();
            if changed != letter {
                prop_assert!(CellOrder::parse(&changed).is_err() && CellReply::parse(&changed).is_err(), "{}", changed);
            }
            let cut = &letter[..place.index(letter.len())];
            prop_assert!(CellOrder::parse(cut).is_err() && CellReply::parse(cut).is_err(), "{}", cut);
        }
    }

    #[test]
    fn anything_is_read_or_refused(text in ".{0,80}", words in "(begin|search|tree|open|mate|none|ready)( [0-9a-z()#]{0,4}){0,12}") {
        prop_assert!(CellOrder::parse(&text).is_err() && CellReply::parse(&text).is_err());
        // With the right sum, so that what is inside is looked at.
        let letter = crate::algorithms::cells::letter::sealed(&words);
        let _ = (CellOrder::parse(&letter), CellReply::parse(&letter));
    }
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let sealed = crate::algorithms::cells::letter::sealed;
    let order = |text: &str| CellOrder::parse(&sealed(text)).unwrap_err();
    let reply = |text: &str| CellReply::parse(&sealed(text)).unwrap_err();
    assert_eq!(order("begin 2 1 shogi"), "expected letters of version 1, found version 2");
    assert_eq!(order("go infinite"), "expected begin, search, stop, facts or end, found 'go'");
    assert_eq!(order("stop x"), "expected a task, found 'x'");
    assert_eq!(order("end now"), "expected the end of the letter, found 'now'");
    assert_eq!(reply("open 1 2 0 5"), "expected a proof number, found '0'");
    assert_eq!(reply("facts 1 5:7fffffff:3:1"), "expected a fact, found '5:7fffffff:3:1'", "no hand");
    assert_eq!(reply("none 1 2 short"), "expected cut, found 'short'");
    assert_eq!(reply("mate 1 2 7g7f toolong8"), "expected a move, found 'toolong8'");
    assert_eq!(CellReply::parse("stopped 1 2").unwrap_err(), "expected a letter with its sum, found 'stopped 1 2'");
}
