//! Tests `hasami match` with a file that describes the match.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::program::mock;
use rustix::process::{Pid, Signal};
use sha2::{Digest, Sha256};
use std::io::{BufRead, BufReader};
use std::process::Output;

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

const BOOK: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n\
                    rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -\n";

/// Plays the match that `tests/match.toml` describes.
fn played() -> Job {
    let job = Job::new("match");
    std::fs::write(job.path("book.epd"), BOOK).unwrap();
    std::fs::create_dir(job.path("tests")).unwrap();
    let engines = ["A", "B"].map(|name| format!("[[engine]]\nname = '{name}'\ncmd = \"\"\"{}\"\"\"\n", mock("")));
    let toml = format!(
        "games = 4\nopenings = '../book.epd'\nmaxmoves = 6\nsprt = {{ elo0 = 0, elo1 = 5 }}\n[each]\nnodes = 1000\n{}",
        engines.concat()
    );
    std::fs::write(job.path("tests/match.toml"), toml).unwrap();
    let played =
        job.run(&["--file", "tests/match.toml", "--journal", "match.jsonl", "--pgn", "match.pgn", "--event", "A test"]);
    assert!(played.status.success(), "{}", text(&played));
    job
}

#[test]
fn the_results_of_a_match_from_a_file_list_its_conditions() {
    let job = played();
    let results =
        |more: &[&str]| text(&job.start_as("results", &[&["match.jsonl"], more].concat()).wait_with_output().unwrap());
    let block = results(&[]);
    let [book, engine] =
        [BOOK.as_bytes().to_vec(), std::fs::read(env!("CARGO_BIN_EXE_mock-engine")).unwrap()].map(sha256);
    let openings = format!("chess, openings tests/../book.epd (sequential, {book}), at most 12 plies\n");
    let tool = format!("Match tool: hasami {}\n", env!("CARGO_PKG_VERSION"));
    let name = format!("A: 1000 nodes (mock engine, mock-engine {engine})\n");
    let test = "SPRT [0.00, 5.00] normalized, alpha 0.05, beta 0.05\n";
    for line in ["Games: 4,", "Ptnml(0-2): [", "LLR: ", &name, &openings, test, &tool] {
        assert!(block.contains(line), "{line}: {block}");
    }
    // `hasami results --record` prints the game records exactly as they are in `match.pgn`.
    let records: String = (1..=4).map(|game| results(&["--record", &game.to_string()])).collect();
    assert_eq!(records, job.text("match.pgn"));
    // The journal contains the settings of the match file, so the match can continue without that file.
    std::fs::remove_file(job.path("tests/match.toml")).unwrap();
    let resumed = job.run(&["--resume", "match.jsonl"]);
    assert!(resumed.status.success() && text(&resumed).contains("continuing after 4 of 4 games"), "{}", text(&resumed));
}

/// Returns the first digits of a file's SHA-256, as many as the program shows.
fn sha256(bytes: Vec<u8>) -> String {
    Sha256::digest(&bytes)[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_match_without_a_game_has_no_figures() {
    let job = played();
    let header = job.text("match.jsonl").lines().next().unwrap().to_owned() + "\n";
    std::fs::write(job.path("match.jsonl"), &header).unwrap();
    let results = job.start_as("results", &["match.jsonl"]).wait_with_output().unwrap();
    assert_eq!(text(&results), "A vs B: no games yet\n");
    // The engines of this match never answer, so that Ctrl-C must end it.
    let engine = format!("cmd = \"\"\"{}\"\"\"\n", mock("--deaf-to-go"));
    let described = format!("[each]\nst = 1000\n[[engine]]\nname = 'A'\n{engine}[[engine]]\nname = 'B'\n{engine}");
    std::fs::write(job.path("silent.toml"), described).unwrap();
    let mut process = job.start(&["--file", "silent.toml"]);
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("Started game 1 ")), "the match did not begin");
    rustix::process::kill_process(Pid::from_child(&process), Signal::INT).unwrap();
    let printed: Vec<String> = lines.collect();
    assert_eq!(process.wait().unwrap().code(), Some(1));
    assert!(
        printed.contains(&"Results of A vs B: no games".to_owned()) && !printed.concat().contains("nan"),
        "{printed:?}"
    );
}

#[test]
fn errors_in_a_match_file_have_line_numbers() {
    let job = Job::new("match");
    std::fs::write(job.path("match.toml"), "games = 2\nopening = 'book.epd'\n").unwrap();
    let output = job.run(&["--file", "match.toml"]);
    let expected =
        "hasami: --file match.toml: line 2: expected an option of hasami match without its dashes, found 'opening'\n";
    assert_eq!((output.status.code(), text(&output).as_str()), (Some(2), expected));
    // Options in the file are checked in the same way as on the command line.
    let (good, rest) = (mock(""), "[[engine]]\nname = 'b c'\ncmd = 'none-such'\n[each]\nnodes = 9\n");
    let engines = format!("[[engine]]\nname = 'a'\ncmd = \"{good}\"\n{rest}");
    for (text, expected) in [
        ("openings = 'none.epd'\ngames = \"four\"\n", "line 2: invalid value 'four' for '--games <N>'"),
        ("games = 0\n", "line 1: invalid value '0' for '--games <N>'"),
        ("games = 2\n\ntournament = 'x'\n", "line 3: invalid value 'x' for '--tournament"),
    ] {
        std::fs::write(job.path("match.toml"), format!("{text}{engines}")).unwrap();
        let printed = self::text(&job.run(&["--file", "match.toml", "--journal", "match.jsonl"]));
        let line = printed.lines().find(|line| line.starts_with("hasami: ")).unwrap_or_default();
        assert!(line.starts_with(&format!("hasami: --file match.toml: {expected}")), "{printed}");
    }
    // An error message about an option on the command line must not name a line of the file.
    std::fs::write(job.path("match.toml"), engines).unwrap();
    let printed = self::text(&job.run(&["--file", "match.toml", "--games", "four"]));
    assert!(printed.starts_with("hasami: invalid value 'four' for '--games <N>'"), "{printed}");
    let output = job.run(&["--file", "none.toml"]);
    assert!(text(&output).starts_with("hasami: --file none.toml: cannot read the TOML file"), "{}", text(&output));
}
