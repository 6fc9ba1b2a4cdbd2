//! The documents say what the program does.

use hasami::protocol::option::table::OPTIONS;
use std::fs;
use std::path::Path;

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

#[test]
fn every_option_is_explained_as_it_is_declared() {
    let text = document("docs/options.md");
    for option in OPTIONS {
        let row = format!("| {} | {} | ", option.uci.unwrap_or("-"), option.usi.unwrap_or("-"));
        let line = text.lines().find(|line| line.starts_with(&row)).unwrap_or_else(|| panic!("no row '{row}'"));
        assert!(line.ends_with(&format!("| {} |", option.help)), "expected '{}', found {line}", option.help);
    }
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
