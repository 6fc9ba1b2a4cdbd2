//! Checks that in the sources, only the table of games contains the names of games.

use hasami_games::GAMES;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test(&path) {
            found.push(path);
        }
    }
}

/// Returns true if the file contains only tests, which may name any game.
fn is_test(path: &Path) -> bool {
    path.iter()
        .any(|part| part.to_str().is_some_and(|p| p == "tests" || p.ends_with("tests.rs") || p.ends_with("test.rs")))
}

/// Returns the code of a file without comments and without the tests at its end.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("\nmod tests {").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// A name counts only as a whole word of letters and digits, so the UCI option `UCI_Chess960` does not count.
#[test]
fn nothing_outside_the_table_of_games_names_a_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let names = GAMES.names();
    let (mut files, mut named) = (Vec::new(), BTreeSet::new());
    rust_files(&root, &mut files);
    assert!(files.len() > 20, "expected the sources in {}", root.display());
    for path in &files {
        let code = code(path).to_lowercase();
        if code.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| names.contains(&word)) {
            named.insert(path.strip_prefix(&root).unwrap().display().to_string());
        }
    }
    let allowed: BTreeSet<String> =
        std::iter::once("games/lib.rs".to_owned()).chain(names.iter().map(|name| format!("games/{name}.rs"))).collect();
    assert_eq!(named, allowed, "the table, and the entry of each game");
}
