//! The parameters of a network in training, and their quantized form.

use hasami_nnue::{FeatureSet, NetworkGame, OwnNetwork};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::ops::Range;

/// Largest absolute value of a weight, so that quantized weights fit into Hasami's own format.
pub const MOST_WEIGHT: f32 = 127.0 / 64.0;

/// The largest scale that a file can have.
const MOST_SCALE: f32 = 10_000.0;

/// Quantization factors for the first layer's values and for the output weights.
const VALUE_UNIT: f32 = 255.0;
const OUTPUT_UNIT: f32 = 64.0;

/// The shape of a network in Hasami's own format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The game that the network evaluates.
    pub game: NetworkGame,
    /// Number of first-layer values per side, a multiple of 128.
    pub width: usize,
    /// Number of outputs; the number of pieces on the board selects one of them.
    pub stacks: usize,
    /// The bucket of each king's square: 64 numbers in chess, 81 in shogi.
    pub buckets: Vec<u8>,
    /// Number of centipawns for an output of 1.0 in training. The file has a scale of its own ([`quantise`]).
    pub scale: u32,
}

impl Shape {
    /// Returns the default shape with `width` values per side: one bucket, the usual number of outputs, and the scale
    /// that is common among engines and GUIs of the game.
    pub fn usual(game: NetworkGame, width: usize) -> Self {
        let (stacks, squares, scale) = match game {
            NetworkGame::Chess => (8, 64, 200),
            NetworkGame::Shogi => (32, 81, 600),
        };
        Self { game, width, stacks, buckets: vec![0; squares], scale }
    }

    /// Returns the shape of `network`, with the usual scale.
    pub fn of_network(network: &OwnNetwork) -> Self {
        let usual = Self::usual(network.game, network.width);
        Self { stacks: network.stacks.len(), buckets: network.buckets.clone(), ..usual }
    }

    /// Returns the squares of the own king that have a bucket, rank by rank from the king's own first rank: files a to d
    /// (chess) or 1 to 5 (shogi).
    fn king_squares(&self) -> Vec<usize> {
        match self.game {
            NetworkGame::Chess => (0..8).flat_map(|rank| (0..4).map(move |file| 8 * rank + file)).collect(),
            // Shogi squares are numbered down each file, so the king's own first rank comes last.
            NetworkGame::Shogi => (0..9).flat_map(|rank| (0..5).map(move |file| 9 * file + 8 - rank)).collect(),
        }
    }

    /// Sets the bucket of each king square. `given` lists the buckets rank by rank from the king's own first rank, for
    /// files a to d (chess) or 1 to 5 (shogi).
    ///
    /// # Errors
    /// Returns an error unless `given` holds one number below 64 for each square on files a to d or 1 to 5.
    pub fn set_buckets(&mut self, given: &[u8]) -> Result<(), String> {
        let squares = self.king_squares();
        if given.len() != squares.len() || given.iter().any(|&bucket| bucket >= 64) {
            return Err(format!("expected {} numbers below 64, found {}", squares.len(), given.len()));
        }
        squares.into_iter().zip(given).for_each(|(square, &bucket)| self.buckets[square] = bucket);
        Ok(())
    }

    /// Returns the buckets in the form that [`Self::set_buckets`] accepts.
    pub fn bucket_list(&self) -> Vec<u8> {
        self.king_squares().into_iter().map(|square| self.buckets[square]).collect()
    }

    /// The properties that determine the layout of the parameters, each as an option of `hasami train` and its value.
    pub(crate) fn properties(&self) -> [(&'static str, String); 4] {
        [
            ("--game", self.game.name().to_owned()),
            ("--width", self.width.to_string()),
            ("--outputs", self.stacks.to_string()),
            ("--buckets", self.bucket_list().iter().map(u8::to_string).collect::<Vec<_>>().join(",")),
        ]
    }

    /// Number of king buckets.
    fn bucket_count(&self) -> usize {
        self.buckets.iter().max().map_or(1, |&last| usize::from(last) + 1)
    }

    /// Returns, for each bucket, the bucket in `others` to which its first square belongs.
    fn origins_of_buckets(&self, others: &[u8]) -> Vec<usize> {
        let squares = self.king_squares();
        let first = |bucket| squares.iter().copied().filter(|&s| usize::from(self.buckets[s]) == bucket).min();
        (0..self.bucket_count()).map(|bucket| first(bucket).map_or(0, |square| usize::from(others[square]))).collect()
    }

    /// Returns the feature set for networks of this shape, including the king buckets.
    ///
    /// # Panics
    /// Panics if there is not one bucket number for each square.
    pub fn features(&self) -> FeatureSet {
        FeatureSet::own(self.game, &self.buckets).expect("a bucket for every square")
    }
}

/// Number of columns of the first layer that are stored together during training.
pub const COLUMNS: usize = 64;

/// The order of the parameters: the first layer's rows, its biases, then the outputs, each of which ends with its bias.
///
/// The first layer is stored row by row in files, but block by block during training: first [`COLUMNS`] columns of all
/// rows, then the next columns, and so on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub width: usize,
    /// Index of the first parameter that is a bias of the first layer.
    pub biases: usize,
    /// Number of king buckets.
    buckets: usize,
    stacks: usize,
    most_pieces: usize,
}

impl Layout {
    pub fn new(shape: &Shape, features: &FeatureSet) -> Self {
        let most_pieces = match shape.game {
            NetworkGame::Chess => 32,
            NetworkGame::Shogi => 40,
        };
        let Shape { width, stacks, .. } = *shape;
        Self { width, biases: width * features.rows, buckets: shape.bucket_count(), stacks, most_pieces }
    }

    /// Number of blocks of columns.
    #[inline]
    pub fn blocks(&self) -> usize {
        self.width / COLUMNS
    }

    /// Number of rows of the first layer.
    pub fn rows(&self) -> usize {
        self.biases / self.width
    }

    /// Returns the columns of one block, indexed by row.
    #[inline]
    pub fn block<'a>(&self, parameters: &'a [f32], block: usize) -> &'a [[f32; COLUMNS]] {
        let size = self.rows() * COLUMNS;
        parameters[block * size..][..size].as_chunks().0
    }

    /// Returns the columns of one block as mutable data, indexed by row.
    #[inline]
    pub fn block_mut<'a>(&self, parameters: &'a mut [f32], block: usize) -> &'a mut [[f32; COLUMNS]] {
        let size = self.rows() * COLUMNS;
        parameters[block * size..][..size].as_chunks_mut().0
    }

    /// Returns the first layer's biases for one block of columns.
    #[inline]
    pub fn biases_of<'a>(&self, parameters: &'a [f32], block: usize) -> &'a [f32; COLUMNS] {
        &parameters[self.biases..self.first_output()].as_chunks().0[block]
    }

    /// Converts parameters from row order, as in files, to block order.
    pub fn to_blocks(&self, by_rows: &[f32]) -> Vec<f32> {
        let mut parameters = by_rows.to_vec();
        for block in 0..self.blocks() {
            for (row, columns) in self.block_mut(&mut parameters, block).iter_mut().enumerate() {
                columns.copy_from_slice(&by_rows[row * self.width + block * COLUMNS..][..COLUMNS]);
            }
        }
        parameters
    }

    /// Converts parameters from block order to row order, as in files.
    pub fn to_rows(&self, by_blocks: &[f32]) -> Vec<f32> {
        let mut parameters = by_blocks.to_vec();
        for block in 0..self.blocks() {
            for (row, columns) in self.block(by_blocks, block).iter().enumerate() {
                parameters[row * self.width + block * COLUMNS..][..COLUMNS].copy_from_slice(columns);
            }
        }
        parameters
    }

    /// Total number of parameters.
    pub fn len(&self) -> usize {
        self.biases + self.width + self.stacks * self.stack_size()
    }

    /// Number of parameters of one output.
    fn stack_size(&self) -> usize {
        2 * self.width + 1
    }

    /// Index of the first parameter that belongs to an output.
    pub fn first_output(&self) -> usize {
        self.biases + self.width
    }

    /// Returns the index of the output for positions with `pieces` pieces, by the same rule as in finished networks.
    #[inline]
    pub fn stack(&self, pieces: u32) -> usize {
        ((pieces as usize).saturating_sub(1) * self.stacks / self.most_pieces).min(self.stacks - 1)
    }

    /// Returns the range of the parameters that belong to an output: 2 x width weights, followed by the bias.
    #[inline]
    pub fn outputs(&self, stack: usize) -> Range<usize> {
        let size = self.stack_size();
        let from = self.first_output() + stack * size;
        from..from + size
    }
}

/// Draws random parameters. The rows of the first layer are small, so that rows that are never trained hardly change
/// the evaluation, and equal in all king buckets.
pub fn random_start(layout: &Layout, seed: u64) -> Vec<f32> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut parameters = vec![0.0; layout.len()];
    let (first, output) = (0.02, (1.0 / layout.width as f32).sqrt());
    let size = layout.biases / layout.buckets;
    parameters[..size].fill_with(|| random.random_range(-first..first));
    (1..layout.buckets).for_each(|bucket| parameters.copy_within(..size, bucket * size));
    parameters[layout.biases..layout.first_output()].fill(0.1);
    for stack in 0..layout.stacks {
        let outputs = &mut parameters[layout.outputs(stack)];
        outputs[..2 * layout.width].fill_with(|| random.random_range(-output..output));
    }
    parameters
}

/// Quantizes the parameters into a network in Hasami's own format. The scale of the network is the smallest for which no
/// output weight exceeds the format's limit, because larger weights lose less by rounding.
pub fn quantise(shape: &Shape, layout: &Layout, parameters: &[f32], description: &str) -> OwnNetwork {
    let of_outputs = (0..shape.stacks).flat_map(|stack| &parameters[layout.outputs(stack)][..2 * shape.width]);
    let most = of_outputs.fold(0.0_f32, |most, weight| most.max(weight.abs()));
    // Without the tolerance, rounding errors would raise the scale of a network that is read and written again.
    let scale = (shape.scale as f32 * most / MOST_WEIGHT * (1.0 - 1e-6)).ceil().clamp(1.0, MOST_SCALE);
    let factor = shape.scale as f32 / scale;
    let first = |values: &[f32]| values.iter().map(|v| (v * VALUE_UNIT).round() as i16).collect::<Vec<_>>();
    let output = |v: &f32| (v * factor * OUTPUT_UNIT).round().clamp(-127.0, 127.0) as i16;
    let stack = |stack: usize| {
        let (weights, bias) = parameters[layout.outputs(stack)].split_at(2 * shape.width);
        ((bias[0] * factor * VALUE_UNIT * OUTPUT_UNIT).round() as i32, weights.iter().map(output).collect())
    };
    OwnNetwork {
        game: shape.game,
        width: shape.width,
        scale: scale as u32,
        description: description.to_string(),
        buckets: shape.buckets.clone(),
        biases: first(&parameters[layout.biases..layout.first_output()]),
        weights: first(&parameters[..layout.biases]),
        stacks: (0..shape.stacks).map(stack).collect(),
    }
}

/// The inverse of [`quantise`]: returns the parameters of a network at the precision of its quantized numbers.
///
/// A network narrower than the layout is widened: the values of the network come first, and the additional values start
/// with random weights from their inputs and zero weights to the outputs, so that the wider network computes the same
/// evaluation. Each bucket of the shape starts with the weights that the network has for the bucket's first square,
/// even if the shape divides a bucket of the network.
pub fn dequantise(shape: &Shape, layout: &Layout, network: &OwnNetwork, seed: u64) -> Vec<f32> {
    let mut parameters = match network.width == layout.width {
        true => vec![0.0; layout.len()],
        false => random_start(layout, seed),
    };
    let copy = |row: &mut [f32], numbers: &[i16]| {
        row.iter_mut().zip(numbers).for_each(|(parameter, number)| *parameter = f32::from(*number) / VALUE_UNIT);
    };
    let (rows, rest) = parameters.split_at_mut(layout.biases);
    copy(&mut rest[..layout.width], &network.biases);
    let origins = shape.origins_of_buckets(&network.buckets);
    let size = rows.len() / origins.len();
    for (rows, &origin) in rows.chunks_mut(size).zip(&origins) {
        let elements = size / layout.width;
        let numbers = &network.weights[origin * elements * network.width..][..elements * network.width];
        let pairs = rows.chunks_mut(layout.width).zip(numbers.chunks(network.width));
        pairs.for_each(|(row, numbers)| copy(row, numbers));
    }
    let output_step = network.scale as f32 / (shape.scale as f32 * OUTPUT_UNIT);
    for (stack, (bias, weights)) in network.stacks.iter().enumerate() {
        let outputs = &mut parameters[layout.outputs(stack)];
        outputs.fill(0.0);
        for (side, numbers) in outputs.chunks_mut(layout.width).zip(weights.chunks(network.width)) {
            side.iter_mut().zip(numbers).for_each(|(parameter, number)| *parameter = f32::from(*number) * output_step);
        }
        outputs[2 * layout.width] = *bias as f32 * output_step / VALUE_UNIT;
    }
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network that is read and written again must not change, whatever its scale.
    #[test]
    fn quantising_is_the_inverse_of_reading() {
        let shape = Shape::usual(NetworkGame::Chess, 128);
        let layout = Layout::new(&shape, &shape.features());
        let mut network = quantise(&shape, &layout, &random_start(&layout, 1), "");
        for (number, weight) in network.stacks.iter_mut().flat_map(|(_, weights)| weights).enumerate() {
            *weight = (number % 255) as i16 - 127;
        }
        for scale in 1..=200 {
            network.scale = scale;
            let again = quantise(&shape, &layout, &dequantise(&shape, &layout, &network, 1), "");
            assert!(again == network, "scale {scale}");
        }
    }

    #[test]
    fn the_largest_output_weight_uses_the_whole_range() {
        let shape = Shape::usual(NetworkGame::Shogi, 128);
        let layout = Layout::new(&shape, &shape.features());
        let network = quantise(&shape, &layout, &random_start(&layout, 1), "");
        let most = network.stacks.iter().flat_map(|(_, weights)| weights).map(|weight| weight.abs()).max();
        assert!(most.is_some_and(|most| (124..=127).contains(&most)), "{most:?}");
        assert!(network.scale < shape.scale);
    }
}
