//! Tests the parsing of USI lines that a GUI sends.

use super::*;

fn parse(line: &str) -> Command {
    Protocol::Usi.parse(line)
}

fn go(line: &str) -> Go {
    match parse(line) {
        Command::Go(go) => go,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn commands_without_clock() {
    for (line, command) in [
        ("usi", Command::Hello),
        ("isready", Command::IsReady),
        ("usinewgame", Command::NewGame),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit(None)),
        ("gameover", Command::GameOver),
        ("gameover win", Command::GameOver),
        ("gameover lose", Command::GameOver),
        ("gameover draw", Command::GameOver),
        ("quit", Command::Quit),
        ("debug off", Command::Debug(false)),
    ] {
        assert_eq!(parse(line), command);
        assert_eq!(parse(&format!(" {}\r\n", line.replace(' ', "  "))), command, "{line} surrounded by blanks");
    }
}

#[test]
fn unknown_lines_are_ignored() {
    for line in ["", "uci", "ucinewgame", "quit now", "usinewgame!", "debug", "駒"] {
        assert_eq!(parse(line), Command::Unknown, "{line:?}");
    }
}

#[test]
fn positions() {
    const SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    const HANDS: &str = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124";
    assert_eq!(parse("position startpos"), position(None, ""));
    assert_eq!(parse("position startpos moves 7g7f 3c3d 8h2b+"), position(None, "7g7f 3c3d 8h2b+"));
    assert_eq!(parse(&format!("position sfen {SFEN} moves 7g7f")), position(Some(SFEN), "7g7f"));
    assert_eq!(parse(&format!("position sfen {HANDS} moves P*5e")), position(Some(HANDS), "P*5e"));
    let without_ply = HANDS.strip_suffix(" 124").unwrap();
    assert_eq!(parse(&format!("position sfen {without_ply} moves P*5e")), position(Some(without_ply), "P*5e"));
    for pasted in [format!("sfen {SFEN} moves 7g7f"), format!(" fen {SFEN}  moves 7g7f\r\n")] {
        assert_eq!(parse(&pasted), position(Some(SFEN), "7g7f"), "without `position`");
    }
    assert_eq!(parse("startpos moves 7g7f 3c3d"), position(None, "7g7f 3c3d"));
    assert_eq!(parse("startpos"), position(None, ""));
    let Command::TypedPosition(typed) = parse("startpos moves ７六歩 同　銀") else { panic!() };
    assert_eq!((typed.start.text, typed.moves.as_str()), (None, "７六歩 同　銀"));
    for line in ["position", "position sfen", "position fen 8/8 w", "position startpos 7g7f"] {
        assert!(is_bad(&parse(line)), "{line}");
    }
}

#[test]
fn black_moves_first() {
    let clock = go("go btime 60000 wtime 50000 byoyomi 10000").clock;
    assert_eq!(clock.time, [Some(ms(60_000)), Some(ms(50_000))]);
    assert_eq!((clock.byoyomi, clock.increment), (ms(10_000), [ms(0); 2]));
    let clock = go("go btime 60000 wtime 50000 binc 5000 winc 3000").clock;
    assert_eq!((clock.byoyomi, clock.increment), (ms(0), [ms(5000), ms(3000)]));
    assert_eq!(go("go byoyomi 3000").clock, Clock { byoyomi: ms(3000), ..Clock::default() });
}

#[test]
fn pondering_with_and_without_clocks() {
    let bare = go("go ponder");
    assert!(bare.ponder && bare.clock.is_empty());
    assert!(!go("go ponder btime 1 wtime 2 byoyomi 3").clock.is_empty());
    let Command::PonderHit(Some(clock)) = parse("ponderhit btime 1000 wtime 2000 binc 10 winc 20") else { panic!() };
    assert_eq!((clock.time, clock.increment), ([Some(ms(1000)), Some(ms(2000))], [ms(10), ms(20)]));
    let Command::PonderHit(Some(clock)) = parse("ponderhit btime 0 wtime 0 byoyomi 500") else { panic!() };
    assert_eq!((clock.time, clock.byoyomi), ([Some(ms(0)); 2], ms(500)));
}

#[test]
fn mate_searches() {
    assert_eq!(go("go mate 5000").mate, Some(MateLimit::Time(ms(5000))));
    assert_eq!(go("go mate infinite"), Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    assert_eq!(go("go mate").mate, Some(MateLimit::Infinite));
    let shogiarena = go("go mate nodes 100000");
    assert_eq!((shogiarena.mate, shogiarena.nodes), (Some(MateLimit::Infinite), Some(100_000)));
}

#[test]
fn other_limits() {
    assert_eq!(go("go nodes 1000").nodes, Some(1000));
    assert_eq!(go("go depth 12").depth, Some(12));
    assert_eq!(go("go movetime 300").move_time, Some(ms(300)));
    assert_eq!(go("go infinite searchmoves 7g7f P*5e").search_moves, moves("7g7f P*5e"));
}

#[test]
fn options() {
    let set = |name: &str, value: Option<&str>| Command::SetOption { name: name.into(), value: value.map(Into::into) };
    assert_eq!(parse("setoption name USI_Hash value 1024"), set("USI_Hash", Some("1024")));
    assert_eq!(parse("setoption name ClearHash"), set("ClearHash", None));
    assert_eq!(parse("setoption name BookFile value <empty>"), set("BookFile", Some("")));
}
