//! A network in memory: what it sees, its layers, and how its numbers are read.

use crate::aligned::Aligned;
use crate::dense::{Dense, Product};
use crate::features::FeatureSet;
use crate::game::NetworkGame;
use crate::kernels::{InstructionSet, Kernels};
use std::sync::OnceLock;

/// What lies behind the first layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Architecture {
    /// Both halves clipped, three dense layers (Nasu 2018; Stockfish 12).
    Classic,
    /// Products of the two halves of each side, squares beside clipped values, a shortcut to the output (Stockfish 15 and later);
    /// with sums of pieces on squares beside it.
    ProductWithPieceSquares,
    /// The same without those sums (shogi's "SFNN").
    Product,
    /// Squares of clipped values and one output (our own).
    Squared,
}

/// How the stack of dense layers is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackRule {
    /// There is one.
    Only,
    /// By the number of pieces on the board: (pieces - 1) x stacks / most pieces on a board (32 or 40).
    Pieces,
    /// By the thirds of the board in which the two kings stand, as the side to move sees them (nine stacks).
    KingRanks,
}

/// Sums of pieces on squares: eight numbers a row, one for each stack.
pub const PIECE_SQUARE_STACKS: usize = 8;

/// From the sum over features to integers that enter the dense layers.
pub struct FirstLayer {
    pub features: FeatureSet,
    /// Values a side.
    pub width: usize,
    pub biases: Aligned<i16>,
    /// `rows x width`, a row after another.
    pub weights: Aligned<i16>,
    /// `rows x 8`, if the network has them.
    pub piece_squares: Option<Aligned<i32>>,
}

/// The layers behind the first.
pub enum Layers {
    /// One of three dense layers.
    Classic(Dense),
    /// By stack.
    Product(Vec<Product>),
    /// By stack: weights of the side to move, then of the other (`2 x width`); and a bias.
    Squared(Vec<(Aligned<i16>, i32)>),
}

/// From the last layer's number to centipawns: times `numerator`, divided by `denominator`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    pub numerator: i64,
    pub denominator: i64,
}

/// A network, ready to run. It is read once and shared by all searches.
pub struct Network {
    pub(crate) game: NetworkGame,
    pub(crate) name: String,
    pub(crate) first: FirstLayer,
    pub(crate) layers: Layers,
    pub(crate) stack_rule: StackRule,
    pub(crate) scale: Scale,
    /// The divisor of shogi's programs, where the network has one.
    pub(crate) fv_scale: Option<u32>,
    pub(crate) description: String,
    pub(crate) bytes: usize,
    pub(crate) sha256: [u8; 32],
    pub(crate) kernels: Kernels,
    /// How far the last layer's numbers spread, found when it is asked for.
    pub(crate) spread: OnceLock<i64>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").field("name", &self.name).field("sha256", &self.sha256_text()).finish_non_exhaustive()
    }
}

/// Equal where the file and the scale are.
impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        (self.sha256, self.fv_scale) == (other.sha256, other.fv_scale)
    }
}

impl Network {
    /// The game it was made for.
    pub const fn game(&self) -> NetworkGame {
        self.game
    }

    /// The architecture in one line: features, widths, stacks.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What lies behind its first layer.
    pub const fn architecture(&self) -> Architecture {
        match self.layers {
            Layers::Classic(_) => Architecture::Classic,
            Layers::Product(_) if self.first.piece_squares.is_some() => Architecture::ProductWithPieceSquares,
            Layers::Product(_) => Architecture::Product,
            Layers::Squared(_) => Architecture::Squared,
        }
    }

    /// The text inside the file.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Bytes of the file.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The SHA-256 of the file.
    pub const fn sha256(&self) -> &[u8; 32] {
        &self.sha256
    }

    /// The SHA-256 of the file, in hexadecimal.
    pub fn sha256_text(&self) -> String {
        self.sha256.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Values of the first layer a side.
    pub const fn width(&self) -> usize {
        self.first.width
    }

    /// Rows of the first layer.
    pub const fn rows(&self) -> usize {
        self.first.features.rows
    }

    /// The name of its feature set.
    pub const fn features(&self) -> &'static str {
        self.first.features.name
    }

    /// Stacks of dense layers.
    pub fn stacks(&self) -> usize {
        match &self.layers {
            Layers::Classic(_) => 1,
            Layers::Product(stacks) => stacks.len(),
            Layers::Squared(stacks) => stacks.len(),
        }
    }

    /// `FV_SCALE` in use, for shogi networks that have one.
    pub const fn fv_scale(&self) -> Option<u32> {
        self.fv_scale
    }

    /// Uses this divisor for the output, as shogi's programs do; others have their own scale and stay as they are.
    pub fn set_fv_scale(&mut self, divisor: u32) {
        if self.fv_scale.is_some() {
            let divisor = divisor.max(1);
            self.fv_scale = Some(divisor);
            self.scale.denominator = 90 * i64::from(divisor);
        }
    }

    /// The instruction set that runs it.
    pub const fn instruction_set(&self) -> InstructionSet {
        self.kernels.set
    }

    /// Runs it on another instruction set; false if this machine has not got that.
    pub fn use_instruction_set(&mut self, set: InstructionSet) -> bool {
        let Some(kernels) = Kernels::of(set) else { return false };
        self.kernels = kernels;
        true
    }

    /// Units of the output a centipawn.
    pub fn unit(&self) -> f64 {
        self.scale.denominator as f64 / self.scale.numerator as f64
    }

    /// The last layer's number in centipawns.
    #[inline]
    pub(crate) fn centipawns(&self, output: i64) -> i32 {
        (output * self.scale.numerator / self.scale.denominator) as i32
    }
}
