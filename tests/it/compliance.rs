//! Tests `hasami compliance` with faulty mock engines, and with this program itself in both protocols.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::program::mock;
use std::process::Output;

/// Runs `hasami compliance`, with generous time limits, on a mock engine with the flags `flags`.
fn check(flags: &str, protocol: &str, more: &[&str]) -> (Option<i32>, String) {
    let job = Job::new("compliance");
    let engine = mock(flags);
    let margin = if more.contains(&"--margin-ms") { &[][..] } else { &["--margin-ms", "10000"] };
    let output = job.run(&[&["--protocol", protocol], margin, more, &[&engine]].concat());
    (output.status.code(), text(&output))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the result of the only check with the name `name`.
fn word_of(text: &str, name: &str) -> String {
    let mut lines = text.lines().filter(|line| line.contains(name));
    let line = lines.next().unwrap_or_else(|| panic!("expected a check '{name}', found {text}"));
    line.split_whitespace().nth(1).unwrap_or_default().to_owned()
}

/// Runs the cases at the same time, because most of them only wait.
fn in_parallel<T: Send>(cases: impl IntoIterator<Item = T>, try_one: impl Fn(T) + Sync) {
    let try_one = &try_one;
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || try_one(case));
        }
    });
}

#[test]
fn a_healthy_engine_passes_in_both_protocols() {
    in_parallel(["uci", "usi"], |protocol| {
        let (code, text) = check("", protocol, &[]);
        assert!(code == Some(0) && text.contains(" 0 failed"), "{protocol}: {text}");
        assert_eq!(word_of(&text, "ponders until ponderhit"), "skip", "the mock engine does not ponder");
        assert!(text.lines().count() > 35, "{text}");
    });
}

#[test]
fn this_program_passes_in_both_protocols() {
    let job = Job::new("compliance");
    in_parallel(["uci", "usi"], |protocol| {
        let engine = env!("CARGO_BIN_EXE_hasami");
        let words = ["--protocol", protocol, "--margin-ms", "10000", "--option", "Threads=1", engine];
        let output = job.run(&words);
        let text = text(&output);
        assert!(output.status.success() && text.contains(" 0 failed, 0 notes"), "{protocol}: {text}");
    });
}

#[test]
fn each_fault_fails_its_check() {
    let cases = [
        ("--silent", "uci", "answers its greeting"),
        ("--dead-before-ok", "usi", "answers its greeting"),
        ("--never-ready", "uci", "answers isready"),
        ("--exits-on-go", "uci", "answers go with a legal move"),
        ("--bestmove a1a8", "uci", "answers go with a legal move"),
        ("--no-bestmove", "usi", "answers go with a legal move"),
        ("--two-bestmoves", "uci", "gives one answer only"),
        ("--illegal-pv", "uci", "variations that can be played"),
        ("--ends-early", "uci", "searches without an end until stop"),
        ("--deaf-to-stop", "uci", "searches without an end until stop"),
        ("--deaf-to-eof", "usi", "ends where its input ends"),
        ("--plays-mates", "usi", "answers go mate with checkmate"),
        ("--dies-of-limits", "uci", "ends a search with a node limit"),
        ("--ends-early", "uci", "ends a search with a node limit"),
    ];
    let try_one = |(flags, protocol, name): (&str, &str, &str), (wanted, word)| {
        let options = ["--patience-ms", "1500", "--margin-ms", "1500", "--only", name];
        let (code, text) = check(flags, protocol, &options);
        assert!(code == Some(wanted) && word_of(&text, name) == word, "{flags}: {text}");
    };
    // The engine with `--isready-resets` runs alone, because other engines running at the same time would make it too
    // slow.
    try_one(("--isready-resets", "usi", "is ready for a game after gameover"), (0, "pass"));
    in_parallel(cases, |case| try_one(case, (1, "FAIL")));
}

#[test]
fn a_missing_feature_is_only_a_note() {
    let (code, text) = check("--one-line", "uci", &["--only", "MultiPV"]);
    assert!(
        code == Some(0) && text.contains(" note  reports as many lines as MultiPV says: some of the lines"),
        "{text}"
    );
}

#[test]
fn a_check_that_fails_or_is_skipped_says_why() {
    let cases = [
        ("--one-line", "uci", "MultiPV", "some of the lines multipv 1 to 3 are missing"),
        ("--bestmove a1a8", "uci", "answers go with a legal move", "a1a8 after 'go "),
        ("--never-ready", "uci", "answers isready", "no 'readyok' within 1500 ms: silence"),
        ("--exits-on-go", "uci", "answers go with a legal move", ": ended with exit status: 0"),
        ("", "usi", "ponders until ponderhit", "skip  ponders until ponderhit: it declares no option USI_Ponder"),
    ];
    in_parallel(cases, |(flags, protocol, name, wanted)| {
        let more = ["--trace", "--patience-ms", "1500", "--margin-ms", "1500", "--only", name];
        let (_, text) = check(flags, protocol, &more);
        assert!(text.contains(wanted), "{flags}: {text}");
    });
}

#[test]
fn errors_are_reported_in_one_line() {
    let job = Job::new("compliance");
    for (arguments, code) in [(&["/no/such/engine"][..], 1), (&["--only", "nothing", "x"], 2), (&[], 2)] {
        let output = job.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{output:?}");
    }
}
