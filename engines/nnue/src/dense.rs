//! The layers of a network that follow the first layer.

use crate::affine::{Affine, Buffer, MOST_OUTPUTS};
use crate::kernels::Kernels;

/// The last layer, which has a single output.
pub struct Output {
    pub bias: i32,
    pub weights: Vec<i8>,
}

impl Output {
    #[inline]
    fn run(&self, inputs: &[u8]) -> i32 {
        let products = self.weights.iter().zip(inputs).map(|(&w, &x)| i32::from(w) * i32::from(x));
        self.bias + products.sum::<i32>()
    }
}

/// Number of bits by which the sums of every dense layer are shifted right.
const SHIFT: u32 = 6;

#[inline]
fn clipped(sum: i32) -> u8 {
    (sum >> SHIFT).clamp(0, 127) as u8
}

/// Three dense layers, each of which passes clipped values to the next.
pub struct Dense {
    pub first: Affine,
    pub second: Affine,
    pub output: Output,
}

impl Dense {
    pub fn run(&self, kernels: &Kernels, inputs: &[u8]) -> i32 {
        let mut sums = Buffer([0_i32; MOST_OUTPUTS]);
        let mut clips = Buffer([0_u8; MOST_OUTPUTS]);
        for layer in [&self.first, &self.second] {
            let inputs =
                if std::ptr::eq(layer, &self.first) { inputs } else { &clips.0[..layer.inputs.next_multiple_of(4)] };
            kernels.affine(layer, inputs, &mut sums.0[..layer.padded()]);
            for (clip, &sum) in clips.0.iter_mut().zip(&sums.0[..layer.padded()]) {
                *clip = clipped(sum);
            }
        }
        self.output.run(&clips.0[..self.second.outputs])
    }
}

/// A stack of dense layers whose inputs are products of first-layer values. The outputs of the first dense layer enter
/// the second layer both squared and clipped, and a shortcut leads from the first dense layer to the output.
pub struct Product {
    pub first: Affine,
    pub second: Affine,
    pub output: Output,
    /// The fraction `.0 / .1` of the first dense layer's last output is added to the output of the stack.
    pub shortcut: Option<(i32, i32)>,
}

impl Product {
    pub fn run(&self, kernels: &Kernels, inputs: &[u8]) -> i32 {
        let mut sums = Buffer([0_i32; MOST_OUTPUTS]);
        let mut middle = Buffer([0_u8; 2 * MOST_OUTPUTS]);
        let mut clips = Buffer([0_u8; MOST_OUTPUTS]);
        kernels.affine_of_few(&self.first, inputs, &mut sums.0[..self.first.padded()]);
        let hidden = self.first.outputs - usize::from(self.shortcut.is_some());
        for (i, &sum) in sums.0[..hidden].iter().enumerate() {
            // The square of a 32-bit number fits into 64 bits.
            middle.0[i] = ((i64::from(sum) * i64::from(sum)) >> 19).min(127) as u8;
            middle.0[hidden + i] = clipped(sum);
        }
        let straight = match self.shortcut {
            Some((1, 1)) => sums.0[hidden],
            Some((times, by)) => (i64::from(sums.0[hidden]) * i64::from(times) / i64::from(by)) as i32,
            None => 0,
        };
        kernels.affine(
            &self.second,
            &middle.0[..self.second.inputs.next_multiple_of(4)],
            &mut sums.0[..self.second.padded()],
        );
        for (clip, &sum) in clips.0.iter_mut().zip(&sums.0[..self.second.outputs]) {
            *clip = clipped(sum);
        }
        self.output.run(&clips.0[..self.second.outputs]).wrapping_add(straight)
    }
}
