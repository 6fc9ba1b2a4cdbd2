//! Plays random games and prints the moves, the checks and the verdict in every position, for `scripts/oracle_shogi.py`
//! to verify.
//!
//! `cargo run --release -p hasami-shogi --example walk_shogi -- POSITIONS SEED`
//!
//! A game is printed as a line `game SFEN`, then for each position a line `at SFEN|verdict|moves|checks` (with sorted
//! moves and checks) and a line `play MOVE`.

use hasami_api::{Game, MateGame, Moves, Start, Verdict};
use hasami_shogi::{Move, Shogi};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Start positions of many kinds: the standard position, and positions with many drops, both kings under attack,
/// promotions, entered kings or few pieces.
const STARTS: [&str; 8] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2S2/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "4k4/PPPP1PPPP/9/9/9/9/9/pppp1pppp/4K4 b RBrb 1",
    "+N+N+N1K1+P+P+P/+P+P+P6/9/9/9/9/9/6+p+p+p/+p+p+p1k1+n2 b R2B4G4Sr 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B2G2S2N2L9P2g2s2n2l9p 1",
    "7k1/9/9/9/9/9/9/1K7/7R1 w - 1",
    "4k4/9/9/9/r8/8R/9/9/4K4 b 2P2p 1",
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
    let mut game = Shogi::new(&Start { text: Some((*start).into()), ..Start::default() }).expect("a legal start");
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

fn describe(game: &Shogi, moves: &Moves<Move>) {
    let mut checks = Moves::new();
    game.checking_moves(&mut checks);
    let texts = [moves, &checks].map(|list| {
        let mut texts: Vec<String> = list.iter().map(|&m| game.format_move(m).to_string()).collect();
        texts.sort();
        texts.join(" ")
    });
    let verdict = if moves.is_empty() { game.verdict_without_moves() } else { game.verdict() };
    println!("at {}|{verdict:?}|{}|{}", game.to_text(), texts[0], texts[1]);
}
