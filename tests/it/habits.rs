//! Tests that common behaviour of shogi engines is not treated as a fault, either in child engines or in matches.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::program::{Board, Program, mock};
use hasami_shogi::Shogi;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Flags for behaviour that is not a fault. An engine with one of these flags must not be set aside, lose a game
/// because of the flag, or cause a warning.
const HABITS: &[&str] = &[
    "--isready-resets",
    "--isready-resets --family",
    "--fixed-options",
    "--usi-multipv",
    "--missing-book",
    "--mate-sign",
    "--loads 200",
];

fn children(folder: &Path, flags: &str, more: &str) -> PathBuf {
    let path = folder.join("children.toml");
    let text = format!("[[engine]]\ncommand = \"\"\"{}\"\"\"\nstart_seconds = 2\n{more}\n", mock(flags));
    fs::write(&path, text).unwrap();
    path
}

/// Returns the path of a file, and the flag that makes the mock engine write its input to this file.
fn record(folder: &Path) -> (PathBuf, String) {
    let path = folder.join("heard.txt");
    let flag = format!("--hears '{}'", path.display());
    (path, flag)
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// Plays two games as ShogiHome and ShogiGUI do, with a child engine and no threads of this program. Returns the
/// output.
fn two_games(file: &Path) -> Vec<String> {
    let mut program = Program::with_children("usi", file, 0);
    for _ in 0..2 {
        program.tell("isready");
        program.expect("readyok");
        program.tell("usinewgame");
        let mut board = Board::<Shogi>::new();
        for _ in 0..3 {
            let (best, _) = program.best_move(&board.position(), "go movetime 100");
            board.play(&best);
            board.reply();
        }
        program.tell("gameover draw");
    }
    let said = program.said.clone();
    program.quit();
    said
}

#[test]
fn habits_of_children_are_tolerated() {
    for flags in HABITS {
        let folder = tempfile::tempdir().unwrap();
        let said = two_games(&children(folder.path(), flags, ""));
        assert!(!said.iter().any(|line| line.contains("warning")), "{flags}: {said:#?}");
    }
}

#[test]
fn a_child_gets_isready_only_between_games() {
    let folder = tempfile::tempdir().unwrap();
    let (heard, flag) = record(folder.path());
    two_games(&children(folder.path(), &format!("--isready-resets {flag}"), ""));
    let all = lines(&heard);
    let words: Vec<_> = all.iter().map(|line| line.split_whitespace().next().unwrap_or_default()).collect();
    let games: Vec<_> = words.split(|word| *word == "isready").skip(1).collect();
    assert_eq!(games.len(), 2, "{words:?}");
    for game in games {
        assert_eq!(game[0], "usinewgame", "{game:?}");
        assert_eq!(game.iter().filter(|word| **word == "usinewgame").count(), 1, "{game:?}");
        for pair in game.windows(2).filter(|pair| pair[1] == "go") {
            assert_eq!(pair[0], "position", "{game:?}");
        }
    }
}

#[test]
fn a_child_is_configured_as_a_worker_unless_the_user_decides() {
    let folder = tempfile::tempdir().unwrap();
    let (heard, flag) = record(folder.path());
    two_games(&children(folder.path(), &format!("--family {flag}"), ""));
    let all = lines(&heard);
    for (name, value) in [("PvInterval", "0"), ("Threads", "1"), ("USI_OwnBook", "false"), ("BookFile", "no_book")] {
        assert!(all.contains(&format!("setoption name {name} value {value}")), "{name}: {all:#?}");
    }
    assert!(!all.iter().any(|line| line.contains("Delay")), "children have no clock, so delays are not set: {all:#?}");
    fs::remove_file(&heard).unwrap();
    two_games(&children(folder.path(), &format!("--family {flag}"), "options = { Threads = 3, USI_OwnBook = true }"));
    let all = lines(&heard);
    let set = |name: &str| all.iter().filter(|line| line.contains(name)).cloned().collect::<Vec<_>>();
    assert_eq!(set("Threads"), ["setoption name Threads value 3"]);
    assert_eq!(set("USI_OwnBook"), ["setoption name USI_OwnBook value true"]);
}

#[test]
fn the_number_of_lines_is_set_by_the_name_of_the_childs_option() {
    for (flags, name) in [("", "MultiPV"), ("--usi-multipv", "USI_MultiPV")] {
        let folder = tempfile::tempdir().unwrap();
        let (heard, flag) = record(folder.path());
        let file = children(folder.path(), &format!("{flags} {flag}"), "");
        let mut program = Program::with_children("usi", &file, 0);
        program.tell("setoption name USI_MultiPV value 2");
        program.tell("isready");
        program.expect("readyok");
        program.best_move("position startpos", "go movetime 100");
        program.quit();
        let all = lines(&heard);
        let asked = format!("setoption name {name} value ");
        assert!(all.iter().any(|line| line.starts_with(&asked)), "{all:#?}");
    }
}

/// The child takes longer to load than a child may stay silent, but prints empty lines while it loads.
#[test]
fn a_child_that_reports_loading_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = children(folder.path(), "--loads 1500", "");
    let text = fs::read_to_string(&file).unwrap().replace("start_seconds = 2", "start_seconds = 1");
    fs::write(&file, text).unwrap();
    let said = two_games(&file);
    assert!(!said.iter().any(|line| line.contains("set aside")), "{said:#?}");
}

fn contest(flags: &str, each: &str) -> (Value, String) {
    let job = Job::new("match");
    let (odd, plain) = (format!("name=odd cmd=\"{}\"", mock(flags)), format!("name=plain cmd=\"{}\"", mock("")));
    let arguments = ["--game", "shogi", "--engine", &odd, "--engine", &plain, "--each", each, "--games", "2"];
    let output = job.run(&[&arguments[..], &["--maxmoves", "4", "--json", "x.json"]].concat());
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{flags}: {printed}");
    // The report at the end repeats the warnings that were printed during the match.
    (job.json(), printed)
}

#[test]
fn habits_of_opponents_are_tolerated() {
    for flags in HABITS {
        let (summary, _) = contest(flags, "movetime=2000");
        let odd = &summary["engines"][0];
        assert_eq!(odd["faults"]["breaches"], 0, "{flags}: {summary}");
        assert!(odd["endings"]["lost"].as_object().unwrap().is_empty(), "{flags}: {summary}");
        assert_eq!(summary["games_played"], 2, "{flags}");
    }
}

#[test]
fn an_opponent_gets_isready_only_between_games() {
    let folder = tempfile::tempdir().unwrap();
    let (heard, flag) = record(folder.path());
    contest(&format!("--isready-resets {flag}"), "movetime=2000");
    let all = lines(&heard);
    assert_eq!(all.iter().filter(|line| *line == "isready").count(), 2, "{all:#?}");
    for pair in all.windows(2).filter(|pair| pair[1].starts_with("go")) {
        assert!(pair[0].starts_with("position"), "{all:#?}");
    }
}

#[test]
fn delays_of_opponents_are_lowered_for_short_turns_and_noted() {
    let folder = tempfile::tempdir().unwrap();
    let (heard, flag) = record(folder.path());
    let (_, printed) = contest(&format!("--family {flag}"), "byoyomi=1");
    let all = lines(&heard);
    assert!(all.contains(&"setoption name NetworkDelay2 value 120".to_owned()), "{all:#?}");
    assert!(all.contains(&"setoption name RoundUpToFullSecond value false".to_owned()), "{all:#?}");
    assert!(!all.iter().any(|line| line.contains("USI_OwnBook")), "the user decides about the book: {all:#?}");
    for text in ["NetworkDelay2 1120 -> 120", "option.USI_OwnBook=false", "4 threads"] {
        assert_eq!(printed.matches(text).count(), 1, "{text}: {printed}");
    }
}

/// An engine whose default is another game must be set to shogi exactly once, before its first game, both as a child
/// and as a player in a match.
#[test]
fn engines_with_several_games_are_set_to_the_one_being_played() {
    let folder = tempfile::tempdir().unwrap();
    let (heard, flag) = record(folder.path());
    for (variants, printed) in
        [("minishogi,shogi", &["setoption name USI_Variant value shogi"][..]), ("shogi,mini", &[])]
    {
        let flags = format!("--variants {variants} {flag}");
        let drive: [&dyn Fn(); 2] =
            [&|| _ = two_games(&children(folder.path(), &flags, "")), &|| _ = contest(&flags, "movetime=2000")];
        for drive in drive {
            drive();
            let all = lines(&heard);
            let set: Vec<_> = all.iter().filter(|line| line.contains("Variant")).collect();
            assert_eq!(set, printed, "{variants}: {all:#?}");
            let place = |text: &str| all.iter().position(|line| line.starts_with(text));
            assert!(printed.is_empty() || place("setoption") < place("isready"), "{all:#?}");
            fs::remove_file(&heard).unwrap();
        }
    }
}

#[test]
fn complaints_of_opponents_are_reported_once() {
    let (_, printed) = contest("--missing-book", "movetime=2000");
    assert_eq!(printed.matches("odd says: Error! : can't read file : book/standard_book.db").count(), 1, "{printed}");
}

/// Mate engines answer a mate in one in various ways. The program may use an answer only if it is a correct mate and
/// arrives in time.
#[test]
fn mate_engines_are_asked_but_not_trusted() {
    const POSITION: &str = "position sfen 8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    for (flags, more) in [
        ("--checkmate nomate", ""),
        ("--checkmate none", ""),
        ("--checkmate timeout", ""),
        ("--checkmate notimplemented", ""),
        ("--checkmate 'G*5e'", ""),
        ("--checkmate 'G*1b'", ""),
        ("--checkmate ''", ""),
        ("--overstays", ""),
        ("--plays-mates", ""),
        ("--exits-on-go", ""),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = children(folder.path(), flags, &format!("mate = true\n{more}"));
        let mut program = Program::with_children("usi", &file, 1);
        program.tell("isready");
        program.expect("readyok");
        program.tell(POSITION);
        program.tell("go mate 20000");
        assert_eq!(program.expect("checkmate"), "checkmate G*1b", "{flags}");
        // A thread of this program must play this move, because mate engines do not play.
        let (best, _) = program.best_move("position startpos", "go movetime 100");
        Board::<Shogi>::new().play(&best);
        program.quit();
    }
}

/// If the only child is a mate engine, the program must start a thread that searches for moves.
#[test]
fn a_mate_engine_alone_does_not_play() {
    let folder = tempfile::tempdir().unwrap();
    let (heard, flag) = record(folder.path());
    let file = children(folder.path(), &format!("--checkmate nomate {flag}"), "mate = true");
    let mut program = Program::with_children("usi", &file, 0);
    program.tell("isready");
    program.expect("readyok");
    let (best, _) = program.best_move("position startpos", "go movetime 300");
    Board::<Shogi>::new().play(&best);
    program.quit();
    let all = lines(&heard);
    let asked: Vec<_> = all.iter().filter(|line| line.starts_with("go")).collect();
    assert!(!asked.is_empty() && asked.iter().all(|line| line.starts_with("go mate ")), "{all:#?}");
}
