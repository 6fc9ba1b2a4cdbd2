//! Compares the solver for mates by checks, on random positions, with a brute-force search that shares only the rules.
//! The solver's mates are played out against every defence. Tables of all sizes must give the same answers.
//!
//! By default, a run examines a few hundred positions. To examine more positions, with tables of up to 2 GiB, run
//! `ORACLE_SEED=1 ORACLE_POSITIONS=10000 cargo test --profile fast -p hasami-mate --test oracle -- --ignored
//! --nocapture`.

#[path = "oracle/brute.rs"]
mod brute;
#[path = "oracle/judge.rs"]
mod judge;
#[path = "oracle/positions.rs"]
mod positions;

use brute::truth;
use hasami_mate::{Algorithm, AohpasCore, CellOptions, CellSearch, MateEngine, SearchMachine, SolverOptions};
use hasami_shogi::Shogi;
use judge::{Judge, Tally};
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// Examines `positions` random positions, with at most `nodes` brute-force moves for each. The first fault ends the
/// run.
fn examine(seed: u64, positions: u64, mut judge: Judge, plies: usize, nodes: u64) -> Tally {
    let mut rng = SmallRng::seed_from_u64(seed);
    for number in 0..positions {
        let (text, game) = positions::position(&mut rng);
        let truth = truth(&game, plies, nodes);
        if let Err(fault) = judge.examine(&text, truth) {
            panic!("position {number} of seed {seed}, {text}: {fault}");
        }
        if number % 1_000 == 999 {
            println!("{} positions: {}", number + 1, judge.tally);
        }
    }
    judge.tally
}

#[test]
fn random_positions_are_solved_like_brute_force_with_tables_of_all_sizes() {
    let tally = examine(7, 250, Judge::new(&[64 << 10, 1 << 20], 10_000), 5, 10_000);
    println!("{tally}");
    let Tally { mates, no_mates, confirmed, refuted, .. } = tally;
    assert!(mates > 50 && no_mates > 50 && confirmed > 40 && refuted > 40, "too few of some kind: {tally}");
}

/// Creates AOHPAS solvers for each number of virtual processors, with both sequential cores and `hash_mb` MiB.
fn aohpas_solvers(processors: &[usize], hash_mb: usize) -> Vec<(String, MateEngine<Shogi>)> {
    let solver = |(core, processors): (AohpasCore, usize)| {
        let machine = SearchMachine::Virtual { processors, turn: 50, delay: 0, seed: 1 };
        let options = SolverOptions { hash_mb, machine, core, ..SolverOptions::default() };
        (format!("{processors} on {core:?}"), MateEngine::with_options(Algorithm::Aohpas, &options))
    };
    let all = processors.iter().flat_map(|&processors| [(AohpasCore::Pds, processors), (AohpasCore::Dfpn, processors)]);
    all.map(solver).collect()
}

/// Creates parallel solvers with each number of virtual processors in `processors`, and with two threads. All
/// processors begin at the same time.
fn parallel_solvers(processors: &[usize], hash_mb: usize) -> Vec<(String, MateEngine<Shogi>)> {
    let solver = |machine: SearchMachine| {
        let options = SolverOptions { hash_mb, machine, alone: 0, ..SolverOptions::default() };
        (format!("{machine:?}"), MateEngine::with_options(Algorithm::Parallel, &options))
    };
    let machine = |&processors| SearchMachine::Virtual { processors, turn: 20, delay: 0, seed: 1 };
    processors.iter().map(machine).chain([SearchMachine::Threads(2)]).map(solver).collect()
}

#[test]
fn many_processors_solve_random_positions_like_brute_force() {
    let tally = examine(13, 80, Judge::of(parallel_solvers(&[2, 8, 32], 1), 40_000), 5, 10_000);
    println!("{tally}");
    let Tally { mates, no_mates, confirmed, refuted, .. } = tally;
    assert!(mates > 15 && no_mates > 15 && confirmed > 10 && refuted > 10, "too few of some kind: {tally}");
}

#[test]
#[ignore = "minutes"]
fn many_random_positions_by_many_processors() {
    let (seed, positions) = (setting("ORACLE_SEED", 1), setting("ORACLE_POSITIONS", 1_000));
    let (plies, nodes) = (setting("ORACLE_PLIES", 7), setting("ORACLE_NODES", 300_000));
    let solvers = [1, 64].into_iter().flat_map(|hash_mb| parallel_solvers(&[2, 8, 32], hash_mb)).collect();
    println!("{}", examine(seed, positions, Judge::of(solvers, nodes), plies as usize, nodes));
}

#[test]
fn aohpas_solves_random_positions_like_brute_force() {
    let tally = examine(11, 30, Judge::of(aohpas_solvers(&[2, 8, 32], 1), 40_000), 5, 10_000);
    println!("{tally}");
    let Tally { mates, no_mates, confirmed, refuted, .. } = tally;
    assert!(mates > 5 && no_mates > 5 && confirmed > 3 && refuted > 3, "too few of some kind: {tally}");
}

#[test]
#[ignore = "minutes"]
fn many_random_positions_by_aohpas() {
    let (seed, positions) = (setting("ORACLE_SEED", 1), setting("ORACLE_POSITIONS", 1_000));
    let (plies, nodes) = (setting("ORACLE_PLIES", 7), setting("ORACLE_NODES", 300_000));
    let judge = Judge::of(aohpas_solvers(&[2, 8, 32], 1), nodes);
    println!("{}", examine(seed, positions, judge, plies as usize, nodes));
}

/// Creates hosts with best-first or df-pn cells, with different numbers of cells, and with many small tasks.
fn cells() -> Vec<(String, MateEngine<Shogi>)> {
    let [dfpn, best_first] = [CellSearch::Dfpn, CellSearch::BestFirst];
    let ways = [(dfpn, 2, 50), (dfpn, 8, 300), (dfpn, 32, 20), (best_first, 8, 40)];
    let solver = |(search, processors, size): (CellSearch, usize, u64)| {
        let cells = CellOptions { search, size: Some(size), ..CellOptions::default() };
        let machine = SearchMachine::Virtual { processors, turn: 50, delay: 20, seed: 1 };
        let options = SolverOptions { hash_mb: 1, machine, cells, ..SolverOptions::default() };
        (format!("{processors} cells by {}", search.name()), MateEngine::with_options(Algorithm::Cells, &options))
    };
    ways.into_iter().map(solver).collect()
}

#[test]
fn cells_solve_random_positions_like_brute_force() {
    let tally = examine(17, 60, Judge::of(cells(), 20_000), 5, 10_000);
    println!("{tally}");
    let Tally { mates, no_mates, confirmed, refuted, .. } = tally;
    assert!(mates > 10 && no_mates > 10 && confirmed > 8 && refuted > 5, "too few of some kind: {tally}");
}

#[test]
#[ignore = "minutes"]
fn many_random_positions_by_cells() {
    let (seed, positions) = (setting("ORACLE_SEED", 1), setting("ORACLE_POSITIONS", 1_000));
    let (plies, nodes) = (setting("ORACLE_PLIES", 7), setting("ORACLE_NODES", 300_000));
    println!("{}", examine(seed, positions, Judge::of(cells(), nodes), plies as usize, nodes));
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("expected a number, found {name}={text}")))
}

#[test]
#[ignore = "minutes to hours"]
fn many_random_positions() {
    let (seed, positions) = (setting("ORACLE_SEED", 1), setting("ORACLE_POSITIONS", 10_000));
    let (plies, nodes) = (setting("ORACLE_PLIES", 7), setting("ORACLE_NODES", 300_000));
    let sizes = [64 << 10, 1 << 20, 64 << 20, 2 << 30];
    let tally = examine(seed, positions, Judge::new(&sizes, nodes), plies as usize, nodes);
    println!("{tally}");
}
