//! Base reductions of late moves, as a function of the depth and the move number.

use crate::params::{lmr_base, lmr_not_improving, lmr_scale};
use hasami_api::SearchGame;

/// Length of the table of factors; larger depths and move numbers use its last entry.
const NUMBERS: usize = 600;

/// Factors indexed by depth or by move number; the product of two factors is a base reduction in 1,024ths of a ply.
pub(crate) struct Reductions([i32; NUMBERS]);

impl Reductions {
    pub(crate) fn new<G: SearchGame>() -> Box<Self> {
        let mut roots = [0; NUMBERS];
        for (n, root) in roots.iter_mut().enumerate().skip(1) {
            // `ln` is the natural logarithm in 1,024ths. The factor ln 2 is 0.693, or 710 in 1,024ths.
            let ln = i64::from(log2(n as u64)) * 710 / 1024;
            *root = (i64::from(lmr_scale::<G>()) * ln / (128 * 1024)) as i32;
        }
        Box::new(Self(roots))
    }

    #[inline]
    pub(crate) fn get<G: SearchGame>(&self, improving: bool, depth: i32, number: usize) -> i32 {
        let product = self.0[depth.clamp(0, NUMBERS as i32 - 1) as usize] * self.0[number.min(NUMBERS - 1)];
        let more = if improving { 0 } else { product * lmr_not_improving::<G>() / 512 };
        product + more + lmr_base::<G>()
    }
}

/// Base-2 logarithm of `n > 0` in 1,024ths. Floating point is avoided, so that all machines get the same result.
fn log2(n: u64) -> i32 {
    let whole = n.ilog2();
    let mut result = whole as i32 * 1024;
    let mut mantissa = (n << 30) >> whole;
    for bit in (0..10).rev() {
        mantissa = (mantissa * mantissa) >> 30;
        if mantissa >= 2 << 30 {
            mantissa >>= 1;
            result += 1 << bit;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_chess::Chess;

    #[test]
    fn integer_logarithms_are_right() {
        for n in 1..=256_u64 {
            let exact = (n as f64).log2() * 1024.0;
            assert!((f64::from(log2(n)) - exact).abs() < 1.5, "{n}: {} {exact}", log2(n));
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let table = Reductions::new::<Chess>();
        let get = |depth, number| table.get::<Chess>(true, depth, number);
        assert!(get(10, 20) > get(10, 5) && get(20, 20) > get(10, 20));
        assert!(table.get::<Chess>(false, 10, 20) > get(10, 20));
        assert!((3000..6000).contains(&get(12, 12)), "{}", get(12, 12));
    }
}
