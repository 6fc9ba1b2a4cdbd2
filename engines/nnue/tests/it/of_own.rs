//! This program's own format.

use crate::generated::Random;
use crate::moves;
use hasami_api::{Evaluator, Game, Start};
use hasami_chess::Chess;

use hasami_nnue::{Architecture, NetworkEval, NetworkGame, OwnDense, OwnNetwork};
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
        dense: Vec::new(),
        buckets,
    }
}

/// A network with two hidden layers of 32 values in each stack.
fn hidden(game: NetworkGame, buckets: Vec<u8>, stacks: usize) -> OwnNetwork {
    let mut random = Random::new(53);
    let mut layer = |inputs: usize, outputs: usize, most: usize| {
        let mut number = |most: usize| random.below(2 * most + 1) as i32 - most as i32;
        let biases = (0..outputs).map(|_| number(8_000)).collect();
        (biases, (0..inputs * outputs).map(|_| number(most) as i8).collect())
    };
    let dense = (0..stacks).map(|_| OwnDense([layer(256, 32, 40), layer(32, 32, 90), layer(32, 1, 127)])).collect();
    OwnNetwork { stacks: Vec::new(), dense, ..network(game, buckets, 0) }
}

fn chess() -> OwnNetwork {
    network(NetworkGame::Chess, (0..64).map(|square| square / 16 % 4).collect(), 8)
}

#[test]
fn every_instruction_set_agrees_move_by_move() {
    let files = [chess(), network(NetworkGame::Shogi, (0..81).map(|square| square % 9 / 3).collect(), 1)];
    assert!(moves::check::<Chess>(&files[0].to_bytes(), &[Start::default()], 4, 53) > 300);
    assert!(moves::check::<Shogi>(&files[1].to_bytes(), &[Start::default()], 4, 53) > 300);
    let hidden = hidden(NetworkGame::Shogi, (0..81).map(|square| square % 9 / 3).collect(), 4);
    assert!(moves::check::<Shogi>(&hidden.to_bytes(), &[Start::default()], 4, 53) > 300);
}

/// Computes the output directly from the definition of the format, in floating point.
#[test]
fn the_output_matches_the_definition_of_the_format() {
    let own = chess();
    let network = hasami_nnue::read(&own.to_bytes()).unwrap();
    assert_eq!((network.architecture(), network.stacks(), network.rows()), (Architecture::Squared, 8, 3_072));
    let game = Chess::new(&Start { text: Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".into()), ..Start::default() }).unwrap();
    // White's king on e1 is mirrored to d1, the pawn on e2 to d2, and the other king on e8 to d8. Black sees the same
    // with colours exchanged.
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

/// Computes the output of a network with hidden layers from the definition of the format, in whole numbers.
#[test]
fn the_output_of_hidden_layers_matches_the_definition_of_the_format() {
    let own = hidden(NetworkGame::Chess, vec![0; 64], 8);
    let network = hasami_nnue::read(&own.to_bytes()).unwrap();
    assert_eq!((network.architecture(), network.stacks(), network.rows()), (Architecture::Classic, 8, 768));
    assert!(network.name().ends_with("128x2-32-32, 8 outputs"), "{}", network.name());
    let game = Chess::new(&Start { text: Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".into()), ..Start::default() }).unwrap();
    let (d1, d2, d8, d7) = (3, 11, 59, 51);
    let half = |rows: [usize; 3]| -> Vec<i32> {
        let value =
            |i| i32::from(own.biases[i]) + rows.iter().map(|row| i32::from(own.weights[row * 128 + i])).sum::<i32>();
        (0..128).map(|i| value(i).clamp(0, 127)).collect()
    };
    let white = half([640 + d1, d2, 704 + d8]);
    let black = half([704 + d8, 64 + d7, 640 + d1]);
    let mut values = [white, black].concat();
    for (biases, weights) in &own.dense[0].0 {
        let sums = biases.iter().zip(weights.chunks(values.len())).map(|(bias, weights)| {
            bias + weights.iter().zip(&values).map(|(&weight, value)| i32::from(weight) * value).sum::<i32>()
        });
        let sums: Vec<i32> = sums.collect();
        values = if sums.len() == 1 { sums } else { sums.into_iter().map(|sum| (sum >> 6).clamp(0, 127)).collect() };
    }
    let mut eval = NetworkEval::new(Arc::new(network));
    eval.refresh(&game);
    assert_eq!(eval.output(&game), i64::from(values[0]));
    assert_eq!(Evaluator::<Chess>::evaluate(&mut eval, &game), values[0] * 400 / (127 * 64));
}

#[test]
fn written_files_are_read_back() {
    let buckets: Vec<u8> = (0..81).map(|square| square % 9 / 3).collect();
    for own in [chess(), network(NetworkGame::Shogi, buckets.clone(), 3), hidden(NetworkGame::Shogi, buckets, 2)] {
        assert_eq!(OwnNetwork::parse(&own.to_bytes()), Ok(own));
    }
    let found = OwnNetwork::parse(b"HASAMIT2 and more").unwrap_err();
    assert_eq!(found.to_string(), "expected the word HASAMINN, found another file");
}

/// In version 1, the weights of the first layer are 16 bits each.
#[test]
fn files_of_version_1_are_read() {
    let own = chess();
    let file = own.to_bytes();
    let word = b"COMPRESSED_LEB128";
    let at = file.windows(word.len()).position(|bytes| bytes == word).unwrap();
    let length = u32::from_le_bytes(file[at + word.len()..][..4].try_into().unwrap()) as usize;
    let weights: Vec<u8> = own.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    let mut old = [&file[..at], &weights, &file[at + word.len() + 4 + length..]].concat();
    old[8] = 1;
    assert_eq!(OwnNetwork::parse(&old), Ok(own));
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
    assert_eq!(with(8, 4), "expected the version from 1 to 3, found 4");
    assert_eq!(with(8, 3), "expected values in a hidden layer from 16 to 64, found 14");
    assert_eq!(with(12, 2), "expected the number of the game from 0 to 1, found 2");
    assert_eq!(with(16, 200), "expected a multiple of 128 values a side, found 200");
    assert_eq!(with(28, u32::MAX), "expected the length of the description from 0 to 65536, found 4294967295");
    let mut own = chess();
    own.stacks[3].1[5] = 128;
    assert_eq!(refused(&own.to_bytes()), "expected output weights from -127 to 127, found 128");
}
