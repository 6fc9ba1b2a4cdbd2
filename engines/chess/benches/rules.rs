//! Compares the perft speed of `Game` with that of direct calls to shakmaty, both when the moves at the last ply are
//! only counted and when every move is made.
//!
//! `cargo bench -p hasami-chess --bench rules` prints millions of leaves per second. The implementations alternate in
//! many short runs, and only the best run of each counts, so that other programs on the machine have little influence.

use hasami_api::{Game, Moves, perft};
use hasami_chess::Chess;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess as Standard, EnPassantMode, Position};
use std::hint::black_box;
use std::time::Instant;

const TURNS: usize = 400;
const POSITIONS: [(&str, &str, u32, u32); 2] = [
    ("initial position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 3),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 3),
];

fn main() {
    for (name, fen, bulk, made) in POSITIONS {
        let game = Chess::from_fen(fen).expect("a legal position");
        let position = game.position().clone();
        compare(
            &format!("{name}, depth {bulk}, last ply counted"),
            &mut [
                ("shakmaty", &mut || direct_bulk(&position, bulk)),
                ("Game", &mut || perft::count(&mut game.clone(), bulk)),
            ],
        );
        compare(
            &format!("{name}, depth {made}, every move made"),
            &mut [
                ("shakmaty and its keys", &mut || {
                    direct_keyed(&position, position.zobrist_hash(EnPassantMode::Legal), made)
                }),
                ("shakmaty without keys", &mut || direct_made(&position, made)),
                ("Game", &mut || game_made(&mut game.clone(), made)),
            ],
        );
    }
}

/// Runs the contestants in turn, and prints the best speed of each, also as a multiple of the first contestant's best.
fn compare(title: &str, contestants: &mut [(&str, &mut dyn FnMut() -> u64)]) {
    let mut best = vec![0.0_f64; contestants.len()];
    for _ in 0..TURNS {
        for (speed, (_, run)) in best.iter_mut().zip(contestants.iter_mut()) {
            let start = Instant::now();
            let leaves = black_box(run());
            *speed = speed.max(leaves as f64 / start.elapsed().as_secs_f64() / 1e6);
        }
    }
    println!("{title}");
    for ((name, _), speed) in contestants.iter().zip(&best) {
        println!("    {name:24} {speed:8.1} Mnps  {:5.2} of the first", speed / best[0]);
    }
}

fn direct_bulk(position: &Standard, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for &m in &moves {
        let mut child = position.clone();
        child.play_unchecked(m);
        leaves += direct_bulk(&child, depth - 1);
    }
    leaves
}

fn direct_made(position: &Standard, depth: u32) -> u64 {
    if depth == 0 {
        black_box(position);
        return 1;
    }
    let mut leaves = 0;
    for &m in &position.legal_moves() {
        let mut child = position.clone();
        child.play_unchecked(m);
        leaves += direct_made(&child, depth - 1);
    }
    leaves
}

/// Makes every move and computes the hash key of every position, as a search must.
fn direct_keyed(position: &Standard, key: Zobrist64, depth: u32) -> u64 {
    if depth == 0 {
        black_box(key);
        return 1;
    }
    let mut leaves = 0;
    for &m in &position.legal_moves() {
        let updated = position.update_zobrist_hash(key, m, EnPassantMode::Legal);
        let mut child = position.clone();
        child.play_unchecked(m);
        let key = updated.unwrap_or_else(|| child.zobrist_hash(EnPassantMode::Legal));
        leaves += direct_keyed(&child, key, depth - 1);
    }
    leaves
}

fn game_made(game: &mut Chess, depth: u32) -> u64 {
    if depth == 0 {
        black_box(game.key());
        return 1;
    }
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let mut leaves = 0;
    for &m in moves.iter() {
        game.make(m);
        leaves += game_made(game, depth - 1);
        game.unmake();
    }
    leaves
}
