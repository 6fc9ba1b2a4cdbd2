//! Tests searches by several processors with one table, on games whose results are known.

use super::graph::Graph;
use super::hand_graph::HandGraph;
use super::random_hand_graphs::{Random, game, mates, start};
use super::{is_won, random_graphs, task};
use crate::interface::options::{ProcessorUsage, SearchMachine, SolverOptions};
use crate::interface::request::MateRequest;
use crate::interface::solver::MateSolver;
use crate::{Algorithm, MateEngine};
use hasami_api::{Answer, Game, Goal, Limits, Line, MateAnswer, MateGame, Searcher, Start, Stop, Task};

const fn virtual_machine(processors: usize, turn: u64) -> SearchMachine {
    SearchMachine::Virtual { processors, turn, delay: 0, seed: 1 }
}

/// Creates a solver whose processors all begin at the same time.
fn solver<G: MateGame>(machine: SearchMachine) -> MateEngine<G> {
    MateEngine::with_options(Algorithm::Parallel, &SolverOptions { machine, alone: 0, ..SolverOptions::default() })
}

fn examined(graph: &str, machine: SearchMachine) -> (MateAnswer, Option<ProcessorUsage>) {
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let examined =
        solver::<Graph>(machine).examine(&task(graph, limits), MateRequest::default(), &Stop::new()).unwrap();
    (examined.answer, examined.usage)
}

#[test]
fn many_processors_solve_random_graphs_with_cycles_like_retrograde_analysis() {
    let machines = [virtual_machine(2, 1), virtual_machine(8, 3), virtual_machine(32, 7), SearchMachine::Threads(3)];
    let (mut wins, mut draws) = (0, 0);
    for (round, text) in random_graphs(600).enumerate() {
        let start = Start { text: Some(text.as_str().into()), ..Start::default() };
        let won = is_won(&Graph::new(&start).unwrap());
        for machine in machines {
            match examined(&text, machine).0 {
                MateAnswer::Mate(_) => assert!(won, "round {round}, {machine:?}: false mate in {text}"),
                MateAnswer::NoMate => assert!(!won, "round {round}, {machine:?}: mate missed in {text}"),
                MateAnswer::Unknown => panic!("round {round}, {machine:?}: unknown in {text}"),
            }
        }
        wins += usize::from(won);
        draws += usize::from(!won);
    }
    assert!(wins > 60 && draws > 60, "{wins} wins, {draws} draws");
}

#[test]
fn many_processors_solve_random_games_with_hands_like_retrograde_analysis() {
    let mut random = Random(4_048);
    let (mut wins, mut draws) = (0, 0);
    for _ in 0..600 {
        let text = game(&mut random);
        let root = HandGraph::new(&start(&text)).unwrap();
        let plies = mates(&root.nodes).get(&(0, root.here().1, true)).copied();
        for machine in [virtual_machine(2, 2), virtual_machine(8, 1)] {
            let line = Line { start: start(&text), moves: Vec::new() };
            let limits = Limits { nodes: Some(50_000), ..Limits::default() };
            let task = Task { line, goal: Goal::Mate, limits, ..Task::default() };
            match (solver::<HandGraph>(machine).search(&task, &Stop::new(), &mut |_| {}).unwrap(), plies) {
                (Answer::Mate(MateAnswer::Mate(line)), Some(plies)) => {
                    assert!(line.len() >= plies, "{line:?} is shorter than {plies} plies in {text}");
                    wins += 1;
                }
                (Answer::Mate(MateAnswer::NoMate), None) => draws += 1,
                (answer, truth) => panic!("{machine:?}: {answer:?}, but the truth is {truth:?} in {text}"),
            }
        }
    }
    assert!(wins > 100 && draws > 100, "{wins} wins, {draws} draws");
}

#[test]
fn virtual_processors_are_reproducible_to_the_node_and_depend_on_the_seed() {
    // The graph is a tree of seven plies, some of whose leaves are not mates.
    let inner = |i: u64| format!("{i}-{},{},{} ", 3 * i + 1, 3 * i + 2, 3 * i + 3);
    let leaf = |i: u64| if crate::core::mix::mix(i).is_multiple_of(5) { format!("{i}! ") } else { String::new() };
    let wide: String = (0..1_093).map(inner).chain((1_093..3_280).map(leaf)).collect();
    let run = |seed| {
        let machine = SearchMachine::Virtual { processors: 4, turn: 5, delay: 0, seed };
        examined(&wide, machine).1.unwrap()
    };
    let first = run(1);
    assert_eq!(first, run(1));
    assert_eq!((first.worked.len(), first.nodes()), (4, first.worked.iter().sum()));
    assert!(first.clock() < first.nodes() && first.nodes() < 4 * first.clock(), "one processor finds the line");
    assert!((2..9).any(|seed| run(seed) != first));
}

#[test]
fn a_short_search_uses_one_processor() {
    let machine = virtual_machine(8, 10);
    let options = SolverOptions { machine, ..SolverOptions::default() };
    let mut solver = MateEngine::<Graph>::with_options(Algorithm::Parallel, &options);
    let found = solver.examine(&task("0-1 1-2 2-3", Limits::default()), MateRequest::default(), &Stop::new()).unwrap();
    assert!(matches!(found.answer, MateAnswer::Mate(_)) && found.usage.is_none(), "{found:?}");
}

#[test]
fn limits_hold_for_all_processors_together() {
    let long: String = (0..4_000).map(|i| format!("{i}-{} ", i + 1)).collect();
    for machine in [virtual_machine(4, 10), SearchMachine::Threads(4)] {
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let mut solver = solver::<Graph>(machine);
        let found = solver.examine(&task(&long, limits), MateRequest::default(), &Stop::new()).unwrap();
        assert_eq!(found.answer, MateAnswer::Unknown);
        assert!((1_000..1_100).contains(&found.nodes), "{machine:?}: {}", found.nodes);
        let stop = Stop::new();
        stop.stop();
        let found = solver.examine(&task(&long, Limits::default()), MateRequest::default(), &stop).unwrap();
        assert_eq!(found.answer, MateAnswer::Unknown, "{machine:?}: stopped");
    }
}

#[test]
fn a_guest_with_a_node_limit_uses_one_processor() {
    let machine = virtual_machine(4, 10);
    let options = SolverOptions { machine, alone: 0, is_guest: true, ..SolverOptions::default() };
    let mut solver = MateEngine::<Graph>::with_options(Algorithm::Parallel, &options);
    let mut usage = |nodes| {
        let limits = Limits { nodes, ..Limits::default() };
        solver.examine(&task("0-1 1-2 2-3", limits), MateRequest::default(), &Stop::new()).unwrap().usage
    };
    assert_eq!(usage(Some(1_000)), None);
    assert_eq!(usage(None).unwrap().worked.len(), 4);
}
