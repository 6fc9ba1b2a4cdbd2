//! Two hidden layers of clipped values between the first layer and the output (Nasu 2018).
//!
//! The parameters of a stack are the weights of the first dense layer, value by value, and its biases; the same of the
//! second one; the weights and the bias of the output.

use crate::kernel::Block;
use crate::parameters::COLUMNS;

/// Largest number of values in a hidden layer.
pub const MOST: usize = 64;

/// The sums of a position in the two hidden layers, before they are clipped.
#[derive(Clone, Copy)]
pub struct Sums {
    first: [f32; MOST],
    second: [f32; MOST],
}

impl Sums {
    pub const ZERO: Self = Self { first: [0.0; MOST], second: [0.0; MOST] };
}

/// Number of parameters of a stack.
pub const fn size(inputs: usize, hidden: usize) -> usize {
    hidden * inputs + hidden + hidden * hidden + hidden + hidden + 1
}

/// The weights and biases of the three layers.
pub fn layers(stack: &[f32], inputs: usize, hidden: usize) -> [(&[f32], &[f32]); 3] {
    let mut rest = stack;
    let mut take = |count| {
        let (taken, others) = rest.split_at(count);
        rest = others;
        taken
    };
    [(take(hidden * inputs), take(hidden)), (take(hidden * hidden), take(hidden)), (take(hidden), take(1))]
}

/// The mutable version of [`layers`].
pub fn layers_mut(stack: &mut [f32], inputs: usize, hidden: usize) -> [(&mut [f32], &mut [f32]); 3] {
    let (first, rest) = stack.split_at_mut(hidden * inputs);
    let (first_biases, rest) = rest.split_at_mut(hidden);
    let (second, rest) = rest.split_at_mut(hidden * hidden);
    let (second_biases, rest) = rest.split_at_mut(hidden);
    let (output, bias) = rest.split_at_mut(hidden);
    [(first, first_biases), (second, second_biases), (output, bias)]
}

/// Clips a sum, as every layer but the output does.
#[inline(always)]
pub fn clipped(sum: f32) -> f32 {
    sum.clamp(0.0, 1.0)
}

/// Returns whether the derivative of [`clipped`] is 1; otherwise it is 0.
#[inline(always)]
pub fn is_open(sum: f32) -> bool {
    sum > 0.0 && sum < 1.0
}

/// Computes the output for the clipped values of the first layer, and stores the sums in between.
#[inline(always)]
pub fn forward(stack: &[f32], hidden: usize, inputs: &[Block], sums: &mut Sums) -> f32 {
    let count = inputs.len() * COLUMNS;
    let [first, second, output] = layers(stack, count, hidden);
    for (value, weights) in first.0.chunks_exact(count).enumerate() {
        let mut lanes: Block = [0.0; COLUMNS];
        for (inputs, weights) in inputs.iter().zip(weights.as_chunks::<COLUMNS>().0) {
            for lane in 0..COLUMNS {
                lanes[lane] += inputs[lane] * weights[lane];
            }
        }
        sums.first[value] = first.1[value] + lanes.iter().sum::<f32>();
    }
    for (value, weights) in second.0.chunks_exact(hidden).enumerate() {
        let products = weights.iter().zip(&sums.first).map(|(weight, &sum)| weight * clipped(sum));
        sums.second[value] = second.1[value] + products.sum::<f32>();
    }
    output.1[0] + output.0.iter().zip(&sums.second).map(|(weight, &sum)| weight * clipped(sum)).sum::<f32>()
}

/// Adds to the gradients of the stack's parameters, and sets `slopes` to the gradients of the inputs. `slope` is the
/// gradient of the output.
#[inline(always)]
pub fn backward(
    stack: &[f32],
    hidden: usize,
    (inputs, slopes): (&[Block], &mut [Block]),
    sums: &Sums,
    slope: f32,
    gradient: &mut [f32],
) {
    let count = inputs.len() * COLUMNS;
    let [first, second, output] = layers(stack, count, hidden);
    let [of_first, of_second, of_output] = layers_mut(gradient, count, hidden);
    of_output.1[0] += slope;
    let mut down = [0.0; MOST];
    for value in 0..hidden {
        let sum = sums.second[value];
        of_output.0[value] += slope * clipped(sum);
        if !is_open(sum) {
            continue;
        }
        let slope = slope * output.0[value];
        of_second.1[value] += slope;
        let row = value * hidden..(value + 1) * hidden;
        let of_weights = of_second.0[row.clone()].iter_mut().zip(&second.0[row]);
        for (before, (of_weight, weight)) in of_weights.enumerate() {
            *of_weight += slope * clipped(sums.first[before]);
            down[before] += slope * weight;
        }
    }
    slopes.fill([0.0; COLUMNS]);
    for (value, &slope) in down[..hidden].iter().enumerate() {
        if !is_open(sums.first[value]) {
            continue;
        }
        of_first.1[value] += slope;
        let row = value * count..(value + 1) * count;
        let weights = first.0[row.clone()].as_chunks::<COLUMNS>().0;
        let of_weights = of_first.0[row].as_chunks_mut::<COLUMNS>().0;
        for block in 0..inputs.len() {
            let (inputs, weights, of_weights) = (&inputs[block], &weights[block], &mut of_weights[block]);
            for lane in 0..COLUMNS {
                of_weights[lane] += slope * inputs[lane];
                slopes[block][lane] += slope * weights[lane];
            }
        }
    }
}
