//! The documents say what the program does.

use hasami::protocol::option::table::OPTIONS;
use hasami::protocol::option::{Accepted, Declared, Kind, declare};
use hasami::protocol::{Protocol, Settings};
use std::fs;
use std::path::Path;

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

#[test]
fn every_option_is_explained_as_it_is_declared() {
    let text = document("docs/options.md");
    for option in OPTIONS {
        let (uci, usi) = (option.uci.unwrap_or("-"), option.usi.unwrap_or("-"));
        let (kind, values) = kind_and_values(&option.kind);
        let row = format!("| {uci} | {usi} | {kind} | {values} | {} | {} |", default_of(option), option.help);
        assert!(text.lines().any(|line| line == row), "expected the row {row}");
    }
}

fn kind_and_values(kind: &Kind) -> (&'static str, String) {
    let none = || "-".to_owned();
    match kind {
        Kind::Check { .. } | Kind::Accepted(Accepted::Check) => ("check", none()),
        Kind::Spin { range, .. } => ("spin", format!("{} to {}", range.start(), range.end())),
        Kind::Combo { words, .. } => ("combo", words.join(", ")),
        Kind::File { .. } => ("file", none()),
        Kind::Unlisted { .. } => ("text", none()),
        Kind::Button(_) => ("button", none()),
        Kind::Text { .. } | Kind::Accepted(Accepted::Text) => ("string", none()),
    }
}

/// As GUIs are told.
fn default_of(option: &Declared) -> String {
    let protocol = if option.uci.is_some() { Protocol::Uci } else { Protocol::Usi };
    let declared = declare(protocol, &Settings::default());
    let start = format!("option name {} type ", option.name(protocol).unwrap());
    let Some(line) = declared.lines().find(|line| line.starts_with(&start)) else { return "empty".to_owned() };
    let default = line.split_once(" default ").map_or("-", |(_, rest)| rest.split(' ').next().unwrap());
    default.replace("<empty>", "empty")
}

#[test]
fn links_of_the_readme_lead_somewhere() {
    let text = document("README.md");
    let targets: Vec<&str> = text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(targets.len() > 5, "{targets:?}");
    for target in targets {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(target).exists(), "{target}");
    }
}
