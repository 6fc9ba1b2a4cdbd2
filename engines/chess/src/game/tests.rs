#![allow(clippy::unwrap_used)]

mod crowded;
mod oracle;

use super::*;
use crate::walk::{STARTS, random_games};
use hasami_api::{Rules, SearchGame};

fn play(game: &mut Chess, moves: &str) {
    for text in moves.split_whitespace() {
        let m = game.parse_move(text).unwrap();
        game.make(m);
    }
}

fn texts(game: &Chess) -> Vec<String> {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let mut texts: Vec<_> = moves.iter().map(|&m| game.format_move(m).to_string()).collect();
    texts.sort();
    texts
}

fn chess960(fen: &str) -> Chess {
    let rules = Rules { chess960: true, ..Rules::default() };
    Chess::new(&Start { text: Some(fen.into()), rules }).unwrap()
}

#[test]
fn make_and_unmake_keep_keys_and_text() {
    random_games(1, 60, 120, |game, moves| {
        let (text, key, parts) = (game.to_text(), game.key(), game.feature_keys());
        assert_eq!(game.now().keys, Keys::of(game.position()), "{text}");
        assert_eq!(Chess::from_fen(&text).unwrap().key(), key, "{text}");
        for &m in moves {
            game.make(m);
            game.unmake();
        }
        assert_eq!((game.to_text(), game.key(), game.feature_keys()), (text, key, parts));
    });
}

#[test]
fn printed_moves_can_be_read_and_packed_moves_are_unique() {
    random_games(2, 60, 60, |game, moves| {
        let mut packed = std::collections::HashSet::new();
        for &m in moves {
            let text = game.format_move(m);
            assert_eq!(game.parse_move(&text), Ok(m), "{} {text}", game.to_text());
            assert!(packed.insert(Chess::pack(m)) && Chess::pack(m) != 0, "{} {text}", game.to_text());
        }
    });
}

#[test]
fn a_pass_changes_only_the_turn_the_clock_and_en_passant() {
    random_games(3, 40, 80, |game, _| {
        if game.in_check() {
            return;
        }
        let (text, key) = (game.to_text(), game.key());
        game.make_null();
        let mut fields: Vec<_> = text.split(' ').map(str::to_owned).collect();
        let black = fields[1] == "b";
        fields[1] = if black { "w" } else { "b" }.to_owned();
        fields[3] = "-".to_owned();
        fields[4] = (fields[4].parse::<u32>().unwrap() + 1).to_string();
        fields[5] = (fields[5].parse::<u32>().unwrap() + u32::from(black)).to_string();
        assert_eq!(game.to_text(), fields.join(" "));
        assert_eq!(game.now().keys, Keys::of(game.position()));
        game.unmake();
        assert_eq!((game.to_text(), game.key()), (text, key));
    });
}

#[test]
fn the_third_occurrence_draws_and_in_a_search_the_second() {
    let mut game = Chess::from_fen(STARTS[0]).unwrap();
    let shuffle = "g1f3 g8f6 f3g1 f6g8";
    play(&mut game, shuffle);
    assert_eq!(game.verdict(), Verdict::Open);
    assert_eq!(game.verdict_in_search(4), Verdict::Draw);
    assert_eq!(game.verdict_in_search(3), Verdict::Open);
    play(&mut game, shuffle);
    assert_eq!(game.verdict(), Verdict::Draw);
    assert_eq!(game.verdict_in_search(0), Verdict::Draw);
}

#[test]
fn castling_rights_and_en_passant_distinguish_positions() {
    // The first moves lose the castling rights, so the same board later does not repeat the start position.
    let mut game = Chess::from_fen(STARTS[6]).unwrap();
    play(&mut game, "h1h2 h8h7 h2h1 h7h8");
    assert_eq!(game.verdict_in_search(4), Verdict::Open);
    // The pawn on e4 can be captured en passant when the board first occurs, but not when it recurs.
    let mut game = Chess::from_fen("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1").unwrap();
    play(&mut game, "e2e4 e8d8 e1d1 d8e8 d1e1");
    assert_eq!(game.verdict_in_search(5), Verdict::Open);
    play(&mut game, "e8d8 e1d1 d8e8 d1e1");
    assert_eq!(game.verdict_in_search(9), Verdict::Draw);
    assert_eq!(game.verdict(), Verdict::Open);
}

#[test]
fn positions_before_a_pass_do_not_count_as_repetitions() {
    let mut game = Chess::from_fen(STARTS[6]).unwrap();
    play(&mut game, "e1e2 e8e7");
    game.make_null();
    game.make_null();
    assert_eq!(game.verdict_in_search(10), Verdict::Open);
}

#[test]
fn fifty_moves_draw_unless_the_last_one_mates() {
    let mut game = Chess::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 99 80").unwrap();
    play(&mut game, "a1a2");
    assert_eq!(game.verdict(), Verdict::Draw);
    let mut game = Chess::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80").unwrap();
    play(&mut game, "a1a8");
    assert_eq!(game.verdict(), Verdict::Open);
    assert_eq!(game.verdict_without_moves(), Verdict::Loss);
}

#[test]
fn material_that_cannot_mate_draws() {
    for (fen, verdict) in [
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", Verdict::Draw),
        ("8/8/4k3/8/8/3BK3/8/8 b - - 0 1", Verdict::Draw),
        ("8/8/4k3/8/4b3/3BK3/8/8 w - - 0 1", Verdict::Draw),
        ("8/8/4k3/4b3/8/3BK3/8/8 w - - 0 1", Verdict::Open),
        ("8/8/4k3/4n3/8/3NK3/8/8 w - - 0 1", Verdict::Open),
        ("8/8/4k3/8/8/3PK3/8/8 w - - 0 1", Verdict::Open),
    ] {
        assert_eq!(Chess::from_fen(fen).unwrap().verdict(), verdict, "{fen}");
    }
}

#[test]
fn castling_is_read_in_both_notations_and_written_by_the_rules() {
    let standard = Chess::from_fen(STARTS[6]).unwrap();
    let king_takes_rook = chess960(STARTS[6]);
    let m = standard.parse_move("e1g1").unwrap();
    assert_eq!(standard.parse_move("e1h1"), Ok(m));
    assert_eq!(king_takes_rook.parse_move("e1g1"), Ok(m));
    assert_eq!(&*standard.format_move(m), "e1g1");
    assert_eq!(&*king_takes_rook.format_move(m), "e1h1");
    // In a Chess960 position, castling is written as king takes rook even under the rules of standard chess.
    let shredder = Chess::from_fen("1r2kr2/5p2/8/8/8/8/5P2/1R2KR2 w FBfb - 0 1").unwrap();
    assert!(texts(&shredder).contains(&"e1f1".to_owned()));
    assert!(texts(&shredder).contains(&"e1b1".to_owned()));
}

#[test]
fn bad_fens_are_refused_with_a_reason() {
    for (fen, reason) in [
        ("", "invalid fen"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "invalid board part in fen"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "a king is missing"),
        ("4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", "a side has two kings"),
        ("k7/8/8/8/8/8/8/KR5r b - - 0 1", ""),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "the side not to move is in check"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on the first or the last rank"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Q] w KQkq - 0 1", "variant"),
    ] {
        match Chess::from_fen(fen) {
            Ok(_) => assert!(reason.is_empty(), "{fen}"),
            Err(error) => {
                let error = error.to_string();
                assert!(!reason.is_empty() && error.contains(reason) && !error.contains('\n'), "{error}");
            }
        }
    }
}

#[test]
fn four_fields_are_enough_and_impossible_rights_are_dropped() {
    let game = Chess::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -").unwrap();
    assert_eq!(game.to_text(), STARTS[6]);
    let game = Chess::from_fen("r3k3/8/8/8/8/8/8/4K2R w KQkq e3 0 1").unwrap();
    assert_eq!(game.to_text(), "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1");
    assert_eq!(Chess::from_fen("4k3/8/8/8/8/8/8/4K2R b - - 7 30").unwrap().ply(), 59);
}

#[test]
fn negative_counters_are_read_as_zero() {
    for (counters, read) in [("-1 30", "0 30"), ("7 -2", "7 1"), ("-5  -5", "0 1"), ("-0 1", "0 1")] {
        let game = Chess::from_fen(&format!("4k3/8/8/8/8/8/8/4K2R b - - {counters}")).unwrap();
        assert_eq!(game.to_text(), format!("4k3/8/8/8/8/8/8/4K2R b - - {read}"));
    }
    for counters in ["- 1", "-x 1", "--1 1", "0 1 -1"] {
        assert!(Chess::from_fen(&format!("4k3/8/8/8/8/8/8/4K2R b - - {counters}")).is_err(), "{counters}");
    }
}

#[test]
fn moves_are_refused_with_a_reason() {
    let game = Chess::from_fen(STARTS[0]).unwrap();
    for text in ["", "e2", "e2e4e5", "0000", "N@e4", "e9e4", "é"] {
        assert_eq!(game.parse_move(text), Err(ParseMoveError::Notation(text.to_owned())));
    }
    for text in ["e2e5", "e7e5", "e1g1", "e2e4q"] {
        assert_eq!(game.parse_move(text), Err(ParseMoveError::Illegal(text.to_owned())));
    }
    let game = Chess::from_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    assert_eq!(game.parse_move("a7a8Q"), game.parse_move("a7a8q"));
    assert!(matches!(game.parse_move("a7a8"), Err(ParseMoveError::Illegal(_))));
}

#[test]
fn polyglot_keys_equal_those_of_the_format_description() {
    // The keys come from the description of the Polyglot format, in which an en passant square counts even if the
    // capture is only pseudo-legal.
    for (moves, key) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
    ] {
        let mut game = Chess::from_fen(STARTS[0]).unwrap();
        play(&mut game, moves);
        assert_eq!(game.polyglot_key(), key, "{moves}");
    }
}
