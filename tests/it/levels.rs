//! Tests `hasami solve --algorithm levels` with shogi and chess problems.

use crate::solve::Folder;
use serde_json::Value;

/// A list of problems with SFEN, name and length in plies.
const GAMES: &str = include_str!("../data/mates/games.tsv");
const MUSO: &str = include_str!("../data/mates/muso077.tsv");
const THREE: &str = "9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
const NONE: &str = "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1";
const HARD: &str = "9/9/3k5/9/6B2/9/9/9/9 b 4G2S9P2rb2s4n4l9p 1";
/// A position near the end of a game by Morphy (Paris 1858), after which White gave only checks.
const MORPHY: &str = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 0";

fn objects(printed: &str) -> Vec<Value> {
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Both `dfpn` and `levels` must find the shortest mate. `levels` must find all optimal lines, and report for each
/// level how many propositions were written and erased.
#[test]
fn levels_find_the_shortest_mates_of_real_games() {
    let folder = Folder::new();
    // The last problem of `MUSO` is a mate in seven plies.
    folder.file("games.tsv", format!("{GAMES}\n{}", MUSO.lines().last().unwrap()));
    let solve = |words: &[&str]| objects(&folder.stdout_of(0, &[&["solve", "games.tsv", "--json"], words].concat()));
    let (shortest, levels) = (solve(&["--shortest"]), solve(&["--algorithm", "levels", "--expect"]));
    let parallel = solve(&["--algorithm", "levels", "--virtual", "9"]);
    assert!(levels.len() > 9 && levels.len() == shortest.len());
    for ((one, other), by_nine) in levels.iter().zip(&shortest).zip(&parallel) {
        assert_eq!((&one["answer"], &one["plies"]), (&other["answer"], &other["plies"]), "{one}");
        let found = &one["levels"];
        assert_eq!(found["optimal"]["listed"][0], one["moves"], "{one}");
        assert_eq!(found["complete"], one["plies"].as_u64().unwrap().div_ceil(2), "{one}");
        for level in found["counts"].as_array().unwrap() {
            let count = |key: &str| level[key].as_u64().unwrap();
            assert_eq!(count("written"), count("rule1") + count("rule2") + count("with_others") + count("left"));
        }
        assert_eq!((&by_nine["moves"], &by_nine["levels"]["optimal"]), (&one["moves"], &found["optimal"]));
        // Nine processors need not be faster on problems of fewer than 1,000 nodes, because one turn of the virtual
        // clock is 100 nodes.
        let is_faster = by_nine["clock"].as_u64() < one["nodes"].as_u64() || one["nodes"].as_u64() < Some(1_000);
        assert!(by_nine["processors"] == 9 && is_faster, "{by_nine}");
    }
}

#[test]
fn every_optimal_line_is_shown_for_composers() {
    let folder = Folder::new();
    let printed = folder.stdout_of(0, &["solve", "--sfen", THREE, "--algorithm", "levels", "--all", "--hash", "8"]);
    let notes: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("# sfen: ")).collect();
    let lines = objects(&folder.stdout_of(0, &["solve", "--sfen", THREE, "--algorithm", "levels", "--json"]));
    let optimal = &lines[0]["levels"]["optimal"];
    let count = optimal["lines"].as_u64().unwrap();
    assert!(count > 1 && notes.contains(&&*format!("{count} lines are optimal for both sides")), "{printed}");
    for line in optimal["listed"].as_array().unwrap().iter().skip(1) {
        let words: Vec<&str> = line.as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        assert!(notes.contains(&&*words.join(" ")), "{words:?} in {printed}");
    }
    assert!(notes.iter().any(|note| note.starts_with("ply ") || *note == "no other move mates as soon"), "{printed}");
}

#[test]
fn the_last_level_is_reported_when_memory_is_full() {
    let folder = Folder::new();
    let printed = folder.stdout_of(1, &["solve", "--sfen", HARD, "--algorithm", "levels", "--hash", "1"]);
    assert!(printed.starts_with("sfen\tunknown\t-\t"), "{printed}");
    let note = printed.lines().find(|line| line.starts_with("# sfen: the memory is full; level ")).unwrap();
    assert!(note.contains(" was the last: no mate in ") && note.ends_with(" or less"), "{note}");
    let json = folder.run(&["solve", "--sfen", HARD, "--algorithm", "levels", "--hash", "1", "--json"]);
    let said = String::from_utf8_lossy(&json.stderr).into_owned();
    assert!(said.lines().any(|line| Some(line) == note.strip_prefix("# ")), "{said}");
}

#[test]
fn the_last_level_is_reported_when_a_limit_is_reached() {
    let folder = Folder::new();
    let arguments = ["solve", "--sfen", HARD, "--algorithm", "levels", "--nodes"];
    let printed = folder.stdout_of(1, &[&arguments[..], &["30000"]].concat());
    let last = printed.lines().find(|line| line.starts_with("# sfen: level ")).unwrap();
    assert!(last.contains(" was the last: no mate in "), "{last}");
    let json = folder.run(&[&arguments[..], &["30000", "--json"]].concat());
    let said = String::from_utf8_lossy(&json.stderr).into_owned();
    assert!(said.lines().any(|line| Some(line) == last.strip_prefix("# ")), "{said}");
    assert!(!folder.stdout_of(1, &[&arguments[..], &["5"]].concat()).contains("level"), "no level is complete");
}

#[test]
fn the_absence_of_a_mate_is_proved_and_chess_mates_are_found() {
    let folder = Folder::new();
    assert!(folder.stdout_of(0, &["solve", "--sfen", NONE, "--algorithm", "levels"]).starts_with("sfen\tnomate\t"));
    let printed = folder.stdout_of(0, &["solve", "--fen", MORPHY, "--algorithm", "levels"]);
    assert!(
        printed.starts_with("fen\tmate\t3\t") && printed.lines().next().unwrap().ends_with("\tb3b8 d7b8 d1d8"),
        "{printed}"
    );
    let started = ["solve", "--fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "--set", "checks"];
    let printed = folder.stdout_of(0, &[&started[..], &["--algorithm", "levels"]].concat());
    assert!(printed.starts_with("fen\tnomate\t"), "{printed}");
}
