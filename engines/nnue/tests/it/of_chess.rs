//! Compares chess networks with nnue-rs.

use crate::engines::Engine;
use crate::generated::{self, Random};
use crate::moves;
use hasami_api::{Evaluator, Game, Side, Start};
use hasami_chess::Chess;
use hasami_nnue::NetworkEval;
use std::sync::Arc;

fn starts() -> Vec<Start> {
    let of = |text: &str| Start { text: Some(text.into()), ..Start::default() };
    let mut starts = vec![
        Start::default(),
        of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        of("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"),
        of("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ];
    let mut chess960 = of("rk2r3/pppbnppp/3p2n1/P2Pp3/4P2q/R5NP/1PP2PP1/1KNQRB2 b Kkq - 0 1");
    chess960.rules.chess960 = true;
    let mut castling = of("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1");
    castling.rules.chess960 = true;
    starts.extend([chess960, castling]);
    starts
}

/// Compares outputs with those of nnue-rs in random games, and returns the number of positions compared.
pub fn compare_with_nnue_rs(file: &[u8], games: usize, seed: u64) -> usize {
    let theirs = nnue_rs::Network::from_bytes(file).unwrap();
    let mut ours = NetworkEval::new(Arc::new(hasami_nnue::read(file).unwrap()));
    let mut random = Random::new(seed);
    let (starts, mut positions) = (starts(), 0);
    for number in 0..games {
        moves::play::<Chess>(&starts[number % starts.len()], &mut random, 200, |game, _| {
            ours.refresh(game);
            let fen = game.to_text();
            let expected = theirs.evaluate_fen(&fen).unwrap();
            let found: i64 = ours.parts(game).into_iter().map(|part| part / 16).sum();
            assert_eq!(found, i64::from(expected), "seed {seed}, {fen}");
            positions += 1;
        });
    }
    positions
}

#[test]
fn stockfish_16_and_17_networks_are_read_compressed() {
    for width in [128, 1024] {
        let file = generated::stockfish(width, true, 7);
        assert!(compare_with_nnue_rs(&file, 6, 11) > 300);
        assert!(moves::check::<Chess>(&file, &starts(), 6, 13) > 300);
    }
}

/// nnue-rs cannot read Stockfish 15's networks, so each is compared with a compressed file of the same numbers.
#[test]
fn stockfish_15_networks_are_read_uncompressed() {
    let [mut raw, mut compressed] = [false, true].map(|is_compressed| {
        let file = generated::stockfish(1024, is_compressed, 7);
        NetworkEval::new(Arc::new(hasami_nnue::read(&file).unwrap()))
    });
    moves::play::<Chess>(&Start::default(), &mut Random::new(13), 200, |game, _| {
        raw.refresh(game);
        compressed.refresh(game);
        assert_eq!(raw.output(game), compressed.output(game));
    });
}

#[test]
fn stockfish_12_rotates_the_board_for_the_second_player() {
    let file = generated::classic("HalfKP(Friend)", 0x5D69_D5B8, 41_024, [256, 32, 32], 3);
    assert!(compare_with_nnue_rs(&file, 6, 17) > 300);
    assert!(moves::check::<Chess>(&file, &starts(), 6, 19) > 300);
}

/// Requires the environment variable `HASAMI_NETS`: colon-separated paths of chess networks. Compares 100,000 positions
/// per network.
#[test]
#[ignore = "needs files of others"]
fn networks_of_others() {
    let paths = std::env::var("HASAMI_NETS").expect("HASAMI_NETS names networks");
    for path in paths.split(':') {
        let file = std::fs::read(path).unwrap();
        println!("{path}: {} positions equal", compare_with_nnue_rs(&file, 700, 1));
        println!("{path}: {} positions equal, move by move", moves::check::<Chess>(&file, &starts(), 200, 2));
    }
}

/// Requires the environment variables `STOCKFISH`, the path of Stockfish 15.1, and `STOCKFISH_NET`, the network that
/// its command `export_net` wrote. Stockfish 15.1 displays values in hundredths of a pawn, which is 361 units.
#[test]
#[ignore = "needs programs and files of others"]
fn stockfish_15_1_beside_itself() {
    let name = |variable: &str| std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is a path"));
    let file = std::fs::read(name("STOCKFISH_NET")).unwrap();
    let mut theirs = Engine::start(&name("STOCKFISH"), "uci");
    let mut ours = NetworkEval::new(Arc::new(hasami_nnue::read(&file).unwrap()));
    let mut random = Random::new(61);
    let (starts, mut positions) = (starts(), 0);
    theirs.send("setoption name UCI_Chess960 value true");
    for number in 0..700 {
        moves::play::<Chess>(&starts[number % starts.len()], &mut random, 200, |game, _| {
            if game.in_check() {
                return;
            }
            ours.refresh(game);
            theirs.send(&format!("position fen {}\neval", game.to_text()));
            let shown: f64 = theirs.wait("NNUE evaluation").trim().split(' ').next().unwrap().parse().unwrap();
            let sign = if game.side() == Side::First { 1 } else { -1 };
            let found = (sign * ours.output(game) / 16) as f64 / 361.0;
            assert!((found - shown).abs() < 0.006, "{found} {shown} {}", game.to_text());
            positions += 1;
        });
    }
    println!("{positions} positions equal to what is shown");
    println!("{} positions equal, move by move", moves::check::<Chess>(&file, &starts, 200, 67));
}

/// Checks networks of every width in Stockfish 16 to 17.1, and one of Stockfish 12, on 100,000 positions each.
#[test]
#[ignore = "takes minutes"]
fn every_width() {
    for width in [1536, 2560, 3072, 128] {
        let file = generated::stockfish(width, true, 31);
        println!("{width}: {} positions equal", compare_with_nnue_rs(&file, 700, 37));
        println!("{width}: {} positions equal, move by move", moves::check::<Chess>(&file, &starts(), 60, 41));
    }
    let file = generated::classic("HalfKP(Friend)", 0x5D69_D5B8, 41_024, [256, 32, 32], 31);
    println!("HalfKP: {} positions equal", compare_with_nnue_rs(&file, 700, 37));
}
