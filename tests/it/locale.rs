//! What people read follows the locale; what programs read does not.

use std::process::{Command, Output};

/// A mate in one, and none.
const PROBLEMS: [&str; 2] = ["4k4/9/4P4/9/9/9/9/9/9 b G 1", "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1"];

fn solve(locale: &[(&str, &str)], more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hasami"));
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        command.env_remove(variable);
    }
    command.args(["solve", "--hash", "1"]).envs(locale.iter().copied()).args(more);
    for problem in PROBLEMS {
        command.args(["--sfen", problem]);
    }
    command.output().unwrap()
}

/// The answers without their times, and what else was said.
fn parts(output: &Output) -> (Vec<String>, String) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let (remarks, rows): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
    let without_time = |row: &&str| {
        let fields: Vec<&str> = row.split('\t').collect();
        [&fields[..4], &fields[5..]].concat().join(" ")
    };
    (rows.iter().map(without_time).collect(), remarks.join("\n"))
}

#[test]
fn remarks_follow_the_locale_and_answers_do_not() {
    let (english, japanese) =
        (solve(&[("LC_ALL", "C"), ("LANG", "ja_JP.UTF-8")], &[]), solve(&[("LANG", "ja_JP.UTF-8")], &[]));
    assert_eq!((english.status.code(), japanese.status.code()), (Some(0), Some(0)), "{english:?} {japanese:?}");
    let [(rows, sum), (other_rows, other_sum)] = [&english, &japanese].map(parts);
    assert_eq!(rows, other_rows);
    assert!(sum.contains("2 problems: 1 with a mate, 1 without a mate, 0 unknown"), "{sum}");
    assert!(other_sum.contains("全2問：詰み1、不詰1、不明0"), "{other_sum}");
}

#[test]
fn a_limit_is_told_in_japanese_with_the_same_exit_code() {
    let output = solve(&[("LC_MESSAGES", "ja_JP.UTF-8")], &["--nodes", "1"]);
    let (rows, told) = parts(&output);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(rows.iter().any(|row| row.contains(" unknown ")), "{rows:?}");
    assert!(told.contains("不明：1局面を調べました（--nodes）"), "{told}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("が不明です"), "{output:?}");
}
