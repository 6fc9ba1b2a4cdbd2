//! Tests `hasami-lab worth` and `hasami-lab losses` with a judge's journal that `hasami-lab learn` writes.

use crate::job::Job;
use crate::learn::hasami;
use std::fs;

const GAMES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e\nstartpos moves 2g2f 8c8d 2f2e 4a3b\n";

/// Creates a job with a judge's journal that ranks the moves of every second position.
fn judged() -> Job {
    let job = Job::new("learn");
    fs::write(job.path("x.sfen"), GAMES).unwrap();
    let engine = hasami();
    let judge = ["--games", "x.sfen", "--engine", &engine, "--nodes", "3000", "--multipv", "6", "--every", "2"];
    let output = job.run(&judge);
    assert!(output.status.success(), "{output:?}");
    let journal = fs::read_to_string(job.path("learn.jsonl")).unwrap();
    assert_eq!(journal.matches("played").count(), 5, "every second position is judged: {journal}");
    job
}

fn worth(job: &Job, more: &[&str]) -> std::process::Output {
    let usual = ["--game", "shogi", "--workers", "3", "--speed", "600", "--option", "USI_Hash=1"];
    let games = if more.contains(&"--games") { &[][..] } else { &["--games", "x.sfen"] };
    job.run_as("worth", &[games, &usual, more].concat())
}

#[test]
fn the_worth_of_a_cluster_is_the_time_of_one_worker_with_the_same_loss() {
    let job = judged();
    let measure = |more: &[&str]| {
        let output = worth(&job, more);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = measure(&["--times", "1,3", "--json", "x.json"]);
    assert_eq!(text, measure(&["--times", "1,3", "--concurrency", "1"]), "results do not depend on concurrency");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("one worker,   1 times the time: loses "), "{text}");
    assert!(lines[1].starts_with("one worker,   3 times the time: loses "), "{text}");
    assert!(lines[2].starts_with("3 workers: loses "), "{text}");
    assert!(lines[3].starts_with("worth ") && lines[3].contains("5 positions; idle "), "{text}");
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(job.path("x.json")).unwrap()).unwrap();
    let searches = json["searches"].as_array().unwrap();
    assert_eq!(searches.iter().map(|search| search["workers"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 1, 3]);
    for search in searches {
        assert_eq!((search["moves"].as_array().unwrap().len(), search["losses"].as_array().unwrap().len()), (5, 5));
        assert!(search["losses"].as_array().unwrap().iter().all(|loss| loss.as_f64().unwrap() >= 0.0));
    }
    let text = measure(&["--times", "0", "--positions", "2"]);
    assert!(text.lines().count() == 2 && text.contains("\n2 positions; idle "), "{text}");
}

#[test]
fn errors_of_worth_are_reported_in_one_line() {
    let job = judged();
    let complaint = |more: &[&str]| {
        let output = worth(&job, more);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{text}");
        text
    };
    assert!(complaint(&["--times", "2,1"]).contains("--times: expected rising numbers above 0, found 2,1"));
    assert!(complaint(&["--journal", "none.jsonl"]).contains("journal none.jsonl: cannot read the file"));
    fs::write(job.path("y.sfen"), "startpos moves 9g9f 9c9d 1g1f 1c1d\n").unwrap();
    let text = complaint(&["--games", "y.sfen"]);
    assert!(text.contains(" of game 1 is ") && text.contains(" in --games: other games"), "{text}");
}

#[test]
fn variants_of_an_engine_are_compared_position_by_position() {
    let job = judged();
    let engine = format!("cmd={}", crate::beside("hasami").display());
    let usual = ["--game", "shogi", "--games", "x.sfen", "--nodes", "300"];
    let engines =
        ["--engine", &engine, "option.Threads=1", "--variant", "name=same", "--variant", "option.SkillLevel=0"];
    let output = job.run_as("losses", &[&usual[..], &engines].concat());
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("hasami: loses ") && lines[0].ends_with(" %"), "{text}");
    assert!(lines[1].starts_with("same: loses "), "{text}");
    assert!(lines[1].ends_with("; +0.00 ± 0.00 % against the first engine, another move in 0"), "{text}");
    assert!(lines[2].starts_with("option.SkillLevel=0: loses "), "{text}");
    assert_eq!(lines[3], "5 positions, 300 nodes per move");
    assert!(!lines[2].ends_with("another move in 0"), "{text}");
}

#[test]
fn variants_with_limits_of_their_own_are_rejected() {
    let job = judged();
    let words = ["--game", "shogi", "--games", "x.sfen", "--engine", "cmd=x", "--variant", "nodes=5"];
    let output = job.run_as("losses", &words);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("hasami-lab: --variant: limits are set by --nodes, not by "), "{text}");
}
