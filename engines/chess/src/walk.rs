//! Random games for tests.

use crate::{Chess, Move};
use hasami_api::{Game, Moves, Verdict};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Start positions of many kinds: the standard position, Chess960, and positions with many captures, promotions, en
/// passant captures or few pieces.
pub const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrbnkrqb/pppp1p1p/4p1p1/8/7P/2P1P3/PPNP1PP1/1RBNKRQB w FBfb - 0 9",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/8/3k4/3n4/8/3NK3/8/8 w - - 0 1",
];

/// Plays `games` random games of at most `plies` plies, and calls `visit` with each position and its legal moves.
pub fn random_games(seed: u64, games: usize, plies: usize, mut visit: impl FnMut(&mut Chess, &[Move])) {
    let mut rng = SmallRng::seed_from_u64(seed);
    for number in 0..games {
        let mut game = Chess::from_fen(STARTS[number % STARTS.len()]).expect("a legal start");
        for _ in 0..plies {
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            visit(&mut game, &moves);
            if moves.is_empty() || game.verdict() != Verdict::Open {
                break;
            }
            game.make(moves[rng.random_range(0..moves.len())]);
        }
    }
}
