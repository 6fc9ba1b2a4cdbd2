//! Tests the sequential search on real positions: tactics, mates, draws, and correct variations.

#![allow(clippy::unwrap_used)]

use hasami_alphabeta::{Engine, TranspositionTable};
use hasami_api::{
    Answer, Bound, Evaluator, Game, Limits, Line, MoveText, Moves, Report, Score, SearchGame, Searcher, Start, Stop,
    Task, Verdict,
};
use hasami_chess::Chess;
use hasami_nnue::{NetworkEval, NetworkGame, built_in};
use hasami_shogi::Shogi;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

fn chess() -> Engine<Chess, NetworkEval> {
    Engine::new(NetworkEval::new(built_in(NetworkGame::Chess)), TranspositionTable::new(8))
}

fn shogi() -> Engine<Shogi, NetworkEval> {
    Engine::new(NetworkEval::new(built_in(NetworkGame::Shogi)), TranspositionTable::new(8))
}

fn at(text: &str, moves: &str) -> Line {
    let text = (text != "startpos").then(|| text.into());
    let moves = moves.split_whitespace().map(|m| m.parse().unwrap()).collect();
    Line { start: Start { text, ..Start::default() }, moves }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn depth(depth: u16) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Runs a task and checks all of its reports. Returns the best move, and the last report of each MultiPV line.
fn run<G: SearchGame, E: Evaluator<G>>(engine: &mut Engine<G, E>, task: &Task) -> (Option<String>, Vec<Report>) {
    let mut reports: Vec<Report> = Vec::new();
    let answer = engine.search(task, &Stop::new(), &mut |report| reports.push(report)).unwrap();
    let Answer::Best { best, ponder } = answer else { panic!("{answer:?}") };
    for report in &reports {
        check_line::<G>(&task.line, report);
    }
    let count = usize::from(reports.last().unwrap().multipv);
    let last = reports.split_off(reports.len() - count);
    assert_eq!(best, last[0].pv.first().copied());
    if let (Some(best), Some(ponder)) = (best, ponder) {
        check_line::<G>(&task.line, &Report { pv: vec![best, ponder], ..Report::new(Score::DRAW) });
    }
    (best.map(|m| m.to_string()), last)
}

/// Checks that a report's moves are legal, none comes after the game's end, and a mate has the claimed length.
fn check_line<G: Game>(line: &Line, report: &Report) {
    let mut game = G::new(&line.start).unwrap();
    for m in &line.moves {
        game.make(game.parse_move(m).unwrap());
    }
    for (i, text) in report.pv.iter().enumerate() {
        assert!(
            i == 0 || game.verdict() == Verdict::Open,
            "the line continues after the end of the game: {line:?} {report:?}"
        );
        let m = game.parse_move(text).unwrap_or_else(|error| panic!("{error}: {line:?} {report:?}"));
        game.make(m);
    }
    if report.score.is_decisive() && report.bound == Bound::Exact {
        let plies = (Score::MATE - report.score.raw().abs()) as usize;
        assert_eq!(report.pv.len(), plies, "{line:?} {report:?}");
        let mut moves = Moves::new();
        game.legal_moves(&mut moves);
        assert!(moves.is_empty() || game.verdict() != Verdict::Open, "the game is not over: {line:?} {report:?}");
    }
}

#[test]
fn chess_tactics_are_found_within_a_node_limit() {
    // Tactical problems from "Win at Chess" (Reinfeld 1958).
    let problems = [
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "g3g6"),
        ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "e3g3"),
        ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", "h6h7"),
        ("5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1", "c6c4"),
        ("7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1", "b6b7"),
        ("rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1", "g4e3"),
        ("r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1", "e7f7"),
        ("3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1", "d6h2"),
    ];
    for (fen, expected) in problems {
        let (best, _) = run(&mut chess(), &Task { line: at(fen, ""), limits: nodes(300_000), ..Task::default() });
        assert_eq!(best.as_deref(), Some(expected), "{fen}");
    }
}

#[test]
fn chess_mates_have_their_length_and_their_line() {
    let problems = [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", Score::win_in(1)),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", Score::win_in(3)),
        ("8/8/8/8/8/5kqr/8/4Q2K w - - 0 1", Score::loss_in(0)),
    ];
    for (fen, expected) in problems {
        let (_, last) = run(&mut chess(), &Task { line: at(fen, ""), limits: depth(13), ..Task::default() });
        assert_eq!(last[0].score, expected, "{fen}");
    }
}

#[test]
fn chess_draws_are_recognized() {
    let draws = [
        ("stalemate", at("k7/8/1QK5/8/8/8/8/8 b - - 0 1", "")),
        ("the fiftieth move comes before mate", at("7k/8/5K2/8/8/8/8/R7 w - - 98 90", "")),
        ("perpetual check", at("6k1/6p1/8/7Q/8/8/1rr5/7K w - - 0 1", "")),
        ("bare kings and a knight", at("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", "")),
    ];
    for (why, line) in draws {
        let (_, last) = run(&mut chess(), &Task { line, limits: depth(9), ..Task::default() });
        assert_eq!(last[0].score, Score::DRAW, "{why}");
    }
    let mate_first = at("k7/2K5/8/8/8/8/1R6/8 w - - 99 100", "");
    let (_, last) = run(&mut chess(), &Task { line: mate_first, limits: depth(5), ..Task::default() });
    assert_eq!(last[0].score, Score::win_in(1), "mate takes precedence over the fifty-move rule");
}

#[test]
fn a_repetition_of_the_game_itself_is_a_draw() {
    let line = at("startpos", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    let task = Task { line, only: vec!["f6g8".parse().unwrap()], limits: depth(5), ..Task::default() };
    let (best, last) = run(&mut chess(), &task);
    assert_eq!((best.as_deref(), last[0].score, last[0].pv.len()), (Some("f6g8"), Score::DRAW, 1));
}

#[test]
fn chess_lines_are_sorted_and_different() {
    let line = at("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "");
    let (_, last) = run(&mut chess(), &Task { line, multipv: 5, limits: depth(7), ..Task::default() });
    assert_eq!(last.len(), 5);
    assert!(last.is_sorted_by_key(|report| std::cmp::Reverse(report.score)));
    let firsts: std::collections::HashSet<MoveText> = last.iter().map(|report| report.pv[0]).collect();
    assert_eq!(firsts.len(), 5);
}

#[test]
fn root_moves_are_ranked_by_effort_and_nodes_are_exact() {
    let (best, last) = run(&mut chess(), &Task { line: at("startpos", ""), limits: nodes(20_000), ..Task::default() });
    let ranking = &last[0].ranking;
    assert_eq!((last[0].nodes, ranking.len()), (20_000, 20));
    assert!(ranking.is_sorted_by_key(|ranked| std::cmp::Reverse(ranked.nodes)));
    assert_eq!(ranking.iter().map(|ranked| ranked.nodes).sum::<u64>(), 20_000);
    assert!(best.is_some());
}

#[test]
fn a_stop_ends_the_search_within_a_few_nodes() {
    let stop = Stop::new();
    let mut counts = Vec::new();
    let task = Task { line: at("startpos", ""), ..Task::default() };
    let answer = chess().search(&task, &stop, &mut |report| {
        counts.push(report.nodes);
        if report.depth == 6 {
            stop.stop();
        }
    });
    assert!(matches!(answer, Ok(Answer::Best { best: Some(_), .. })));
    let stopped_at = counts[counts.len() - 2];
    assert!(counts[counts.len() - 1] <= stopped_at + 64, "{counts:?}");
}

/// Plays random games and searches some of their positions with the same small table, as in a real game.
fn search_random_positions<G: SearchGame, E: Evaluator<G>>(mut engine: Engine<G, E>, depth_limit: u16, games: u64) {
    for seed in 0..games {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut game = G::new(&Start::default()).unwrap();
        let mut line = Line::default();
        for ply in 0..120 {
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            if moves.is_empty() || game.verdict() != Verdict::Open {
                break;
            }
            let m = moves[random.random_range(0..moves.len())];
            line = line.with(game.format_move(m));
            game.make(m);
            if ply % 8 == 7 {
                run(&mut engine, &Task { line: line.clone(), limits: depth(depth_limit), ..Task::default() });
            }
        }
    }
}

#[test]
fn random_chess_positions_are_searched_with_legal_lines() {
    search_random_positions(chess(), 6, 12);
}

#[test]
fn random_shogi_positions_are_searched_with_legal_lines() {
    search_random_positions(shogi(), 5, 6);
}

#[test]
fn shogi_mates_have_their_length_and_their_line() {
    let problems = include_str!("../../../tests/data/mates/games.tsv").lines().filter(|line| !line.starts_with('#'));
    for problem in problems {
        let mut fields = problem.split('\t');
        let (sfen, plies) = (fields.next().unwrap(), fields.nth(1).unwrap().parse().unwrap());
        if plies > 3 {
            continue;
        }
        let limits = Limits { mate: Some(plies), nodes: Some(2_000_000), ..Limits::default() };
        let (_, last) = run(&mut shogi(), &Task { line: at(sfen, ""), limits, ..Task::default() });
        assert_eq!(last[0].score, Score::win_in(i32::from(plies)), "{sfen}");
    }
}
