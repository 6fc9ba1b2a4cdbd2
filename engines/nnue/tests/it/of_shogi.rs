//! Compares shogi networks with rshogi-core.

use crate::engines::Engine;
use crate::generated::{self, Random};
use crate::moves;
use hasami_api::{Evaluator, Game, Start};
use hasami_nnue::NetworkEval;
use hasami_shogi::Shogi;
use rshogi_core::nnue::{self, LayerStackBucketMode, NNUEEvaluator, NNUENetwork};
use rshogi_core::position::Position;
use std::sync::Arc;

fn of(text: &str) -> Start {
    Start { text: Some(text.into()), ..Start::default() }
}

/// Start positions of even games. Handicap games are left out, since rshogi-core handles missing pieces differently
/// from YaneuraOu.
fn even() -> Vec<Start> {
    vec![
        Start::default(),
        of("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"),
        of("k8/9/9/9/9/9/9/9/8K b 2R2B4G4S4N4L18P 1"),
    ]
}

fn all() -> Vec<Start> {
    let mut starts = even();
    starts.extend([
        of("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        of("4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        of("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1"),
    ]);
    starts
}

/// Compares outputs divided by 16 with rshogi-core's in random games, and returns the number of positions compared.
pub fn compare_with_rshogi_core(file: &[u8], games: usize, seed: u64) -> usize {
    nnue::set_fv_scale_override(16);
    let theirs = Arc::new(NNUENetwork::from_bytes(file).unwrap());
    if theirs.is_layer_stacks() {
        nnue::configure_layer_stack_routing(LayerStackBucketMode::KingRank9, 9, None).unwrap();
    }
    let mut ours = NetworkEval::new(Arc::new(hasami_nnue::read(file).unwrap()));
    let mut random = Random::new(seed);
    let (starts, mut positions) = (even(), 0);
    for number in 0..games {
        moves::play::<Shogi>(&starts[number % starts.len()], &mut random, 200, |game, _| {
            ours.refresh(game);
            let sfen = game.to_text();
            let mut position = Position::new();
            position.set_sfen(&sfen).unwrap();
            let expected = NNUEEvaluator::new_with_position(Arc::clone(&theirs), &position).evaluate(&position).raw();
            assert_eq!(ours.output(game) / 16, i64::from(expected), "seed {seed}, {sfen}");
            positions += 1;
        });
    }
    positions
}

#[test]
fn half_kp() {
    let file = generated::classic("HalfKP(Friend)", 0x5D69_D5B8, 125_388, [256, 32, 32], 5);
    assert!(compare_with_rshogi_core(&file, 3, 23) > 300);
    assert!(moves::check::<Shogi>(&file, &all(), 6, 29) > 300);
}

#[test]
fn half_ka_mirrored_with_both_kings_in_one_plane() {
    let file = generated::classic("HalfKA_hm(Friend)", 0x7F23_4CB8, 73_305, [256, 32, 32], 5);
    assert!(compare_with_rshogi_core(&file, 3, 23) > 300);
    assert!(moves::check::<Shogi>(&file, &all(), 6, 29) > 300);
}

#[test]
fn layer_stacks() {
    let file = generated::layer_stacks(512, 15, 32, 5);
    assert!(compare_with_rshogi_core(&file, 3, 23) > 300);
    assert!(moves::check::<Shogi>(&file, &all(), 6, 29) > 300);
}

/// No other library reads networks with these feature sets, so only the instruction sets are compared with each other.
#[test]
fn feature_sets_that_no_other_library_reads() {
    for (name, hash, rows) in [("KP", 0x3F57_17FF, 1_710), ("HalfKP_vm(Friend)", 0x0B6B_1D9A, 69_660)] {
        let file = generated::classic(name, hash, rows, [256, 32, 32], 5);
        assert!(moves::check::<Shogi>(&file, &all(), 6, 29) > 300);
    }
}

/// Checks every network shape in the guide's table, and compares 100,000 positions if rshogi-core can read the shape.
#[test]
#[ignore = "takes minutes and gigabytes"]
fn every_shape() {
    let (kp, ka2, ka1) = (0x5D69_D5B8, 0x5F23_4CB8, 0x5F13_4CB8);
    let shapes = [
        ("HalfKP(Friend)", kp, 125_388, [256, 32, 32]),
        ("HalfKP(Friend)", kp, 125_388, [512, 16, 32]),
        ("HalfKP(Friend)", kp, 125_388, [768, 16, 64]),
        ("HalfKP(Friend)", kp, 125_388, [1024, 8, 32]),
        ("HalfKP(Friend)", kp, 125_388, [1024, 8, 64]),
        ("HalfKA_merged(Friend)", ka2, 131_949, [256, 32, 32]),
        ("HalfKA(Friend)", ka1, 138_510, [256, 32, 32]),
        ("HalfKA_hm(Friend)", ka2 | 0x2000_0000, 73_305, [512, 8, 64]),
    ];
    for (name, hash, rows, shape) in shapes {
        let file = generated::classic(name, hash, rows, shape, 31);
        println!("{name} {shape:?}: {} positions equal", compare_with_rshogi_core(&file, 620, 37));
        println!("{name} {shape:?}: {} positions equal, move by move", moves::check::<Shogi>(&file, &all(), 60, 41));
    }
    let file = generated::layer_stacks(1536, 15, 32, 43);
    println!("layer stacks: {} positions equal", compare_with_rshogi_core(&file, 620, 37));
}

/// Requires two environment variables: `YANEURAOU` is the path of a YaneuraOu built for K-P 256, and `KP256` the path
/// of its network. The test games include handicap games.
#[test]
#[ignore = "needs programs and files of others"]
fn k_p_beside_yaneuraou() {
    let name = |variable: &str| std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is a path"));
    let file = std::fs::read(name("KP256")).unwrap();
    let mut theirs = Engine::start(
        &name("YANEURAOU"),
        "usi\nsetoption name FV_SCALE value 16\nsetoption name BookFile value no_book",
    );
    let mut ours = NetworkEval::new(Arc::new(hasami_nnue::read(&file).unwrap()));
    let mut random = Random::new(61);
    let (starts, mut positions) = (all(), 0);
    for number in 0..600 {
        moves::play::<Shogi>(&starts[number % starts.len()], &mut random, 200, |game, _| {
            ours.refresh(game);
            theirs.send(&format!("position sfen {}\ne", game.to_text()));
            let expected: i64 = theirs.wait("eval = ").parse().unwrap();
            assert_eq!(ours.output(game) / 16, expected, "{}", game.to_text());
            positions += 1;
        });
    }
    println!("{positions} positions equal");
    println!("{} positions equal, move by move", moves::check::<Shogi>(&file, &starts, 600, 67));
}
