//! Tests the lines that the engine sends to the GUI.

use super::*;
use hasami_api::{Bound, MateAnswer, Score};

fn info() -> Info {
    Info {
        depth: 12,
        seldepth: 18,
        multipv: None,
        score: Score::cp(-35),
        bound: Bound::Exact,
        wdl: None,
        nodes: 123_456,
        nps: 1_000_000,
        hashfull: 42,
        table_hits: 0,
        time: Duration::from_micros(123_999),
        pv: moves("e2e4 e7e5"),
    }
}

#[test]
fn info_lines() {
    let line = "info depth 12 seldepth 18 score cp -35 nodes 123456 nps 1000000 hashfull 42 time 123 pv e2e4 e7e5";
    assert_eq!(Protocol::Uci.format(&Output::Info(info())), line);
    assert_eq!(Protocol::Usi.format(&Output::Info(info())), line);
    let known = Protocol::Uci.format(&Output::Info(Info { table_hits: 7, ..info() }));
    assert!(known.contains(" time 123 tbhits 7 pv "), "{known}");
    let full = Info { multipv: Some(2), bound: Bound::Lower, wdl: Some([10, 900, 90]), ..info() };
    assert!(
        Protocol::Uci
            .format(&Output::Info(full))
            .starts_with("info depth 12 seldepth 18 multipv 2 score cp -35 wdl 10 900 90 lowerbound nodes")
    );
    let bare = Info { pv: vec![], bound: Bound::Upper, ..info() };
    assert!(
        Protocol::Usi
            .format(&Output::Info(bare))
            .ends_with("score cp -35 upperbound nodes 123456 nps 1000000 hashfull 42 time 123")
    );
}

#[test]
fn no_speed_is_printed_for_very_short_times() {
    for (micros, words) in [(0, " nodes 2000 hashfull 42 time 1"), (2_500, " nodes 2000 nps 800000 hashfull 42 time 2")]
    {
        let short = Info { nodes: 2_000, nps: 800_000, time: Duration::from_micros(micros), pv: Vec::new(), ..info() };
        let line = Protocol::Uci.format(&Output::Info(short));
        assert!(line.ends_with(words), "{line}");
    }
    let effort = Effort { depth: 1, nodes: 2_000, nps: 2_000_000, time: Duration::ZERO };
    assert_eq!(Protocol::Uci.format(&Output::Effort(effort)), "info depth 1 nodes 2000 time 1");
}

#[test]
fn mates_count_moves_in_uci_and_plies_in_usi() {
    for (score, uci, usi) in [
        (Score::win_in(1), "mate 1", "mate 1"),
        (Score::win_in(5), "mate 3", "mate 5"),
        (Score::loss_in(2), "mate -1", "mate -2"),
        (Score::loss_in(4), "mate -2", "mate -4"),
        (Score::loss_in(0), "mate 0", "mate -0"),
        (Score::win_in(2), "mate 1", "mate 2"),
        (Score::loss_in(1), "mate -1", "mate -1"),
    ] {
        let output = Output::Info(Info { score, ..info() });
        assert!(Protocol::Uci.format(&output).contains(&format!("score {uci} nodes")), "{uci}");
        assert!(Protocol::Usi.format(&output).contains(&format!("score {usi} nodes")), "{usi}");
    }
}

#[test]
fn best_moves() {
    let best = |best: &str, ponder: Option<&str>| {
        Output::Best(BestMove::Move { best: best.parse().unwrap(), ponder: ponder.map(|m| m.parse().unwrap()) })
    };
    assert_eq!(Protocol::Uci.format(&best("e2e4", None)), "bestmove e2e4");
    assert_eq!(Protocol::Usi.format(&best("7g7f", Some("3c3d"))), "bestmove 7g7f ponder 3c3d");
    for (best, uci, usi) in [
        (BestMove::None, "bestmove (none)", "bestmove resign"),
        (BestMove::Resign, "bestmove (none)", "bestmove resign"),
        (BestMove::Win, "bestmove (none)", "bestmove win"),
    ] {
        let output = Output::Best(best);
        assert_eq!((&*Protocol::Uci.format(&output), &*Protocol::Usi.format(&output)), (uci, usi));
    }
}

#[test]
fn answers_to_go_mate() {
    for (answer, uci, usi) in [
        (MateAnswer::Mate(moves("G*5b")), "bestmove G*5b", "checkmate G*5b"),
        (MateAnswer::Mate(moves("a1a2 b1b2 c1c2")), "bestmove a1a2 ponder b1b2", "checkmate a1a2 b1b2 c1c2"),
        (MateAnswer::Mate(vec![]), "bestmove (none)", "checkmate nomate"),
        (MateAnswer::NoMate, "bestmove (none)", "checkmate nomate"),
        (MateAnswer::Unknown, "bestmove (none)", "checkmate timeout"),
    ] {
        let output = Output::Checkmate(answer);
        assert_eq!((&*Protocol::Uci.format(&output), &*Protocol::Usi.format(&output)), (uci, usi));
    }
}

#[test]
fn messages_are_one_line_of_ascii() {
    let message = Output::Message("error: 将棋 \"é\"\nreadyok\r".into());
    for protocol in PROTOCOLS {
        let line = protocol.format(&message);
        assert_eq!(line, "info string error: ?? \"?\" readyok");
    }
    assert_eq!(Protocol::Uci.format(&Output::ReadyOk), "readyok");
}

#[test]
fn introductions() {
    for (protocol, greeting, ok) in [(Protocol::Uci, "uci", "uciok"), (Protocol::Usi, "usi", "usiok")] {
        let text = protocol.introduce(&options(protocol).declare(&Settings::default()));
        assert_eq!(protocol.greeting(), greeting);
        let lines: Vec<_> = text.split('\n').collect();
        assert!(lines[0].starts_with("id name Hasami ") && lines[1].starts_with("id author "));
        assert_eq!(*lines.last().unwrap(), ok);
        for line in &lines {
            assert!(line.is_ascii() && *line == line.trim() && !line.is_empty(), "{line:?}");
        }
        assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")));
    }
}
