//! Keeps the map of `src/lib.rs` true: who may import whom.

use hasami_games::GAMES;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module of `src` and the modules and workspace crates that it may name. (Everybody may name `hasami_api`. A
/// solver's crate is named for its interface: capabilities, requests, findings.)
const MODULES: &[(&str, &[&str])] = &[
    ("main", &[]),
    ("lib", &[]),
    (
        "cli",
        &["bench", "hasami_brinkmate", "hasami_mate", "hasami_memory", "hasami_nnue", "hasami_training", "session"],
    ),
    ("bench", &[]),
    ("session", &["bench"]),
];

/// A crate of `engines` and the workspace crates that it may name.
const CRATES: &[(&str, &[&str])] = &[
    ("api", &[]),
    ("chess", &["api"]),
    ("shogi", &["api"]),
    ("memory", &[]),
    ("nnue", &["api", "chess", "memory", "shogi"]),
    ("training", &["api", "chess", "nnue", "shogi"]),
    ("alphabeta", &["api", "memory"]),
    ("mate", &["api", "memory"]),
    ("certificate", &["api"]),
    ("brinkmate", &["api", "certificate", "mate"]),
];

pub fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !is_test(&path) {
            found.push(path);
        }
    }
}

/// Tests may name whom they like.
fn is_test(path: &Path) -> bool {
    path.iter()
        .any(|part| part.to_str().is_some_and(|p| p == "tests" || p.ends_with("tests.rs") || p.ends_with("test.rs")))
}

/// Folders below `root` that are crates have borders that Cargo keeps.
pub fn is_of_a_crate(path: &Path, root: &Path) -> bool {
    path.ancestors().skip(1).take_while(|folder| *folder != root).any(|folder| folder.join("Cargo.toml").exists())
}

/// The code of a file without comments and without the tests at its end.
pub fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("\nmod tests {").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Names right after `prefix`, groups in braces included: `crate::{a::b, c}` gives a and c.
fn names_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = |text: &str| text.trim_start().chars().take_while(|&c| is_word(c)).collect::<String>();
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].chars().next_back().is_some_and(is_word) {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => _ = names.insert(word(rest)),
            Some(group) => names.extend(top_level(group).into_iter().map(word)),
        }
    }
    names.retain(|name| name.starts_with(|c: char| c.is_lowercase()));
    names
}

/// The crates of `engines` that are named. (Not every word that begins with `hasami_` is one.)
fn crates_named(code: &str) -> BTreeSet<String> {
    let is_crate = |name: &String| CRATES.iter().any(|(known, _)| known == name);
    names_after(code, "hasami_").into_iter().filter(is_crate).collect()
}

/// The parts of a group in braces, up to its end, split at the commas outside inner braces.
pub fn top_level(group: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[from..i]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    parts
}

fn check(what: &str, path: &Path, allowed: &[&str], named: BTreeSet<String>, faults: &mut Vec<String>) {
    for name in named.iter().filter(|name| !allowed.contains(&name.as_str())) {
        faults.push(format!("{}: '{what}' may not import '{name}'", path.display()));
    }
}

#[test]
fn the_program_keeps_the_import_rule() {
    let rules: BTreeMap<&str, &[&str]> = MODULES.iter().copied().collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    rust_files(&root, &mut files);
    files.retain(|path| !is_of_a_crate(path, &root));
    for path in &files {
        let inside = path.strip_prefix(&root).unwrap();
        let first = Path::new(inside.iter().next().unwrap()).with_extension("");
        let module = first.to_str().unwrap();
        let Some(allowed) = rules.get(module) else {
            faults.push(format!("{}: '{module}' is not in the table of modules", path.display()));
            continue;
        };
        let code = code(path);
        let mut named = names_after(&code, "crate::");
        named.remove(module);
        check(module, path, allowed, named, &mut faults);
        let mut crates: Vec<&str> = match inside.to_str() {
            Some("games/chess.rs") => vec!["chess", "nnue", "training"],
            Some("games/shogi.rs") => vec!["shogi", "nnue", "training"],
            Some("games/certificates.rs") => vec!["certificate"],
            Some("games/entry.rs" | "games/solvers.rs") => {
                vec!["alphabeta", "brinkmate", "certificate", "mate", "nnue", "training"]
            }
            _ => allowed.iter().filter_map(|name| name.strip_prefix("hasami_")).collect(),
        };
        crates.push("api");
        check(module, path, &crates, crates_named(&code), &mut faults);
    }
    assert!(files.len() > 20, "expected the sources in {}", root.display());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Words are split at all that is neither letter nor digit: `UCI_Chess960`, UCI's own, is no name of a game.
#[test]
fn nothing_outside_the_table_of_games_names_a_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let names = GAMES.names();
    let (mut files, mut named) = (Vec::new(), BTreeSet::new());
    rust_files(&root, &mut files);
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

#[test]
fn the_engines_keep_the_import_rule() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines");
    let rules: BTreeMap<&str, &[&str]> = CRATES.iter().copied().collect();
    let mut faults = Vec::new();
    for entry in fs::read_dir(&root).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(allowed) = rules.get(name.as_str()) else {
            faults.push(format!("engines/{name} is not in the table of crates"));
            continue;
        };
        let mut files = Vec::new();
        rust_files(&folder.join("src"), &mut files);
        assert!(!files.is_empty(), "expected sources in {}", folder.display());
        for path in files {
            check(&name, &path, allowed, names_after(&code(&path), "hasami_"), &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn names_are_found_in_groups_and_paths() {
    let code =
        "use crate::{event::{A, b::C}, tree, X};\nlet y = crate::perft::count; subcrate::no; use hasami_api::Game;";
    let names = |prefix| names_after(code, prefix).into_iter().collect::<Vec<_>>();
    assert_eq!(names("crate::"), ["event", "perft", "tree"]);
    assert_eq!(names("hasami_"), ["api"]);
}
