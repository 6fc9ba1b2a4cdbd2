//! A network in memory: its feature set, its layers, and the scale of its output.

use crate::aligned::Aligned;
use crate::dense::{Dense, Product};
use crate::features::FeatureSet;
use crate::game::NetworkGame;
use crate::kernels::{InstructionSet, Kernels};
use std::sync::OnceLock;

/// The rule by which a position selects one of several stacks of dense layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackRule {
    /// The network has only one stack.
    Only,
    /// The number of pieces on the board selects the stack (pieces - 1) x stacks / largest number of pieces on a board
    /// (32 or 40).
    Pieces,
    /// The ranks of the two kings, each counted from its own side and grouped in threes, select one of nine stacks.
    KingRanks,
}

/// Number of piece-square values per row of the first layer, one for each stack.
pub const PIECE_SQUARE_STACKS: usize = 8;

/// The first layer, which turns features into the integers that enter the dense layers.
pub struct FirstLayer {
    pub features: FeatureSet,
    /// Number of output values per side.
    pub width: usize,
    pub biases: Aligned<i16>,
    /// Weights, `rows x width`, row by row.
    pub weights: Aligned<i16>,
    /// Piece-square values, `rows x 8`, if the network has them.
    pub piece_squares: Option<Aligned<i32>>,
}

/// The layers after the first layer.
pub enum Layers {
    /// Three dense layers on the clipped values of both halves (Nasu 2018; Stockfish 12).
    Classic(Dense),
    /// For each stack: products of the two halves of each side; a dense layer whose outputs enter the next layer both
    /// squared and clipped; a shortcut from the first dense layer to the output; and, since Stockfish 15, sums of
    /// piece-square values.
    Product(Vec<Product>),
    /// Squares of clipped values and a single output layer (Hasami's own format): for each stack, the weights for the
    /// side to move, then those for the other side (`2 x width` in all), and a bias.
    Squared(Vec<(Aligned<i16>, i32)>),
}

/// The conversion of the last layer's output to centipawns: the output times `numerator`, divided by `denominator`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    pub numerator: i64,
    pub denominator: i64,
}

/// A network that is ready to run and that all searches can share.
pub struct Network {
    /// The game that the network is made for.
    pub game: NetworkGame,
    /// One line that describes the architecture: features, widths, stacks.
    pub name: String,
    pub(crate) first: FirstLayer,
    pub(crate) layers: Layers,
    pub(crate) stack_rule: StackRule,
    pub(crate) scale: Scale,
    /// The divisor `FV_SCALE` of shogi programs, if the network has one.
    pub(crate) fv_scale: Option<u32>,
    /// The description that the network file contains.
    pub description: String,
    /// Size of the network file, in bytes.
    pub bytes: usize,
    /// The SHA-256 digest of the network file.
    pub sha256: [u8; 32],
    pub(crate) kernels: Kernels,
    /// Mean absolute output for the sample positions, computed on first use.
    pub(crate) spread: OnceLock<i64>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").field("name", &self.name).field("sha256", &self.sha256_text()).finish_non_exhaustive()
    }
}

/// Networks are equal if their files are equal and they have the same `FV_SCALE`.
impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        (self.sha256, self.fv_scale) == (other.sha256, other.fv_scale)
    }
}

impl Network {
    /// The SHA-256 digest of the network file, in hexadecimal.
    pub fn sha256_text(&self) -> String {
        self.sha256.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Number of output values of the first layer per side.
    pub const fn width(&self) -> usize {
        self.first.width
    }

    /// Number of rows of the first layer.
    pub const fn rows(&self) -> usize {
        self.first.features.rows
    }

    /// Returns the name of the feature set.
    pub const fn features(&self) -> &'static str {
        self.first.features.name
    }

    /// Number of stacks of dense layers.
    pub fn stacks(&self) -> usize {
        match &self.layers {
            Layers::Classic(_) => 1,
            Layers::Product(stacks) => stacks.len(),
            Layers::Squared(stacks) => stacks.len(),
        }
    }

    /// Returns the value of `FV_SCALE` in use; `None` for networks that have no such divisor.
    pub const fn fv_scale(&self) -> Option<u32> {
        self.fv_scale
    }

    /// Sets the divisor `FV_SCALE` of the output; does nothing if the network has no such divisor.
    pub fn set_fv_scale(&mut self, divisor: u32) {
        if self.fv_scale.is_some() {
            let divisor = divisor.max(1);
            self.fv_scale = Some(divisor);
            self.scale.denominator = 90 * i64::from(divisor);
        }
    }

    /// The instruction set whose kernels the network uses.
    pub const fn instruction_set(&self) -> InstructionSet {
        self.kernels.set
    }

    /// Switches to another instruction set. Returns false if the processor does not support the set.
    pub fn use_instruction_set(&mut self, set: InstructionSet) -> bool {
        let Some(kernels) = Kernels::of(set) else { return false };
        self.kernels = kernels;
        true
    }

    /// Number of units of the network's output per centipawn.
    pub fn unit(&self) -> f64 {
        self.scale.denominator as f64 / self.scale.numerator as f64
    }

    /// Converts the output of the last layer to centipawns.
    #[inline]
    pub(crate) fn centipawns(&self, output: i64) -> i32 {
        (output * self.scale.numerator / self.scale.denominator) as i32
    }
}
