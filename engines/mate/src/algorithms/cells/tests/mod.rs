#![allow(clippy::unwrap_used)]

mod branches;
mod faults;
mod lies;
mod trees;

use crate::interface::cell_options::{CellOptions, CellSearch};
use crate::interface::findings::MateFindings;
use crate::interface::options::{SearchMachine, SolverOptions};
use crate::interface::request::MateRequest;
use crate::interface::solver::MateSolver;
use crate::tests::graph::Graph;
use crate::tests::hand_graph::HandGraph;
use crate::tests::random_hand_graphs::{Random, game, mates};
use crate::{Algorithm, MateEngine};
use hasami_api::{Game, Goal, Limits, Line, MateAnswer, MateGame, Start, Stop, Task};
use hasami_shogi::Shogi;

const BOTH: [CellSearch; 2] = [CellSearch::BestFirst, CellSearch::Dfpn];

/// A mate in 15 plies. `NONE` is a position without a mate because of a repetition.
const FIFTEEN: &str = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
const NONE: &str = "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1";

fn task(position: &str, nodes: u64) -> Task {
    let start = Start { text: Some(position.into()), ..Start::default() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Task { line: Line { start, moves: Vec::new() }, goal: Goal::Mate, limits, ..Task::default() }
}

const fn virtual_machine(processors: usize, delay: u64, seed: u64) -> SearchMachine {
    SearchMachine::Virtual { processors, turn: 20, delay, seed }
}

fn solver<G: MateGame>(cells: CellOptions, machine: SearchMachine) -> MateEngine<G> {
    MateEngine::with_options(
        Algorithm::Cells,
        &SolverOptions { hash_mb: 4, machine, cells, ..SolverOptions::default() },
    )
}

fn examine<G: MateGame>(position: &str, nodes: u64, cells: CellOptions, machine: SearchMachine) -> MateFindings {
    solver::<G>(cells, machine).examine(&task(position, nodes), MateRequest::default(), &Stop::new()).unwrap()
}

fn plies(answer: &MateAnswer) -> Option<usize> {
    match answer {
        MateAnswer::Mate(line) => Some(line.len()),
        _ => None,
    }
}

/// Returns combinations of cell counts, task sizes and message delays, with and without leaves expanded by the host.
fn many_ways() -> impl Iterator<Item = (CellOptions, SearchMachine)> {
    let searches = BOTH
        .into_iter()
        .flat_map(|search| [(search, None, None), (search, Some(0), Some(10)), (search, Some(9), Some(40))]);
    searches.flat_map(|(search, leaves, size)| {
        let cells = CellOptions { search, leaves, size, trace: false };
        [(1, 0), (3, 100), (8, 30)].map(|(processors, delay)| (cells, virtual_machine(processors, delay, 1)))
    })
}

#[test]
fn mates_are_found_or_disproved_with_all_options() {
    for (cells, machine) in many_ways() {
        let mate = examine::<Shogi>(FIFTEEN, 1_000_000, cells, machine);
        assert!(plies(&mate.answer).is_some_and(|plies| plies >= 15), "{cells:?}, {machine:?}: {mate:?}");
        let none = examine::<Shogi>(NONE, 1_000_000, cells, machine);
        assert_eq!(none.answer, MateAnswer::NoMate, "{cells:?}, {machine:?}");
        let usage = mate.usage.unwrap();
        assert_eq!((usage.clocks.len(), usage.nodes()), (machine.processors() + 1, mate.nodes));
    }
}

#[test]
fn searches_on_a_virtual_machine_are_reproducible() {
    let cells = CellOptions { size: Some(200), ..CellOptions::default() };
    let found = |delay| examine::<Shogi>(FIFTEEN, 1_000_000, cells, virtual_machine(5, delay, 1)).usage.unwrap();
    let first = found(50);
    assert_eq!(first, found(50));
    assert!(found(1_000).clock() > first.clock(), "slower messages lengthen the search");
}

#[test]
fn threads_find_what_virtual_processors_find() {
    for search in BOTH {
        let cells = CellOptions { search, ..CellOptions::default() };
        let found = examine::<Shogi>(FIFTEEN, 1_000_000, cells, SearchMachine::Threads(3));
        assert!(plies(&found.answer).is_some(), "{found:?}");
        assert_eq!(examine::<Shogi>(NONE, 1_000_000, cells, SearchMachine::Threads(2)).answer, MateAnswer::NoMate);
    }
}

/// A disproof by repetition holds only on the path to its leaf, as in a search with a single table.
#[test]
fn a_disproof_by_repetition_is_not_used_on_other_paths() {
    for (cells, machine) in many_ways() {
        let solved = |graph: &str| examine::<Graph>(graph, 100_000, cells, machine).answer;
        let line = |moves: &[u32]| MateAnswer::Mate(moves.iter().map(|m| m.to_string().parse().unwrap()).collect());
        assert_eq!(solved("0-1,11 1-2 2-3,7 3-4 4-5 5-2 11-4"), line(&[1, 2, 7]));
        assert_eq!(solved("0-11 11-4 4-5 5-2 2-3,7 3-4 7-8 8-9"), line(&[11, 4, 5, 2, 7, 8, 9]));
        assert_eq!(solved("0-1 1-2 2-3 3-0"), MateAnswer::NoMate);
        assert_eq!(solved("0-1 1!"), MateAnswer::NoMate, "a stalemate is no mate");
        assert_eq!(solved("0"), MateAnswer::NoMate);
        assert_eq!(solved("0-1,2 1!"), line(&[2]));
    }
}

#[test]
fn random_games_with_hands_are_solved_as_by_retrograde_analysis() {
    let mut random = Random(20_26);
    let (mut wins, mut draws, mut unknown) = (0, 0, 0);
    for _ in 0..300 {
        let text = game(&mut random);
        let root = HandGraph::new(&Start { text: Some(text.as_str().into()), ..Start::default() }).unwrap();
        let is_won = mates(&root.nodes).contains_key(&(0, root.path[0].1, true));
        for (cells, machine) in many_ways() {
            match (examine::<HandGraph>(&text, 20_000, cells, machine).answer, is_won) {
                (MateAnswer::Mate(_), true) => wins += 1,
                (MateAnswer::NoMate, false) => draws += 1,
                (MateAnswer::Unknown, _) => unknown += 1,
                (answer, truth) => panic!("{answer:?}, but in truth {truth} in {text} ({cells:?}, {machine:?})"),
            }
        }
    }
    assert!(wins > 500 && draws > 500 && unknown < 200, "{wins} wins, {draws} draws, {unknown} unknown");
}

#[test]
fn a_limit_of_plies_gives_unknown_and_never_no_mate() {
    for (cells, machine) in many_ways() {
        let found = |graph: &str| {
            let task = task(graph, 100_000);
            let task = Task { limits: Limits { mate: Some(5), ..task.limits }, ..task };
            solver::<Graph>(cells, machine).examine(&task, MateRequest::default(), &Stop::new()).unwrap().answer
        };
        assert_eq!(found("0-1 1-2 2-3 3-4 4-5 5-6 6-7"), MateAnswer::Unknown, "{cells:?}, {machine:?}");
        assert_eq!(found("0-1 1-2 2-3"), MateAnswer::Mate(["1", "2", "3"].map(|m| m.parse().unwrap()).to_vec()));
        assert_eq!(found("0-1 1-2"), MateAnswer::NoMate);
    }
}

#[test]
fn nodes_and_stops_end_a_search() {
    const HARD: &str = "9/9/3k5/9/6B2/9/9/9/9 b 4G2S9P2rb2s4n4l9p 1";
    for search in BOTH {
        let cells = CellOptions { search, ..CellOptions::default() };
        for machine in [virtual_machine(4, 100, 1), SearchMachine::Threads(2)] {
            let found = examine::<Shogi>(HARD, 30_000, cells, machine);
            assert_eq!(found.answer, MateAnswer::Unknown);
            assert!((29_000..40_000).contains(&found.nodes), "{} nodes on {machine:?}", found.nodes);
        }
        let stop = Stop::new();
        stop.stop();
        let mut solver = solver::<Shogi>(cells, SearchMachine::Threads(2));
        let found = solver.examine(&task(HARD, u64::MAX), MateRequest::default(), &stop).unwrap();
        assert_eq!(found.answer, MateAnswer::Unknown);
    }
}

#[test]
fn idle_times_are_recorded_on_request() {
    let cells = CellOptions { search: CellSearch::BestFirst, leaves: Some(0), size: Some(50), trace: true };
    let usage = examine::<Shogi>(FIFTEEN, 100_000, cells, virtual_machine(20, 200, 1)).usage.unwrap();
    assert_eq!(usage.idle.len(), 21);
    let (idle, clock) = (&usage.idle[1..], usage.clock());
    assert!(idle.iter().all(|spans| spans.is_sorted() && spans.iter().all(|&(from, to)| from < to && to <= clock)));
    // Some cells are idle at first, because there are fewer first moves than cells.
    assert!(idle.iter().any(|spans| spans.first().is_some_and(|&(from, _)| from == 0)), "{idle:?}");
}
