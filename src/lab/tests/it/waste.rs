//! Tests of `hasami-lab waste`: evaluates the log of a small cluster.

use crate::job::Job;
use serde_json::Value;

/// Two games of a few moves; after every move the opponent thinks for the same time.
const GAMES: &str = "uci
setoption name Hash value 1
ucinewgame
position startpos moves e2e4 e7e5
go movetime 1000
position startpos moves e2e4 e7e5 g1f3 b8c6
go movetime 1000
position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6
go movetime 1000
ucinewgame
position startpos moves d2d4
go movetime 1000
quit
";

fn diary(job: &Job, file: &str, rules: &str) {
    let option = format!("setoption name TreeRules value {rules}\n");
    let workers = ["--workers", "4", "--speed", "2500", "--penalty", "0", "--log", file];
    let output = job.tell(&workers, &(option + GAMES));
    assert!(output.status.success(), "{output:?}");
}

fn waste(job: &Job, files: &[&str]) -> (String, Value) {
    let output = job.run_as("waste", &[files, &["--json", "x.json"]].concat());
    assert!(output.status.success(), "{output:?}");
    (String::from_utf8(output.stdout).unwrap(), job.json()["diaries"].clone())
}

#[test]
fn all_time_of_a_cluster_is_attributed_to_a_cause() {
    let job = Job::new("virtual");
    diary(&job, "team", "groups=on");
    diary(&job, "tree", "groups=off,anticipation=off");
    let (text, diaries) = waste(&job, &["team", "tree"]);
    for (found, file) in diaries.as_array().unwrap().iter().zip(["team", "tree"]) {
        let sum = |name: &str| found[name].as_object().unwrap().values().map(|n| n.as_f64().unwrap()).sum::<f64>();
        assert!((sum("shares") - 1.0).abs() < 1e-9, "{found}");
        // Four moves, and the replies to two of them, take one second each, except for messages in transit at the end.
        let seconds = sum("milliseconds") / 4.0 / 1000.0;
        assert!((5.97..6.03).contains(&seconds), "{file}: {seconds} s");
        assert_eq!((found["workers"].as_u64(), found["moves"].as_u64()), (Some(4), Some(4)));
        let share = |cause: &str| found["shares"][cause].as_f64().unwrap();
        assert!(share("useful") > 0.0 && share("replies that did not come") > 0.0, "{found}");
        let again = share("searched again, answered before") + share("searched again in another window");
        let lost = share("lines that never counted") + share("\"others\" that changed nothing");
        let is_team = file == "team";
        assert_eq!(
            (again > 0.3, lost > 0.0, found["bytes"]["median"].as_u64() > Some(0)),
            (is_team, !is_team, is_team)
        );
    }
    assert!(text.lines().all(|line| line.len() == text.lines().next().unwrap().len()), "{text}");
    assert!(text.starts_with("workers ") && text.contains("\nuseful "), "{text}");
    assert_eq!(text, waste(&job, &["team", "tree"]).0);
}

/// Unusable options are reported once, whether they are noticed before or after the cluster is created.
#[test]
fn unusable_options_of_a_virtual_cluster_are_reported_once() {
    for (options, expected, found) in [
        ("setoption name TreeRules value teams=on\n", "TreeRules: expected ", "'teams=on'"),
        (
            "setoption name BookFile value /none/book.bin\nsetoption name OwnBook value true\n",
            "BookFile /none/book.bin: expected a readable book",
            "found: ",
        ),
    ] {
        for lines in [format!("{options}uci\nisready\n"), format!("uci\nisready\n{options}")] {
            let output = Job::new("virtual").tell(&["--workers", "2"], &format!("{lines}isready\nucinewgame\nquit\n"));
            let said = String::from_utf8(output.stdout).unwrap();
            let why: Vec<&str> = said.lines().filter(|line| line.contains(expected)).collect();
            assert!(why.len() == 1 && why[0].starts_with("info string ") && why[0].contains(found), "{said}");
        }
    }
}

/// An unusable option must be an error, because otherwise other settings would be measured.
#[test]
fn unusable_options_of_a_measurement_are_errors() {
    let job = Job::new("speedup");
    std::fs::write(job.path("x.epd"), "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1\n").unwrap();
    let output = job.run(&["x.epd", "--option", "OwnBook=true", "--option", "BookFile=/none/book.bin"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{text}");
    assert!(text.contains("expected a readable book"), "{text}");
}

#[test]
fn an_invalid_diary_is_reported_in_one_line() {
    let job = Job::new("waste");
    std::fs::write(job.path("x"), "{\"reply\":1}\n").unwrap();
    for (file, complaint) in [("none", "'none': expected a readable diary, found"), ("x", "'x': line 1: expected")] {
        let output = job.run(&[file]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{text}");
        assert!(text.contains(complaint), "{text}");
    }
}
