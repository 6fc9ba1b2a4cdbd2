//! Tests matches between mock engines: warnings before the first game, faults in the report, processors, option names
//! of other tools, and the path of the journal.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::program::mock;
use std::fs;
use std::process::Output;

/// Returns the arguments for engines whose names are single letters. Engines with lower-case names resign at once; the
/// others play on and draw.
fn engines(names: &str) -> Vec<String> {
    let flags = |name: char| if name.is_lowercase() { "--bestmove resign" } else { "" };
    let one = |name: char| format!("name={name} cmd=\"{}\"", mock(flags(name)));
    names.chars().flat_map(|name| ["--engine".to_owned(), one(name)]).collect()
}

fn play(job: &Job, names: &str, more: &[&str]) -> Output {
    let engines = engines(names);
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    let usual = ["--each", "st=20", "--maxmoves", "1", "--json", "x.json"];
    job.run(&[&engines[..], &usual[..], more].concat())
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn warnings_are_shown_before_the_first_game_and_in_the_report() {
    let job = Job::new("match");
    let engines = ["--engine", &format!("name=A cmd=\"{}\" st=20", mock("")), "--engine"];
    let second = format!("name=B cmd=\"{}\" st=20", mock(""));
    let rest = [second.as_str(), "--games", "4", "--maxmoves", "1", "--json", "x.json", "--quiet"];
    let output = job.run(&[&engines[..], &rest].concat());
    let (text, printed) = (stdout(&output), String::from_utf8_lossy(&output.stderr).into_owned());
    let all = ["no --openings: all games of each two engines are from one position; games may repeat"];
    let wanted: Vec<String> = all.iter().map(|line| format!("warning: {line}")).collect();
    assert_eq!(printed.lines().collect::<Vec<_>>(), wanted);
    assert!(all.iter().all(|line| text.contains(&format!("Warning: {line}\n"))), "{text}");
    // The report must begin with the warnings that were printed before the match. A warning that games were repeated
    // may follow.
    let warnings = job.json()["warnings"].clone();
    assert_eq!(warnings.as_array().unwrap()[..all.len()], all.map(|line| serde_json::json!(line)));
    let book = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    fs::write(job.path("book.epd"), book).unwrap();
    let by_nodes: Vec<String> = engines.iter().chain(&rest).map(|word| word.replace("st=20", "nodes=5")).collect();
    let words: Vec<&str> = by_nodes.iter().map(String::as_str).chain(["--openings", "book.epd"]).collect();
    let output = job.run(&words);
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        printed.contains("warning: --openings: 1 opening where 4 games take 2 openings; engines that are"),
        "{printed}"
    );
}

#[test]
fn a_match_without_openings_uses_the_built_in_ones() {
    let job = Job::new("match");
    let engine = |name| format!("[[engine]]\nname = '{name}'\ncmd = {:?}\n", mock(""));
    let file = format!("games = 4\nmaxmoves = 1\n[each]\nnodes = '5'\n{}{}", engine("A"), engine("B"));
    fs::write(job.path("match.toml"), file).unwrap();
    let output = job.run(&["--file", "match.toml", "--pgn", "x.pgn"]);
    let (text, printed) = (stdout(&output), String::from_utf8_lossy(&output.stderr).into_owned());
    let line = "openings: 304 positions of built-in chess_openings.epd; --openings FILE names others, --openings startpos none";
    assert_eq!(text.lines().filter(|printed| *printed == line).count(), 1, "{text} {printed}");
    assert!(!text.contains("no --openings"), "{text}");
    let pgn = job.text("x.pgn");
    let starts: Vec<&str> = pgn.lines().filter(|line| line.starts_with("[FEN ")).collect();
    let first = fs::read_to_string("book/chess_openings.epd").unwrap();
    let fens: Vec<String> = first.lines().take(2).map(|fen| format!("[FEN \"{fen}\"]")).collect();
    assert_eq!(starts, [&fens[0], &fens[0], &fens[1], &fens[1]], "{pgn}");
}

#[test]
fn faults_are_in_every_report() {
    let job = Job::new("match");
    let [faulty, healthy] = [("faulty", "--exits-on-go"), ("healthy", "")]
        .map(|(name, flags)| format!("name={name} cmd=\"{}\" st=20", mock(flags)));
    let usual = ["--maxmoves", "1", "--json", "x.json", "--ratinginterval", "1", "--journal", "x.jsonl"];
    let output = job.run(&[&["--engine", &faulty, "--engine", &healthy], &usual[..]].concat());
    let text = stdout(&output);
    assert!(text.contains("Faults of faulty: 1 crash\n") && text.contains("Faults of faulty: 2 crashes\n"), "{text}");
    assert_eq!(job.json()["engines"][0]["faults"]["crashes"], 2);
    assert!(stdout(&job.run_as("results", &["x.jsonl"])).contains("\nFaults of faulty: 2 crashes\n"));
}

#[test]
fn engines_are_pinned_to_processors() {
    let job = Job::new("match");
    stdout(&play(&job, "AB", &["--affinity", "--log", "x.log"]));
    assert!(job.text("x.log").contains("A runs on processors ["), "{}", job.text("x.log"));
    for (list, word) in [("60000", "processor 60000 is not available"), ("x", "like 3,5,7-11, found 'x'")] {
        let output = play(&job, "AB", &["--use-affinity", list]);
        assert!(String::from_utf8_lossy(&output.stderr).contains(word), "{output:?}");
        assert_eq!(output.status.code(), Some(2));
    }
    let output = play(&job, "AB", &["--affinity", "--concurrency", "1000", "--games", "4000"]);
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("--affinity: 1000 processors are needed for 1000 games at a time"),
        "{output:?}"
    );
}

#[test]
fn options_of_other_tools_are_accepted_or_rejected_by_name() {
    let job = Job::new("match");
    let taken = ["-repeat", "2", "-force-concurrency", "-pgnout", "x.pgn", "fi"];
    stdout(&play(&job, "AB", &taken));
    for (words, why) in [
        (&["-tbpieces", "6"][..], "'--tbpieces' found"),
        (&["-each", "whitepov=true"], "found 'whitepov'"),
        (&["-pgnout", "file=x.pgn", "bogus=true"], "--pgn: expected file=..., found 'bogus=true'"),
        (&["-tournament", "pyramid"], "pyramid"),
    ] {
        let output = play(&job, "AB", words);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.lines().count() == 1 && text.contains(why), "{words:?}: {text}");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn the_journal_is_not_in_the_current_folder() {
    let job = Job::new("match");
    let text = stdout(&play(&job, "AB", &[]));
    let journal = text.lines().find_map(|line| line.strip_prefix("journal: ")).unwrap_or_else(|| panic!("{text}"));
    assert!(journal.starts_with(&*job.path("state/hasami/matches/").to_string_lossy()), "{journal}");
    assert_eq!(fs::read_to_string(journal).unwrap().matches("\n{\"game\":").count(), 2);
    assert!(stdout(&job.run(&["--resume"])).contains("continuing after 2 of 2 games"));
    let elsewhere = Job::new("match").run(&["--resume"]);
    let printed = String::from_utf8_lossy(&elsewhere.stderr);
    assert!(printed.contains("--resume: no match was begun in this folder"), "{printed}");
}
