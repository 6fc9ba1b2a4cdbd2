//! The public set is what it says.

use super::*;
use crate::judge::{Judge, Unique};
use std::collections::HashSet;

/// All that the test may cost, in nodes of the search that proves lengths.
const NODES: u64 = 150_000;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/brinkmates").join(name)
}

fn set() -> Vec<Row> {
    rows(&data("set.tsv")).unwrap()
}

fn nodes(row: &Row, key: &str) -> u64 {
    row.note(key).parse().unwrap()
}

#[test]
fn the_set_is_sorted_and_its_names_count() {
    let set = set();
    assert!(set.is_sorted_by_key(|row| (row.plies, nodes(row, "nodes"))));
    let mut number = 0;
    for (i, row) in set.iter().enumerate() {
        number = if i > 0 && set[i - 1].plies == row.plies { number + 1 } else { 1 };
        assert_eq!(row.name, format!("h{:02}-{number:03}", row.plies));
    }
}

#[test]
fn there_are_enough_of_each_length_and_from_several_roots() {
    let set = set();
    assert!(set.len() >= 300, "{}", set.len());
    for plies in [1, 3, 5, 7, 9, 11] {
        let of_length: Vec<&Row> = set.iter().filter(|row| row.plies == plies).collect();
        let families: HashSet<&str> = of_length.iter().map(|row| row.note("family")).collect();
        assert!(of_length.len() >= 10 && families.len() >= 3, "{plies}: {} of {families:?}", of_length.len());
    }
    assert!(set.iter().all(|row| row.plies % 2 == 1 && row.plies <= 17));
}

#[test]
fn problems_measured_anew_keep_their_length_and_origin() {
    let set = set();
    let row = set.iter().min_by_key(|row| nodes(row, "shortest")).unwrap();
    let mut finisher = Finisher::new(1_000_000, 1);
    let again = finisher.measured(&row.clone().with("nodes", 0).with("shortest", 0)).unwrap();
    assert_eq!((again.plies, again.note("line")), (row.plies, row.note("line")));
    assert!(nodes(&again, "nodes") > 0 && nodes(&again, "shortest") > nodes(&again, "nodes"), "{again}");
    let wrong = Row::new(row.position.clone(), "x".into(), row.plies + 2);
    let refused = finisher.measured(&wrong).unwrap_err();
    assert!(refused.starts_with(&format!("x: expected a brinkmate of {} plies, found ", row.plies + 2)), "{refused}");
    let ranked = choose::named(vec![again]);
    assert_eq!((&*ranked[0].name, ranked[0].note("origin")), (&*format!("h{:02}-001", row.plies), row.note("origin")));
}

#[test]
fn every_problem_is_there_once_and_says_all_that_is_told() {
    let known = text(&data("known.tsv")).unwrap_or_default();
    let mut seen: HashSet<String> = row::positions(&known).map(|known| Diagram::parse(known).unwrap().key()).collect();
    for row in set() {
        let diagram = Diagram::parse(&row.position).unwrap();
        assert_eq!(diagram.text(), row.position);
        assert!(seen.insert(diagram.key()), "{row}");
        let game = diagram.game().unwrap();
        assert!(!hasami_api::Game::in_check(&game), "{row}");
        let line: Vec<&str> = row.note("line").split(' ').collect();
        assert_eq!((line.len(), line[0]), (usize::from(row.plies), row.note("first")), "{row}");
        assert!(["composed", "game", "game-like"].contains(&row.note("kind")), "{row}");
        let unique = Unique::of_word(row.note("unique")).unwrap();
        let (others, undecided) = (row.note("others"), nodes(&row, "undecided"));
        match unique {
            Unique::Yes => assert_eq!((others, undecided), ("-", 0), "{row}"),
            Unique::ButForPromotion => {
                let plain = |m: &str| m.trim_end_matches('+').to_owned();
                assert_eq!((plain(others), undecided), (plain(row.note("first")), 0), "{row}");
            }
            Unique::Undecided => assert!(undecided > 0, "{row}"),
            Unique::No => assert_ne!(others, "-", "{row}"),
        }
    }
}

#[test]
fn a_sample_of_the_set_has_the_lengths_it_says() {
    let mut judge = Judge::new(16);
    let mut tried = 0;
    let short: Vec<Row> = set().into_iter().filter(|row| row.plies <= 5).collect();
    for row in short.iter().step_by(3).filter(|row| nodes(row, "shortest") < 20_000) {
        let game = Diagram::parse(&row.position).unwrap().game().unwrap();
        assert_eq!(judge.length(&game, 1, 5_000_000), Some(row.plies), "{row}");
        tried += 1;
        if judge.nodes > NODES {
            break;
        }
    }
    assert!(tried >= 8, "{tried}");
}

#[test]
fn the_first_moves_of_easy_problems_are_what_is_told() {
    let mut judge = Judge::new(16);
    let easy: Vec<Row> = set().into_iter().filter(|row| row.note("unique") == "yes" && row.plies <= 3).collect();
    assert!(easy.len() > 20);
    for row in easy.iter().step_by(2).filter(|row| nodes(row, "shortest") < 4_000).take(2) {
        let game = Diagram::parse(&row.position).unwrap().game().unwrap();
        let keys = judge.keys(&game, row.plies, 20_000_000);
        assert_eq!((keys.moves, keys.undecided), (vec![row.note("first").to_owned()], Vec::new()), "{}", row.name);
    }
}

#[test]
fn what_is_wrong_with_a_list_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.tsv");
    let mut out = Vec::new();
    let finish = |problems: PathBuf| Work::Finish { problems, nodes: 1_000, hash: 1 };
    let missing = work(finish(list.clone()), &mut out).unwrap_err();
    assert!(missing.contains("list.tsv: expected a list of problems, found "), "{missing}");
    fs::write(&list, "no position\tx\t3\n").unwrap();
    let wrong = work(finish(list), &mut out).unwrap_err();
    assert!(wrong.starts_with("expected a position in SFEN, found 'no position'"), "{wrong}");
    assert!(out.is_empty());
}
