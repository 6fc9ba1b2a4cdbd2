//! This program's own format: plain features of pieces on squares and in hand, one layer per side, and either squares of
//! clipped values with one output, or two hidden layers of clipped values before it.
//!
//! All numbers are little-endian. Values and first-layer weights are quantized by a factor of 255, or of 127 with hidden
//! layers; the weights of the other layers by 64.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | the word `HASAMINN` |
//! | 4 | version, 2; 1 where the weights of the first layer are not compressed; 3 with hidden layers |
//! | 4 | game: 0 chess, 1 shogi |
//! | 4 | width: number of values per side, a multiple of 128, at most 2,048 |
//! | 4 | stacks of output weights, 1 to 32; selected by (pieces on the board - 1) x stacks / largest number of pieces on a board |
//! | 4 | centipawns per output of 1.0 |
//! | 4 | only version 3: number of values in each of the two hidden layers, 16, 32, 48 or 64 |
//! | 4, n | length and text of the description, UTF-8 |
//! | 64 or 81 | for each square of the own king, from its side's point of view: its bucket, if the square is on files a to d (chess) or 1 to 5 (shogi); 0 for other squares, for which the board is mirrored |
//! | 2 x width | biases of the first layer, i16 |
//! | 21, n | `COMPRESSED_LEB128` and the length n, then width x rows weights of the first layer as signed LEB128 numbers; rows: 768 (chess) or 2,344 (shogi) times the number of buckets. Most take one byte; version 1 has them as i16 |
//! | stacks times 4 + 4 x width | versions 1 and 2: bias (times 255 x 64), i32; weights of the side to move, then of the other side, i16, -127 to 127 |
//! | stacks times n | version 3, for each of the three dense layers: biases (times 127 x 64), i32; weights, i8, output by output; the inputs of the first one are the values of the side to move, then of the other side |

use super::head::MOST_DESCRIPTION;
use crate::affine::{Affine, MOST_OUTPUTS, OUTPUT_STEP};
use crate::aligned::Aligned;
use crate::bytes::{self, Bytes};
use crate::dense::{Dense, Output};
use crate::error::NetworkError;
use crate::features::FeatureSet;
use crate::game::NetworkGame;
use crate::kernels::Kernels;
use crate::network::{FirstLayer, Layers, Network, Scale, StackRule};
use std::sync::OnceLock;

/// The marker at the beginning of a file.
pub const WORD: &[u8; 8] = b"HASAMINN";
const VERSION: u32 = 2;
const HIDDEN_VERSION: u32 = 3;
const WEIGHTS: &str = "the first layer's weights";
const MOST_WIDTH: usize = 2_048;
const MOST_STACKS: usize = 32;
/// Quantization factors of the values and of the output weights.
const UNITS: [i64; 2] = [255, 64];
/// The same with hidden layers.
const HIDDEN_UNITS: [i64; 2] = [127, 64];

/// The contents of a file in this program's format, in the form that a trainer has.
#[derive(Clone, PartialEq, Debug)]
pub struct OwnNetwork {
    /// The game.
    pub game: NetworkGame,
    /// Number of values per side.
    pub width: usize,
    /// Centipawns per output of 1.0.
    pub scale: u32,
    /// The description, which says where the network comes from.
    pub description: String,
    /// Buckets by the king's square: 64 or 81.
    pub buckets: Vec<u8>,
    /// Biases of the first layer: `width` values.
    pub biases: Vec<i16>,
    /// Weights of the first layer: `rows x width`, row by row.
    pub weights: Vec<i16>,
    /// For each stack, the bias and `2 x width` weights; empty with hidden layers.
    pub stacks: Vec<(i32, Vec<i16>)>,
    /// For each stack, its dense layers; empty without hidden layers.
    pub dense: Vec<OwnDense>,
}

/// A stack of dense layers: for each of the three, its biases, and its weights output by output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnDense(pub [(Vec<i32>, Vec<i8>); 3]);

impl OwnNetwork {
    /// The bytes with which a file begins.
    pub const WORD: &'static [u8; 8] = WORD;

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Says what was expected and what was found.
    pub fn parse(file: &[u8]) -> Result<Self, NetworkError> {
        let mut bytes = Bytes::new(file);
        if bytes.take(WORD.len(), "the word HASAMINN")? != WORD {
            return Err(NetworkError::new("expected the word HASAMINN, found another file".into()));
        }
        let version = number(&mut bytes, "the version", 1..=HIDDEN_VERSION as usize)?;
        let game = [NetworkGame::Chess, NetworkGame::Shogi][number(&mut bytes, "the number of the game", 0..=1)?];
        let width = number(&mut bytes, "values a side", 128..=MOST_WIDTH)?;
        if !width.is_multiple_of(128) {
            return Err(NetworkError::new(format!("expected a multiple of 128 values a side, found {width}")));
        }
        let stacks = number(&mut bytes, "the number of stacks", 1..=MOST_STACKS)?;
        let scale = number(&mut bytes, "the scale", 1..=10_000)? as u32;
        let hidden = match version == HIDDEN_VERSION as usize {
            true => number(&mut bytes, "values in a hidden layer", OUTPUT_STEP..=MOST_OUTPUTS)?,
            false => 0,
        };
        if !hidden.is_multiple_of(OUTPUT_STEP) {
            return Err(NetworkError::new(format!(
                "expected a multiple of {OUTPUT_STEP} values in a hidden layer, found {hidden}"
            )));
        }
        let length = number(&mut bytes, "the length of the description", 0..=MOST_DESCRIPTION)?;
        let description = String::from_utf8_lossy(bytes.take(length, "the description")?).into_owned();
        let buckets = match game {
            NetworkGame::Chess => bytes.array::<64>("the king buckets")?.to_vec(),
            NetworkGame::Shogi => bytes.array::<81>("the king buckets")?.to_vec(),
        };
        let rows = features(game, &buckets)?.rows;
        let biases = bytes.i16s(width, "the first layer's biases")?.to_vec();
        let weights = match version {
            1 => bytes.i16s(width * rows, WEIGHTS)?.to_vec(),
            _ => compressed(&mut bytes, width * rows)?,
        };
        let (squared, dense) = if hidden == 0 { (stacks, 0) } else { (0, stacks) };
        let stacks: Vec<_> = (0..squared).map(|_| stack(&mut bytes, width)).collect::<Result<_, _>>()?;
        let dense = (0..dense).map(|_| dense_stack(&mut bytes, [2 * width, hidden, hidden]));
        let dense: Vec<_> = dense.collect::<Result<_, _>>()?;
        if bytes.left() > 0 {
            return Err(NetworkError::new(format!("expected the end of the file, found {} bytes more", bytes.left())));
        }
        Ok(Self { game, width, scale, description, buckets, biases, weights, stacks, dense })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = WORD.to_vec();
        let text = self.description.as_bytes();
        let hidden = self.hidden();
        let version = if hidden.is_some() { HIDDEN_VERSION } else { VERSION };
        let numbers = [version, self.game as u32, self.width as u32, self.outputs() as u32, self.scale];
        let numbers = numbers.into_iter().chain(hidden.map(|hidden| hidden as u32)).chain([text.len() as u32]);
        numbers.for_each(|n| bytes.extend(n.to_le_bytes()));
        bytes.extend(text);
        bytes.extend(&self.buckets);
        let i16s = |numbers: &[i16]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>();
        bytes.extend(i16s(&self.biases));
        bytes::compress(&self.weights, &mut bytes);
        for (bias, weights) in &self.stacks {
            bytes.extend(bias.to_le_bytes());
            bytes.extend(i16s(weights));
        }
        for (biases, weights) in self.dense.iter().flat_map(|OwnDense(layers)| layers) {
            bytes.extend(biases.iter().flat_map(|n| n.to_le_bytes()));
            bytes.extend(weights.iter().map(|&n| n as u8));
        }
        bytes
    }

    /// Number of stacks, each of which has one output.
    pub fn outputs(&self) -> usize {
        self.stacks.len() + self.dense.len()
    }

    /// Number of values in each of the two hidden layers; `None` without hidden layers.
    pub fn hidden(&self) -> Option<usize> {
        self.dense.first().map(|OwnDense(layers)| layers[1].0.len())
    }
}

fn number(bytes: &mut Bytes<'_>, what: &str, range: std::ops::RangeInclusive<usize>) -> Result<usize, NetworkError> {
    let found = bytes.u32(what)? as usize;
    if range.contains(&found) {
        return Ok(found);
    }
    Err(NetworkError::new(format!("expected {what} from {} to {}, found {found}", range.start(), range.end())))
}

/// Reads a file in this format as a network.
pub fn read(file: &[u8]) -> Result<Network, NetworkError> {
    let own = OwnNetwork::parse(file)?;
    let features = features(own.game, &own.buckets)?;
    let buckets = match features.rows / elements(own.game) {
        1 => String::new(),
        count => format!(", {count} king buckets"),
    };
    let squared = own.stacks.iter().map(|(bias, weights)| (Aligned::copy(weights), *bias));
    let (layers, units) = match own.dense.is_empty() {
        true => (Layers::Squared(squared.collect()), UNITS),
        false => (Layers::Classic(own.dense.iter().map(ready).collect()), HIDDEN_UNITS),
    };
    let hidden = own.hidden().map_or_else(String::new, |hidden| format!("-{hidden}-{hidden}"));
    Ok(Network {
        game: own.game,
        name: format!("{} {}x2{hidden}{buckets}, {} outputs", features.name, own.width, own.outputs()),
        first: FirstLayer {
            features,
            width: own.width,
            biases: Aligned::copy(&own.biases),
            weights: Aligned::copy(&own.weights),
            piece_squares: None,
        },
        layers,
        stack_rule: StackRule::Pieces,
        scale: Scale { numerator: i64::from(own.scale), denominator: units[0] * units[1] },
        fv_scale: None,
        description: own.description,
        bytes: 0,
        sha256: [0; 32],
        kernels: Kernels::best(),
        spread: OnceLock::new(),
    })
}

/// Number of rows per bucket.
const fn elements(game: NetworkGame) -> usize {
    match game {
        NetworkGame::Chess => 768,
        NetworkGame::Shogi => 2_344,
    }
}

fn features(game: NetworkGame, buckets: &[u8]) -> Result<FeatureSet, NetworkError> {
    let wrong = || NetworkError::new(format!("expected a bucket for every square, found {}", buckets.len()));
    FeatureSet::own(game, buckets).ok_or_else(wrong)
}

fn compressed(bytes: &mut Bytes<'_>, count: usize) -> Result<Vec<i16>, NetworkError> {
    let numbers = bytes.compressed(WEIGHTS)?;
    if numbers.len() != count {
        return Err(NetworkError::new(format!("expected {count} numbers of {WEIGHTS}, found {}", numbers.len())));
    }
    Ok(bytes::narrow(&numbers, WEIGHTS)?.to_vec())
}

fn stack(bytes: &mut Bytes<'_>, width: usize) -> Result<(i32, Vec<i16>), NetworkError> {
    let bias = bytes.u32("an output's bias")? as i32;
    let weights = bytes.i16s(2 * width, "an output's weights")?;
    match weights.iter().find(|weight| weight.unsigned_abs() > 127) {
        None => Ok((bias, weights.to_vec())),
        Some(weight) => Err(NetworkError::new(format!("expected output weights from -127 to 127, found {weight}"))),
    }
}

fn dense_stack(bytes: &mut Bytes<'_>, inputs: [usize; 3]) -> Result<OwnDense, NetworkError> {
    let mut layer = |inputs, outputs| -> Result<_, NetworkError> {
        let biases = bytes.i32s(outputs, "a dense layer's biases")?.to_vec();
        Ok((biases, bytes.i8s(outputs * inputs, "a dense layer's weights")?))
    };
    let [first, second, last] = inputs;
    Ok(OwnDense([layer(first, second)?, layer(second, last)?, layer(last, 1)?]))
}

/// Brings the dense layers into the form in which they run.
fn ready(OwnDense([first, second, output]): &OwnDense) -> Dense {
    let affine = |(biases, weights): &(Vec<i32>, Vec<i8>)| {
        let inputs = weights.len() / biases.len();
        Affine::new(inputs, inputs, biases, weights)
    };
    let output = Output { bias: output.0[0], weights: output.1.clone() };
    Dense { first: affine(first), second: affine(second), output }
}
