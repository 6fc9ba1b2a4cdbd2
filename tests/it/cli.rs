//! Tests the command line: exit codes, one-line error messages, and node counts that must not change.

use serde_json::json;
use std::process::{Command, Output, Stdio};
use std::time::Instant;
use tempfile::TempDir;

const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

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

/// Runs the program, which must fail with `code` and print exactly one line on stderr, and returns that line.
fn complaint(code: i32, arguments: &[&str]) -> String {
    let output = hasami(arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
    text
}

#[test]
fn help_version_and_completions_succeed() {
    let help = stdout(&["help"]);
    for subcommand in ["analyse", "bench", "match", "perft", "solve", "verify", "completions"] {
        assert!(help.contains(subcommand), "{help}");
    }
    for words in [["help", "--help"], ["help", "-h"]] {
        assert_eq!(stdout(&words), help);
    }
    assert_eq!(stdout(&["--version"]), format!("hasami {}\n", env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(&["completions", shell]).contains("analyse"), "{shell}");
    }
    for gone in ["cell", "engines", "eval", "learn", "manual", "virtual"] {
        assert!(!help.contains(&format!("\n  {gone} ")), "{gone}: {help}");
    }
}

#[test]
fn invalid_input_gives_one_line_and_exit_code_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["fly"], "unrecognized subcommand 'fly'"),
        (&["help", "fly"], "unrecognized subcommand 'fly'"),
        (&["--fly"], "unexpected argument '--fly' found"),
        (
            &["analyse", "--nodse", "5"],
            "unexpected argument '--nodse' found; tip: a similar argument exists: '--nodes'",
        ),
        (&["perft", "--game", "go", "3"], "invalid value 'go' for '--game <GAME>' [possible values: chess, shogi]"),
        (
            &["perft", "--game"],
            "a value is required for '--game <GAME>' but none was supplied [possible values: chess, shogi]",
        ),
        (&["perft", "--game", "chess"], "the following required arguments were not provided: <DEPTH>"),
        (
            &["match", "stockfish", "hasami"],
            "engines are named with --engine and have a limit: --engine cmd=stockfish --engine cmd=hasami --each tc=10+0.1",
        ),
        (
            &[
                "match",
                "--engine",
                "cmd=x",
                "--engine",
                "name=b cmd=y",
                "--each",
                "nodes=9",
                "--games",
                "9",
                "--openings",
                "startpos",
            ],
            "without a file of openings (--openings FILE) or a clock, engines that are limited by nodes or depth alone play the same 2 games",
        ),
        (&["perft", "many"], "invalid value 'many' for '<DEPTH>': expected a number of plies from 0 to 100"),
        (&["perft", "-1"], "invalid value '-1' for '<DEPTH>': expected a number of plies from 0 to 100"),
        (&["perft", "--fen", "rubbish", "1"], "--fen: expected a chess position in FEN, found 'rubbish'"),
        (&["perft", "--game", "shogi", "--sfen", "9/9/9 b - 1", "1"], "--sfen: expected a shogi position in SFEN"),
        (&["bench", "3", "--mate"], "the argument '--mate' cannot be used with 'DEPTH'"),
        (&["bench", "0"], "for '[DEPTH]': expected a number of plies from 1 to 100"),
        (&["completions", "tcsh"], "for '[SHELL]' [possible values: bash, elvish, fish, powershell, zsh]"),
        (
            &["analyse", "--game", "shogi", "--sfen", "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1"],
            "--sfen: expected a king of each side, found none of Black",
        ),
        (&["analyse", "--moves", "e2e4", "e2e5"], "--moves: move 2: expected a legal move, found 'e2e5'"),
        (&["analyse", "--moves", "much-too-long"], "found 'much-too-long'"),
        (
            &["analyse", "--time", "soon"],
            "invalid value 'soon' for '--time <SECONDS>': expected seconds above 0 and up to 10000000, such as 5 or 0.5",
        ),
        (&["analyse", "--time", "NaN"], "invalid value 'NaN' for '--time"),
        (&["analyse", "--time", "0"], "invalid value '0'"),
        (&["analyse", "--time", "-1"], "invalid value '-1'"),
        (&["analyse", "--time"], "a value is required for '--time <SECONDS>' but none was supplied"),
        (&["analyse", "--time", "1", "--time", "2"], "the argument '--time <SECONDS>' cannot be used multiple times"),
        (&["analyse", "--chess960", "--game", "shogi"], "--chess960: needs --game chess, not shogi"),
        (&["perft", "--chess960", "--game", "shogi", "1"], "--chess960: needs --game chess, not shogi"),
        (&["analyse", "--nodes", "0"], "expected a number of nodes from 1 to 18446744073709551615"),
        (&["analyse", "--workers", "0"], "no thread and no child engine can search: --workers 0"),
        (&["analyse", "--workers", "9999"], "for '--workers <N>': expected a number of workers from 0 to 1024"),
        (&["analyse", "--child", "'open quote"], "--child: expected a command line with closed quotes"),
        (&["analyse", "--children", "/no/file.toml"], "--children: /no/file.toml: cannot read the TOML file"),
        (&["analyse", "--svg", "/no/such/tree.svg"], "--svg: cannot write '/no/such/tree"),
        (
            &["analyse", "--option", "threads=3", "--workers", "2"],
            "--option: 'threads=3' cannot be combined with --workers",
        ),
        (&["perft", "--sfen", "rubbish", "1"], "--sfen: expected a shogi position in SFEN, found 'rubbish'"),
        (&["perft", "--fen", "rubbish", "1"], "--fen: expected a chess position in FEN, found 'rubbish'"),
        (
            &["perft", "--game", "chess", "--sfen", GOLD, "1"],
            "--sfen: expected a chess position in FEN, found '4k4/9/4P4/9/9/9/9/9/9 b G 1' (",
        ),
        (
            &["solve", GOLD],
            "'4k4/9/4P4/9/9/9/9/9/9 b G 1' is a position, not a list of problems: did you mean --sfen \"4k4/9/4P4/9",
        ),
        (&["solve", "4k4/9/4P4/9/9/9/9/9/9", "b", "G", "1"], "did you mean --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"?"),
        (&["solve", "6k1/5ppp/8/8/8/8/8/K2R4", "w", "-"], "did you mean --fen \"6k1/5ppp/8/8/8/8/8/K2R4 w -\"?"),
        (&["brinkmate", GOLD], "did you mean --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"?"),
        (&["solve", BACK_RANK], "did you mean --fen \"6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\"?"),
        (&["solve", "--fen", GOLD], "--fen: expected a chess position in FEN, found '4k4/9/4P4/9/9/9/9/9/9 b G 1' ("),
        (&["solve", "--fen", GOLD], "): did you mean --sfen?"),
        (&["solve", "--sfen", BACK_RANK], "): did you mean --fen?"),
        (&["net", "--fen", GOLD], "): did you mean --sfen?"),
        (
            &["net", "--sfen", "4k4/9/4P4/9/9/9/9/9/9", "b", "G", "1"],
            "a position needs quotes: --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"",
        ),
        (
            &["analyse", BACK_RANK],
            "'6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1' is a position, not a record of games: did you mean --fen \"6k1",
        ),
        (&["analyse", "--option", "Foo=3"], "--option: no option 'Foo' here\n"),
        (&["analyse", "--option", "TreeRules=teams=on"], "--option: TreeRules: expected one of the rules"),
        (&["analyse", "--option", "Hash=0"], "--option: Hash: expected an integer from 1 to 1048576, found '0'\n"),
        (&["analyse", "--svg", "-", "--json", "-"], "--svg, --json: both name the same file"),
        (&["analyse", "--svg", "t", "--json", "t"], "--svg, --json: both name the same file"),
    ];
    for (arguments, expected) in cases {
        let text = complaint(2, arguments);
        assert!(text.starts_with("hasami: ") && text.contains(expected), "{arguments:?}: {text}");
    }
}

#[test]
fn all_best_lines_are_printed_and_json_is_alone_on_stdout() {
    let arguments = ["analyse", "--workers", "1", "--nodes", "20000", "--option", "MultiPV=3", "--json", "-"];
    let tree: serde_json::Value = serde_json::from_str(&stdout(&arguments)).unwrap();
    let lines = tree["lines"].as_array().unwrap();
    let firsts: std::collections::BTreeSet<&str> = lines.iter().map(|line| line["pv"][0].as_str().unwrap()).collect();
    assert_eq!((lines.len(), firsts.len()), (3, 3), "{tree}");
    assert!(!std::path::Path::new("-").exists());
    let answer = stdout(&arguments[..7]);
    let places: Vec<&str> = answer.lines().filter(|line| line.contains("score ")).filter_map(|l| l.get(..9)).collect();
    assert_eq!(&places[places.len() - 2..], ["2. score ", "3. score "], "{answer}");
}

#[test]
fn without_any_worker_the_search_fails() {
    let text = complaint(2, &["analyse", "--child", "/no/such/engine --fast"]);
    assert!(text.contains("(/no/such/engine --fast): cannot start '/no/such/engine'"), "{text}");
    let mute = format!("{} --bogus", env!("CARGO_BIN_EXE_mock-engine"));
    let text = complaint(2, &["analyse", "--game", "shogi", "--child", &mute]);
    assert!(text.contains("--bogus): no usiok: ended with"), "{text}");
}

#[test]
fn a_missing_worker_is_named_and_the_others_search() {
    let answer = stdout(&["analyse", "--child", "/no/such/engine", "--workers", "1", "--nodes", "1000"]);
    assert!(answer.matches("engine (/no/such/engine): cannot start").count() == 1 && answer.contains("best move "));
}

#[test]
fn a_finished_game_gives_exit_code_1() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert!(complaint(1, &["analyse", "--fen", mated]).contains("no legal move: the game is over here"));
    let stalemated = "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1";
    assert!(complaint(1, &["analyse", "--fen", stalemated]).contains("no legal move: the game is over here"));
}

#[test]
fn a_search_ends_when_nothing_can_change() {
    let begun = Instant::now();
    let bare_kings = stdout(&["analyse", "--fen", "k7/8/1K6/8/8/8/8/8 b - - 0 1", "--time", "600"]);
    assert!(bare_kings.contains("best move Kb8\nscore +0.00"), "{bare_kings}");
    assert!(begun.elapsed().as_secs() < 60);
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
fn bench_always_counts_the_same_nodes() {
    let nodes = || last_line(&["bench", "4"]).split_once(" nodes ").unwrap().0.parse::<u64>().unwrap();
    let first = nodes();
    assert!(first > 1_000 && first == nodes());
    let line = last_line(&["bench", "1"]);
    assert!(line.ends_with(" nps") && line.split(' ').count() == 4, "{line}");
}

/// A commit that changes the node total of `hasami bench --mate` must update it in `docs/design/mate-solver.md` and
/// state it in the commit message.
#[test]
fn bench_of_mates_counts_the_documented_nodes() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/design/mate-solver.md")).unwrap();
    let documented = text.lines().find_map(|line| line.strip_prefix("    Mates: ")).unwrap();
    let printed = stdout(&["bench", "--mate"]);
    let nodes: Vec<u64> = printed
        .lines()
        .map(|line| line.split(" nodes ").next().unwrap().split(' ').next_back().unwrap().parse().unwrap())
        .collect();
    let (sum, each) = nodes.split_last().unwrap();
    assert!(each.len() == 22 && each.iter().sum::<u64>() == *sum, "{printed}");
    assert_eq!(sum.to_string(), documented, "{printed}");
}

#[test]
fn analyse_prints_an_answer_and_writes_the_tree() {
    let folder = TempDir::new().unwrap();
    let (svg, json) = (folder.path().join("tree.svg"), folder.path().join("tree.json"));
    let (svg, json) = (svg.to_str().unwrap(), json.to_str().unwrap());
    let files = ["--svg", svg, "--json", json, "--workers", "3", "--time", "0.5"];
    for game in ["chess", "shogi"] {
        let answer = stdout(&[&["analyse", "--game", game], files.as_slice()].concat());
        assert!(answer.lines().any(|line| line.starts_with("best move ")), "{answer}");
        let tree: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
        let nodes = tree["nodes"].as_array().unwrap();
        let seated = nodes.iter().filter(|node| !node["worker"].is_null()).count();
        let joined: usize = nodes.iter().map(|node| node["joined"].as_array().unwrap().len()).sum();
        let free = tree["free"].as_array().unwrap().len();
        assert_eq!((seated + joined + free, &tree["workers"]), (3, &json!(3)), "{tree}");
        assert!(joined > 0, "threads must search as a team: {tree}");
        let picture = std::fs::read_to_string(svg).unwrap();
        assert!(picture.contains("<svg") && picture.trim_end().ends_with("</svg>"), "{picture}");
    }
}

#[test]
fn analyse_shows_the_tree_and_its_answer() {
    let answer = stdout(&["analyse", "--workers", "3", "--time", "0.5", "--tree"]);
    assert!(answer.contains("`- ") && answer.lines().all(|line| line.chars().count() <= 80 || !line.contains("%")));
    let best = answer.split_once("\nbest move ").unwrap().1;
    let best = best.split(|c: char| !c.is_alphanumeric()).next().unwrap();
    let marked: Vec<&str> = answer.lines().filter(|line| line.contains(" * ")).collect();
    assert!(marked.iter().all(|line| line.contains(best) || line.starts_with(['|', ' '])), "{answer}");
    let refused = complaint(2, &["analyse", "--tree", "--option", "Parallel=shared"]);
    assert!(refused.contains("--option: 'Parallel=shared' cannot be combined with --tree"), "{refused}");
}

#[test]
fn analyse_builds_a_tree_without_search_groups() {
    let folder = TempDir::new().unwrap();
    let json = folder.path().join("tree.json");
    let json = json.to_str().unwrap();
    stdout(&["analyse", "--workers", "3", "--time", "0.5", "--json", json, "--option", "Parallel=tree"]);
    let tree: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert!(tree["nodes"].as_array().unwrap().len() > 1, "{tree}");
    assert!(complaint(2, &["analyse", "--option", "Speed=9"]).contains("no option 'Speed'"));
}

#[test]
fn analyse_finds_a_mate_and_its_length() {
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let answer = stdout(&["analyse", "--fen", mate, "--nodes", "20000", "--workers", "1"]);
    assert!(answer.contains("best move Rd8#") && answer.contains("score +#1 (mate in 1 move)"), "{answer}");
}

#[test]
fn closing_stdout_is_no_error() {
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

#[cfg(unix)]
#[test]
fn results_without_a_journal_say_where_journals_go() {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hasami"));
    command.arg("results").env("HOME", folder.path()).env("XDG_STATE_HOME", folder.path()).stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let place = folder.path().join("hasami").join("matches");
    assert!(!output.status.success() && text.contains(place.to_str().unwrap()), "{text}");
}

#[test]
fn solve_reads_a_record_without_an_option() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.kif");
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";
    let row = |man: &str| format!("| ・ ・ ・ ・{man} ・ ・ ・ ・|\n");
    let board = [&row("v玉"), empty, &row(" 歩"), &empty.repeat(6)].map(String::from).concat();
    std::fs::write(&path, format!("後手の持駒：残り全部\n{board}先手の持駒：金\n")).unwrap();
    assert!(stdout(&["solve", path.to_str().unwrap()]).starts_with("x\tmate\t1\t"));
}
