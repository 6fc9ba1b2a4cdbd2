//! Reads networks with three dense layers and clipped values: the usual shogi networks, and those of Stockfish 12 and
//! 13.

use super::head::{Head, MOST_PADDING, end};
use crate::affine::Affine;
use crate::bytes::Bytes;
use crate::dense::{Dense, Output};
use crate::error::NetworkError;
use crate::features::{FeatureSet, of_chess, of_shogi};
use crate::game::NetworkGame;
use crate::kernels::Kernels;
use crate::network::{FirstLayer, Layers, Network, Scale, StackRule};
use std::sync::OnceLock;

/// Widths of three layers: the first layer (per side), the first dense layer and the second dense layer.
type Shape = [usize; 3];

/// Returns all shapes that are recognized: first layers whose width is a multiple of 128, and dense layers with common
/// widths.
fn shapes() -> impl Iterator<Item = Shape> {
    let dense = [8, 16, 32, 64].into_iter().flat_map(|first| [32, 64].map(|second| [first, second]));
    dense.flat_map(|[first, second]| (1..=16).map(move |width| [128 * width, first, second]))
}

/// The default value of YaneuraOu's option `FV_SCALE`.
const FV_SCALE: u32 = 16;
/// Value of a pawn in the units of shogi networks.
const PAWN: i64 = 90;

/// In a file, each row of dense weights is padded to a multiple of this length.
const ROW_STEP: usize = 32;

/// Size of a dense layer in a file, in bytes.
const fn dense_bytes(inputs: usize, outputs: usize) -> usize {
    4 * outputs + outputs * inputs.next_multiple_of(ROW_STEP)
}

/// Size of a network file in bytes, without the hashes of its two sections.
const fn payload([width, first, second]: Shape, rows: usize) -> usize {
    2 * width * (1 + rows) + dense_bytes(2 * width, first) + dense_bytes(first, second) + dense_bytes(second, 1)
}

/// A game, feature set and shape that match the size of a file.
struct Candidate {
    game: NetworkGame,
    features: FeatureSet,
    shape: Shape,
    has_hashes: bool,
}

/// Returns a candidate whose files have the size `size`, preferably without padding at the end.
fn find(size: usize) -> Option<Candidate> {
    let shogi = of_shogi::ALL.iter().map(|set| (NetworkGame::Shogi, set()));
    let sets: Vec<_> = shogi.chain([(NetworkGame::Chess, of_chess::half_kp())]).collect();
    let fits = |most: usize| {
        sets.iter().find_map(|(game, features)| {
            shapes().find_map(|shape| {
                [true, false].into_iter().find_map(|has_hashes| {
                    let expected = payload(shape, features.rows) + if has_hashes { 8 } else { 0 };
                    (expected..=expected + most).contains(&size).then(|| Candidate {
                        game: *game,
                        features: features.clone(),
                        shape,
                        has_hashes,
                    })
                })
            })
        })
    };
    fits(0).or_else(|| fits(MOST_PADDING))
}

pub fn read(head: &Head<'_>) -> Result<Network, NetworkError> {
    let mut bytes = head.payload.clone();
    let Some(Candidate { game, features, shape, has_hashes }) = find(bytes.left()) else {
        let text = format!(
            "expected a network of a known size (shogi: HalfKP, HalfKP_vm, K+P, HalfKA of 128 to 2048 values, layer stacks; chess: \
             Stockfish 12, 13, 15 to 17.1), found {} bytes after the description '{}'",
            bytes.left(),
            head.description.chars().take(60).collect::<String>()
        );
        return Err(NetworkError::new(text));
    };
    let [width, first, second] = shape;
    if has_hashes {
        bytes.u32("the first layer's hash")?;
    }
    let biases = bytes.i16s(width, "the first layer's biases")?;
    let weights = bytes.i16s(width * features.rows, "the first layer's weights")?;
    if has_hashes {
        bytes.u32("the dense layers' hash")?;
    }
    let dense = Dense {
        first: affine(&mut bytes, 2 * width, first)?,
        second: affine(&mut bytes, first, second)?,
        output: output(&mut bytes, second)?,
    };
    end(&bytes)?;
    let (scale, fv_scale) = match game {
        NetworkGame::Shogi => (Scale { numerator: 100, denominator: PAWN * i64::from(FV_SCALE) }, Some(FV_SCALE)),
        // Stockfish multiplied the output by 5/4 and displayed 208 of the resulting units as a pawn.
        NetworkGame::Chess => (Scale { numerator: 125, denominator: 16 * 208 }, None),
    };
    Ok(Network {
        game,
        name: format!("{} {width}x2-{first}-{second}", features.name),
        first: FirstLayer { features, width, biases, weights, piece_squares: None },
        layers: Layers::Classic(dense),
        stack_rule: StackRule::Only,
        scale,
        fv_scale,
        description: String::new(),
        bytes: 0,
        sha256: [0; 32],
        kernels: Kernels::best(),
        spread: OnceLock::new(),
    })
}

/// Reads a dense layer.
pub fn affine(bytes: &mut Bytes<'_>, inputs: usize, outputs: usize) -> Result<Affine, NetworkError> {
    let row = inputs.next_multiple_of(ROW_STEP);
    let biases = bytes.i32s(outputs, "a dense layer's biases")?;
    let weights = bytes.i8s(outputs * row, "a dense layer's weights")?;
    Ok(Affine::new(inputs, row, &biases, &weights))
}

/// Reads the last layer.
pub fn output(bytes: &mut Bytes<'_>, inputs: usize) -> Result<Output, NetworkError> {
    let biases = bytes.i32s(1, "the output's bias")?;
    let mut weights = bytes.i8s(inputs.next_multiple_of(ROW_STEP), "the output's weights")?;
    weights.truncate(inputs);
    Ok(Output { bias: biases[0], weights })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn no_two_architectures_have_the_same_size() {
        let rows = of_shogi::ALL.iter().map(|set| set().rows).chain([of_chess::half_kp().rows]);
        let mut found = BTreeMap::new();
        for rows in rows {
            for shape in shapes() {
                for hashes in [0, 8] {
                    let other = found.insert(payload(shape, rows) + hashes, (rows, shape));
                    assert_eq!(other, None, "{rows} {shape:?}");
                }
            }
        }
    }
}
