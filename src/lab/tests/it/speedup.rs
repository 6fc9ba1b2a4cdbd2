//! Tests of `hasami-lab speedup`.

use crate::job::Job;

#[test]
fn speedup_is_reproducible() {
    let job = Job::new("speedup");
    std::fs::write(job.path("x.sfen"), "startpos\nstartpos moves 7g7f 3c3d\nstartpos moves 2g2f\n").unwrap();
    let measure = ["x.sfen", "--game", "shogi", "--workers", "3", "--depth", "6", "--positions", "2"];
    let text = |more: &[&str]| {
        let output = job.run(&[&measure[..], more].concat());
        assert!(output.status.success(), "{output:?}");
        // The last sentence of the output is wrapped over several lines.
        String::from_utf8(output.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let first = text(&[]);
    assert_eq!(first, text(&[]));
    assert!(first.contains("95 %) to depth 6 with 3 workers, 2 positions; nodes "), "{first}");
    let news = first.rsplit("news ").next().unwrap().split(' ').next().unwrap();
    assert!(news.parse::<f64>().unwrap() > 0.0, "{first}");
    assert!(text(&["--option", "TreeRules=groups=off"]).contains("news 0.0 "));
    for (option, expected) in
        [("Speed=9", "no option 'Speed'"), ("TreeRules=teams=off", "--option: TreeRules: expected one of the rules")]
    {
        let output = job.run(&[&measure[..], &["--option", option]].concat());
        let why = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && why.contains(expected), "{option}: {why}");
    }
}

/// Times depend on the machine, but the node counts of one thread must be the same in every run.
#[test]
fn real_threads_are_compared_with_one() {
    let job = Job::new("speedup");
    std::fs::write(job.path("x.sfen"), "startpos\nstartpos moves 7g7f 3c3d\n").unwrap();
    let engine = format!("cmd={}", crate::beside("hasami").display());
    let measure = ["x.sfen", "--game", "shogi", "--depth", "5", "--real", "--threads", "2,3", "--engine", &engine];
    let output = job.run(&measure);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("hasami, depth 5, 2 positions: ") && lines[0].contains(" s with one thread"),
        "{text}"
    );
    for (line, threads) in lines[1..].iter().zip(["   2", "   3"]) {
        assert!(line.starts_with(&format!("{threads} threads: speedup ")), "{text}");
        let factor = |after: &str| line.split(after).nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap();
        assert!(factor("speedup ") > 0.0 && factor(", nodes ") > 0.1 && factor("per second ") > 0.0, "{text}");
    }
    assert_eq!(lines.len(), 3, "{text}");
    let output = job.run(&["x.sfen", "--real", "--workers", "3"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
