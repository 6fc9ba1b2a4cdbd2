//! Reads networks that multiply the halves of the first layer: Stockfish 15 to 17.1, and shogi's layer stacks (SFNN).

use super::classic::{affine, output};
use super::head::{self, Head, end};
use crate::affine::MOST_INPUTS;
use crate::aligned::Aligned;
use crate::bytes::{Bytes, narrow};
use crate::dense::Product;
use crate::error::NetworkError;
use crate::features::{of_chess, of_shogi};
use crate::game::NetworkGame;
use crate::kernels::Kernels;
use crate::network::{FirstLayer, Layers, Network, PIECE_SQUARE_STACKS, Scale, StackRule};
use std::sync::OnceLock;

/// The dense layers of Stockfish networks: number of outputs of the first layer, including the shortcut; number of
/// outputs of the second layer; number of stacks.
const CHESS_DENSE: [usize; 3] = [16, 32, 8];
/// First-layer widths of Stockfish's networks, including its small networks.
const CHESS_WIDTHS: [usize; 5] = [1024, 1536, 2560, 3072, 128];
/// Factor of the shortcut in Stockfish networks: the unit of the trainer's output divided by that of the dense layers.
const CHESS_SHORTCUT: (i32, i32) = (600 * 16, 127 * 64);

/// Number of stacks of shogi networks, selected by the ranks of the kings.
const SHOGI_STACKS: usize = 9;
/// The default `FV_SCALE` of shogi networks with layer stacks, which suits most of them.
const SHOGI_FV_SCALE: u32 = 28;

/// Reads a network file that has a compressed first layer or the size of a Stockfish network. Returns `None` for all
/// other files.
pub fn read(head: &Head<'_>) -> Result<Option<Network>, NetworkError> {
    let mut bytes = head.payload.clone();
    if head.payload.is_compressed() {
        return compressed(bytes, &head.description).map(Some);
    }
    if bytes.left() < 4 {
        return Ok(None);
    }
    bytes.u32("the first layer's hash")?;
    if bytes.is_compressed() {
        return compressed(bytes, &head.description).map(Some);
    }
    raw(bytes)
}

/// Reads an uncompressed network (Stockfish 15 and 15.1), which is recognized by its size.
fn raw(mut bytes: Bytes<'_>) -> Result<Option<Network>, NetworkError> {
    let features = of_chess::half_ka_v2_hm();
    let Some(width) = CHESS_WIDTHS.into_iter().find(|&width| {
        let first = 2 * width * (1 + features.rows) + 4 * PIECE_SQUARE_STACKS * features.rows;
        (first + chess_dense_bytes(width)..=first + chess_dense_bytes(width) + head::MOST_PADDING)
            .contains(&bytes.left())
    }) else {
        return Ok(None);
    };
    let biases = bytes.i16s(width, "the first layer's biases")?;
    let weights = bytes.i16s(width * features.rows, "the first layer's weights")?;
    let piece_squares = bytes.i32s(PIECE_SQUARE_STACKS * features.rows, "the piece-square weights")?;
    chess(bytes, FirstLayer { features, width, biases, weights, piece_squares: Some(piece_squares) }).map(Some)
}

/// Total size of the stacks of a Stockfish network, in bytes.
const fn chess_dense_bytes(width: usize) -> usize {
    let [first, second, stacks] = CHESS_DENSE;
    stacks * (4 + 4 * first + first * width + 4 * second + second * 32 + 4 + second)
}

/// Reads a network with two compressed arrays (shogi) or three (chess).
fn compressed(mut bytes: Bytes<'_>, description: &str) -> Result<Network, NetworkError> {
    let biases = bytes.compressed("the first layer's biases")?;
    let weights = bytes.compressed("the first layer's weights")?;
    let width = biases.len();
    if width == 0 || !width.is_multiple_of(128) || width > MOST_INPUTS || !weights.len().is_multiple_of(width) {
        let text = format!(
            "expected whole rows of a multiple of 128 values, found {} values in rows of {width}",
            weights.len()
        );
        return Err(NetworkError::new(text));
    }
    let rows = weights.len() / width;
    let (biases, weights) =
        (narrow(&biases, "the first layer's biases")?, narrow(&weights, "the first layer's weights")?);
    if bytes.is_compressed() {
        let features = of_chess::half_ka_v2_hm();
        let piece_squares = bytes.compressed("the piece-square weights")?;
        if rows != features.rows || piece_squares.len() != PIECE_SQUARE_STACKS * rows {
            let text = format!(
                "expected {} rows and 8 piece-square weights for each, found {rows} rows and {} weights",
                features.rows,
                piece_squares.len()
            );
            return Err(NetworkError::new(text));
        }
        let piece_squares = Some(Aligned::copy(&piece_squares));
        return chess(bytes, FirstLayer { features, width, biases, weights, piece_squares });
    }
    let Some(features) = of_shogi::ALL.iter().map(|set| set()).find(|set| set.rows == rows) else {
        return Err(NetworkError::new(format!("expected the rows of a feature set of shogi, found {rows}")));
    };
    shogi(bytes, FirstLayer { features, width, biases, weights, piece_squares: None }, description)
}

fn chess(mut bytes: Bytes<'_>, first: FirstLayer) -> Result<Network, NetworkError> {
    let [hidden, second, stacks] = CHESS_DENSE;
    let width = first.width;
    let stacks = stacks_of(&mut bytes, width, [hidden, second, stacks], Some(CHESS_SHORTCUT))?;
    end(&bytes)?;
    // The number of output units that Stockfish displays as one pawn: 361 in Stockfish 15.1, 328 in 16, 356 in 16.1,
    // and about 377 in 17.
    let pawn = match width {
        1536 => 328,
        2560 => 356,
        3072 | 128 => 377,
        _ => 361,
    };
    Ok(network(
        NetworkGame::Chess,
        first,
        stacks,
        StackRule::Pieces,
        (Scale { numerator: 100, denominator: 16 * pawn }, None),
    ))
}

fn shogi(mut bytes: Bytes<'_>, first: FirstLayer, description: &str) -> Result<Network, NetworkError> {
    let dense = shogi_dense(bytes.left(), first.width).ok_or_else(|| {
        let shown = description.chars().take(60).collect::<String>();
        NetworkError::new(format!(
            "expected nine layer stacks behind {} values, found {} bytes of '{shown}'",
            first.width,
            bytes.left()
        ))
    })?;
    let [hidden, second] = dense;
    // If the first dense layer has a multiple of eight outputs, the last of them is a shortcut.
    let shortcut = (hidden % 8 == 0).then_some((1, 1));
    let stacks = stacks_of(&mut bytes, first.width, [hidden, second, SHOGI_STACKS], shortcut)?;
    end(&bytes)?;
    let scale = Scale { numerator: 100, denominator: 90 * i64::from(SHOGI_FV_SCALE) };
    Ok(network(NetworkGame::Shogi, first, stacks, StackRule::KingRanks, (scale, Some(SHOGI_FV_SCALE))))
}

/// Finds dense layer widths that match the number of bytes left in the file.
fn shogi_dense(left: usize, width: usize) -> Option<[usize; 2]> {
    let size = |[hidden, second]: [usize; 2]| {
        let middle = (2 * (hidden - 1)).next_multiple_of(32);
        SHOGI_STACKS
            * (4 + 4 * hidden + hidden * width + 4 * second + second * middle + 4 + second.next_multiple_of(32))
    };
    let shapes = [[16, 32], [8, 32], [8, 64], [16, 64], [32, 32]];
    shapes.into_iter().find(|&shape| (size(shape)..=size(shape) + head::MOST_PADDING).contains(&left))
}

fn stacks_of(
    bytes: &mut Bytes<'_>,
    width: usize,
    [hidden, second, stacks]: [usize; 3],
    shortcut: Option<(i32, i32)>,
) -> Result<Vec<Product>, NetworkError> {
    let middle = 2 * (hidden - usize::from(shortcut.is_some()));
    let one = |_| {
        bytes.u32("a stack's hash")?;
        Ok(Product {
            first: affine(bytes, width, hidden)?,
            second: affine(bytes, middle, second)?,
            output: output(bytes, second)?,
            shortcut,
        })
    };
    (0..stacks).map(one).collect()
}

fn network(
    game: NetworkGame,
    first: FirstLayer,
    stacks: Vec<Product>,
    stack_rule: StackRule,
    (scale, fv_scale): (Scale, Option<u32>),
) -> Network {
    let (width, count) = (first.width, stacks.len());
    let name = match stacks.first() {
        Some(stack) => {
            let (hidden, second) = (stack.first.outputs, stack.second.outputs);
            format!("{} {width}-{}+1-{second}, {count} stacks", first.features.name, hidden - 1)
        }
        None => first.features.name.to_owned(),
    };
    Network {
        game,
        name,
        first,
        layers: Layers::Product(stacks),
        stack_rule,
        scale,
        fv_scale,
        description: String::new(),
        bytes: 0,
        sha256: [0; 32],
        kernels: Kernels::best(),
        spread: OnceLock::new(),
    }
}
