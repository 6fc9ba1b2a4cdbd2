//! AdamW (Loshchilov and Hutter 2019): gradient descent with a separate step size for each parameter.

/// Decay rates of the mean gradient and of the mean squared gradient.
const FIRST_MEMORY: f32 = 0.9;
const SECOND_MEMORY: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const DECAY: f32 = 0.01;

/// A range of the parameters, with its AdamW state.
pub struct ParameterRange<'a> {
    pub parameters: &'a mut [f32],
    pub means: &'a mut [f32],
    pub squares: &'a mut [f32],
    /// The gradients, summed over a batch. A step multiplies the sums by [`Step::weight`], and then resets them to
    /// zero.
    pub gradient: &'a mut [f32],
}

/// The numbers that are the same for all parameters in one step.
#[derive(Clone, Copy)]
pub struct Step {
    pub rate: f32,
    /// Number of the step, counted from 1.
    pub number: u64,
    /// The weight of each position: one divided by the number of positions in the batch.
    pub weight: f32,
    /// Largest absolute value that a parameter may have.
    pub most: f32,
}

impl<'a> ParameterRange<'a> {
    /// Splits off the first `size` parameters, or all parameters if there are fewer.
    pub fn split_off(&mut self, size: usize) -> Self {
        let size = size.min(self.parameters.len());
        let cut = |list: &mut &'a mut [f32]| list.split_off_mut(..size).expect("the size was limited to the length");
        Self {
            parameters: cut(&mut self.parameters),
            means: cut(&mut self.means),
            squares: cut(&mut self.squares),
            gradient: cut(&mut self.gradient),
        }
    }

    #[inline(always)]
    fn step_plain(&mut self, step: Step) {
        let corrected = |memory: f32| (1.0 - f64::from(memory).powf(step.number as f64)) as f32;
        let (first, second) = (corrected(FIRST_MEMORY), corrected(SECOND_MEMORY));
        let shrink = 1.0 - step.rate * DECAY;
        let (rate, inverse) = (step.rate / first, 1.0 / second);
        let parts = self.parameters.iter_mut().zip(self.means.iter_mut()).zip(self.squares.iter_mut());
        for (((parameter, mean), square), gradient) in parts.zip(self.gradient.iter_mut()) {
            let slope = *gradient * step.weight;
            *gradient = 0.0;
            *mean = FIRST_MEMORY * *mean + (1.0 - FIRST_MEMORY) * slope;
            *square = SECOND_MEMORY * *square + (1.0 - SECOND_MEMORY) * slope * slope;
            let moved = *parameter * shrink - rate * *mean / ((*square * inverse).sqrt() + EPSILON);
            *parameter = moved.clamp(-step.most, step.most);
        }
    }

    /// Moves the parameters against the gradient, and resets the gradient to zero.
    pub fn step(&mut self, step: Step) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("fma") {
            // SAFETY: the processor supports the target features of `step_avx512`.
            return unsafe { step_avx512(self, step) };
        }
        self.step_plain(step);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
fn step_avx512(part: &mut ParameterRange<'_>, step: Step) {
    part.step_plain(step);
}
