//! Tests the reports of a running search, and the proof that it reports.

use super::graph::Graph;
use super::{random_graphs, task};
use crate::MateEngine;
use crate::interface::request::MateRequest;
use crate::interface::solver::MateSolver;
use hasami_api::{Bound, Limits, MateAnswer, Report, ScoreKind, Stop};
use hasami_shogi::Shogi;

/// Problem 58 of Shogi Muso, in which a mate is found long before it is known whether a shorter mate exists.
const MUSO_058: &str = "5l3/4p2R1/4g1S2/9/1p2Plpn+n/6k2/3S+p3S/2L3B1s/4+B4 b GNLr2gn13p 1";
/// A problem that no solver decides quickly.
const HARD: &str = "9/9/3k5/9/6B2/9/9/9/9 b 4G2S9P2rb2s4n4l9p 1";

/// While the search decides whether a shorter mate exists, which takes long, the lower and upper bounds on the length
/// approach each other.
#[test]
fn the_shortest_mate_is_enclosed_while_the_search_goes_on() {
    let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
    let task = task(MUSO_058, limits);
    let request = MateRequest { shortest: true, ..MateRequest::default() };
    let (mut mates, mut bounds) = (Vec::new(), Vec::new());
    let mut tell = |report: Report| match report.score.kind() {
        ScoreKind::Mate(plies) if report.bound == Bound::Upper => bounds.push(plies),
        ScoreKind::Mate(plies) => mates.push(plies),
        ScoreKind::Cp(_) => {}
    };
    let found = MateEngine::<Shogi>::new(64).examine_and_tell(&task, request, &Stop::new(), &mut tell).unwrap();
    let MateAnswer::Mate(line) = found.answer else { panic!("{found:?}") };
    assert!(mates.is_sorted_by(|one, next| one >= next) && mates.last() == Some(&(line.len() as i32)), "{mates:?}");
    assert!(bounds.len() >= 3 && bounds.is_sorted_by(|one, next| one < next), "{bounds:?}");
    assert!(bounds.iter().all(|&bound| bound < line.len() as i32 && bound % 2 == 1), "{bounds:?}");
    assert_eq!(found.at_least.map(|plies| plies as i32), bounds.last().copied());
}

/// A limit ends the search before any mate is known, but short mates have been excluded.
#[test]
fn a_lower_bound_is_known_without_a_mate() {
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    let task = task(HARD, limits);
    let request = MateRequest { shortest: true, ..MateRequest::default() };
    let mut bounds = Vec::new();
    let mut tell = |report: Report| match report.score.kind() {
        ScoreKind::Mate(plies) => bounds.push((plies, report.bound)),
        ScoreKind::Cp(_) => {}
    };
    let found = MateEngine::<Shogi>::new(16).examine_and_tell(&task, request, &Stop::new(), &mut tell).unwrap();
    assert_eq!(found.answer, MateAnswer::Unknown);
    assert!(bounds.len() >= 2 && bounds.is_sorted_by(|one, next| one.0 < next.0), "{bounds:?}");
    let least = found.at_least.map(|plies| (plies as i32, Bound::Upper));
    assert_eq!(least, bounds.last().copied());
    let without = MateRequest::default();
    assert_eq!(MateEngine::<Shogi>::new(16).examine(&task, without, &Stop::new()).unwrap().at_least, None);
}

#[test]
fn no_defence_on_the_main_line_of_a_shortest_mate_lasts_longer_than_the_line() {
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    let request = MateRequest { shortest: true, proof: 50, ..MateRequest::default() };
    let mut defences = 0;
    for text in random_graphs(6_000) {
        let found = MateEngine::<Graph>::new(1).examine(&task(&text, limits), request, &Stop::new()).unwrap();
        let MateAnswer::Mate(line) = found.answer else { continue };
        let (mut tree, mut made) = (found.proof.as_ref(), 0);
        while let Some(proof) = tree {
            let left = line.len() - made;
            assert!(proof.plies <= left, "{text}: {} plies, {left} of the line are left", proof.plies);
            assert!(proof.answers.iter().all(|answer| answer.plies + 2 <= left), "{text}: {left}: {proof:?}");
            defences += proof.answers.len();
            let main = proof.answers.first().filter(|answer| line.get(made + 1) == Some(&answer.mv));
            (tree, made) = (main.and_then(|answer| answer.next.as_ref()), made + 2);
        }
    }
    assert!(defences > 300, "{defences}");
}
