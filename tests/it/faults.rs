//! Tests games with faulty child engines: each `go` must be answered in time by exactly one legal `bestmove`.
#![cfg(unix)]

use crate::program::{Board, Program, children_file, mock};
use hasami_api::Game;
use hasami_chess::Chess;
use hasami_shogi::Shogi;
use std::thread;
use std::time::Duration;

/// Thinking time of a move.
const MOVE: Duration = Duration::from_millis(250);

/// How late an answer may be on a busy machine.
const SLACK: Duration = Duration::from_secs(3);

/// Part of the warning that is printed when a thread of this program takes over.
const TAKEN_OVER: &str = "no worker is left";

/// Plays `moves` moves with the child engines `engines` and no threads of this program, and returns the warnings.
fn play<G: Game>(greeting: &str, engines: &[String], moves: usize) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::with_children(greeting, &children_file(folder.path(), engines), 0);
    let mut board = Board::<G>::new();
    program.tell(if greeting == "usi" { "usinewgame" } else { "ucinewgame" });
    for _ in 0..moves {
        let go = if greeting == "usi" { "go byoyomi 250" } else { "go movetime 250" };
        let (best, took) = program.best_move(&board.position(), go);
        assert!(took < MOVE + SLACK, "took {took:?}");
        board.play(&best);
        if !board.reply() {
            break;
        }
    }
    let warnings = program.said.iter().filter(|line| line.contains("warning")).cloned().collect();
    program.quit();
    warnings
}

/// Plays with a faulty and a healthy engine: at most one warning, about the faulty engine, may be printed.
fn with_a_healthy_engine(flags: &str) {
    let engines = [mock(flags), mock("")];
    let check = |warnings: Vec<String>| {
        assert!(warnings.len() <= 1, "{warnings:#?}");
        assert!(!warnings.iter().any(|line| line.contains("takes over")), "{warnings:#?}");
    };
    thread::scope(|scope| {
        scope.spawn(|| check(play::<Chess>("uci", &engines, 8)));
        scope.spawn(|| check(play::<Shogi>("usi", &engines, 4)));
    });
}

/// Plays with two faulty engines and no healthy one; the program must still answer with moves.
fn alone(flags: &str) {
    play::<Chess>("uci", &[mock(flags), mock(flags)], 5);
}

macro_rules! each_fault {
    ($($name:ident: $flags:expr;)*) => { $(
        mod $name {
            #[test]
            fn with_a_healthy_engine() { super::with_a_healthy_engine($flags); }

            #[test]
            fn alone() { super::alone($flags); }
        }
    )* };
}

each_fault! {
    healthy: "";
    dead_at_start: "--dead-at-start";
    dead_before_ok: "--dead-before-ok";
    dead_mid_search: "--dead-mid-search";
    exits_on_go: "--exits-on-go";
    dies_after_a_while: "--dies-after 300";
    silent: "--silent";
    never_ready: "--never-ready";
    deaf_to_stop: "--deaf-to-stop";
    deaf_to_eof: "--deaf-to-eof";
    two_bestmoves: "--two-bestmoves";
    no_bestmove: "--no-bestmove";
    illegal_bestmove: "--bestmove a1a8";
    no_move: "--bestmove (none)";
    resigns: "--bestmove resign";
    declares: "--bestmove win";
    unreadable_bestmove: "--bestmove \u{fffd}\u{fffd}";
    illegal_variations: "--illegal-pv";
    absurd_scores: "--absurd-scores";
    absurd_depths: "--absurd-depths";
    deaf_to_go: "--deaf-to-go";
    ends_early: "--ends-early";
    ends_early_without_a_move: "--ends-early --bestmove (none)";
    ends_early_with_a_null_move: "--ends-early --null-pv --bestmove 0000";
    resigns_early: "--ends-early --bestmove resign";
    declares_early: "--ends-early --bestmove win";
    flood: "--flood";
    half_lines: "--half-lines";
    stderr_flood: "--stderr-flood";
    garbage: "--garbage";
    huge_lines: "--huge-lines";
    slow_new_game: "--slow-new-game 200";
    slow_start: "--slow-start 300";
}

#[test]
fn a_missing_program_does_not_stop_the_game() {
    play::<Chess>("uci", &["/nonexistent/engine".to_owned(), mock("")], 3);
    play::<Chess>("uci", &["/nonexistent/engine".to_owned()], 3);
}

/// Every `go infinite` must be answered exactly once, after `stop`.
#[test]
fn stop_works_with_engines_that_ignore_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = children_file(folder.path(), &[mock("--deaf-to-stop"), mock("--flood")]);
    let mut program = Program::with_children("uci", &file, 0);
    let board = Board::<Chess>::new();
    for _ in 0..5 {
        program.tell(&board.position());
        program.tell("isready");
        program.expect("readyok");
        program.tell("go infinite");
        program.expect("info depth");
        program.tell("stop");
        Board::<Chess>::new().play(program.expect("bestmove ").split_whitespace().nth(1).unwrap());
    }
    program.quit();
}

/// After the last child has died, a thread of this program must search for moves.
#[test]
fn a_thread_takes_over_when_all_children_die() {
    let take_over = |flags: &str| {
        let folder = tempfile::tempdir().unwrap();
        let file = children_file(folder.path(), &[mock(flags), mock(flags)]);
        let mut program = Program::with_children("uci", &file, 0);
        let mut board = Board::<Chess>::new();
        for _ in 0..4 {
            let (best, _) = program.best_move(&board.position(), "go movetime 400");
            board.play(&best);
            board.reply();
        }
        let taken = program.said.iter().position(|line| line.contains(TAKEN_OVER));
        let after = &program.said[taken.unwrap_or_else(|| panic!("{flags}: no thread took over"))..];
        assert_eq!(after.iter().filter(|line| line.contains("warning")).count(), 1, "{flags}: {after:#?}");
        // Variations of more than one move come from a real search, because those of the mock engine have a single
        // move.
        let is_search = |line: &&String| {
            line.starts_with("info depth") && line.split(" pv ").nth(1).is_some_and(|pv| pv.contains(' '))
        };
        assert!(after.iter().filter(is_search).count() >= 4, "{flags}: {after:#?}");
        program.quit();
    };
    thread::scope(|scope| {
        for flags in ["--dead-at-start", "--dead-before-ok", "--exits-on-go"] {
            scope.spawn(move || take_over(flags));
        }
    });
}

/// The children send useless answers, so that a thread of this program must search from the second move on.
#[test]
fn a_thread_takes_over_from_useless_children() {
    let useless = [
        "--ends-early --bestmove (none)",
        "--ends-early --bestmove 0000 --null-pv",
        "--ends-early --bestmove resign",
        "--ends-early --bestmove win",
        "--ends-early --bestmove a1a8",
        "--ends-early",
        "--deaf-to-go",
        "--absurd-depths",
        "--illegal-pv",
    ];
    let take_over = |flags: &str, count: usize| {
        let folder = tempfile::tempdir().unwrap();
        let file = children_file(folder.path(), &vec![mock(flags); count]);
        let mut program = Program::with_children("uci", &file, 0);
        let mut board = Board::<Chess>::new();
        let nodes = |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
        // From the second move on, a thread of this program searches; on a busy machine, it may need more time per
        // move to search more nodes than an emergency search.
        let mut most = None;
        for (number, time) in [400, 400, 800, 1_600, 3_200, 6_400].into_iter().enumerate() {
            if number > 1 && most > Some(5_000) {
                break;
            }
            program.said.clear();
            let (best, _) = program.best_move(&board.position(), &format!("go movetime {time}"));
            board.play(&best);
            board.reply();
            most = program.said.iter().filter_map(nodes).max();
        }
        assert!(most > Some(5_000), "{count} of {flags}: {:#?}", program.said);
        program.quit();
    };
    for count in [1, 2] {
        thread::scope(|scope| {
            for flags in useless {
                scope.spawn(move || take_over(flags, count));
            }
        });
    }
}

/// A thread of this program must search even for the first move, because the children have not started yet.
#[test]
fn a_thread_takes_over_from_children_that_start_too_slowly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("children.toml");
    std::fs::write(&path, "[[engine]]\ncommand = \"cat\"\n").unwrap();
    let mut program = Program::with_children("uci", &path, 0);
    program.tell("isready");
    program.expect("readyok");
    program.best_move("position startpos", "go movetime 1000");
    let warnings: Vec<_> = program.said.iter().filter(|line| line.contains("warning")).collect();
    assert!(warnings.len() == 1 && warnings[0].contains("no worker has come up yet"), "{warnings:#?}");
    let place = |what: &str| program.said.iter().position(|line| line.contains(what));
    assert!(place("warning") < place("readyok"), "{:#?}", program.said);
    let depth = |line: &String| line.strip_prefix("info depth ")?.split(' ').next()?.parse::<u32>().ok();
    assert!(program.said.iter().filter_map(depth).max() >= Some(6), "{:#?}", program.said);
    program.quit();
}

/// The program must stop children that do not support or obey limits, must answer, and must not lose a child.
#[test]
fn limits_are_enforced_for_children_that_ignore_them() {
    for (flags, entry) in [("--dies-of-limits", "limits = false"), ("--ignores-limits --flood", "")] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("children.toml");
        std::fs::write(&path, format!("[[engine]]\ncommand = \"\"\"{}\"\"\"\n{entry}\n", mock(flags))).unwrap();
        let mut program = Program::with_children("uci", &path, 0);
        let board = Board::<Chess>::new();
        for go in ["go nodes 5000", "go depth 5"] {
            program.best_move(&board.position(), go);
        }
        let warnings: Vec<_> = program.said.iter().filter(|line| line.contains("warning")).collect();
        assert!(warnings.is_empty(), "{flags}: {warnings:#?}");
        program.quit();
    }
}

#[test]
fn dropping_children_of_another_game_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("children.toml");
    let entry = |protocol: &str| format!("[[engine]]\ncommand = \"\"\"{}\"\"\"\nprotocol = \"{protocol}\"\n", mock(""));
    for (text, printed) in [(entry("usi"), 1), (entry("usi") + &entry("uci"), 0)] {
        std::fs::write(&path, text).unwrap();
        let mut program = Program::with_children("uci", &path, 0);
        program.best_move("position startpos", "go movetime 50");
        let is_reported = |line: &&String| line.contains("no engine speaks uci: mock-engine");
        assert_eq!(program.said.iter().filter(is_reported).count(), printed, "{:#?}", program.said);
        program.quit();
    }
}

#[test]
fn a_child_that_cannot_be_started_is_reported_once_and_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = children_file(folder.path(), &["/nonexistent/engine".to_owned()]);
    let mut program = Program::with_children("uci", &file, 0);
    program.best_move("position startpos", "go movetime 1500");
    let is_reported = |line: &&String| line.contains("set aside: engine (/nonexistent/engine): cannot start");
    assert_eq!(program.said.iter().filter(is_reported).count(), 1, "{:#?}", program.said);
    program.quit();
}

#[test]
fn a_child_that_is_set_aside_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = children_file(folder.path(), &[mock("--illegal-pv"), mock("")]);
    let mut program = Program::with_children("uci", &file, 0);
    let mut board = Board::<Chess>::new();
    let warnings = |program: &Program| program.said.iter().filter(|line| line.contains("is set aside")).count();
    let mut moves_after = 0;
    for _ in 0..200 {
        let (best, _) = program.best_move(&board.position(), "go movetime 120");
        board.play(&best);
        moves_after += usize::from(warnings(&program) > 0);
        if moves_after > 3 {
            break;
        }
        if !board.reply() {
            board = Board::new();
        }
    }
    assert_eq!(warnings(&program), 1, "{:#?}", program.said);
    assert!(moves_after > 3, "the game continues");
    program.quit();
}

/// The search must not wait longer for a slow child than it would for a child with a large network.
#[test]
fn an_analysis_begins_without_a_child_that_does_not_start() {
    let began = std::time::Instant::now();
    let arguments = ["analyse", "--time", "0.1", "--child", &mock("--silent"), "--child", &mock("")];
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_hasami")).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("best move"), "{said}");
    assert!(said.contains("not waited for: mock-engine#1\n"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}
