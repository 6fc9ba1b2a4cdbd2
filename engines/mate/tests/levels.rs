//! Compares the level-synchronous search on random shogi positions with a brute-force search that shares only the
//! rules, and with the shortest mates of proof-number search and iterative deepening.
//!
//! By default, a run examines a few hundred positions. To examine more positions, run `LEVELS_POSITIONS=10000 cargo
//! test --profile fast -p hasami-mate --test levels -- --ignored --nocapture`.
#![allow(clippy::unwrap_used)]

#[path = "oracle/brute.rs"]
mod brute;
#[path = "oracle/positions.rs"]
mod positions;

use brute::{Truth, truth};
use hasami_api::{Game, Goal, Limits, Line, MateAnswer, MoveText, Start, Stop, Task, is_mated};
use hasami_mate::{Algorithm, MateEngine, MateFindings, MateRequest, MateSolver, SearchMachine, SolverOptions};
use hasami_shogi::Shogi;
use rand::SeedableRng;
use rand::rngs::SmallRng;

fn examine(text: &str, algorithm: Algorithm, machine: SearchMachine, nodes: u64) -> MateFindings {
    let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = Task { line, goal: Goal::Mate, limits, ..Task::default() };
    let options = SolverOptions { hash_mb: 16, machine, ..SolverOptions::default() };
    let request = MateRequest { shortest: true, ..MateRequest::default() };
    MateEngine::<Shogi>::with_options(algorithm, &options).examine(&task, request, &Stop::new()).unwrap()
}

/// Checks that the line consists of checks and answers and ends with a mate.
fn assert_mates(text: &str, line: &[MoveText]) {
    let mut game = Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap();
    for (ply, said) in line.iter().enumerate() {
        assert!(!is_mated(&game), "{text}: {line:?}");
        let m = game.parse_move(said).unwrap_or_else(|error| panic!("{text}: {error} in {line:?}"));
        game.make(m);
        assert!(ply % 2 == 1 || game.in_check(), "{text}: {said} is no check in {line:?}");
    }
    assert!(is_mated(&game), "{text}: {line:?}");
}

/// Returns the number of plies of a mate, `Some(None)` for no mate, and `None` for an unknown answer.
fn plies(answer: &MateAnswer) -> Option<Option<usize>> {
    match answer {
        MateAnswer::Mate(line) => Some(Some(line.len())),
        MateAnswer::NoMate => Some(None),
        MateAnswer::Unknown => None,
    }
}

#[derive(Debug, Default)]
struct Tally {
    mates: usize,
    no_mates: usize,
    unknown: usize,
    /// Number of answers confirmed by brute force and by the other solvers.
    confirmed: usize,
    compared: usize,
    more_lines: usize,
    longest: usize,
}

fn compare(seed: u64, positions: usize, most: usize, nodes: u64) -> Tally {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut tally = Tally::default();
    for _ in 0..positions {
        let (text, game) = positions::position(&mut rng);
        let found = examine(&text, Algorithm::Levels, SearchMachine::default(), nodes);
        let Some(length) = plies(&found.answer) else {
            tally.unknown += 1;
            continue;
        };
        let truth = truth(&game, most, nodes);
        match (length, truth) {
            (Some(plies), Truth::Mate(truth)) => assert_eq!(plies, truth, "{text}"),
            (None, Truth::NoMate) => {}
            (Some(plies), Truth::Longer(truth)) if plies > truth => {}
            (None, Truth::Longer(_)) => {}
            _ => panic!("{text}: {:?}, but the truth is {truth:?}", found.answer),
        }
        tally.confirmed += usize::from(!matches!(truth, Truth::Longer(_)));
        for other in [Algorithm::Dfpn, Algorithm::Id] {
            let other = plies(&examine(&text, other, SearchMachine::default(), nodes).answer);
            assert!(other.is_none_or(|other| other == length), "{text}: {length:?}, another solver {other:?}");
            tally.compared += usize::from(other.is_some());
        }
        let levels = found.levels.unwrap();
        let machine = SearchMachine::Virtual { processors: 7, turn: 50, delay: 0, seed };
        let by_seven = examine(&text, Algorithm::Levels, machine, 2 * nodes);
        assert_eq!(by_seven.answer, found.answer, "{text}");
        assert_eq!(by_seven.levels.unwrap().optimal_lines, levels.optimal_lines, "{text}");
        levels.optimal_lines.iter().for_each(|line| assert_mates(&text, line));
        assert!(
            levels.optimal_lines.iter().all(|line| Some(line.len()) == length),
            "{text}: {:?}",
            levels.optimal_lines
        );
        tally.mates += usize::from(length.is_some());
        tally.no_mates += usize::from(length.is_none());
        tally.more_lines += usize::from(levels.lines > 1);
        tally.longest = tally.longest.max(length.unwrap_or(0));
    }
    tally
}

#[test]
fn random_positions_are_solved_with_the_same_length_as_by_brute_force() {
    let tally = compare(5, 200, 5, 10_000);
    println!("{tally:?}");
    let Tally { mates, no_mates, unknown, confirmed, more_lines, .. } = tally;
    assert!(mates > 40 && no_mates > 40 && confirmed > 60 && more_lines > 20 && unknown < 90, "{tally:?}");
}

#[test]
#[ignore = "minutes"]
fn many_random_positions() {
    let positions = std::env::var("LEVELS_POSITIONS").map_or(3_000, |text| text.parse().unwrap());
    println!("{:?}", compare(1, positions, 7, 200_000));
}
