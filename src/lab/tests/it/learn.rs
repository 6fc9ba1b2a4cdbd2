//! Tests `hasami-lab learn` with mock engines and `hasami`: its results and files for chess and shogi, interruptions,
//! and faulty engines.

use crate::job::Job;
use crate::program::{ANSWER_LIMIT, mock};
use hasami_tree::Transitions;
use std::fs;
use std::ops::Deref;
use std::time::Instant;

/// Two games. The mock engine ranks moves in generation order, each 15 centipawns worse than the previous one.
const PGN: &str = "[White \"a\"]\n\n1. a3 a6 2. b3 h5 3. e4 *\n\n[White \"b\"]\n\n1. h4 e5 2. Nf3 *\n";

/// A folder with a file of games to learn from.
struct Study(Job);

impl Deref for Study {
    type Target = Job;

    fn deref(&self) -> &Job {
        &self.0
    }
}

impl Study {
    fn new() -> Self {
        let job = Job::new("learn");
        fs::write(job.path("x.pgn"), PGN).unwrap();
        Self(job)
    }

    /// Runs `hasami-lab learn`, which must succeed, and returns its output.
    fn learn(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs `hasami-lab learn`, which must fail, and returns the last line of its error output.
    fn complaint(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        text.lines().last().unwrap_or_default().to_owned()
    }
}

fn words(flags: &str) -> String {
    format!("cmd=\"{}\"", mock(flags))
}

/// Returns the `--engine` words for `hasami` with one thread.
pub fn hasami() -> String {
    format!("cmd=\"{}\" option.Threads=1", crate::beside("hasami").display())
}

#[test]
fn learning_chess_with_a_child_writes_results_and_tables() {
    let study = Study::new();
    let files = ["--out", "x.toml", "--logit", "l.toml", "--svg", "figures"];
    let text = study.learn(&[&["--games", "x.pgn", "--engine", &words(""), "--nodes", "100"], &files[..]].concat());
    assert!(text.contains("x.pgn: chess, mock engine, 100 nodes a position, MultiPV 10"), "{text}");
    assert!(text.contains("2 games, 8 positions, 8 learned from"), "{text}");
    // In each of the eight positions, ten moves are ranked: 0, 15, 30, 45, 60 and 75 centipawns worse than the best,
    // and four that are even worse.
    for (class, met) in [("0", 8), ("1-10", 0), ("11-20", 8), ("81-", 32), ("out of rank", 8)] {
        assert!(text.contains(&format!("\n{class:<11} {met:>8} ")), "{class}: {text}");
    }
    assert!(text.contains("\nlogit ") && text.contains("held-out loss of logit below that of gap: "), "{text}");
    let table = Transitions::parse(&study.text("x.toml")).unwrap();
    assert_eq!((table.rank.len(), table.gap.len(), table.gap[0]), (10, 11, 1.0));
    assert!(study.text("l.toml").contains("\n\"out x rest\" = "), "{}", study.text("l.toml"));
    for name in ["figure4.svg", "figure5.svg"] {
        let picture = study.text(&format!("figures/{name}"));
        assert!(picture.starts_with("<svg") && !picture.contains("NaN"), "{name}");
    }
}

#[test]
fn a_killed_run_continues_with_the_same_results() {
    let study = Study::new();
    let engine = words("");
    let arguments = ["--games", "x.pgn", "--engine", &engine, "--nodes", "100", "--concurrency", "1"];
    let whole = study.learn(&arguments);
    let journal = study.text("learn.jsonl");
    assert_eq!(journal.lines().count(), 10, "one line for the plan, one for the name, eight for positions");
    fs::remove_file(study.path("learn.jsonl")).unwrap();
    let mut child = study.start(&arguments);
    let deadline = Instant::now() + ANSWER_LIMIT;
    while fs::read_to_string(study.path("learn.jsonl")).unwrap_or_default().lines().count() < 4 {
        assert!(Instant::now() < deadline, "no position was searched in time");
        std::thread::park_timeout(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    study.expect_nobody();
    assert_eq!(study.learn(&arguments), whole);
    assert_eq!(study.text("learn.jsonl"), journal);
    assert_eq!(study.learn(&arguments), whole, "nothing is left to search");
    assert!(
        study
            .complaint(&[&arguments[..], &["--multipv", "5"]].concat())
            .contains("the journal was made with multipv 10")
    );
    // A run with more games must extend the journal.
    fs::write(study.path("y.pgn"), "1. d4 d5 *\n").unwrap();
    let more = study.learn(&["--games", "x.pgn", "y.pgn", "--engine", &engine, "--nodes", "100"]);
    assert!(more.contains("3 games, 10 positions") && study.text("learn.jsonl").starts_with(&journal), "{more}");
}

#[test]
fn hasami_gives_the_same_results_with_any_concurrency() {
    let study = Study::new();
    let engine = hasami();
    let arguments = ["--games", "x.pgn", "--engine", &engine, "--nodes", "300"];
    let alone = study.learn(&[&arguments[..], &["--concurrency", "1", "--journal", "a"]].concat());
    let together = study.learn(&[&arguments[..], &["--concurrency", "3", "--journal", "b"]].concat());
    assert!(alone.contains("8 learned from"), "{alone}");
    assert_eq!(alone, together);
}

#[test]
fn shogi_is_recognized_by_the_names_of_files() {
    let study = Study::new();
    fs::write(study.path("x.sfen"), "startpos moves 7g7f 3c3d 2g2f\n").unwrap();
    fs::write(study.path("x.csa"), "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n").unwrap();
    for (journal, engine) in [("a", words("")), ("b", hasami())] {
        let engine = ["--engine", &engine, "--nodes", "3000", "--journal", journal];
        let text = study.learn(&[&["--games", "x.sfen", "x.csa", "--skip", "1"], &engine[..]].concat());
        assert!(text.contains("x.sfen, x.csa: shogi, ") && text.contains("2 games, 3 positions"), "{text}");
    }
}

#[test]
fn failed_engines_are_replaced_and_useless_ones_named() {
    let study = Study::new();
    let run = |flags: &str, journal: &'static str| {
        let engine = words(flags);
        move |study: &Study| study.run(&["--games", "x.pgn", "--engine", &engine, "--nodes", "9", "--journal", journal])
    };
    let output = run("--dead-mid-search", "a")(&study);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(out.contains("8 learned from") && err.contains("the engine is started again"), "{out}{err}");
    for (flags, journal, expected) in [
        ("--dead-at-start", "b", ": failed 3 times, last: ended with exit status: 3"),
        ("--one-line", "c", "the engine does not show several lines (MultiPV) within the --nodes"),
        ("--absurd-scores", "d", "no positions to learn from (8 unfit)"),
    ] {
        let output = run(flags, journal)(&study);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && err.contains(expected), "{flags}: {err}");
    }
}

#[test]
fn invalid_input_is_named() {
    let study = Study::new();
    fs::write(study.path("bad.pgn"), "1. e4 e5 2. Ke3 *\n").unwrap();
    let engine = words("");
    for (arguments, expected) in [
        (vec!["--games", "none.pgn"], "--games: none.pgn: cannot read the file"),
        (vec!["--games", "bad.pgn"], "bad.pgn: "),
        (vec!["--games", "x.pgn", "--out", "no/x.toml", "--nodes", "300"], "--out: cannot write "),
    ] {
        let complaint = study.complaint(&[&arguments[..], &["--engine", &engine]].concat());
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
    for (words, expected) in [
        ("cmd=x nodes=5", "--engine: limits are set by --nodes, not by '5 nodes'"),
        ("stockfish", "--engine: expected words like name=a"),
    ] {
        let complaint = study.complaint(&["--games", "x.pgn", "--engine", words]);
        assert!(complaint.contains(expected), "{words:?}: {complaint}");
    }
}
