//! Tests the results of searches that a limit has ended.

use super::graph::Graph;
use super::task;
use crate::interface::findings::{MateFindings, OpenReason};
use crate::interface::request::MateRequest;
use crate::interface::solver::MateSolver;
use crate::{Algorithm, MateEngine, MateRules, SolverOptions};
use hasami_api::{Limits, MateAnswer, Rules, Stop};
use hasami_shogi::Shogi;

/// A position with a mate that is found quickly, and a shortest mate of 15 plies that is found much later.
const LONG: &str = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";

/// Problem 79 of Shogi Muso, which has a mate in 11 plies by composers' rules, although the search for any mate first
/// finds one of 33 plies, after more than 2,000,000 nodes.
const SHORT: &str = "9/7B1/9/9/n1p6/+p8/4n4/+B1k1S4/N8 b G2S2r3gsn4l16p 1";

fn examine(algorithm: Algorithm, shortest: bool, rules: MateRules, nodes: u64) -> MateFindings {
    let request = MateRequest { shortest, rules, ..MateRequest::default() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let options = SolverOptions { hash_mb: 1, ..SolverOptions::default() };
    let mut solver = MateEngine::<Shogi>::with_options(algorithm, &options);
    solver.examine(&task(LONG, limits), request, &Stop::new()).unwrap()
}

#[test]
fn a_short_mate_is_found_although_the_first_one_would_be_long() {
    let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
    let examine = |shortest| {
        let request = MateRequest { shortest, rules: MateRules::Tsume, ..MateRequest::default() };
        MateEngine::<Shogi>::new(64).examine(&task(SHORT, limits), request, &Stop::new()).unwrap()
    };
    assert_eq!(examine(false).answer, MateAnswer::Unknown);
    let found = examine(true);
    assert!(matches!(&found.answer, MateAnswer::Mate(line) if line.len() == 11), "{found:?}");
    assert_eq!(found.open, None);
}

#[test]
fn a_mate_is_kept_when_a_limit_ends_the_search_for_a_shorter_one() {
    for algorithm in [Algorithm::Dfpn, Algorithm::Pds, Algorithm::Parallel] {
        for rules in [MateRules::Strict, MateRules::Tsume] {
            let whole = examine(algorithm, true, rules, 3_000_000);
            let MateAnswer::Mate(best) = &whole.answer else { panic!("{whole:?}") };
            assert_eq!((best.len(), whole.open), (15, None), "{algorithm}");
            let first = examine(algorithm, false, MateRules::Strict, 3_000_000);
            assert!(first.nodes < whole.nodes, "{algorithm}: {} {}", first.nodes, whole.nodes);
            for nodes in [first.nodes + 1, (first.nodes + whole.nodes) / 2, whole.nodes - 1] {
                let found = examine(algorithm, true, rules, nodes);
                let MateAnswer::Mate(line) = &found.answer else { panic!("{algorithm} {nodes}: {found:?}") };
                assert!(line.len() >= 15 && line.len() % 2 == 1, "{line:?}");
                assert_eq!(found.open, Some(OpenReason::Nodes), "{algorithm} {nodes}");
            }
        }
    }
}

#[test]
fn an_unknown_answer_has_a_reason() {
    let solve = |graph: &str, limits, stop: &Stop| {
        MateEngine::<Graph>::new(1).examine(&task(graph, limits), MateRequest::default(), stop).unwrap()
    };
    let (graph, none) = ("0-1 1-2,3 2-9 3-4 4-5 5-6", Limits::default());
    assert_eq!((solve(graph, none, &Stop::new()).answer, solve(graph, none, &Stop::new()).open).1, None);
    let open = |limits, stop: &Stop| {
        let found = solve(graph, limits, stop);
        assert_eq!(found.answer, MateAnswer::Unknown);
        found.open
    };
    assert_eq!(open(Limits { nodes: Some(1), ..none }, &Stop::new()), Some(OpenReason::Nodes));
    assert_eq!(open(Limits { mate: Some(3), ..none }, &Stop::new()), Some(OpenReason::Plies(3)));
    let stop = Stop::new();
    stop.stop();
    assert_eq!(open(none, &stop), Some(OpenReason::Stopped));
}

/// After the first move of a shortest mate, the defender lasts for exactly the remaining plies.
#[test]
fn a_defender_who_moves_first_is_mated_by_every_move_or_escapes() {
    let request =
        MateRequest { defender_first: true, shortest: true, others: true, proof: 5, ..MateRequest::default() };
    let MateAnswer::Mate(line) = examine(Algorithm::Dfpn, true, MateRules::Strict, 3_000_000).answer else { panic!() };
    for algorithm in [Algorithm::Dfpn, Algorithm::Id, Algorithm::Levels] {
        let mut task = task(LONG, Limits { nodes: Some(30_000_000), ..Limits::default() });
        task.line.moves = line[..line.len() - 4].to_vec();
        let mut solver = MateEngine::<Shogi>::with_options(algorithm, &SolverOptions::default());
        let found = solver.examine(&task, request, &Stop::new()).unwrap();
        let MateAnswer::Mate(rest) = &found.answer else { panic!("{algorithm}: {found:?}") };
        assert_eq!(rest.len(), 4, "{algorithm}: {found:?}");
        let defended = found.defended.unwrap();
        let main = &defended.defences[0];
        assert_eq!((defended.escape, main.mv, main.plies), (None, rest[0], 3), "{algorithm}");
        assert_eq!(main.next.is_some(), algorithm == Algorithm::Dfpn, "{algorithm}");
        assert!(defended.defences.is_sorted_by_key(|branch| std::cmp::Reverse(branch.plies)), "{algorithm}");
        assert!(found.others.iter().all(|other| [2, 4].contains(&other.ply)), "{:?}", found.others);
    }
    let free = task("4k4/9/9/9/9/9/9/9/4K4 w - 1", Limits::default());
    let found = MateEngine::<Shogi>::new(1).examine(&free, request, &Stop::new()).unwrap();
    assert_eq!(found.answer, MateAnswer::NoMate);
    assert!(found.defended.is_some_and(|defended| defended.escape.is_some()));
    let mut mated = task("4k4/4G4/4P4/9/9/9/9/9/9 w - 1", Limits::default());
    mated.line.start.rules = Rules::OF_DEFENCES;
    let found = MateEngine::<Shogi>::new(1).examine(&mated, request, &Stop::new()).unwrap();
    assert_eq!(found.answer, MateAnswer::Mate(Vec::new()));
}
