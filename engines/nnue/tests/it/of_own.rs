//! Tests networks in Hasami's own format.

use crate::generated::Random;
use crate::moves;
use hasami_api::{Evaluator, Game, Start};
use hasami_chess::Chess;

use hasami_nnue::{NetworkEval, NetworkGame, OwnNetwork};
use hasami_shogi::Shogi;
use std::sync::Arc;

fn network(game: NetworkGame, buckets: Vec<u8>, stacks: usize) -> OwnNetwork {
    let mut random = Random::new(47);
    let width = 128;
    let inputs = if game == NetworkGame::Chess { 768 } else { 2_344 };
    let rows = inputs * (usize::from(*buckets.iter().max().unwrap()) + 1);
    let mut numbers = |count: usize, most: usize| -> Vec<i16> {
        (0..count).map(|_| random.below(2 * most + 1) as i16 - most as i16).collect()
    };
    OwnNetwork {
        game,
        width,
        scale: 400,
        description: "random numbers".into(),
        biases: numbers(width, 120),
        weights: numbers(width * rows, 60),
        stacks: (0..stacks).map(|stack| (1_000 * stack as i32, numbers(2 * width, 127))).collect(),
        buckets,
    }
}

fn chess() -> OwnNetwork {
    network(NetworkGame::Chess, (0..64).map(|square| square / 16 % 4).collect(), 8)
}

#[test]
fn every_instruction_set_agrees_move_by_move() {
    let files = [chess(), network(NetworkGame::Shogi, (0..81).map(|square| square % 9 / 3).collect(), 1)];
    assert!(moves::check::<Chess>(&files[0].to_bytes(), &[Start::default()], 4, 53) > 300);
    assert!(moves::check::<Shogi>(&files[1].to_bytes(), &[Start::default()], 4, 53) > 300);
}

/// Computes the expected output directly from the definition of the format, in floating point.
#[test]
fn the_output_matches_the_definition_of_the_format() {
    let own = chess();
    let network = hasami_nnue::read(&own.to_bytes()).unwrap();
    assert_eq!((network.stacks(), network.rows()), (8, 3_072));
    let game = Chess::new(&Start { text: Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".into()), ..Start::default() }).unwrap();
    // White sees the king on e1 mirrored to d1, the pawn on e2 to d2, and Black's king on e8 to d8. Black sees the same
    // squares with the colours exchanged.
    let bucket = |square: usize| usize::from(own.buckets[square]);
    let rows =
        |base: usize, planes: [(usize, usize); 3]| planes.map(|(plane, square)| 768 * base + 64 * plane + square);
    let (d1, d2, d8, d7) = (3, 11, 59, 51);
    let white = rows(bucket(d1), [(10, d1), (0, d2), (11, d8)]);
    let black = rows(bucket(d1), [(11, d8), (1, d7), (10, d1)]);
    let half = |rows: [usize; 3]| -> Vec<f64> {
        let value =
            |i| f64::from(own.biases[i]) + rows.iter().map(|row| f64::from(own.weights[row * 128 + i])).sum::<f64>();
        (0..128).map(|i| (value(i) / 255.0).clamp(0.0, 1.0).powi(2)).collect()
    };
    let (bias, weights) = &own.stacks[0];
    let inputs: Vec<f64> = [half(white), half(black)].concat();
    let sum: f64 = inputs.iter().zip(weights).map(|(x, &w)| x * f64::from(w) / 64.0).sum();
    let expected = (sum + f64::from(*bias) / (255.0 * 64.0)) * 400.0;
    let mut eval = NetworkEval::new(Arc::new(network));
    eval.refresh(&game);
    let found = Evaluator::<Chess>::evaluate(&mut eval, &game);
    assert!((f64::from(found) - expected).abs() < 1.1, "{found} {expected}");
}

#[test]
fn written_files_are_read_back() {
    let buckets: Vec<u8> = (0..81).map(|square| square % 9 / 3).collect();
    for own in [chess(), network(NetworkGame::Shogi, buckets, 3)] {
        assert_eq!(OwnNetwork::parse(&own.to_bytes()), Ok(own));
    }
    let found = OwnNetwork::parse(b"HASAMIT2 and more").unwrap_err();
    assert_eq!(found.to_string(), "expected the word HASAMINN, found another file");
}

#[test]
fn invalid_own_files_are_rejected_with_one_clear_line() {
    let whole = chess().to_bytes();
    let refused = |bytes: &[u8]| hasami_nnue::read(bytes).unwrap_err().to_string();
    assert_eq!(
        refused(&whole[..whole.len() - 1]),
        "expected 512 bytes of an output's weights at byte 397219, found 511"
    );
    assert_eq!(refused(&[&whole[..], b"x"].concat()), "expected the end of the file, found 1 bytes more");
    let with = |at: usize, number: u32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        refused(&bytes)
    };
    // Version 1 of the format was not compressed, and version 3 had hidden layers.
    for version in [1, 3, 4] {
        assert_eq!(with(8, version), format!("expected version 2 of the format, found version {version}"));
    }
    assert_eq!(with(12, 2), "expected the number of the game from 0 to 1, found 2");
    assert_eq!(with(16, 200), "expected a multiple of 128 values a side, found 200");
    assert_eq!(with(28, u32::MAX), "expected the length of the description from 0 to 65536, found 4294967295");
    let mut own = chess();
    own.stacks[3].1[5] = 128;
    assert_eq!(refused(&own.to_bytes()), "expected output weights from -127 to 127, found 128");
}
