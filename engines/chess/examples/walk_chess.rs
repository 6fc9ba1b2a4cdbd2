//! Plays random games and prints the moves and the verdict in every position, for `scripts/oracle_chess.py` to check.
//!
//! `cargo run --release -p hasami-chess --example walk_chess -- POSITIONS SEED`
//!
//! A game is printed as a line `game FEN`, then for each position a line `at FEN|Polyglot key|verdict|moves` (with
//! sorted moves, castling as king takes rook) and a line `play MOVE`.

use hasami_api::{Game, Moves, Rules, Start, Verdict};
use hasami_chess::Chess;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Start positions of many kinds: the standard position, Chess960, and positions with tactics, promotions, en passant
/// captures or few pieces.
const STARTS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/3k4/3n4/8/3NK3/8/8 w - - 0 1",
    "8/8/3k4/3q4/8/3QK3/8/8 w - - 80 90",
    "4k3/4p3/8/8/8/8/3PP3/4K3 w - - 0 1",
];

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("expected a number"));
    let mut positions = arguments.next().unwrap_or(1000);
    let mut rng = SmallRng::seed_from_u64(arguments.next().unwrap_or(1));
    for start in STARTS.iter().cycle() {
        if positions == 0 {
            return;
        }
        positions -= play(start, positions, &mut rng);
    }
}

/// Plays one random game, and returns the number of positions printed, at most `limit`.
fn play(start: &str, limit: u64, rng: &mut SmallRng) -> u64 {
    println!("game {start}");
    let rules = Rules { chess960: true, ..Rules::default() };
    let mut game = Chess::new(&Start { text: Some(start.into()), rules }).expect("a legal start");
    for printed in 1..=limit.min(300) {
        let mut moves = Moves::new();
        game.legal_moves(&mut moves);
        describe(&game, &moves);
        if moves.is_empty() || game.verdict() != Verdict::Open {
            return printed;
        }
        let m = moves[rng.random_range(0..moves.len())];
        println!("play {}", game.format_move(m));
        game.make(m);
    }
    limit.min(300)
}

fn describe(game: &Chess, moves: &Moves<hasami_chess::Move>) {
    let mut texts: Vec<String> = moves.iter().map(|&m| game.format_move(m).to_string()).collect();
    texts.sort();
    let verdict = if moves.is_empty() { game.verdict_without_moves() } else { game.verdict() };
    println!("at {}|{:016x}|{verdict:?}|{}", game.to_text(), game.polyglot_key(), texts.join(" "));
}
