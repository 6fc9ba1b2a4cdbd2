//! Tests the examples of the guide: every command in a block that begins with `$ hasami` must print the output below
//! it.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

const PAGES: [&str; 2] = ["solve.md", "brinkmate.md"];

/// Removes the times in answers and summaries, because they differ between runs.
fn timeless(line: &str) -> String {
    let cut = |line: &str, from: &str| line.split(from).next().unwrap_or_default().to_owned();
    match line.split('\t').collect::<Vec<_>>()[..] {
        [name, answer, plies, nodes, _, ref moves @ ..] => {
            [&[name, answer, plies, nodes][..], moves].concat().join("\t")
        }
        _ if line.starts_with('{') => cut(line, ",\"ms\":"),
        _ if line.contains(" nodes in ") => cut(line, " nodes in "),
        _ => line.to_owned(),
    }
}

/// Returns the arguments of each command in a page, with the output printed below the command.
fn examples(page: &str) -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide").join(page)).unwrap();
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        match (line.strip_prefix("    "), line.strip_prefix("    $ hasami ")) {
            (_, Some(command)) => {
                is_inside = true;
                found.push((command.to_owned(), Vec::new()));
            }
            (Some(printed), None) if is_inside => found.last_mut().unwrap().1.push(timeless(printed)),
            _ => is_inside = false,
        }
    }
    found
}

#[test]
fn commands_of_the_guide_print_the_output_below_them() {
    for page in PAGES {
        let found = examples(page);
        assert!(found.len() > 1, "{page}: {found:?}");
        for (command, shown) in found {
            let line = format!("exec '{}' {command}", env!("CARGO_BIN_EXE_hasami"));
            let output = Command::new("sh").args(["-c", &line]).env("LC_ALL", "C").output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            let printed: Vec<String> = printed.lines().take(shown.len()).map(timeless).collect();
            assert!(
                !shown.is_empty() && printed == shown,
                "{page}: {command}: expected {shown:#?}, found {printed:#?}"
            );
        }
    }
}
