//! Tests lines that are built from proofs.

use super::graph::Graph;
use super::random_graphs;
use crate::core::dfpn::Dfpn;
use crate::core::replay::{is_mate_line, without_cycles};
use crate::core::style::Style;
use crate::core::table::MateTable;
use crate::interface::request::MateRules;
use hasami_api::{Game, Start, Stop};

/// The search uses no results of the table, as if the table had lost the main line.
#[test]
fn a_line_is_found_within_the_plies_of_a_proof() {
    let (stop, mut mates) = (Stop::new(), 0);
    for text in random_graphs(1_000) {
        let game = Graph::new(&Start { text: Some(text.as_str().into()), ..Start::default() }).unwrap();
        // A table with a single cluster loses most results.
        let table = MateTable::for_nodes(1, 1 << 20);
        let mut search: Dfpn<_> = Dfpn::new(Style::DFPN, game.clone(), &table, &stop, 1_000_000, usize::MAX);
        let Ok((value, _)) = search.solve() else { panic!("not solved: {text}") };
        if !value.is_proved() {
            continue;
        }
        let plies = value.note as usize;
        let Ok(line) = search.line_within(plies) else { panic!("no line: {text}") };
        assert!(line.len() <= plies && is_mate_line(&game, &line, MateRules::Strict, true, &stop), "{text}: {line:?}");
        mates += 1;
    }
    assert!(mates > 100, "{mates}");
}

/// A table with a single cluster has lost most of a proof. New proofs of positions on the line must not lead back to
/// earlier positions.
#[test]
fn the_main_line_is_found_whatever_the_table_has_lost() {
    let (stop, mut mates) = (Stop::new(), 0);
    for text in random_graphs(3_000) {
        let game = Graph::new(&Start { text: Some(text.as_str().into()), ..Start::default() }).unwrap();
        let table = MateTable::for_nodes(1, 1 << 20);
        let mut search: Dfpn<_> = Dfpn::new(Style::DFPN, game.clone(), &table, &stop, 1_000_000, usize::MAX);
        let Ok((value, _)) = search.solve() else { panic!("not solved: {text}") };
        if !value.is_proved() {
            continue;
        }
        let Ok(Some(line)) = search.main_line() else { panic!("no line: {text}") };
        let line = without_cycles(&game, &line);
        assert!(is_mate_line(&game, &line, MateRules::Strict, true, &stop), "{text}: {line:?}");
        mates += 1;
    }
    assert!(mates > 300, "{mates}");
}

/// The attacker may repeat positions before the mate, but no position of the reported line occurs twice.
#[test]
fn a_line_is_shown_without_its_cycles() {
    let game =
        Graph::new(&Start { text: Some("0-1,5 1-2 2-3,5 3-4,0 4-1 5-6 6-7 7".into()), ..Start::default() }).unwrap();
    // The line returns to its first position before it mates.
    let line = [1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7];
    assert_eq!(without_cycles(&game, &line), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(without_cycles(&game, &[1, 2, 3, 0, 5, 6, 7]), [5, 6, 7]);
    assert_eq!(without_cycles(&game, &[5, 6, 7]), [5, 6, 7]);
}
