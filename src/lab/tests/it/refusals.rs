//! Tests that `hasami-lab` answers bad input with one error line and exit code 2, and never reads devices or folders.

use crate::job::Job;
use std::fs;
use std::os::unix::fs::symlink;

/// Returns the error line of a run that must fail, without the program's name at its beginning.
fn complaint(job: &Job, line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let output = job.run_as(words[0], &words[1..]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{line}: {text}");
    text.strip_prefix("hasami-lab: ").unwrap_or_else(|| panic!("{line}: {text}")).to_owned()
}

#[test]
fn help_lists_the_commands() {
    let output = Job::new("help").run(&[]);
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{help}");
    for command in ["learn", "losses", "speedup", "virtual", "worth"] {
        assert!(help.contains(&format!("\n  {command} ")), "{command}: {help}");
    }
}

#[test]
fn invalid_input_gives_one_line_and_exit_code_2() {
    let job = Job::new("learn");
    fs::write(job.path("x.pgn"), "1. e4 e5 *\n").unwrap();
    for (line, expected) in [
        ("sleep", "unrecognized subcommand 'sleep'"),
        ("learn --fly", "unexpected argument '--fly' found"),
        ("speedup x.pgn --game go", "invalid value 'go' for '--game <GAME>' [possible values: chess, shogi]"),
        ("learn --games none.pgn --engine cmd=x", "--games: none.pgn: cannot read the file: "),
        ("learn --games x.pgn --engine hasami", "--engine: expected words like name=a"),
        ("worth --games x.pgn --times 3,1", "--times: expected rising numbers above 0, found 3,1"),
    ] {
        let text = complaint(&job, line);
        assert!(text.contains(expected), "{line}: {text}");
    }
}

#[test]
fn devices_and_folders_are_rejected() {
    let job = Job::new("learn");
    fs::write(job.path("game.pgn"), "1. e4 e5 *\n").unwrap();
    fs::create_dir(job.path("folder")).unwrap();
    for ending in ["", ".pgn", ".epd"] {
        symlink("/dev/zero", job.path(&format!("device{ending}"))).unwrap();
        if !ending.is_empty() {
            symlink("folder", job.path(&format!("folder{ending}"))).unwrap();
        }
    }
    for line in [
        "learn --games @.pgn --engine cmd=x --nodes 10",
        "learn --games game.pgn --engine cmd=x --nodes 10 --journal @",
        "worth --games game.pgn --journal @",
        "speedup @.epd --depth 2",
    ] {
        for file in ["device", "folder"] {
            let text = complaint(&job, &line.replace('@', file));
            assert!(text.contains(file), "{line}, {file}: {text}");
        }
    }
}
