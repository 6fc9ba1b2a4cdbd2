#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use hasami_api::{Bound, Score};
use std::time::Duration;

fn uci(line: &str) -> Reply {
    parse(Protocol::Uci, line)
}

fn usi(line: &str) -> Reply {
    parse(Protocol::Usi, line)
}

fn info(reply: Reply) -> ChildInfo {
    match reply {
        Reply::Info(info) => info,
        other => panic!("{other:?}"),
    }
}

fn moves(text: &str) -> Vec<MoveText> {
    text.split_whitespace().map(|m| m.parse().unwrap()).collect()
}

#[test]
fn handshake() {
    assert_eq!(uci("id name Stockfish 15.1\r"), Reply::Name("Stockfish 15.1".into()));
    assert_eq!(uci("id author the Stockfish developers"), Reply::Author("the Stockfish developers".into()));
    assert_eq!((uci("uciok"), usi("usiok"), uci("readyok")), (Reply::HelloOk, Reply::HelloOk, Reply::ReadyOk));
    assert_eq!((uci("usiok"), usi("uciok")), (Reply::OtherHelloOk, Reply::OtherHelloOk));
    assert_eq!(usi("  readyok "), Reply::ReadyOk);
}

#[test]
fn options() {
    let option = |name: &str, kind: &str, default: Option<&str>| {
        let default = default.map(Into::into);
        ChildOption { name: name.into(), kind: kind.into(), default, range: [None; 2], values: Vec::new() }
    };
    let hash = ChildOption { range: [Some(1), Some(33_554_432)], ..option("Hash", "spin", Some("16")) };
    let style = ChildOption { values: vec!["A".into(), "B c".into()], ..option("Style", "combo", Some("A")) };
    for (option, value, expected) in [
        (&hash, "16", None),
        (&hash, "x", Some("a number")),
        (&hash, "0", Some("a number of at least 1")),
        (&hash, "99999999", Some("a number of at most 33554432")),
        (&style, "b C", None),
        (&style, "D", Some("one of A, B c")),
    ] {
        assert_eq!(option.refuses(value).as_deref(), expected, "{value}");
    }
    for (line, read) in [
        ("option name Hash type spin default 16 min 1 max 33554432", hash.clone()),
        ("option name Clear Hash type button", option("Clear Hash", "button", None)),
        ("option name Debug Log File type string default", option("Debug Log File", "string", Some(""))),
        ("option name EvalFile type string default /a b/c.nnue", option("EvalFile", "string", Some("/a b/c.nnue"))),
        ("option name Style type combo default A var A var B c", style.clone()),
        ("option name BookDir type filename default book", option("BookDir", "filename", Some("book"))),
    ] {
        assert_eq!(uci(line), Reply::Option(read));
    }
    for line in ["option", "option name", "option name X", "option name type spin", "option spin"] {
        assert_eq!(uci(line), Reply::Other, "{line}");
    }
}

#[test]
fn lines_of_stockfish_are_parsed() {
    let line = "info depth 20 seldepth 28 multipv 1 score cp 38 upperbound nodes 1054368 nps 1102895 hashfull 441 tbhits 0 time 956 pv e2e4 e7e5 g1f3";
    let read = info(uci(line));
    assert_eq!((read.depth, read.seldepth, read.multipv), (Some(20), Some(28), Some(1)));
    assert_eq!((read.score, read.bound), (Some(Score::cp(38)), Bound::Upper));
    assert_eq!((read.nodes, read.nps, read.hashfull), (Some(1_054_368), Some(1_102_895), Some(441)));
    assert_eq!((read.time, read.pv), (Some(Duration::from_millis(956)), moves("e2e4 e7e5 g1f3")));
    assert_eq!(info(uci("info depth 21 currmove a2a3 currmovenumber 20")).current, moves("a2a3").first().copied());
    assert_eq!(info(uci("info depth 0 score mate 0")).score, Some(Score::loss_in(0)));
    assert_eq!(
        uci("info string NNUE evaluation using nn.nnue enabled"),
        Reply::Message("NNUE evaluation using nn.nnue enabled".into())
    );
    assert_eq!(uci("Unknown command: 'usi'. Type help for more information."), Reply::Other);
}

#[test]
fn mates_are_converted_to_plies() {
    for (line, score) in [
        ("info score mate 1", Score::win_in(1)),
        ("info score mate 3 pv e2e4", Score::win_in(5)),
        ("info score mate -2", Score::loss_in(4)),
        ("info score mate 2147483647", Score::win_in(Score::MAX_PLIES)),
        ("info score mate -99999999999", Score::loss_in(Score::MAX_PLIES)),
    ] {
        assert_eq!(info(uci(line)).score, Some(score), "{line}");
    }
    for (line, score) in [
        ("info score mate 5", Score::win_in(5)),
        ("info score mate +7 lowerbound", Score::win_in(7)),
        ("info score mate -4", Score::loss_in(4)),
        ("info score mate -0", Score::loss_in(0)),
        ("info score mate + pv 7g7f", Score::win_in(Score::MAX_PLIES)),
        ("info score mate -", Score::loss_in(Score::MAX_PLIES)),
    ] {
        assert_eq!(info(usi(line)).score, Some(score), "{line}");
    }
}

#[test]
fn variations_of_shogi_engines_may_end_with_words() {
    let read = info(usi("info depth 9 score cp 120 pv 7g7f 3c3d P*5e resign nodes 5"));
    assert_eq!((read.pv, read.nodes), (moves("7g7f 3c3d P*5e"), Some(5)));
    assert_eq!(info(usi("info depth 9 pv 7g7f rep_draw")).pv, moves("7g7f"));
    assert_eq!(info(usi("info depth 9 pv 8h2b+ win")).pv, moves("8h2b+"));
}

#[test]
fn only_invalid_values_are_skipped() {
    let read = info(uci("info depth x seldepth 7 score fast cp 3 wdl 1 2 nodes -5 nps 1e6 time pv e2e4 string so far"));
    assert_eq!((read.depth, read.seldepth, read.score, read.wdl), (None, Some(7), None, None));
    assert_eq!((read.nodes, read.time, read.pv), (Some(0), None, moves("e2e4")));
    assert_eq!(read.message.as_deref(), Some("so far"));
    assert_eq!(uci("info"), Reply::Other);
    assert_eq!(uci("info refutation"), Reply::Other);
}

#[test]
fn best_moves_and_their_substitutes() {
    let best = |best: &str, ponder: Option<&str>| {
        Reply::Best(BestMove::Move { best: best.parse().unwrap(), ponder: ponder.map(|m| m.parse().unwrap()) })
    };
    assert_eq!(uci("bestmove e2e4 ponder e7e5"), best("e2e4", Some("e7e5")));
    assert_eq!(uci("bestmove e7e8q"), best("e7e8q", None));
    assert_eq!(uci("bestmove e2e4 ponder (none)"), best("e2e4", None));
    assert_eq!(usi("bestmove P*5e ponder 5d5e"), best("P*5e", Some("5d5e")));
    assert_eq!(uci("bestmove (none)"), Reply::Best(BestMove::None));
    assert_eq!(usi("bestmove resign"), Reply::Best(BestMove::Resign));
    assert_eq!(usi("bestmove win"), Reply::Best(BestMove::Win));
    for line in ["bestmove", "bestmove xyz", "bestmove e2e4e5", "bestmove \u{fffd}\u{fffd}"] {
        assert!(matches!(uci(line), Reply::NoAnswer(_)), "{line}");
    }
}

#[test]
fn answers_to_go_mate() {
    assert_eq!(usi("checkmate G*8f 9f9g 8f8g"), Reply::Checkmate(MateAnswer::Mate(moves("G*8f 9f9g 8f8g"))));
    assert_eq!(usi("checkmate nomate"), Reply::Checkmate(MateAnswer::NoMate));
    assert_eq!(usi("checkmate timeout"), Reply::Checkmate(MateAnswer::Unknown));
    for line in ["checkmate notimplemented", "checkmate", "checkmate G*8f then what"] {
        assert!(matches!(usi(line), Reply::NoAnswer(_)), "{line}");
    }
}
