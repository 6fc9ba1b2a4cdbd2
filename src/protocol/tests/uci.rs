//! Tests the parsing of UCI lines that a GUI sends.

use super::*;

fn parse(line: &str) -> Command {
    Protocol::Uci.parse(line)
}

fn go(line: &str) -> Go {
    match parse(line) {
        Command::Go(go) => go,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn commands_without_arguments() {
    for (line, command) in [
        ("uci", Command::Hello),
        ("isready", Command::IsReady),
        ("ucinewgame", Command::NewGame),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit(None)),
        ("quit", Command::Quit),
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
    ] {
        assert_eq!(parse(line), command);
        assert_eq!(parse(&format!("  {}  \r", line.replace(' ', " \t "))), command, "{line} surrounded by blanks");
    }
}

#[test]
fn unknown_lines_are_ignored() {
    for line in
        ["", " ", "\r", "usi", "xyzzy", "register later", "gameover win", "stop!", "debug", "debug maybe", "日本"]
    {
        assert_eq!(parse(line), Command::Unknown, "{line:?}");
    }
}

#[test]
fn the_rest_of_a_line_after_unknown_words_is_parsed() {
    assert_eq!(parse("joho debug on"), Command::Debug(true));
    assert_eq!(parse("debug joho on"), Command::Unknown);
    assert_eq!(go("please go depth 3").depth, Some(3));
}

#[test]
fn positions() {
    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(parse("position startpos"), position(None, ""));
    assert_eq!(parse("position startpos moves"), position(None, ""));
    assert_eq!(parse("position startpos moves e2e4 e7e5"), position(None, "e2e4 e7e5"));
    assert_eq!(parse(&format!("position fen {FEN}")), position(Some(FEN), ""));
    assert_eq!(parse(&format!("position  fen  {FEN}  moves  e1g1 \r\n")), position(Some(FEN), "e1g1"));
    assert_eq!(parse(&format!("fen {FEN} moves e1g1")), position(Some(FEN), "e1g1"), "without `position`");
    assert_eq!(parse("startpos moves e2e4 e7e5"), position(None, "e2e4 e7e5"));
    assert_eq!(parse("please startpos"), Command::Unknown, "only recognized as the first word");
    assert_eq!(parse("position startpos twice moves e2e4"), position(None, "e2e4"), "an unknown word is skipped");
}

#[test]
fn invalid_positions() {
    for line in ["position", "position fen", "position fen moves e2e4", "position sfen x", "position e2e4"] {
        assert!(is_bad(&parse(line)), "{line}");
    }
    let Command::BadPosition(message) = parse("position startpos e2e4 e7e5") else { panic!() };
    assert_eq!(message.to_string(), "position: expected 'moves' after 'startpos', found 'e2e4'");
    let Command::TypedPosition(typed) = parse("position startpos moves e2e4  e7e5-or-so") else { panic!() };
    assert_eq!(
        (typed.start.text, typed.moves.as_str()),
        (None, "e2e4  e7e5-or-so"),
        "typed moves are left to the game"
    );
    let Command::BadPosition(message) = parse(&format!("position {}", "x".repeat(100_000))) else { panic!() };
    assert!(message.to_string().len() < 200, "the message is short");
}

#[test]
fn a_game_of_five_thousand_plies() {
    let played = "g1f3 g8f6 f3g1 f6g8 ".repeat(1250);
    assert_eq!(parse(&format!("position startpos moves {played}")), position(None, &played));
}

#[test]
fn clocks() {
    let all = go("go wtime 1000 btime 2000 winc 10 binc 20 movestogo 40").clock;
    assert_eq!(all.time, [Some(ms(1000)), Some(ms(2000))]);
    assert_eq!(all.increment, [ms(10), ms(20)]);
    assert_eq!(all.moves_to_go, Some(40));
    assert_eq!(go("go wtime 100").clock.time, [Some(ms(100)), None], "fastchess sends the time of one side only");
    assert_eq!(go("go btime 100").clock.time, [None, Some(ms(100))]);
    assert_eq!(go("go wtime -35 btime 99").clock.time, [Some(ms(0)), Some(ms(99))], "a negative time counts as zero");
    assert_eq!(go("go movestogo 0 wtime 5").clock.moves_to_go, None);
    assert_eq!(go("go movetime 250").move_time, Some(ms(250)));
}

#[test]
fn limits_and_modes() {
    assert_eq!(go("go"), Go::default());
    assert!(go("go infinite").infinite);
    assert_eq!(go("go nodes 5000000000").nodes, Some(5_000_000_000));
    assert_eq!(go("go depth 70000").depth, Some(u16::MAX));
    assert_eq!(go("go mate 3").mate, Some(MateLimit::Moves(3)));
    for any in ["go mate", "go mate infinite", "go mate searchmoves e2e4"] {
        let read = go(any);
        assert_eq!((read.mate, read.infinite), (Some(MateLimit::Moves(1_000)), false), "{any}");
    }
    assert_eq!(go("go mate searchmoves e2e4").search_moves.len(), 1);
    assert_eq!(go("go perft 5").perft, Some(5));
    let pondering = go("go ponder wtime 5 btime 6");
    assert!(pondering.ponder);
    assert_eq!(pondering.clock.time, [Some(ms(5)), Some(ms(6))]);
    let some = go("go searchmoves e2e4 d2d4 depth 4");
    assert_eq!((some.search_moves, some.depth), (moves("e2e4 d2d4"), Some(4)));
}

#[test]
fn go_is_never_rejected() {
    assert_eq!(go("go depth"), Go::default());
    assert_eq!(go("go depth deep nodes 7").nodes, Some(7));
    assert_eq!(go("go wtime btime 1000").clock.time, [None, Some(ms(1000))]);
    let odd = go("go quickly now depth 3 !");
    assert_eq!(
        (odd.depth, odd.unread.unwrap().unknown),
        (Some(3), ["quickly", "now", "!"].map(str::to_owned).to_vec())
    );
    let typed = go("go searchmoves e2e4 Nf3 depth 3");
    assert_eq!((typed.search_moves, typed.unread.unwrap().moves), (moves("e2e4"), vec!["Nf3".to_owned()]));
    assert_eq!(go("go e2e4 depth 3").search_moves, vec![], "a move only counts after searchmoves");
}

#[test]
fn options() {
    let set = |name: &str, value: Option<&str>| Command::SetOption { name: name.into(), value: value.map(Into::into) };
    assert_eq!(parse("setoption name Hash value 64"), set("Hash", Some("64")));
    assert_eq!(parse("setoption name Clear Hash"), set("Clear Hash", None));
    assert_eq!(parse("setoption  name  Move  Overhead  value  10 \r"), set("Move Overhead", Some("10")));
    assert_eq!(
        parse("setoption name BookFile value C:\\my  books\\b.bin"),
        set("BookFile", Some("C:\\my  books\\b.bin"))
    );
    assert_eq!(parse("setoption name BookFile value"), set("BookFile", Some("")));
    assert!(
        is_bad(&parse("setoption")) && is_bad(&parse("setoption Hash 5")) && is_bad(&parse("setoption name value 5"))
    );
}
