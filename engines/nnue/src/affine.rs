//! Dense layers, with their weights in the order that vector instructions need.

use crate::aligned::Aligned;

/// The outputs of a layer are padded to a multiple of this number, so that they fill whole registers of every
/// instruction set.
pub const OUTPUT_STEP: usize = 16;
/// Number of inputs that one vector instruction processes together.
pub const INPUT_STEP: usize = 4;
/// Largest number of outputs of a dense layer.
pub const MOST_OUTPUTS: usize = 64;
/// Largest number of inputs of the first dense layer.
pub const MOST_INPUTS: usize = 8_192;

/// A dense layer with 8-bit inputs and 8-bit weights.
pub struct Affine {
    pub inputs: usize,
    pub outputs: usize,
    /// The biases, padded to the length [`Self::padded`].
    pub biases: Aligned<i32>,
    /// The weights, ordered by group of four inputs, then by output, then by input within the group.
    pub weights: Aligned<i8>,
}

impl Affine {
    /// Creates a layer from weights in file order: `row` weights for each output, of which the first `inputs` are used.
    pub fn new(inputs: usize, row: usize, biases: &[i32], weights: &[i8]) -> Self {
        let outputs = biases.len();
        let padded = outputs.next_multiple_of(OUTPUT_STEP);
        let chunks = inputs.div_ceil(INPUT_STEP);
        let mut layer = Self {
            inputs,
            outputs,
            biases: Aligned::zeroed(padded),
            weights: Aligned::zeroed(chunks * padded * INPUT_STEP),
        };
        layer.biases[..outputs].copy_from_slice(biases);
        for output in 0..outputs {
            for input in 0..inputs {
                let at = (input / INPUT_STEP * padded + output) * INPUT_STEP + input % INPUT_STEP;
                layer.weights[at] = weights[output * row + input];
            }
        }
        layer
    }

    #[inline]
    pub fn padded(&self) -> usize {
        self.biases.len()
    }
}

/// A buffer for the values that one layer passes to the next, aligned for vector instructions.
#[repr(align(64))]
pub struct Buffer<T, const N: usize>(pub [T; N]);
