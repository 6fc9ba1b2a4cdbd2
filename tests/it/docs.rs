//! The documents say what the program does, and nothing leads nowhere.

use hasami::catalog::Catalog;
use hasami::games::GAMES;
use hasami::protocol::Settings;
use hasami::protocol::option::{Accepted, Declared, Kind};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

#[test]
fn every_option_is_explained_as_it_is_declared() {
    let text = document("docs/guide/options.md");
    for (game, option) in GAMES.iter().flat_map(|game| game.options().iter().map(move |option| (game, option))) {
        let (uci, usi) = (option.uci.unwrap_or("-"), option.usi.unwrap_or("-"));
        let (kind, values) = kind_and_values(&option.kind);
        let row = format!("| {uci} | {usi} | {kind} | {values} | {} | {} |", default_of(game, option), option.help);
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
fn default_of(game: &dyn Catalog, option: &Declared) -> String {
    let options = game.options();
    let declared = options.declare(&Settings::default());
    let start = format!("option name {} type ", option.name(options.protocol).unwrap());
    let Some(line) = declared.lines().find(|line| line.starts_with(&start)) else { return "empty".to_owned() };
    let default = line.split_once(" default ").map_or("-", |(_, rest)| rest.split(' ').next().unwrap());
    default.replace("<empty>", "empty")
}

/// Files of these endings below a folder, but for those that a build leaves.
fn files_below(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", ".git", "__pycache__", "data"].contains(&name.as_str()) {
                files_below(&path, endings, found);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
}

/// Where the links of a page lead in this repository.
fn links_of(page: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(page).unwrap();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let inside = targets.filter(|target| !target.starts_with("http") && !target.starts_with('#'));
    inside.map(|target| page.parent().unwrap().join(target.split('#').next().unwrap())).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md")];
    for folder in ["docs", "book", "scripts/experiments"] {
        files_below(&root.join(folder), &[".md"], &mut pages);
    }
    assert!(pages.len() > 40, "{}", pages.len());
    let mut links = 0;
    for page in &pages {
        for target in links_of(page) {
            assert!(target.exists(), "{}: expected {}", page.display(), target.display());
            links += 1;
        }
    }
    assert!(links > 100, "{links}");
}

#[test]
fn the_readme_and_the_results_stay_short() {
    let (readme, results) = (document("README.md"), document("docs/results.md"));
    assert!(readme.lines().count() <= 120, "{}", readme.lines().count());
    assert!(results.split_whitespace().count() <= 2_000, "{}", results.split_whitespace().count());
}

/// A paper is cited by authors and year (docs/design/bibliography.md), so that a reader can find it.
#[test]
fn papers_have_authors_and_a_year() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "engines", "docs", "scripts"] {
        files_below(&root.join(folder), &[".rs", ".py", ".md", ".toml"], &mut files);
    }
    assert!(files.len() > 400, "{}", files.len());
    for number in 0..=4 {
        let private = format!("seed 00{number}");
        for file in &files {
            let text = fs::read_to_string(file).unwrap().to_lowercase();
            assert!(!text.contains(&private), "{}: {private}", file.display());
        }
    }
}

#[test]
fn every_page_is_reached_from_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut reached, mut open) = (BTreeSet::new(), vec![root.join("README.md")]);
    while let Some(page) = open.pop() {
        let page = page.canonicalize().unwrap();
        if page.extension().is_some_and(|ending| ending == "md") && reached.insert(page.clone()) {
            open.extend(links_of(&page));
        }
    }
    let mut pages = Vec::new();
    for folder in ["docs", "scripts/experiments"] {
        files_below(&root.join(folder), &[".md"], &mut pages);
    }
    for page in pages {
        assert!(reached.contains(&page.canonicalize().unwrap()), "expected a link to {}", page.display());
    }
}

/// Commands of a page: its blocks of code, and what stands in backquotes in its tables.
fn commands(name: &str) -> Vec<String> {
    let text = document(name);
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(code) = line.strip_prefix("    ") {
            found.push(code.trim().to_owned());
        } else if line.starts_with('|') {
            let pieces: Vec<&str> = line.split('`').collect();
            found.extend(pieces.iter().skip(1).step_by(2).map(|piece| (*piece).to_owned()));
        }
    }
    found
}

#[test]
fn the_japanese_readme_has_the_commands_of_the_english_one() {
    let english = commands("README.md");
    assert!(english.len() > 20, "{english:?}");
    assert_eq!(english, commands("README.ja.md"));
}
