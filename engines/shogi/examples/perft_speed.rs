//! Compares the perft speed of `Game` with that of direct calls to rsshogi, and with that of shunsai.
//!
//! `cargo run --release -p hasami-shogi --example perft_speed`

use hasami_api::{Game, Moves, Start};
use hasami_shogi::Shogi;
use rsshogi::board::{Move32List, Position, generate_legal_all_move32, hirate_position};
use std::ops::ControlFlow;
use std::time::Instant;

/// Number of runs of each program. The programs take turns in short runs, so that the fastest run of each is
/// undisturbed even on a busy machine.
const ROUNDS: usize = 40;
const DEPTH: u32 = 4;

fn main() {
    println!("start position, depth {DEPTH}, fastest of {ROUNDS} runs, million leaves a second");
    compare("bulk", true);
    compare("make/unmake", false);
}

fn compare(name: &str, bulk: bool) {
    let mut best = [f64::INFINITY; 3];
    let mut leaves = [0; 3];
    for _ in 0..ROUNDS {
        let mut game = Shogi::new(&Start::default()).expect("the initial position").clone();
        (leaves[0], best[0]) = timed(best[0], || through_game(&mut game, DEPTH, bulk));
        let mut position = hirate_position();
        position.init_stack();
        let mut lists = vec![Move32List::new(); DEPTH as usize];
        (leaves[1], best[1]) = timed(best[1], || direct(&mut position, DEPTH, bulk, &mut lists));
        let mut position = shunsai::Position::startpos();
        (leaves[2], best[2]) = timed(best[2], || through_shunsai(&mut position, DEPTH, bulk));
    }
    assert!(leaves.iter().all(|&total| total == leaves[0]), "totals differ: {leaves:?}");
    let speed = best.map(|seconds| leaves[0] as f64 / seconds / 1e6);
    println!(
        "{name:12} Game {:6.1}  rsshogi {:6.1}  shunsai {:6.1}  Game/rsshogi {:.3}  shunsai/rsshogi {:.2}",
        speed[0],
        speed[1],
        speed[2],
        speed[0] / speed[1],
        speed[2] / speed[1]
    );
}

fn timed(best: f64, run: impl FnOnce() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let leaves = run();
    (leaves, best.min(start.elapsed().as_secs_f64()))
}

fn through_game(game: &mut Shogi, depth: u32, bulk: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    if bulk && depth == 1 {
        return game.count_moves() as u64;
    }
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let mut leaves = 0;
    for &m in moves.iter() {
        game.make(m);
        leaves += through_game(game, depth - 1, bulk);
        game.unmake();
    }
    leaves
}

fn direct(position: &mut Position, depth: u32, bulk: bool, lists: &mut [Move32List]) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (moves, rest) = lists.split_first_mut().expect("one list for each ply");
    moves.clear();
    generate_legal_all_move32(position, moves);
    if bulk && depth == 1 {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for &m in moves.iter() {
        position.apply_move32(m);
        leaves += direct(position, depth - 1, bulk, rest);
        // SAFETY: `m` is the last move that was made on `position`.
        unsafe { position.undo_move32_unchecked(m) };
    }
    leaves
}

fn through_shunsai(position: &mut shunsai::Position, depth: u32, bulk: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    let mut moves = Vec::new();
    let _ = position.generate_moves(|set| {
        if bulk && depth == 1 {
            leaves += set.len() as u64;
        } else {
            set.write_into(&mut moves);
        }
        ControlFlow::<()>::Continue(())
    });
    for m in moves {
        let undo = position.do_move(m);
        leaves += through_shunsai(position, depth - 1, bulk);
        position.undo_move(m, undo);
    }
    leaves
}
