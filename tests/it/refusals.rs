//! Tests that invalid arguments are rejected before the program announces a web page or creates a file or folder.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::program::mock;

const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

/// Checks that the arguments are rejected with the message `why`, and that nothing else is printed or written.
fn refused(subcommand: &'static str, arguments: &[&str], why: &str) {
    let job = Job::new(subcommand);
    let output = job.run(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with(&format!("hasami: {why}")) && said.lines().count() == 1, "{arguments:?}: {said}");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]), "{arguments:?}: {output:?}");
    let left: Vec<_> = std::fs::read_dir(job.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.is_empty(), "{arguments:?}: {left:?}");
}

#[test]
fn an_invalid_match_has_no_page_and_no_journal() {
    let engine = |name: &str| format!("name={name} cmd=\"{}\"", mock(""));
    let [a, b, c] = ["a", "b", "c"].map(engine);
    let two = ["--engine", &a, "--engine", &b, "--each", "nodes=10", "--journal", "x.jsonl"];
    let page = ["--web", "127.0.0.1:0"];
    for (more, why) in [
        (&["--engine", &c, "--sprt", "elo0=0 elo1=5"][..], "--sprt: needs two engines, not 3"),
        (&["--openings", "none.epd"], "--openings: none.epd: cannot read the file"),
        (&["--pgn", "no/x.pgn"], "--pgn: cannot write 'no/x.pgn'"),
        (&["--json", "no/x.json"], "--json: cannot write 'no/x.json'"),
        (&["--pgn", "x.pgn", "--json", "no/x.json"], "--json: cannot write "),
        (&["--svg", "."], "--svg: cannot write '.'"),
        (&["--tb", "no"], "--tb: cannot use Syzygy tables"),
    ] {
        refused("match", &[&two[..], &page, more].concat(), why);
    }
    refused("match", &[&two[..], &["--web", "x"]].concat(), "--web: expected an address");
    let absent = ["--engine", "name=absent cmd=/no/such/engine", "--engine", &b, "--each", "nodes=10"];
    let output = Job::new("match");
    let refusal = output.run(&[&absent[..], &["--journal", "x.jsonl"]].concat());
    assert_eq!(refusal.status.code(), Some(2), "{refusal:?}");
    assert_eq!(std::fs::read_dir(output.path("")).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_failing_page_leaves_no_files() {
    let page = ["--sfen", GOLD, "--web", "x"];
    for (subcommand, files) in
        [("solve", &["--svg", "pictures", "--kif-out", "records"][..]), ("brinkmate", &["--certificate", "proofs/"])]
    {
        refused(subcommand, &[&page[..], files].concat(), "--web: expected an address");
    }
    let taco_h = ["--sfen", GOLD, "--set", "taco-h", "--certificate", "proofs/"];
    refused("brinkmate", &taco_h, "the argument '--certificate' cannot be used with");
}

#[test]
fn machines_beyond_reach_have_no_page() {
    let page = ["--web", "127.0.0.1:0"];
    if cfg!(feature = "cluster") {
        refused(
            "workers",
            &[&["--connect", "away.example"], &page[..]].concat(),
            "--connect: a server beyond this machine needs credentials",
        );
    }
}
