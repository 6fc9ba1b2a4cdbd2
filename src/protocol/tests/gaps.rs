//! Tests that vampirc-uci 0.11.1 does not receive lines that it panics on or misreads.

use super::*;
use crate::client::{Reply, parse};

fn go(line: &str) -> Go {
    match Protocol::Uci.parse(line) {
        Command::Go(go) => go,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn panics_on_a_trailing_blank_and_on_numbers_over_255() {
    assert_eq!(go("go "), Go::default());
    assert!(go("go infinite ").infinite);
    assert_eq!(go("go depth 256").depth, Some(256));
    assert_eq!(go("go mate 300").mate, Some(MateLimit::Moves(300)));
    assert_eq!(go("go wtime 1 movestogo 999").clock.moves_to_go, Some(999));
    let Reply::Info(info) = parse(Protocol::Uci, "info depth 300 seldepth 301") else { panic!() };
    assert_eq!((info.depth, info.seldepth), (Some(300), Some(301)));
}

#[test]
fn dropped_moves() {
    assert_eq!(Protocol::Uci.parse("position startpos moves  e2e4 e7e5"), position(None, "e2e4 e7e5"));
    let null = Protocol::Uci.parse("position startpos moves e2e4 0000 g1f3");
    let Command::TypedPosition(typed) = null else { panic!("a null move is left to the rules, which reject it") };
    assert_eq!(typed.moves, "e2e4 0000 g1f3");
    let shredder = "rkbbnnqr/pppppppp/8/8/8/8/PPPPPPPP/RKBBNNQR w HAha - 0 1";
    assert_eq!(Protocol::Uci.parse(&format!("position fen {shredder}")), position(Some(shredder), ""));
    let four_fields = "8/8/8/8/8/4k3/4p3/4K3 w - -";
    assert_eq!(Protocol::Uci.parse(&format!("position fen {four_fields}")), position(Some(four_fields), ""));
}

#[test]
fn lost_ponder_and_truncated_numbers() {
    assert!(go("go ponder wtime 1000 btime 1000").ponder);
    assert_eq!(go("go depth 1234").depth, Some(1234));
    assert_eq!(go("go nodes 1234567890123456").nodes, Some(1_234_567_890_123_456));
    assert_eq!(go("go wtime 1234567890123456").clock.time[0], Some(ms(1_234_567_890_123_456)));
    assert_eq!(go("go perft 4").perft, Some(4));
    assert_eq!(
        Protocol::Usi.parse("go byoyomi 1000"),
        Command::Go(Go { clock: Clock { byoyomi: ms(1000), ..Clock::default() }, ..Go::default() })
    );
}

#[test]
fn lost_rest_of_an_info_line() {
    let line = "info depth 5 ebf 1.83 score cp 13 wdl 100 800 100 nodes 7 nps 8 time 9 pv e2e4 e7e5";
    let Reply::Info(info) = parse(Protocol::Uci, line) else { panic!() };
    assert_eq!((info.nodes, info.nps, info.time), (Some(7), Some(8), Some(ms(9))));
    assert_eq!((info.pv, info.wdl), (moves("e2e4 e7e5"), Some([100, 800, 100])));
    let Reply::Info(info) = parse(Protocol::Uci, "info score cp 99999999999 pv e2e4") else { panic!() };
    assert_eq!(info.score, Some(hasami_api::Score::cp(i32::MAX)));
    let Reply::Info(info) = parse(Protocol::Uci, "info score mate 200") else { panic!() };
    assert_eq!(info.score, Some(hasami_api::Score::win_in(399)));
}

#[test]
fn truncated_option_names_and_values() {
    let set = |value: &str| Command::SetOption { name: "BookFile".into(), value: Some(value.into()) };
    for value in ["the value of min max var", "type name default"] {
        assert_eq!(Protocol::Uci.parse(&format!("setoption name BookFile value {value}")), set(value));
    }
    let Reply::Option(option) = parse(Protocol::Usi, "option name BookDir type filename default my var book") else {
        panic!()
    };
    assert_eq!((&*option.name, &*option.kind), ("BookDir", "filename"));
}

#[test]
fn accepted_invalid_commands() {
    assert_eq!(Protocol::Uci.parse("isready;"), Command::Unknown);
    assert_eq!(Protocol::Uci.parse("quit now"), Command::Unknown);
    assert_eq!(Protocol::Uci.parse("ISREADY"), Command::Unknown);
}

#[test]
fn unknown_empty_answers() {
    assert_eq!(parse(Protocol::Uci, "bestmove (none)"), Reply::Best(BestMove::None));
    assert_eq!(parse(Protocol::Uci, "bestmove 0000"), Reply::Best(BestMove::None));
}

#[test]
fn written_lines_that_it_cannot_read() {
    let button = Protocol::Uci.introduce(&options(Protocol::Uci).declare(&Settings::default()));
    assert!(button.contains("\noption name Clear Hash type button\n"));
    assert_eq!(client::write(Protocol::Uci, &Command::Go(Go::default())).unwrap(), "go");
}
