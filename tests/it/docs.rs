//! Checks that the documentation agrees with the program, that links are valid, and that translations match the English
//! pages.

use hasami_catalog::Catalog;
use hasami_games::GAMES;
use hasami_protocol::Settings;
use hasami_protocol::option::{Declared, Kind};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

#[test]
fn every_option_is_documented_as_declared() {
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
        Kind::Accepted(kind) => (kind.split(' ').next().unwrap_or_default(), none()),
        Kind::Check { .. } => ("check", none()),
        Kind::Spin { range, .. } => ("spin", format!("{} to {}", range.start(), range.end())),
        Kind::Signed { range, .. } => ("spin", format!("{} to {}", range.start(), range.end())),
        Kind::Combo { words, .. } => ("combo", words.join(", ")),
        Kind::File { .. } => ("file", none()),
        Kind::Unlisted { .. } => ("text", none()),
        Kind::Button(_) => ("button", none()),
        Kind::Text { .. } => ("string", none()),
    }
}

/// Returns the default value of an option as it is declared to GUIs.
fn default_of(game: &dyn Catalog, option: &Declared) -> String {
    let options = game.options();
    let declared = options.declare(&Settings::default());
    let start = format!("option name {} type ", option.name(options.protocol).unwrap());
    let Some(line) = declared.lines().find(|line| line.starts_with(&start)) else { return "empty".to_owned() };
    let default = line.split_once(" default ").map_or("-", |(_, rest)| rest.split(' ').next().unwrap());
    default.replace("<empty>", "empty")
}

/// Finds files whose names have one of the `endings` below a folder, except for test data and build outputs.
pub fn files_below(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
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

fn pages_in(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".md")).collect()
}

/// Returns the files in this repository that a page links to.
pub fn links_of(page: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(page).unwrap();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let inside = targets.filter(|target| !target.starts_with("http") && !target.starts_with('#'));
    inside.map(|target| page.parent().unwrap().join(target.split('#').next().unwrap())).collect()
}

#[test]
fn every_link_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md"), root.join("README.ja.md")];
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
fn every_page_is_reachable_from_the_readme() {
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

/// Returns the commands on a page: the lines of code blocks, and the code spans in tables.
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
fn the_japanese_readme_has_the_same_commands() {
    let english = commands("README.md");
    assert!(english.len() > 20, "{english:?}");
    assert_eq!(english, commands("README.ja.md"));
}

/// Pages of the guide that have no Japanese translation.
const ENGLISH_ONLY: [&str; 14] = [
    "analyse.md",
    "children.md",
    "compliance.md",
    "games.md",
    "install.md",
    "learn.md",
    "match.md",
    "networks.md",
    "peers.md",
    "search-tuning.md",
    "training.md",
    "web.md",
    "windows.md",
    "worth.md",
];

#[test]
fn every_page_of_the_guide_is_translated_or_listed_as_english() {
    let (english, japanese) = (pages_in("docs/guide"), pages_in("docs/guide/ja"));
    let only: BTreeSet<String> = ENGLISH_ONLY.iter().map(|name| (*name).to_owned()).collect();
    assert!(only.is_disjoint(&japanese), "{only:?} {japanese:?}");
    assert_eq!(english, &only | &japanese);
}

/// A heading of a page, and the text up to the next heading.
#[derive(Default)]
struct Section {
    heading: String,
    /// The lines in code blocks of the section, without trailing comments.
    code: Vec<String>,
    rows: Vec<String>,
    list_items: usize,
    text: String,
}

fn sections(page: &str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut fenced = false;
    for line in page.lines() {
        let fence = line.starts_with("```");
        fenced ^= fence;
        if line.starts_with('#') && !fenced {
            found.push(Section { heading: line.to_owned(), ..Section::default() });
            continue;
        }
        let section = found.last_mut().expect("a page begins with its heading");
        if fenced && !fence || line.starts_with("    ") {
            section.code.push(line.split("  # ").next().unwrap().trim().to_owned());
        } else if line.starts_with('|') {
            section.rows.push(line.to_owned());
        } else if !fence {
            let digits = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
            section.list_items +=
                usize::from(line.starts_with("- ") || digits.len() < line.len() && digits.starts_with(". "));
            section.text += line;
            section.text.push(' ');
        }
    }
    found
}

/// Returns the code spans of a text.
fn codes(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns the cells of a table row, in which each link is replaced by its text.
fn cells(row: &str) -> Vec<String> {
    let mut words = String::new();
    for (place, piece) in row.split("](").enumerate() {
        words += if place == 0 { piece } else { piece.split_once(')').map_or(piece, |(_, rest)| rest) };
    }
    words.split('|').map(|cell| cell.trim().to_owned()).collect()
}

fn has_japanese(text: &str) -> bool {
    text.chars().any(|letter| letter >= '\u{3000}')
}

/// Returns the files in this repository that a page links to. A link to a translated page counts as a link to the
/// original page.
fn originals_of_links(page: &Path) -> BTreeSet<PathBuf> {
    let parts = |path: &Path| path.components().filter(|part| part.as_os_str() != "ja").collect::<PathBuf>();
    links_of(page).iter().map(|link| parts(&link.canonicalize().unwrap())).collect()
}

#[test]
fn translated_pages_have_the_same_code_tables_and_links() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide");
    for name in pages_in("docs/guide/ja") {
        let pages = [document(&format!("docs/guide/{name}")), document(&format!("docs/guide/ja/{name}"))];
        let [english, japanese] = pages.each_ref().map(|page| sections(page));
        let headings =
            |sections: &[Section]| sections.iter().map(|section| section.heading.clone()).collect::<Vec<_>>();
        assert_eq!(english.len(), japanese.len(), "{name}: {:?} {:?}", headings(&english), headings(&japanese));
        for (english, japanese) in english.iter().zip(&japanese) {
            let place = format!("{name}, {} ({})", japanese.heading, english.heading);
            let level = |section: &Section| section.heading.split(' ').next().map(str::len);
            assert_eq!(level(english), level(japanese), "{place}");
            assert_eq!(english.code, japanese.code, "{place}");
            assert_eq!(codes(&english.text), codes(&japanese.text), "{place}");
            assert_eq!(english.list_items, japanese.list_items, "{place}: number of list items");
            compare_rows(&english.rows, &japanese.rows, &place);
        }
        let [english, japanese] = [guide.join(&name), guide.join("ja").join(&name)];
        assert_eq!(originals_of_links(&english), originals_of_links(&japanese), "{name}");
    }
}

/// Checks that translated rows have the same code spans, and that every cell without Japanese text is unchanged.
fn compare_rows(english: &[String], japanese: &[String], place: &str) {
    for (english, japanese) in english.iter().zip(japanese) {
        assert_eq!(codes(english), codes(japanese), "{place}: {english}");
        for (english, japanese) in cells(english).iter().zip(&cells(japanese)) {
            assert!(has_japanese(japanese) || english == japanese, "{place}: expected {english}, found {japanese}");
        }
        assert_eq!(cells(english).len(), cells(japanese).len(), "{place}: {english}");
    }
    assert_eq!(english.len(), japanese.len(), "{place}: number of table rows");
}

#[test]
fn translated_and_english_pages_link_to_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let translated = pages_in("docs/guide/ja");
    for name in &translated {
        assert!(document(&format!("docs/guide/{name}")).contains(&format!("\n\n[日本語](ja/{name})\n\n")), "{name}");
        assert!(
            document(&format!("docs/guide/ja/{name}")).contains(&format!("\n\n[English](../{name})\n\n")),
            "{name}"
        );
    }
    let mut pages = vec![(root.join("README.ja.md"), None)];
    pages.extend(translated.iter().map(|name| (root.join("docs/guide/ja").join(name), Some(name))));
    let mut reached = BTreeSet::new();
    for (page, own) in &pages {
        for link in links_of(page).iter().map(|link| link.canonicalize().unwrap()) {
            let target = link.file_name().unwrap().to_string_lossy().into_owned();
            let is_english = link.parent() == Some(&*root.join("docs/guide").canonicalize().unwrap());
            let to_itself = *own == Some(&target);
            assert!(
                !is_english || to_itself || !translated.contains(&target),
                "{}: {target} is translated",
                page.display()
            );
            reached.extend((own.is_none() && !is_english).then_some(target));
        }
    }
    assert!(translated.is_subset(&reached), "expected links of README.ja.md to all of {translated:?}");
}
