//! Plays whole games, with one worker and with many.

use super::harness::{Harness, game_at};
use hasami_api::{Game, Line, Start};
use hasami_chess::Chess;
use hasami_protocol::{BestMove, Clock, Go, Settings};
use hasami_toy::Toy;
use hasami_tree::legal_moves;
use std::time::Duration;

fn clock() -> Go {
    let time = Some(Duration::from_secs(60));
    Go { clock: Clock { time: [time, time], ..Clock::default() }, ..Go::default() }
}

/// Plays both sides, checks that every move is legal and in time, and returns the number of plies.
fn play<G: Game>(start: Start, workers: u32, settings: Settings, most: usize) -> usize {
    let mut harness = Harness::<G>::new(settings, workers);
    let mut line = Line { start, moves: Vec::new() };
    for ply in 0..most {
        harness.position(&line);
        let before = harness.best_moves().len();
        harness.go(clock());
        let mut depth = 5;
        while harness.best_moves().len() == before {
            let running: Vec<u32> = harness.running.keys().map(|worker| worker.0).collect();
            for worker in running {
                if harness.running.contains_key(&hasami_tree::event::WorkerId(worker)) {
                    harness.report(worker, &[], (worker as i32 * 7) % 50, depth);
                }
            }
            harness.end_cancelled();
            harness.wait(Duration::from_millis(200));
            depth += 1;
            assert!(depth < 500, "no move at ply {ply}");
        }
        harness.end_cancelled();
        let BestMove::Move { best, .. } = *harness.best_moves().last().unwrap() else { return ply };
        let last = harness.infos().last().unwrap().clone();
        assert_eq!(last.pv[0], best);
        line.moves.push(best);
        game_at::<G>(&line);
    }
    most
}

#[test]
fn chess_by_one_worker() {
    assert_eq!(play::<Chess>(Start::default(), 1, Settings::default(), 12), 12);
}

#[test]
fn chess_by_five_workers_with_pondering() {
    let settings = Settings { ponder: true, ..Settings::default() };
    assert_eq!(play::<Chess>(Start::default(), 5, settings, 12), 12);
}

#[test]
fn toy_games_to_their_end() {
    for graph in 0..40 {
        let start = Toy::start(graph, 17);
        let game = Toy::new(&start).unwrap();
        let workers = 1 + graph as u32 % 7;
        let played = play::<Toy>(start, workers, Settings::default(), 60);
        assert!(played > 0 || legal_moves(&game).is_empty() || game.may_declare_win(), "graph {graph}");
    }
}
