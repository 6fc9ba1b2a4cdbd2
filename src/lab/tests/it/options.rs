//! Tests that a virtual cluster reports an unusable option once, and that an unusable option ends a measurement with an
//! error.

use crate::job::Job;

/// Tests options that are set before and after the cluster is created.
#[test]
fn unusable_options_of_a_virtual_cluster_are_reported_once() {
    for (options, expected, found) in [
        ("setoption name TreeRules value teams=on\n", "TreeRules: expected ", "'teams=on'"),
        (
            "setoption name BookFile value /none/book.bin\nsetoption name OwnBook value true\n",
            "BookFile /none/book.bin: cannot read the book",
            "the book: ",
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

/// An unusable option must be an error, because ignoring it would change the settings of the measurement.
#[test]
fn unusable_options_of_a_measurement_are_errors() {
    let job = Job::new("speedup");
    std::fs::write(job.path("x.epd"), "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1\n").unwrap();
    let output = job.run(&["x.epd", "--option", "OwnBook=true", "--option", "BookFile=/none/book.bin"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{text}");
    assert!(text.contains("cannot read the book"), "{text}");
}
