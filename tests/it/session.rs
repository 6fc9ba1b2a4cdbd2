//! Tests the event loop of the real executable: options that are set at unusual times, rebuilt workers, and all ways to
//! end the program.
#![cfg(target_os = "linux")]

use crate::program::{Board, Program, children_file, mock};
use hasami_chess::Chess;
use hasami_shogi::Shogi;
use std::path::PathBuf;

fn greeted() -> Program {
    let mut program = Program::start();
    program.tell("uci");
    program.expect("uciok");
    program
}

fn answer_is_legal_after(program: &mut Program, moves: &[&str]) {
    let mut board = Board::<Chess>::new();
    moves.iter().for_each(|text| board.play(text));
    let line = program.expect("bestmove ");
    board.play(line.split_whitespace().nth(1).unwrap());
}

#[test]
fn options_that_rebuild_the_workers_keep_the_position() {
    let mut program = greeted();
    program.tell("position startpos moves e2e4");
    program.tell("go depth 4");
    answer_is_legal_after(&mut program, &["e2e4"]);
    for option in ["Hash value 8", "Threads value 2", "SharedHash value true"] {
        program.tell(&format!("setoption name {option}"));
        program.tell("go movetime 50");
        answer_is_legal_after(&mut program, &["e2e4"]);
    }
    program.quit();
}

#[test]
fn a_new_game_resets_the_position_whatever_is_rebuilt() {
    let mut program = greeted();
    for before in ["position startpos moves e2e4", "position startpos moves e2e5"] {
        program.tell(before);
        program.tell("ucinewgame");
        program.tell(&format!("setoption name Hash value {}", before.len()));
        program.tell("go depth 3");
        answer_is_legal_after(&mut program, &[]);
    }
    program.quit();
}

#[test]
fn an_option_during_a_search_waits_for_its_end() {
    let mut program = greeted();
    program.tell("position startpos");
    program.tell("go infinite");
    program.expect("info depth");
    program.tell("setoption name Hash value 4");
    program.tell("setoption name Threads value 3");
    program.tell("isready");
    program.expect("readyok");
    assert!(!program.said.iter().any(|line| line.starts_with("bestmove")));
    program.tell("stop");
    answer_is_legal_after(&mut program, &[]);
    program.tell("go depth 3");
    answer_is_legal_after(&mut program, &[]);
    program.quit();
}

#[test]
fn changing_the_protocol_waits_for_the_current_answer() {
    let mut program = greeted();
    program.tell("position startpos moves e2e4");
    program.tell("go infinite");
    program.expect("info depth");
    program.tell("usi");
    answer_is_legal_after(&mut program, &["e2e4"]);
    program.expect("usiok");
    program.tell("isready");
    program.tell("uci");
    program.expect("readyok");
    program.expect("uciok");
    program.quit();
}

#[test]
fn an_invalid_children_file_is_reported_and_threads_play() {
    let mut program = greeted();
    program.tell("setoption name Children value /nonexistent/children.toml");
    program.tell("position startpos");
    program.tell("go movetime 50");
    program.expect("info string Children: /nonexistent/children.toml: cannot read the TOML file");
    answer_is_legal_after(&mut program, &[]);
    program.quit();
}

#[test]
fn the_crash_of_a_child_is_reported_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let children = children_file(folder.path(), &[mock("--exits-on-go"), mock("")]);
    let mut program = Program::with_children("uci", &children, 0);
    program.tell("position startpos");
    program.tell("go infinite");
    program.expect("info string mock-engine#1 is lost and started again: ");
    program.expect("info string mock-engine#1 is lost, 2 times so far");
    program.tell("stop");
    answer_is_legal_after(&mut program, &[]);
    program.quit();
}

/// Returns the processes of the mock engine.
fn children_of(program: &Program) -> Vec<PathBuf> {
    let is_child = |folder: &PathBuf| {
        let command = std::fs::read_to_string(folder.join("cmdline")).unwrap_or_default();
        command.contains("mock-engine")
    };
    let mut found: Vec<_> = program.processes().into_iter().filter(is_child).collect();
    found.sort();
    found
}

#[test]
fn children_outlive_options_that_do_not_concern_them() {
    let folder = tempfile::tempdir().unwrap();
    let children = children_file(folder.path(), &[mock(""), mock("")]);
    let mut program = Program::with_children("usi", &children, 1);
    program.best_move("position startpos", "go movetime 30");
    let before = children_of(&program);
    assert_eq!(before.len(), 2);
    for option in [
        "Brinkmates value false",
        "USI_Hash value 2",
        "Threads value 2",
        "SharedHash value false",
        "Threads value 0",
        "Brinkmates value true",
        "MultiPV value 2",
    ] {
        program.tell(&format!("setoption name {option}"));
        let (best, _) = program.best_move("position startpos moves 7g7f", "go movetime 30");
        let mut board = Board::<Shogi>::new();
        board.play("7g7f");
        board.play(&best);
        assert_eq!(children_of(&program), before, "{option}");
    }
    program.tell("go mate 20000");
    program.expect("checkmate ");
    assert!(!program.said.iter().any(|line| line.contains("is lost")), "{:#?}", program.said);
    program.tell("setoption name Children value");
    program.best_move("position startpos", "go movetime 30");
    assert!(children_of(&program).is_empty(), "{:?}", children_of(&program));
    program.quit();
}

#[test]
fn pipes_and_devices_as_files_are_reported_and_quit_works() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.display();
    let mut program = greeted();
    program.tell("setoption name OwnBook value true");
    for (option, path, found) in [
        ("BookFile", "/dev/zero".to_owned(), "a device"),
        ("BookFile", pipe.to_string(), "a pipe"),
        ("DebugLogFile", pipe.to_string(), "a pipe"),
        ("Children", pipe.to_string(), "a pipe"),
    ] {
        program.tell(&format!("setoption name {option} value {path}"));
        program.tell("isready");
        let colon = if option == "Children" { ":" } else { "" };
        program.expect(&format!("info string {option}{colon} {path}: cannot use {found}, only a regular file"));
        program.expect("readyok");
    }
    program.quit();
}

#[test]
fn errors_of_options_are_reported_once() {
    let mut program = greeted();
    for option in [
        "OwnBook value true",
        "BookFile value /nonexistent.bin",
        "DebugLogFile value /nonexistent/log",
        "MultiPV value 2",
        "Hash value 8",
        "Threads value 2",
    ] {
        program.tell(&format!("setoption name {option}"));
        program.tell("isready");
        program.expect("readyok");
    }
    program.tell("position startpos");
    program.tell("go nodes 100");
    program.expect("bestmove");
    for begin in [
        "info string BookFile /nonexistent.bin: cannot read the book: ",
        "info string DebugLogFile /nonexistent/log: cannot write the file: ",
    ] {
        assert_eq!(program.said.iter().filter(|line| line.starts_with(begin)).count(), 1, "{:#?}", program.said);
    }
    program.quit();
}

#[test]
fn children_start_and_end_with_the_option() {
    let folder = tempfile::tempdir().unwrap();
    let file = children_file(folder.path(), &[mock(""), mock("")]);
    let mut program = Program::with_children("uci", &file, 1);
    program.tell("isready");
    program.expect("readyok");
    let count = |program: &Program| program.descendants().iter().filter(|line| line.contains("mock-engine")).count();
    assert_eq!(count(&program), 2);
    program.tell("setoption name Children value <empty>");
    program.tell("position startpos");
    program.tell("go movetime 100");
    program.expect("bestmove");
    let deadline = std::time::Instant::now() + crate::program::ANSWER_LIMIT;
    while count(&program) > 0 {
        assert!(std::time::Instant::now() < deadline, "{:#?}", program.descendants());
        std::thread::park_timeout(std::time::Duration::from_millis(5));
    }
    program.quit();
}

#[test]
fn the_log_file_has_input_and_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dialogue log.txt");
    let mut program = greeted();
    program.tell(&format!("setoption name DebugLogFile value {}", path.display()));
    program.tell("isready");
    program.expect("readyok");
    program.quit();
    let text = std::fs::read_to_string(path).unwrap();
    let has = |end: &str| text.lines().any(|line| line.ends_with(end));
    assert!(has("< isready") && has("> readyok") && has("< quit"), "{text}");
}

#[test]
fn before_the_greeting_options_are_kept_and_other_lines_are_harmless() {
    let mut program = Program::start();
    program.tell("setoption name Hash value 3");
    program.tell("isready");
    program.expect("readyok");
    program.tell("nonsense");
    program.tell("uci");
    program.expect("option name Hash type spin default 3");
    program.expect("uciok");
    program.quit();

    let mut program = Program::start();
    program.tell("position startpos moves d2d4");
    program.tell("go depth 2");
    answer_is_legal_after(&mut program, &["d2d4"]);
    program.tell("usi");
    program.expect("usiok");
    program.quit();
}

#[test]
fn closing_stdout_ends_the_program() {
    let mut program = greeted();
    program.close_stdout();
    program.tell("position startpos");
    program.tell("go infinite");
    program.wait_gone();
}

/// Moves in SAN, in Japanese notation and with move numbers must lead to the same positions as moves in the protocol's
/// notation.
#[test]
fn moves_are_accepted_as_people_write_them() {
    let mut program = greeted();
    for moves in ["e4 e5 Nf3", "1.e4 e5 2. Nf3", "e2e4 e7-e5 Ng1f3", "E2E4 e7e5 nf3"] {
        program.tell(&format!("position startpos moves {moves}"));
        program.tell("d");
        let found = program.expect("Fen: ");
        assert!(found.starts_with("Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b"), "{moves}: {found}");
    }
    program.tell("go depth 1 searchmoves Nc6 g8f6");
    let answer = program.expect("bestmove ");
    assert!(["b8c6", "g8f6"].contains(&answer.split(' ').nth(1).unwrap()), "{answer}");
    program.tell("go depth 1 searchmoves Nd6 Nc6");
    program.expect("info string searchmoves: expected legal moves, found Nd6: left out");
    assert!(program.expect("bestmove ").starts_with("bestmove b8c6"));
    program.tell("go depth 1 searchmoves Nd6 e7e8");
    program.expect("info string searchmoves: expected legal moves, found e7e8 Nd6: all moves are searched");
    program.expect("bestmove ");
    program.tell("go depht 3 nodes 1");
    program.expect("info string go: expected limits and searchmoves, found depht 3: ignored");
    program.expect("bestmove ");
    program.tell("usi");
    program.expect("usiok");
    for moves in ["７六歩(77) 3c3d ２二角成(88) △同　銀", "▲７六歩△３四歩▲２二角成△同銀", "P-7f 34歩 Bx2b+ Sx2b"]
    {
        program.tell(&format!("position startpos moves {moves}"));
        program.tell("d");
        let found = program.expect("Sfen: ");
        assert_eq!(found, "Sfen: lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5", "{moves}");
    }
    program.quit();
}

/// After a rejected `position`, the commands `go`, `go perft` and those for human users must report that no position is
/// set.
#[test]
fn after_a_rejected_position_all_commands_report_that_there_is_none() {
    let mut program = greeted();
    for refused in ["position startpos moves e4 e4", "position startpos moves e2e4 e2e4", "position fen x"] {
        program.tell("position startpos moves d2d4");
        program.tell(refused);
        program.expect("info string position: ");
        for word in ["d", "eval"] {
            program.tell(word);
            program.expect("No position: the last one was refused");
        }
        program.tell("go perft 1");
        program.expect("info string perft: the last position was refused");
        program.tell("go depth 1");
        program.expect("bestmove (none)");
        program.tell("ucinewgame");
        program.tell("d");
        program.expect("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    }
    program.quit();
}
