//! Tests TACO-H: on graphs against retrograde analysis, on problems against their known answers, and on random
//! positions against brute force.
//!
//! By default, a run examines a few dozen positions. To examine many positions, run `ORACLE_SEED=1
//! ORACLE_POSITIONS=2000 cargo test --profile fast -p hasami-brinkmate --test taco_h -- --ignored --nocapture`.

#[path = "oracle/brute.rs"]
mod brute;
#[path = "oracle/graph.rs"]
mod graph;
#[path = "oracle/judge.rs"]
mod judge;
#[path = "oracle/positions.rs"]
mod positions;
#[path = "oracle/setting.rs"]
mod setting;

use hasami_api::{Game, Limits, Start, Stop};
use hasami_brinkmate::{TacoFound, TacoH, TacoOptions};
use hasami_mate::{InnerLimit, OpenReason};
use hasami_shogi::Shogi;
use judge::{Judge, Tally};
use positions::{Recipe, position};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use setting::setting;

const KNOWN: &str = include_str!("../../../tests/data/brinkmates/known.tsv");

fn at(text: &str) -> Shogi {
    Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).expect("a position")
}

fn graph(text: &str) -> graph::Graph {
    graph::Graph::new(&Start { text: Some(text.into()), ..Start::default() }).expect("a graph")
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn options(inner: InnerLimit) -> TacoOptions {
    TacoOptions { inner, hash_mb: 4, ..TacoOptions::default() }
}

fn solve_graph(text: &str, inner: InnerLimit, limits: &Limits) -> TacoFound<u32> {
    TacoH::new(options(inner)).solve(&graph(text), limits, &Stop::new()).found
}

fn brinkmate(line: &[u32]) -> TacoFound<u32> {
    TacoFound::Brinkmate { plies: line.len() as u16, line: line.to_vec() }
}

#[test]
fn every_defence_must_lead_to_a_mate_and_a_quiet_move_must_threaten_one() {
    for inner in [InnerLimit::ID, InnerLimit::PDS] {
        let solve = |text: &str| solve_graph(text, inner, &nodes(10_000));
        assert_eq!(solve("0-1 1!:"), TacoFound::Mate);
        assert_eq!(solve("0- 1!:"), TacoFound::None, "no move");
        assert_eq!(solve("0-1 1:2 2-9 9!:"), TacoFound::None, "no threat");
        assert_eq!(solve("0-1 1:2,3 1-9 2-9 3-9 9!:"), brinkmate(&[1]));
        assert_eq!(solve("0-1 1:2,3 1-9 2-9 3- 9!:"), TacoFound::None, "3 escapes");
        assert_eq!(solve("0-1 1:2,3 1-9 2-9 3-4 4!:5 5- 9!:"), TacoFound::None, "3 escapes behind a check");
        assert_eq!(solve("0-1 1: 1-9 9!:"), TacoFound::None, "a stalemate is no mate");
        assert_eq!(solve("0-1 1:2,3 1-9 2-9 3-4 4:5 4-9 5-9 9!:"), brinkmate(&[1, 3, 4]));
        assert_eq!(solve("0-1 1!:3 3-4 4:5 4-9 5-9 9!:"), brinkmate(&[1, 3, 4]), "a check needs no threat");
        // Of the two lines to node 4, the main line is the one with the longer defence.
        assert_eq!(solve("0-1 1!:2,3 2-4 3-5 4:6 4-9 6-9 5!:7 7-4 9!:"), brinkmate(&[1, 3, 5, 7, 4]));
    }
}

/// From node 2, the line through nodes 3 and 4 fails, because it leads back to node 1, which is on the path, whereas
/// the line through node 5 reaches node 1 for the first time.
#[test]
fn cycles_are_no_brinkmates_but_other_lines_are_found() {
    let limits = Limits { mate: Some(19), ..nodes(50_000) };
    for inner in [InnerLimit::ID, InnerLimit::PDS] {
        let solve = |text: &str| solve_graph(text, inner, &limits);
        assert_eq!(solve("0-1 1:2,0 1-9 2-9 9!:"), TacoFound::None, "to 1, back to 0, and again");
        assert_eq!(solve("0-1,2 1:3 2:4 3-2,10 4-1,10 1-9 2-9 10:0 10-9 9!:"), TacoFound::None, "in three cycles");
        assert_eq!(solve("0-1,5 1:2 1-9 2-3,6 3:4 3-9 4-1 5:4 5-9 6:7 6-9 7-9 9!:"), brinkmate(&[1, 2, 6]));
        assert_eq!(solve("0-5 1:2 1-9 2-3,6 3:4 3-9 4-1 5:4 5-9 6:7 6-9 7-9 9!:"), brinkmate(&[5, 4, 1, 2, 6]));
        // On the line through node 11, node 4 fails, because node 1 is on the path, but node 4 must not count as failed
        // on the line through node 12.
        let both = "0-10 10!:11,12 11-1 12-5 1:2 1-9 2-3,6 3:4 3-9 4-1 5:4 5-9 6:7 6-9 7-15 15:16 15-9 16-9 9!:";
        assert_eq!(solve(both), brinkmate(&[10, 12, 5, 4, 1, 2, 6, 7, 15]));
    }
}

#[test]
fn random_graphs_are_solved_as_by_retrograde_analysis() {
    let mut rng = SmallRng::seed_from_u64(3);
    let (mut mates, mut brinkmates, mut longer, mut nones, mut unknown) = (0, 0, 0, 0, 0);
    for round in 0..4_000 {
        let text = graph::random(&mut rng);
        let (mated, lengths) = graph::truth(graph(&text).edges());
        let longest = lengths.iter().max_by_key(|&(node, length)| (length, node)).filter(|_| round % 2 == 0);
        let root = longest.map_or(0, |(&root, _)| root);
        let (text, length) = (format!("{root}- {text}"), lengths.get(&root).copied());
        let limits = Limits { mate: Some(41), ..nodes(200_000) };
        match solve_graph(&text, InnerLimit::Pds { nodes: 20_000 }, &limits) {
            TacoFound::Mate => {
                assert!(mated.contains(&root), "{text}");
                mates += 1;
            }
            TacoFound::Brinkmate { plies, line } => {
                let is_right = length.is_some_and(|length| length <= plies.into() && line.len() <= plies.into());
                assert!(is_right, "{text}: {line:?}, {plies} plies, expected {length:?}");
                (brinkmates, longer) = (brinkmates + 1, longer + u32::from(plies > 3));
            }
            TacoFound::None => {
                assert!(!mated.contains(&root) && length.is_none(), "{text}: expected {length:?}");
                nones += 1;
            }
            TacoFound::Unknown(_) => unknown += 1,
        }
    }
    assert!(
        mates > 300 && brinkmates > 600 && longer > 50 && nones > 500 && unknown < 20,
        "{mates} {brinkmates} {longer} {nones} {unknown}"
    );
}

#[test]
fn answers_are_unknown_if_a_limit_was_reached() {
    let far = "0-1 1:2 2-9 1-3 3!:4 4-5 5!:6 6-7 7!:8 8-9 9!:";
    let plies = |plies| Limits { mate: Some(plies), ..nodes(10_000) };
    let inner = |limit| TacoFound::Unknown(limit);
    assert_eq!(solve_graph(far, InnerLimit::Id { plies: 5 }, &plies(9)), inner(OpenReason::Inner), "a threat of seven");
    assert_eq!(solve_graph(far, InnerLimit::Id { plies: 7 }, &plies(9)), brinkmate(&[1]));
    assert_eq!(solve_graph(far, InnerLimit::Pds { nodes: 5 }, &plies(9)), inner(OpenReason::Inner));
    // The move to node 3 is refuted long after the move to node 1 was dropped from the list.
    let later = "0-1,3 1:2 2-9 1-13 13!:4 4-5 5!:6 6-7 7!:8 8-9 3!:10 10-11 11!:12 12- 9!:";
    assert_eq!(solve_graph(later, InnerLimit::ID, &plies(9)), inner(OpenReason::Inner));
    assert_eq!(solve_graph(later, InnerLimit::Id { plies: 7 }, &plies(9)), brinkmate(&[1]));
    let three = "0-1 1:2,3 1-9 2-9 3-4 4:5 4-9 5-9 9!:";
    assert_eq!(solve_graph(three, InnerLimit::ID, &plies(1)), inner(OpenReason::Plies(1)));
    assert_eq!(solve_graph(three, InnerLimit::ID, &plies(3)), brinkmate(&[1, 3, 4]));
    let (mut solver, game) = (TacoH::new(options(InnerLimit::PDS)), graph(three));
    let needed = solver.solve(&game, &Limits::default(), &Stop::new()).nodes;
    for limit in 0..needed {
        let answer = solver.solve(&game, &nodes(limit), &Stop::new());
        assert_eq!(answer.found, inner(OpenReason::Nodes), "{limit} nodes of {needed}");
        assert!(answer.nodes <= limit + 1, "{} nodes", answer.nodes);
    }
    assert_eq!(solver.solve(&game, &nodes(needed), &Stop::new()).found, brinkmate(&[1, 3, 4]));
    let stop = Stop::new();
    stop.stop();
    assert_eq!(solver.solve(&game, &Limits::default(), &stop).found, inner(OpenReason::Nodes));
}

/// The problems are solved with the inner searches of Hashimoto et al. 2001, and with inner searches that have larger
/// limits. A mate that an inner search misses makes a brinkmate longer or hides it; the mates of `hisshi1_003` are too
/// long for all of these inner searches.
#[test]
fn known_problems_are_solved() {
    let mut exact = 0;
    for problem in KNOWN.lines().filter(|line| !line.starts_with('#')) {
        let [text, name, solution, note] = problem.splitn(4, '\t').collect::<Vec<_>>()[..] else {
            panic!("expected four fields, found '{problem}'")
        };
        let plies: u16 = note[..1].parse().expect("a length");
        let (game, mut is_exact) = (at(text), false);
        let farther = [InnerLimit::Id { plies: 7 }, InnerLimit::Pds { nodes: 10 * InnerLimit::MILLISECOND }];
        for inner in [InnerLimit::PDS, InnerLimit::ID].into_iter().chain(farther) {
            let answer = TacoH::new(options(inner)).solve(&game, &nodes(70_000), &Stop::new());
            match answer.found {
                TacoFound::Brinkmate { plies: found, line } if found == plies => {
                    let first = game.format_move(line[0]).to_string();
                    assert!(solution.starts_with(&first), "{name}: expected {solution}, found {first}");
                    is_exact = true;
                }
                TacoFound::Brinkmate { plies: found, .. } => assert!(found > plies, "{name}: {found} plies"),
                TacoFound::Unknown(OpenReason::Nodes) => {}
                other => panic!("{name} with {inner:?}: expected {note}, found {other:?}"),
            }
            let counts = answer.inner;
            assert!(counts.cut <= counts.calls && counts.calls <= counts.nodes && counts.nodes < answer.nodes);
            if is_exact {
                break;
            }
        }
        exact += u32::from(is_exact);
    }
    assert_eq!(exact, 10, "of eleven");
}

/// The only defence is a pawn drop with check, and the king captures the pawn, so the brinkmate, which takes three
/// plies, is found in the iteration for one ply.
#[test]
fn useless_sacrifices_extend_the_search() {
    let game = at("8k/5P3/7p1/6+S2/9/7K1/9/9/9 b Sp 1");
    let solve = |extensions, plies| {
        let options = TacoOptions { extensions, ..options(InnerLimit::ID) };
        TacoH::new(options).solve(&game, &Limits { mate: Some(plies), ..nodes(10_000) }, &Stop::new())
    };
    assert_eq!(solve(0, 1).found, TacoFound::Unknown(OpenReason::Plies(1)));
    let (extended, deeper) = (solve(2, 1), solve(0, 3));
    for found in [&extended.found, &deeper.found] {
        let TacoFound::Brinkmate { plies: 3, line } = found else { panic!("found {found:?}") };
        assert_eq!(line.iter().map(|m| m.to_usi()).collect::<Vec<_>>(), ["3d2c", "P*2e", "2f2e"]);
    }
    assert!(extended.nodes < deeper.nodes / 2, "{} nodes and {}", extended.nodes, deeper.nodes);
}

/// Compares the answers for random positions with brute force and panics at the first wrong answer.
fn examine(seed: u64, positions: u64, mut judge: Judge) -> Tally {
    let mut rng = SmallRng::seed_from_u64(seed);
    for number in 0..positions {
        let (text, game) = position(&mut rng, &Recipe::FEW);
        for inner in [InnerLimit::ID, InnerLimit::PDS, InnerLimit::Pds { nodes: 5_000 }] {
            if let Err(fault) = judge.examine(&game, inner) {
                panic!("position {number} of seed {seed}, {text}: with {inner:?} {fault}");
            }
        }
        if number % 100 == 99 {
            println!("{} positions: {}", number + 1, judge.tally);
        }
    }
    judge.tally
}

#[test]
fn random_positions_are_solved_as_by_brute_force() {
    let tally = examine(5, 40, Judge { nodes: 5_000, moves: 20_000, tally: Tally::default() });
    println!("{tally}");
    let Tally { mates, confirmed: [one, _], refuted: [none, _], .. } = tally;
    assert!(mates > 20 && one > 5 && none > 5, "too few of some kind: {tally}");
}

#[test]
#[ignore = "minutes to hours"]
fn many_random_positions() {
    let (seed, positions) = (setting("ORACLE_SEED", 1), setting("ORACLE_POSITIONS", 1_000));
    let (nodes, moves) = (setting("ORACLE_NODES", 30_000), setting("ORACLE_MOVES", 300_000));
    println!("{}", examine(seed, positions, Judge { nodes, moves, tally: Tally::default() }));
}
