//! One dense layer, in the order in which vector instructions want it.

use crate::aligned::Aligned;

/// Outputs of a layer are rounded up to so many, so that every instruction set fills its registers.
pub const OUTPUT_STEP: usize = 16;
/// Inputs go four at a time.
pub const INPUT_STEP: usize = 4;
/// The widest dense layer, in outputs.
pub const MOST_OUTPUTS: usize = 64;
/// The most inputs of the first dense layer.
pub const MOST_INPUTS: usize = 8_192;

/// A dense layer of 8-bit inputs and weights.
pub struct Affine {
    pub inputs: usize,
    pub outputs: usize,
    /// Padded to [`Self::padded`].
    pub biases: Aligned<i32>,
    /// By four inputs, then by output, then the four weights.
    pub weights: Aligned<i8>,
}

impl Affine {
    /// From the order of files: by output, `row` weights for each, of which the first `inputs` count.
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

/// Room for the values between layers, aligned for vectors.
#[repr(align(64))]
pub struct Buffer<T, const N: usize>(pub [T; N]);
