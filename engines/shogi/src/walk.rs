//! Random games for tests.

use crate::{Move, Shogi};
use hasami_api::{Game, Moves, Start, Verdict};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Start positions of many kinds: the standard position, and positions with many drops, promotions, both kings under
/// attack, entered kings or few pieces. The last four positions have more pieces than a set: an extra pawn and rook, as
/// many as possible in two hands or in one hand, and many on the board.
pub const STARTS: [&str; 12] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2S2/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1",
    "4k4/PPPP1PPPP/9/9/9/9/9/pppp1pppp/4K4 b RBrb 1",
    "+N+N+N1K1+P+P+P/+P+P+P6/9/9/9/9/9/6+p+p+p/+p+p+p1k1+n2 b R2B4G4Sr 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B2G2S2N2L9P2g2s2n2l9p 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 1",
    "lnsgkgsnl/1r2r2b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L16Prb3g3s3n3l15p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 3R3B7G7S7N7L31P 1",
    "3gkg3/1pppsppp1/9/+P+P+P+P+P+P+P+P+P/+P+P+P+P+P+P+P+P+P/+P+P+P+P+P+R+R+R1/+B+B+B1+S+S+S+S+S/+N+N+N+N+N+N+N+L+L/GGGGK+L+L+L+L w Gsl 1",
];

pub fn game(text: &str) -> Shogi {
    Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).expect("a legal start")
}

/// Plays `games` random games of at most `plies` plies and calls `visit` with each position and its legal moves.
pub fn random_games(seed: u64, games: usize, plies: usize, mut visit: impl FnMut(&mut Shogi, &[Move])) {
    let mut rng = SmallRng::seed_from_u64(seed);
    for number in 0..games {
        let mut game = game(STARTS[number % STARTS.len()]);
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
