//! The command line as a shell sees it: exit codes, one line for what is wrong, figures that never change.

use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn hasami(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hasami"));
    command.args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = hasami(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn last_line(arguments: &[&str]) -> String {
    stdout(arguments).lines().last().unwrap_or_default().to_owned()
}

/// The complaint of a run that must fail with `code` and exactly one line on stderr.
fn complaint(code: i32, arguments: &[&str]) -> String {
    let output = hasami(arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
    text
}

#[test]
fn help_version_and_completions_are_no_failures() {
    let help = stdout(&["help"]);
    for subcommand in ["analyse", "bench", "perft", "completions"] {
        assert!(help.contains(subcommand), "{help}");
    }
    assert_eq!(stdout(&["--version"]), format!("hasami {}\n", env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(&["completions", shell]).contains("analyse"), "{shell}");
    }
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["fly"], &["fly"]),
        (&["perft", "--game", "go", "3"], &["go", "chess", "shogi"]),
        (&["perft", "--game", "chess"], &["DEPTH"]),
        (&["perft", "--game", "chess", "many"], &["many"]),
        (&["perft", "--fen", "rubbish", "1"], &["position", "rubbish"]),
        (&["perft", "--game", "shogi", "--sfen", "9/9/9 b - 1", "1"], &["position"]),
        (&["analyse", "--moves", "e2e5"], &["position", "move 1", "e2e5"]),
        (&["analyse", "--moves", "much-too-long"], &["--moves", "much-too-long"]),
        (&["analyse", "--time", "soon"], &["--time", "soon"]),
        (&["analyse", "--time", "-1"], &["-1"]),
        (&["analyse", "--child", "'open quote"], &["--child"]),
        (&["analyse", "--nodes", "10", "--svg", "/no/such/folder/tree.svg"], &["--svg", "/no/such/folder/tree.svg"]),
    ];
    for (arguments, words) in cases {
        let text = complaint(2, arguments);
        assert!(words.iter().all(|word| text.contains(word)), "{arguments:?}: {text}");
    }
}

#[test]
fn a_finished_game_has_no_answer_and_exit_code_1() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert!(complaint(1, &["analyse", "--fen", mated]).contains("expected a legal move"));
}

#[test]
fn perft_ends_with_the_total() {
    assert_eq!(last_line(&["perft", "--game", "chess", "4"]), "197281");
    assert_eq!(last_line(&["perft", "--game", "shogi", "3"]), "25470");
    assert_eq!(last_line(&["perft", "--game", "shogi", "0"]), "1");
    let divided = stdout(&["perft", "--fen", "8/8/8/8/8/k7/p7/K7 b - - 0 1", "--divide", "2"]);
    assert_eq!(divided.lines().last(), Some("4"), "{divided}");
    assert!(divided.lines().any(|line| line.starts_with("a3b3: ")), "{divided}");
}

#[test]
fn the_bench_counts_the_same_nodes_every_time() {
    let nodes = || last_line(&["bench", "4"]).split_once(" nodes ").unwrap().0.parse::<u64>().unwrap();
    let first = nodes();
    assert!(first > 1_000 && first == nodes());
    let line = last_line(&["bench", "1"]);
    assert!(line.ends_with(" nps") && line.split(' ').count() == 4, "{line}");
}

#[test]
fn analyse_answers_and_writes_the_tree() {
    let folder = TempDir::new().unwrap();
    let (svg, json) = (folder.path().join("tree.svg"), folder.path().join("tree.json"));
    let (svg, json) = (svg.to_str().unwrap(), json.to_str().unwrap());
    let files = ["--svg", svg, "--json", json, "--workers", "3", "--time", "0.5"];
    for game in ["chess", "shogi"] {
        let answer = stdout(&[&["analyse", "--game", game], files.as_slice()].concat());
        assert!(answer.lines().any(|line| line.starts_with("best move ")), "{answer}");
        let tree: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
        assert!(!tree["nodes"].as_array().unwrap().is_empty(), "{tree}");
        let picture = std::fs::read_to_string(svg).unwrap();
        assert!(picture.contains("<svg") && picture.trim_end().ends_with("</svg>"), "{picture}");
    }
}

#[test]
fn analyse_finds_a_mate_and_says_how_far_it_is() {
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let answer = stdout(&["analyse", "--fen", mate, "--nodes", "20000", "--workers", "1"]);
    assert!(answer.contains("best move d1d8") && answer.contains("score +#1"), "{answer}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hasami"))
        .args(["bench", "3"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
