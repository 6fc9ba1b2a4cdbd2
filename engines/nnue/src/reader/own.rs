//! Our own format: plain inputs of pieces on squares and in hands, one layer a side, squares of clipped values, one output.
//!
//! All numbers little-endian. Quantisation: values and first-layer weights times 255, output weights times 64.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | the word `HASAMINN` |
//! | 4 | version, 1 |
//! | 4 | game: 0 chess, 1 shogi |
//! | 4 | width: values a side, a multiple of 128, at most 2,048 |
//! | 4 | stacks of output weights, 1 to 32, chosen by (pieces on the board - 1) x stacks / most pieces on a board |
//! | 4 | centipawns of an output of 1.0 |
//! | 4, n | length and text of the description, UTF-8 |
//! | 64 or 81 | for each square of the own king, as its side sees it, on files a to d (chess) or 1 to 5 (shogi): its bucket. Other squares: 0, the board is mirrored for them |
//! | 2 x width | biases of the first layer, i16 |
//! | 2 x width x rows | its weights, i16; rows: 768 (chess) or 2,344 (shogi) times buckets |
//! | stacks times 4 + 4 x width | bias (times 255 x 64), i32; weights of the side to move, then of the other, i16, -127 to 127 |

use super::head::MOST_DESCRIPTION;
use crate::aligned::Aligned;
use crate::bytes::Bytes;
use crate::error::NetworkError;
use crate::features::{of_chess, of_shogi};
use crate::game::NetworkGame;
use crate::kernels::Kernels;
use crate::network::{FirstLayer, Layers, Network, Scale, StackRule};

/// The word at the beginning.
pub const WORD: &[u8; 8] = b"HASAMINN";
const VERSION: u32 = 1;
const MOST_WIDTH: usize = 2_048;
const MOST_STACKS: usize = 32;
/// The unit of values, and of the output's weights.
const UNITS: [i64; 2] = [255, 64];

/// The contents of a file of ours, as a trainer has them.
#[derive(Clone, PartialEq, Debug)]
pub struct OwnNetwork {
    /// The game.
    pub game: NetworkGame,
    /// Values a side.
    pub width: usize,
    /// Centipawns of an output of 1.0.
    pub scale: u32,
    /// Its origin, in words.
    pub description: String,
    /// By king's square: 64 or 81.
    pub buckets: Vec<u8>,
    /// `width`.
    pub biases: Vec<i16>,
    /// `rows x width`, a row after another.
    pub weights: Vec<i16>,
    /// By stack: the bias, and `2 x width` weights.
    pub stacks: Vec<(i32, Vec<i16>)>,
}

impl OwnNetwork {
    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = WORD.to_vec();
        let text = self.description.as_bytes();
        let numbers = [self.width as u32, self.stacks.len() as u32, self.scale, text.len() as u32];
        [VERSION, self.game as u32].into_iter().chain(numbers).for_each(|n| bytes.extend(n.to_le_bytes()));
        bytes.extend(text);
        bytes.extend(&self.buckets);
        let i16s = |numbers: &[i16]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>();
        bytes.extend(i16s(&self.biases));
        bytes.extend(i16s(&self.weights));
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

/// Reads what follows the word.
pub fn read(file: &[u8]) -> Result<Network, NetworkError> {
    let mut bytes = Bytes::new(file);
    bytes.take(WORD.len(), "the word HASAMINN")?;
    number(&mut bytes, "the version", VERSION as usize..=VERSION as usize)?;
    let game = [NetworkGame::Chess, NetworkGame::Shogi][number(&mut bytes, "the number of the game", 0..=1)?];
    let width = number(&mut bytes, "values a side", 128..=MOST_WIDTH)?;
    if !width.is_multiple_of(128) {
        return Err(NetworkError::new(format!("expected a multiple of 128 values a side, found {width}")));
    }
    let stacks = number(&mut bytes, "the number of stacks", 1..=MOST_STACKS)?;
    let scale = number(&mut bytes, "the scale", 1..=10_000)?;
    let length = number(&mut bytes, "the length of the description", 0..=MOST_DESCRIPTION)?;
    let description = String::from_utf8_lossy(bytes.take(length, "the description")?).into_owned();
    let features = match game {
        NetworkGame::Chess => of_chess::own(bytes.array("the king buckets")?),
        NetworkGame::Shogi => of_shogi::own(bytes.array("the king buckets")?),
    };
    let biases = bytes.i16s(width, "the first layer's biases")?;
    let weights = bytes.i16s(width * features.rows, "the first layer's weights")?;
    let stacks: Vec<_> = (0..stacks).map(|_| stack(&mut bytes, width)).collect::<Result<_, _>>()?;
    if bytes.left() > 0 {
        return Err(NetworkError::new(format!("expected the end of the file, found {} bytes more", bytes.left())));
    }
    let buckets = match features.rows / elements(game) {
        1 => String::new(),
        count => format!(", {count} king buckets"),
    };
    Ok(Network {
        game,
        name: format!("{} {width}x2{buckets}, {} outputs", features.name, stacks.len()),
        first: FirstLayer { features, width, biases, weights, piece_squares: None },
        layers: Layers::Squared(stacks),
        stack_rule: StackRule::Pieces,
        scale: Scale { numerator: scale as i64, denominator: UNITS[0] * UNITS[1] },
        fv_scale: None,
        description,
        bytes: 0,
        sha256: [0; 32],
        kernels: Kernels::best(),
    })
}

/// Rows of one bucket.
const fn elements(game: NetworkGame) -> usize {
    match game {
        NetworkGame::Chess => 768,
        NetworkGame::Shogi => 2_344,
    }
}

fn stack(bytes: &mut Bytes<'_>, width: usize) -> Result<(Aligned<i16>, i32), NetworkError> {
    let bias = bytes.u32("an output's bias")? as i32;
    let weights = bytes.i16s(2 * width, "an output's weights")?;
    match weights.iter().find(|weight| weight.unsigned_abs() > 127) {
        None => Ok((weights, bias)),
        Some(weight) => Err(NetworkError::new(format!("expected output weights from -127 to 127, found {weight}"))),
    }
}
