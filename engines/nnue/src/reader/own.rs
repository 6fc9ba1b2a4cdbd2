//! Reads and writes Hasami's own format: plain features of pieces on squares and in hand, a first layer for each side,
//! and one output computed from the squares of the first layer's clipped values.
//!
//! Numbers are little-endian. Values and first-layer weights are quantized by a factor of 255, output weights by 64.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | the word `HASAMINN` |
//! | 4 | version, 2 |
//! | 4 | game: 0 chess, 1 shogi |
//! | 4 | width: number of values per side, a multiple of 128, at most 2,048 |
//! | 4 | stacks of output weights, 1 to 32; selected by (pieces on the board - 1) x stacks / largest number of pieces on a board |
//! | 4 | centipawns per output of 1.0 |
//! | 4, n | length and text of the description, UTF-8 |
//! | 64 or 81 | for each square of the own king, from its side's point of view: its bucket, if the square is on files a to d (chess) or 1 to 5 (shogi); 0 for other squares, for which the board is mirrored |
//! | 2 x width | biases of the first layer, i16 |
//! | 21, n | `COMPRESSED_LEB128` and the length n, then width x rows weights of the first layer as signed LEB128 numbers, most of which take one byte; rows: 768 (chess) or 2,344 (shogi) times the number of buckets |
//! | stacks times 4 + 4 x width | bias (times 255 x 64), i32; weights of the side to move, then of the other side, i16, -127 to 127 |

use super::head::MOST_DESCRIPTION;
use crate::aligned::Aligned;
use crate::bytes::{self, Bytes};
use crate::error::NetworkError;
use crate::features::FeatureSet;
use crate::game::NetworkGame;
use crate::kernels::Kernels;
use crate::network::{FirstLayer, Layers, Network, Scale, StackRule};
use std::sync::OnceLock;

/// The marker at the beginning of a network file.
pub const WORD: &[u8; 8] = b"HASAMINN";
const VERSION: u32 = 2;
const WEIGHTS: &str = "the first layer's weights";
const MOST_WIDTH: usize = 2_048;
const MOST_STACKS: usize = 32;
/// Quantization factors of the first layer's values and of the output weights.
const UNITS: [i64; 2] = [255, 64];

/// The contents of a network file in Hasami's own format, with integer weights as in the file.
#[derive(Clone, PartialEq, Debug)]
pub struct OwnNetwork {
    /// The game that the network evaluates.
    pub game: NetworkGame,
    /// Number of first-layer values per side.
    pub width: usize,
    /// Number of centipawns for an output of 1.0.
    pub scale: u32,
    /// The description, which states where the network comes from.
    pub description: String,
    /// The bucket of each king's square: 64 numbers in chess, 81 in shogi.
    pub buckets: Vec<u8>,
    /// Biases of the first layer: `width` values.
    pub biases: Vec<i16>,
    /// Weights of the first layer: `rows x width`, row by row.
    pub weights: Vec<i16>,
    /// The output layer of each stack: the bias and `2 x width` weights.
    pub stacks: Vec<(i32, Vec<i16>)>,
}

impl OwnNetwork {
    /// Parses the bytes of a network file in Hasami's own format.
    ///
    /// # Errors
    /// Returns an error if the file is malformed.
    pub fn parse(file: &[u8]) -> Result<Self, NetworkError> {
        let mut bytes = Bytes::new(file);
        if bytes.take(WORD.len(), "the word HASAMINN")? != WORD {
            return Err(NetworkError::new("expected the word HASAMINN, found another file".into()));
        }
        let version = bytes.u32("the version")?;
        if version != VERSION {
            return Err(NetworkError::new(format!(
                "expected version {VERSION} of the format, found version {version}"
            )));
        }
        let game = [NetworkGame::Chess, NetworkGame::Shogi][number(&mut bytes, "the number of the game", 0..=1)?];
        let width = number(&mut bytes, "values a side", 128..=MOST_WIDTH)?;
        if !width.is_multiple_of(128) {
            return Err(NetworkError::new(format!("expected a multiple of 128 values a side, found {width}")));
        }
        let stacks = number(&mut bytes, "the number of stacks", 1..=MOST_STACKS)?;
        let scale = number(&mut bytes, "the scale", 1..=10_000)? as u32;
        let length = number(&mut bytes, "the length of the description", 0..=MOST_DESCRIPTION)?;
        let description = String::from_utf8_lossy(bytes.take(length, "the description")?).into_owned();
        let buckets = match game {
            NetworkGame::Chess => bytes.array::<64>("the king buckets")?.to_vec(),
            NetworkGame::Shogi => bytes.array::<81>("the king buckets")?.to_vec(),
        };
        let rows = features(game, &buckets)?.rows;
        let biases = bytes.i16s(width, "the first layer's biases")?.to_vec();
        let weights = compressed(&mut bytes, width * rows)?;
        let stacks: Vec<_> = (0..stacks).map(|_| stack(&mut bytes, width)).collect::<Result<_, _>>()?;
        if bytes.left() > 0 {
            return Err(NetworkError::new(format!("expected the end of the file, found {} bytes more", bytes.left())));
        }
        Ok(Self { game, width, scale, description, buckets, biases, weights, stacks })
    }

    /// Returns the contents as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = WORD.to_vec();
        let text = self.description.as_bytes();
        let [width, outputs, length] = [self.width, self.stacks.len(), text.len()].map(|number| number as u32);
        for number in [VERSION, self.game as u32, width, outputs, self.scale, length] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(text);
        bytes.extend(&self.buckets);
        let i16s = |numbers: &[i16]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>();
        bytes.extend(i16s(&self.biases));
        bytes::compress(&self.weights, &mut bytes);
        for (bias, weights) in &self.stacks {
            bytes.extend(bias.to_le_bytes());
            bytes.extend(i16s(weights));
        }
        bytes
    }
}

fn number(bytes: &mut Bytes<'_>, what: &str, range: std::ops::RangeInclusive<usize>) -> Result<usize, NetworkError> {
    let found = bytes.u32(what)? as usize;
    if range.contains(&found) {
        return Ok(found);
    }
    Err(NetworkError::new(format!("expected {what} from {} to {}, found {found}", range.start(), range.end())))
}

/// Reads a network from the bytes of a file in Hasami's own format.
pub fn read(file: &[u8]) -> Result<Network, NetworkError> {
    let own = OwnNetwork::parse(file)?;
    let features = features(own.game, &own.buckets)?;
    let buckets = match features.rows / elements(own.game) {
        1 => String::new(),
        count => format!(", {count} king buckets"),
    };
    let squared = own.stacks.iter().map(|(bias, weights)| (Aligned::copy(weights), *bias));
    Ok(Network {
        game: own.game,
        name: format!("{} {}x2{buckets}, {} outputs", features.name, own.width, own.stacks.len()),
        first: FirstLayer {
            features,
            width: own.width,
            biases: Aligned::copy(&own.biases),
            weights: Aligned::copy(&own.weights),
            piece_squares: None,
        },
        layers: Layers::Squared(squared.collect()),
        stack_rule: StackRule::Pieces,
        scale: Scale { numerator: i64::from(own.scale), denominator: UNITS[0] * UNITS[1] },
        fv_scale: None,
        description: own.description,
        bytes: 0,
        sha256: [0; 32],
        kernels: Kernels::best(),
        spread: OnceLock::new(),
    })
}

/// Number of first-layer rows per bucket.
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
