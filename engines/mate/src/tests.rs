#![allow(clippy::unwrap_used)]

mod aohpas;
pub(crate) mod graph;
pub(crate) mod hand_graph;
mod inner;
mod levels;
mod limits;
mod lines;
mod others;
mod parallel;
mod progress;
pub(crate) mod random_hand_graphs;
mod stop;

use crate::interface::options::SolverOptions;
use crate::interface::request::MateRequest;
use crate::interface::solver::MateSolver;
use crate::{Algorithm, MateEngine};
use graph::Graph;
use hand_graph::HandGraph;
use hasami_api::{
    Answer, Game, Goal, Limits, Line, MateAnswer, MateGame, Moves, Pace, Score, Searcher, Start, Stop, Task, Verdict,
};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn task(graph: &str, limits: Limits) -> Task {
    let start = Start { text: Some(graph.into()), ..Start::default() };
    Task { line: Line { start, moves: Vec::new() }, goal: Goal::Mate, limits, ..Task::default() }
}

fn solve_within(graph: &str, limits: Limits, hash_mb: usize) -> MateAnswer {
    solve_by(Algorithm::Dfpn, graph, limits, hash_mb)
}

fn solve_by(algorithm: Algorithm, graph: &str, limits: Limits, hash_mb: usize) -> MateAnswer {
    let mut solver =
        MateEngine::<Graph>::with_options(algorithm, &SolverOptions { hash_mb, ..SolverOptions::default() });
    match solver.search(&task(graph, limits), &Stop::new(), &mut |_| {}).unwrap() {
        Answer::Mate(answer) => answer,
        other => panic!("{other:?}"),
    }
}

fn solve(graph: &str) -> MateAnswer {
    solve_within(graph, Limits { nodes: Some(1_000_000), ..Limits::default() }, 1)
}

fn mate(moves: &[u32]) -> MateAnswer {
    MateAnswer::Mate(moves.iter().map(|m| m.to_string().parse().unwrap()).collect())
}

#[test]
fn mate_in_one_and_in_three() {
    assert_eq!(solve("0-1,2 1!"), mate(&[2]));
    assert_eq!(solve("0-1 1-2,3 2-9 3-4 4-5 5-6"), mate(&[1, 3, 4, 5, 6]));
}

#[test]
fn positions_without_a_check_or_with_an_escape_are_no_mates() {
    assert_eq!(solve("0"), MateAnswer::NoMate);
    assert_eq!(solve("0-1 1-2,3 2-9"), MateAnswer::NoMate);
    assert_eq!(solve("0-1 1!"), MateAnswer::NoMate, "a stalemate is no mate");
}

#[test]
fn endless_checks_are_no_mate() {
    assert_eq!(solve("0-1 1-2 2-3 3-0"), MateAnswer::NoMate);
}

/// On the path through node 1, the moves 3, 4, 5 lead back to node 2, so nodes 4 and 5 are failures. On the path
/// through node 11, nodes 4 and 5 are not failures, because node 2 has not occurred and its other check mates.
#[test]
fn a_disproof_by_repetition_does_not_hold_on_other_paths() {
    assert_eq!(solve("0-1,11 1-2 2-3,7 3-4 4-5 5-2 11-4"), mate(&[1, 2, 7]));
    assert_eq!(solve("0-11 11-4 4-5 5-2 2-3,7 3-4 7-8 8-9"), mate(&[11, 4, 5, 2, 7, 8, 9]));
}

#[test]
fn a_transposition_is_solved_once_and_followed_twice() {
    assert_eq!(solve("0-1 1-2,4 2-3 3-6 4-5 5-6 6-7"), mate(&[1, 2, 3, 6, 7]));
}

#[test]
fn limits_give_unknown_and_never_a_wrong_answer() {
    let long = "0-1 1-2 2-3 3-4 4-5 5-6 6-7";
    for nodes in 0..12 {
        let answer = solve_within(long, Limits { nodes: Some(nodes), ..Limits::default() }, 1);
        assert!(matches!(answer, MateAnswer::Unknown | MateAnswer::Mate(_)), "{nodes}: {answer:?}");
    }
    let shallow = Limits { mate: Some(5), ..Limits::default() };
    assert_eq!(solve_within(long, shallow, 1), MateAnswer::Unknown);
    assert_eq!(solve_within("0-1 1-2", shallow, 1), MateAnswer::NoMate);
    let stop = Stop::new();
    stop.stop();
    let answer = MateEngine::<Graph>::new(1).search(&task(long, Limits::default()), &stop, &mut |_| {});
    assert_eq!(answer, Ok(Answer::Mate(MateAnswer::Unknown)));
}

#[test]
fn the_last_report_counts_the_nodes_of_every_answer() {
    let long = "0-1 1-2 2-3 3-4 4-5 5-6 6-7";
    for goal in [Goal::Mate, Goal::MateWithin] {
        for (graph, most) in [(long, 1_000), (long, 3), ("0-1 1-2", 1_000)] {
            let limits = Limits { nodes: Some(most), mate: Some(7), ..Limits::default() };
            let task = Task { goal, ..task(graph, limits) };
            let mut nodes = None;
            let answer = MateEngine::<Graph>::new(1).search(&task, &Stop::new(), &mut |r| nodes = Some(r.nodes));
            let unknown = answer == Ok(Answer::Mate(MateAnswer::Unknown));
            assert_eq!(unknown, most == 3, "{goal:?} {graph}: {answer:?}");
            assert!(nodes.is_some_and(|nodes| nodes > 0 && (nodes <= 4 || most > 3)), "{goal:?} {graph}: {nodes:?}");
        }
    }
}

/// A pace that counts its calls, and requests the next call after ten nodes.
#[derive(Default)]
struct Portions(AtomicU64);

impl Pace for Portions {
    fn more(&self, nodes: u64) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed);
        nodes + 10
    }
}

#[test]
fn a_search_reports_its_nodes_in_portions() {
    let portions = Arc::new(Portions::default());
    let long: String = (0..201).map(|i| format!("{i}-{} ", i + 1)).collect();
    let stop = Stop::paced(Arc::clone(&portions) as Arc<dyn Pace>);
    let mut nodes = 0;
    let answer = MateEngine::<Graph>::new(1).search(&task(&long, Limits::default()), &stop, &mut |r| nodes = r.nodes);
    assert!(matches!(answer, Ok(Answer::Mate(MateAnswer::Mate(_)))), "{answer:?}");
    assert!(portions.0.load(Ordering::Relaxed) >= nodes / 20, "{nodes} nodes");
}

#[test]
fn thousands_of_plies_do_not_overflow_the_stack() {
    let long: String = (0..9_001).map(|i| format!("{i}-{} ", i + 1)).collect();
    match solve(&long) {
        MateAnswer::Mate(line) => assert_eq!(line.len(), 9_001),
        other => panic!("{other:?}"),
    }
    let too_long: String = (0..20_001).map(|i| format!("{i}-{} ", i + 1)).collect();
    assert_eq!(solve(&too_long), MateAnswer::Unknown);
}

#[test]
fn the_report_counts_plies() {
    let mut reports = Vec::new();
    let mut solver = MateEngine::<Graph>::new(1);
    solver.search(&task("0-1 1-2 2-3", Limits::default()), &Stop::new(), &mut |r| reports.push(r)).unwrap();
    assert_eq!(reports.last().map(|r| (r.score, r.pv.len())), Some((Score::win_in(3), 3)));
}

/// With one more piece of kind 0 in hand, the mate from node 0 takes one move. The table must not claim a mate in one
/// move for a smaller hand: the line would show the defender going back to node 0, which ends in three plies, instead
/// of going to node 5, which takes five.
#[test]
fn a_mate_may_take_longer_with_less_in_hand() {
    let text = "11 0:23-1,10,12 1:33-0,5 2:23-0,10 3:23-1,7,8 4:23- 5:23-2 6:13- 7:23- 8:23-6,8 9:23-1,11 10:13-10 \
        11:13-4,10,12 12:13-10,12";
    let Ok(Answer::Mate(MateAnswer::Mate(line))) =
        MateEngine::<HandGraph>::new(1).search(&task(text, Limits::default()), &Stop::new(), &mut |_| {})
    else {
        panic!("no mate")
    };
    assert_eq!(line.len(), 5, "{line:?}");
}

/// Decides by retrograde analysis over pairs of position and side whether there is a mate: grows the set of won
/// positions until it no longer changes.
fn is_won(root: &Graph) -> bool {
    let mut won = HashSet::new();
    loop {
        let before = won.len();
        let mut seen = HashSet::new();
        mark(&mut root.clone(), &mut won, &mut seen);
        if won.contains(&root.key()) || won.len() == before {
            return won.contains(&root.key());
        }
    }
}

fn mark(game: &mut Graph, won: &mut HashSet<u64>, seen: &mut HashSet<u64>) {
    if !seen.insert(game.key()) {
        return;
    }
    let mut moves = Moves::new();
    game.checking_moves(&mut moves);
    let attacking = game.ply().is_multiple_of(2);
    let mut good = 0;
    for &m in moves.iter() {
        game.make(m);
        mark(game, won, seen);
        good += usize::from(won.contains(&game.key()));
        game.unmake();
    }
    let mated = moves.is_empty() && game.verdict_without_moves() == Verdict::Loss;
    if if attacking { good > 0 } else { good == moves.len() && (mated || good > 0) } {
        won.insert(game.key());
    }
}

/// Returns random graphs, many of them with cycles.
fn random_graphs(count: usize) -> impl Iterator<Item = String> {
    let mut seed = 12_345_u64;
    let mut random = move |n: u64| {
        seed = crate::core::mix::mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
        seed % n
    };
    (0..count).map(move |_| {
        let size = 4 + random(24);
        let mut text = String::new();
        for node in 0..size {
            let degree = random(4);
            let targets: Vec<_> = (0..degree).map(|_| random(size).to_string()).collect();
            let stalemate = if degree == 0 && random(2) == 0 { format!("{node}! ") } else { String::new() };
            text += &format!("{node}-{} {stalemate}", targets.join(","));
        }
        text
    })
}

#[test]
fn random_graphs_with_cycles_are_solved_as_by_retrograde_analysis() {
    let (mut wins, mut draws, mut unknown) = (0, 0, 0);
    for (round, text) in random_graphs(3_000).enumerate() {
        let start = Start { text: Some(text.as_str().into()), ..Start::default() };
        let won = is_won(&Graph::new(&start).unwrap());
        for (algorithm, nodes) in [(Algorithm::Pds, 20_000), (Algorithm::Id, 5_000)] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            match solve_by(algorithm, &text, limits, 1) {
                MateAnswer::Mate(_) => assert!(won, "round {round}, {algorithm}: false mate in {text}"),
                MateAnswer::NoMate => assert!(!won, "round {round}, {algorithm}: mate missed in {text}"),
                // Iterative deepening may repeat positions until its limit is reached, and plain PDS may repeat
                // positions where sums grow along cycles.
                MateAnswer::Unknown => unknown += usize::from(algorithm == Algorithm::Pds),
            }
        }
        match solve(&text) {
            MateAnswer::Mate(_) => {
                assert!(won, "round {round}: false mate in {text}");
                wins += 1;
            }
            MateAnswer::NoMate => {
                assert!(!won, "round {round}: mate missed in {text}");
                draws += 1;
            }
            MateAnswer::Unknown => panic!("round {round}: unknown in {text}"),
        }
    }
    assert!(wins > 300 && draws > 300, "{wins} wins, {draws} draws");
    assert!(unknown < 60, "{unknown} not decided by PDS");
}

fn within(graph: &str, plies: u16) -> MateAnswer {
    let limits = Limits { mate: Some(plies), ..Limits::default() };
    let task = Task { goal: Goal::MateWithin, ..task(graph, limits) };
    match MateEngine::<Graph>::new(1).search(&task, &Stop::new(), &mut |_| {}).unwrap() {
        Answer::Mate(answer) => answer,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_search_within_a_number_of_moves_finds_the_shortest_mate_or_none() {
    let long = "0-1 1-2,3 2-9 3-4 4-5 5-6 9-10,11 10-30 11-31";
    assert_eq!(within(long, 3), MateAnswer::NoMate);
    assert_eq!(within(long, 5), mate(&[1, 2, 9, 10, 30]));
    assert_eq!(within("0-7,1 1-2 2-3 7-8 8-9 9-10 10-11", 7), mate(&[1, 2, 3]));
    assert_eq!(within("0-1 1!", 1), MateAnswer::NoMate, "a stalemate is no mate");
    assert_eq!(within("0-1 1-2 2-3 3-0", 9), MateAnswer::NoMate, "the checks only repeat positions");
}

#[test]
fn every_algorithm_is_found_by_its_name_and_solves() {
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    for &algorithm in Algorithm::ALL {
        assert_eq!(algorithm.name().parse(), Ok(algorithm));
        let solve = |graph| solve_by(algorithm, graph, limits, 1);
        assert_eq!(solve("0-1 1-2,3 2-9 3-4 4-5 5-6"), mate(&[1, 3, 4, 5, 6]), "{algorithm}");
        assert_eq!(solve("0-1 1-2,3 2-9"), MateAnswer::NoMate, "{algorithm}");
        assert_eq!(solve("0-1 1!"), MateAnswer::NoMate, "{algorithm}: a stalemate is no mate");
    }
    let names: Vec<&str> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
    assert_eq!("pn".parse::<Algorithm>(), Err(format!("expected one of {}, found 'pn'", names.join(", "))));
}

/// The graph has two mates, and the longer mate begins with a check that leaves one answer.
#[test]
fn deepening_finds_a_shortest_mate() {
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    let graph = "0-1,7 1-2 2-3 3-4 4-5 7-8,9 8-10 9-11";
    let answer = solve_by(Algorithm::Id, graph, limits, 1);
    assert!(matches!(&answer, MateAnswer::Mate(line) if line.len() == 3), "{answer:?}");
}

#[test]
fn the_shortest_mates_are_those_of_iterative_deepening() {
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    let mut mates = 0;
    for text in random_graphs(3_000) {
        let MateAnswer::Mate(line) = solve_by(Algorithm::Id, &text, limits, 1) else { continue };
        for algorithm in [Algorithm::Dfpn, Algorithm::Pds] {
            let mut solver = MateEngine::<Graph>::with_options(algorithm, &SolverOptions::default());
            let request = MateRequest { shortest: true, ..MateRequest::default() };
            match solver.examine(&task(&text, limits), request, &Stop::new()).unwrap().answer {
                MateAnswer::Mate(shortest) => {
                    assert_eq!(shortest.len(), line.len(), "{algorithm}: {text}")
                }
                other => panic!("{algorithm}: {other:?} for {text}"),
            }
        }
        mates += 1;
    }
    assert!(mates > 300, "{mates}");
}
