//! Tests the search for other moves that mate.

use super::graph::Graph;
use super::{mate, task};
use crate::MateEngine;
use crate::interface::findings::{MateFindings, MoveLikeness, OtherAnswer, OtherMove};
use crate::interface::request::MateRequest;
use crate::interface::solver::MateSolver;
use hasami_api::{Limits, Stop};

/// A graph with a mate in three plies whose last move has an alternative, a mate in five plies after another first
/// move, and two checks that fail.
const GRAPH: &str = "0-1,7,20 1-2 2-3,4,6 6-30 7-8 8-9 9-10 10-11 20-21";

fn examine(others: bool, nodes: u64) -> MateFindings {
    let request = MateRequest { shortest: true, others, ..MateRequest::default() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    MateEngine::<Graph>::new(1).examine(&task(GRAPH, limits), request, &Stop::new()).unwrap()
}

fn other(ply: usize, mv: u32, answer: OtherAnswer) -> OtherMove {
    OtherMove { ply, mv: mv.to_string().parse().unwrap(), answer, likeness: MoveLikeness::None }
}

#[test]
fn every_other_check_that_mates_is_found_with_its_length() {
    let found = examine(true, 10_000);
    assert_eq!(found.answer, mate(&[1, 2, 3]));
    assert_eq!(found.others, [other(1, 7, OtherAnswer::Mate(5)), other(3, 4, OtherAnswer::Mate(1))]);
    assert!(examine(false, 10_000).others.is_empty());
}

#[test]
fn moves_that_a_limit_leaves_open_are_reported_and_the_mate_is_kept() {
    let enough = examine(false, 10_000).nodes;
    let found = examine(true, enough + 1);
    assert_eq!(found.answer, mate(&[1, 2, 3]));
    // A check that mates immediately, or that the search for the mate has refuted, needs no search.
    assert_eq!(found.others, [other(1, 7, OtherAnswer::Open), other(3, 4, OtherAnswer::Mate(1))]);
}
