//! Dense layers, whose weights are stored in the order that vector instructions need.

use crate::aligned::Aligned;

/// The number of outputs is padded to a multiple of this number, so that the outputs fill the registers of every
/// instruction set.
pub const OUTPUT_STEP: usize = 16;
/// Number of inputs that are processed together.
pub const INPUT_STEP: usize = 4;
/// Largest number of outputs of a dense layer.
pub const MOST_OUTPUTS: usize = 64;
/// Largest number of inputs of the first dense layer.
pub const MOST_INPUTS: usize = 8_192;

/// A dense layer of 8-bit inputs and weights.
pub struct Affine {
    pub inputs: usize,
    pub outputs: usize,
    /// The biases, padded to the length [`Self::padded`].
    pub biases: Aligned<i32>,
    /// The weights, ordered by group of four inputs, then by output, then by input within the group.
    pub weights: Aligned<i8>,
}

impl Affine {
    /// Creates a layer from weights in the order of files: for each output, there are `row` weights, of which the first
    /// `inputs` are used.
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

/// A buffer for the values between layers, aligned for vector instructions.
#[repr(align(64))]
pub struct Buffer<T, const N: usize>(pub [T; N]);
