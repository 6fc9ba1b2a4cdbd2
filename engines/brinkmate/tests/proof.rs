//! Tests the solver that proves its answers: on graphs against retrograde analysis, on problems against their known
//! answers, and on random positions against brute force.
//!
//! By default, a run examines a few dozen positions. To examine many positions, run `ORACLE_SEED=1
//! ORACLE_POSITIONS=2000 cargo test --profile fast -p hasami-brinkmate --test proof -- --ignored --nocapture`.

#![allow(clippy::unwrap_used)]

#[path = "oracle/brute.rs"]
mod brute;
#[path = "oracle/graph.rs"]
mod graph;
#[path = "oracle/positions.rs"]
mod positions;
#[path = "oracle/setting.rs"]
mod setting;

use brute::{Brute, Truth};
use graph::Graph;
use hasami_api::{
    Answer, BrinkmateGame, Game, Goal, Limits, Line, MateAnswer, MoveText, Searcher, Start, Stop, Task, is_mated,
};
use hasami_brinkmate::{
    BrinkmateAnswer, BrinkmateFindings, BrinkmateRequest, BrinkmateSolver, FloatingSolver, ProofSolver,
};
use hasami_certificate::{Certificate, VerifyLimits, verify};
use hasami_mate::{Algorithm, SearchMachine, SolverOptions};
use hasami_shogi::Shogi;
use positions::{Recipe, position};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use setting::setting;

const KNOWN: &str = include_str!("../../../tests/data/brinkmates/known.tsv");

fn start(text: &str) -> Start {
    Start { text: Some(text.into()), ..Start::default() }
}

fn solve<G: BrinkmateGame>(
    text: &str,
    nodes: u64,
    request: BrinkmateRequest,
    machine: SearchMachine,
) -> BrinkmateFindings {
    let options = SolverOptions { hash_mb: 4, machine, alone: 2_000, ..SolverOptions::default() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = Task { line: Line { start: start(text), moves: Vec::new() }, limits, ..Task::default() };
    let request = BrinkmateRequest { certificate: true, ..request };
    let found = ProofSolver::<G>::new(&options).solve(&task, request, &Stop::new(), &mut |_| {});
    found.unwrap_or_else(|why| panic!("{text}: {why}"))
}

const ONE: SearchMachine = SearchMachine::Threads(1);
const SHORTEST: BrinkmateRequest =
    BrinkmateRequest { shortest: true, within: None, certificate: true, below: false, to_the_mate: false, proof: 0 };
const ANY: BrinkmateRequest = BrinkmateRequest { shortest: false, ..SHORTEST };

/// Each report counts the nodes of all the short searches that answer a request.
#[test]
fn reports_count_the_nodes_of_all_searches() {
    let options = SolverOptions { hash_mb: 4, ..SolverOptions::default() };
    let position = "4pnk1l/6l2/9/5P3/9/9/9/9/9 b PG 1";
    let task = Task { line: Line { start: start(position), moves: Vec::new() }, ..Task::default() };
    let mut reported = Vec::new();
    let mut tell = |report: hasami_api::Report| reported.push(report.nodes);
    let found = ProofSolver::<Shogi>::new(&options).solve(&task, SHORTEST, &Stop::new(), &mut tell).unwrap();
    assert!(reported.len() >= 2 && reported.is_sorted() && reported[0] > 0, "{reported:?}");
    assert!(reported[reported.len() - 1] <= found.nodes, "{reported:?}: {}", found.nodes);
}

/// Checks that the certificate is valid and agrees with the answer, and returns whether the findings contain a
/// certificate. An unknown answer must have no certificate. The answer "no brinkmate" may lack a certificate if the
/// node limit was reached or a stalemated defender has no reply.
fn check_certificate<G: BrinkmateGame>(text: &str, found: &BrinkmateFindings) -> bool {
    let plies = match &found.answer {
        BrinkmateAnswer::Brinkmate(line) => Some(line.len() as u16),
        BrinkmateAnswer::Mate(_) => Some(0),
        BrinkmateAnswer::None { .. } => None,
        BrinkmateAnswer::Unknown => return found.certificate.is_none(),
    };
    let Some(bytes) = &found.certificate else {
        assert!(plies.is_none(), "{text}: the certificate is missing");
        return false;
    };
    // A certificate file cannot hold a position text of more than 512 bytes, but the solver has verified the strategy
    // anyway.
    if text.len() > 512 {
        return true;
    }
    let certificate = Certificate::read(bytes).unwrap_or_else(|why| panic!("{text}: {why}"));
    let verified = verify::<G>(&certificate, VerifyLimits::default());
    assert_eq!(verified.unwrap_or_else(|why| panic!("{text}: {why}")).plies, plies, "{text}");
    true
}

#[test]
fn small_graphs_have_their_known_answers() {
    let lines = |text: &str| match solve::<Graph>(text, 100_000, SHORTEST, ONE).answer {
        BrinkmateAnswer::Brinkmate(line) => line.iter().map(MoveText::to_string).collect::<Vec<_>>().join(" "),
        BrinkmateAnswer::Mate(_) => "mate".to_owned(),
        BrinkmateAnswer::None { .. } => "none".to_owned(),
        BrinkmateAnswer::Unknown => "unknown".to_owned(),
    };
    for (text, expected) in [
        ("0-1 1!:", "mate"),
        ("0- 1!:", "none"),
        ("0-1 1:2 2-9 9!:", "none"),
        ("0-1 1:2,3 1-9 2-9 3-9 9!:", "1"),
        ("0-1 1:2,3 1-9 2-9 3- 9!:", "none"),
        ("0-1 1: 1-9 9!:", "none"),
        ("0-1 1:2,3 1-9 2-9 3-4 4:5 4-9 5-9 9!:", "1 3 4"),
        ("0-1 1!:3 3-4 4:5 4-9 5-9 9!:", "1 3 4"),
        // An attacking move must not lead back to an earlier position.
        ("0-1 1:2,0 1-9 2-9 9!:", "none"),
        ("0-1,2 1:3 2:4 3-2,10 4-1,10 1-9 2-9 10:0 10-9 9!:", "none"),
        ("0-1,5 1:2 1-9 2-3,6 3:4 3-9 4-1 5:4 5-9 6:7 6-9 7-9 9!:", "1 2 6"),
    ] {
        assert_eq!(lines(text), expected, "{text}");
    }
}

/// Each graph is solved with one processor and with two.
#[test]
fn random_graphs_are_solved_as_by_retrograde_analysis() {
    let mut rng = SmallRng::seed_from_u64(3);
    let (mut mates, mut brinkmates, mut longer, mut nones, mut unknown, mut certified) = (0, 0, 0, 0, 0, 0);
    for round in 0..3_000 {
        let text = graph::random(&mut rng);
        let (mated, lengths) = graph::truth(Graph::new(&start(&text)).expect("a graph").edges());
        let longest = lengths.iter().max_by_key(|&(node, length)| (length, node)).filter(|_| round % 2 == 0);
        let root = longest.map_or(0, |(&root, _)| root);
        let (text, length) = (format!("{root}- {text}"), lengths.get(&root).copied());
        let machine = match round % 3 {
            0 => SearchMachine::Virtual { processors: 2, turn: 20, delay: 0, seed: round },
            _ => ONE,
        };
        let request = if round % 4 < 2 { SHORTEST } else { ANY };
        let found = solve::<Graph>(&text, 100_000, request, machine);
        let is_certified = check_certificate::<Graph>(&text, &found);
        match found.answer {
            BrinkmateAnswer::Mate(line) => {
                assert!(mated.contains(&root) && line.len() % 2 == 1, "{text}");
                mates += 1;
            }
            BrinkmateAnswer::Brinkmate(line) => {
                let is_right = if request.shortest {
                    length == Some(line.len()) && !mated.contains(&root)
                } else {
                    mated.contains(&root) || length.is_some_and(|length| length <= line.len())
                };
                assert!(is_right, "{text}: {line:?}, expected {length:?}");
                (brinkmates, longer) = (brinkmates + 1, longer + u32::from(line.len() > 3));
            }
            BrinkmateAnswer::None { .. } => {
                assert!(!mated.contains(&root) && length.is_none(), "{text}: expected {length:?}");
                (nones, certified) = (nones + 1, certified + u32::from(is_certified));
            }
            BrinkmateAnswer::Unknown => unknown += 1,
        }
    }
    println!("{mates} {brinkmates} {longer} {nones} {unknown} {certified}");
    assert!(
        mates > 200 && brinkmates > 400 && longer > 40 && nones > 300 && certified > 300 && unknown < 30,
        "{mates} {unknown}"
    );
}

#[test]
fn known_problems_have_their_known_answers() {
    for problem in KNOWN.lines().filter(|line| !line.starts_with('#')) {
        let [text, name, solution, note] = problem.splitn(4, '\t').collect::<Vec<_>>()[..] else {
            panic!("expected four fields, found '{problem}'")
        };
        let found = solve::<Shogi>(text, 3_000_000, SHORTEST, ONE);
        assert!(check_certificate::<Shogi>(text, &found), "{name}");
        let BrinkmateAnswer::Brinkmate(line) = found.answer else { panic!("{name}: found {:?}", found.answer) };
        assert_eq!(line.len().to_string(), note[..1], "{name}");
        let words: Vec<&str> = solution.split(' ').collect();
        let alternatives = if line.len() == 1 { &words[..] } else { &words[..1] };
        assert!(alternatives.contains(&line[0].to_string().as_str()), "{name}: {} instead of {solution}", line[0]);
    }
}

/// In the tested position, the search has proved only that each answer to some check is met by a different mate.
/// Searching for all the mates again would cost ten times as much as the first search.
#[test]
fn a_certificate_needs_no_second_search() {
    let text = "1k7/3g5/1+l7/1S+B6/9/9/9/9/9 b BGP2r2g3s4n3l17p 1";
    let found = solve::<Shogi>(text, 650_000, ANY, ONE);
    assert!(matches!(found.answer, BrinkmateAnswer::Brinkmate(_)), "{:?}", found.answer);
    assert!(check_certificate::<Shogi>(text, &found));
}

/// In the tested position, all replies to an attacking move are refuted, except for one reply whose proof number has
/// reached its largest value. Whether the proof number reaches its largest value depends on which entries the table
/// keeps, and thus on earlier tasks.
#[test]
fn saturated_proof_numbers_do_not_stop_the_search() {
    let options = SolverOptions { hash_mb: 4, ..SolverOptions::default() };
    let mut solver = ProofSolver::<Shogi>::new(&options);
    let text = "3g+P4/3n5/5k3/3+PP4/4+P4/9/9/6K2/9 b PS 1";
    for _ in 0..2 {
        let limits = Limits { nodes: Some(3_000_000), ..Limits::default() };
        let task = Task { line: Line { start: start(text), moves: Vec::new() }, limits, ..Task::default() };
        let found = solver.solve(&task, BrinkmateRequest::default(), &Stop::new(), &mut |_| {}).expect("a position");
        assert_eq!(found.answer, BrinkmateAnswer::None { within: None });
    }
}

/// One processor searches alone only at the beginning of a task, regardless of the number of searches.
#[test]
fn one_processor_searches_alone_only_once() {
    let machine = SearchMachine::Virtual { processors: 2, turn: 100, delay: 0, seed: 0 };
    let options = SolverOptions { hash_mb: 16, machine, ..SolverOptions::default() };
    let task =
        Task { line: Line { start: start("sG7/k8/8K/9/9/9/9/9/9 b PSr 1"), moves: Vec::new() }, ..Task::default() };
    let mut solver = ProofSolver::<Shogi>::new(&options);
    let found = solver.solve(&task, BrinkmateRequest::default(), &Stop::new(), &mut |_| {}).expect("a position");
    let usage = found.usage.expect("two have searched");
    assert!(found.nodes > 1 << 19, "more than a round, not {}", found.nodes);
    // The second processor may idle while the first begins the task alone, and for about a thousand nodes in each
    // further search.
    let idle = 2 * usage.clock() - found.nodes;
    assert!(idle < 1 << 17, "{idle} of {}", found.nodes);
}

#[test]
fn limits_of_plies_and_nodes_are_reported() {
    let three = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1";
    let within = |plies| solve::<Shogi>(three, 1_000_000, BrinkmateRequest { within: Some(plies), ..ANY }, ONE).answer;
    assert_eq!(within(1), BrinkmateAnswer::None { within: Some(1) });
    assert!(matches!(within(3), BrinkmateAnswer::Brinkmate(line) if line.len() == 3));
    let short = solve::<Shogi>(three, 200, ANY, ONE);
    assert!(short.answer == BrinkmateAnswer::Unknown && !short.is_proved && short.nodes < 1_000, "{short:?}");
}

/// The reported line continues to the mate, so a receiver can replay it. A small node limit leaves the answer open.
#[test]
fn a_floating_solver_reports_a_forced_win_by_its_line_to_the_mate() {
    let text = "5n1k1/8P/5S3/5pn2/9/9/9/9/9 b 2G2r2b2g3s2n4l16p 1";
    let look = |nodes| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let line = Line { start: start(text), moves: Vec::new() };
        let mut solver = FloatingSolver::<Shogi>::new(Algorithm::Parallel, &SolverOptions::default());
        let task = Task { line, goal: Goal::Mate, limits, ..Task::default() };
        solver.search(&task, &Stop::new(), &mut |_| {}).expect("a task")
    };
    for nodes in [1_000, 3_000] {
        assert_eq!(look(nodes), Answer::Mate(MateAnswer::Unknown), "{nodes} nodes");
    }
    let Answer::Mate(MateAnswer::Mate(line)) = look(512_000) else { panic!("expected a win") };
    let mut game = Shogi::new(&start(text)).expect("a position");
    for m in &line {
        let m = game.parse_move(&m.to_string()).unwrap_or_else(|why| panic!("{line:?}: {why}"));
        game.make(m);
    }
    assert!(line[0].to_string() == "G*2c" && line.len() > 1 && is_mated(&game), "{line:?}");
}

/// Counts of the examined positions, by answer.
#[derive(Debug, Default)]
struct Tally {
    mates: u64,
    brinkmates: [u64; 3],
    nones: u64,
    /// Number of positions without a brinkmate that have a certificate.
    certified: u64,
    unknown: u64,
    /// Counts of one-ply and three-ply brinkmates that brute force could judge.
    confirmed: [u64; 2],
    /// Counts of positions in which brute force finds no one-ply brinkmate, and no three-ply brinkmate.
    refuted: [u64; 2],
}

/// Compares the answers on random positions with the known brute-force answers for one-ply and three-ply brinkmates.
fn examine(seed: u64, positions: u64, nodes: u64, moves: u64) -> Tally {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut tally = Tally::default();
    for number in 0..positions {
        let (text, game) = position(&mut rng, &Recipe::FEW);
        let machine =
            if number % 2 == 0 { ONE } else { SearchMachine::Virtual { processors: 2, turn: 50, delay: 0, seed } };
        let found = solve::<Shogi>(&text, nodes, SHORTEST, machine);
        let is_certified = check_certificate::<Shogi>(&text, &found);
        let brute = |plies, mate_plies| Brute::new(&game, mate_plies, moves).is_brinkmate(plies, None);
        let mate = Brute::new(&game, 3, moves).is_mate();
        let what = format!("position {number} of seed {seed}, {text}: {:?}", found.answer);
        match found.answer {
            BrinkmateAnswer::Mate(_) => {
                assert_ne!(mate, Truth::No, "{what}");
                tally.mates += 1;
            }
            BrinkmateAnswer::Brinkmate(line) => {
                assert_ne!(mate, Truth::Yes, "{what}");
                tally.brinkmates[(line.len() / 2).min(2)] += 1;
                for plies in [1, 3] {
                    let truth = brute(plies, 5);
                    assert!(truth != Truth::Yes || line.len() <= plies, "{what}, by brute force {plies}");
                    assert!(truth != Truth::No || line.len() > plies, "{what}, by brute force more than {plies}");
                    tally.confirmed[plies / 2] += u64::from(truth != Truth::Unknown);
                }
            }
            BrinkmateAnswer::None { .. } => {
                assert_ne!(mate, Truth::Yes, "{what}");
                tally.nones += 1;
                tally.certified += u64::from(is_certified);
                for plies in [1, 3] {
                    let truth = brute(plies, 3);
                    assert_ne!(truth, Truth::Yes, "{what}, by brute force {plies}");
                    tally.refuted[plies / 2] += u64::from(truth == Truth::No);
                }
            }
            BrinkmateAnswer::Unknown => tally.unknown += 1,
        }
        if number % 100 == 99 {
            println!("{} positions: {tally:?}", number + 1);
        }
    }
    tally
}

#[test]
fn random_positions_are_solved_as_by_brute_force() {
    let tally = examine(5, 40, 60_000, 20_000);
    println!("{tally:?}");
    assert!(tally.mates > 8 && tally.confirmed[0] > 2 && tally.certified > 5, "too few of some kind: {tally:?}");
}

#[test]
#[ignore = "minutes to hours"]
fn many_random_positions() {
    let (seed, positions) = (setting("ORACLE_SEED", 1), setting("ORACLE_POSITIONS", 1_000));
    let (nodes, moves) = (setting("ORACLE_NODES", 500_000), setting("ORACLE_MOVES", 300_000));
    println!("{:?}", examine(seed, positions, nodes, moves));
}
