//! Base reductions of late moves, by depth and number of the move.

use crate::params::{lmr_noisy_base, lmr_noisy_divisor, lmr_quiet_base, lmr_quiet_divisor};
use hasami_api::SearchGame;

/// Base reductions in 1024ths of a ply, by depth and number of the move.
pub(crate) struct Reductions {
    quiet: [[i16; 64]; 64],
    noisy: [[i16; 64]; 64],
}

impl Reductions {
    pub(crate) fn new<G: SearchGame>() -> Box<Self> {
        let mut table = Box::new(Self { quiet: [[0; 64]; 64], noisy: [[0; 64]; 64] });
        for depth in 1..64 {
            for number in 1..64 {
                // ln a * ln b in 1024ths, from base-2 logarithms: ln 2 squared is 0.4805.
                let product = log2(depth as u64) * log2(number as u64) / 1024 * 492 / 1024;
                table.quiet[depth][number] = (lmr_quiet_base::<G>() + product * 100 / lmr_quiet_divisor::<G>()) as i16;
                table.noisy[depth][number] = (lmr_noisy_base::<G>() + product * 100 / lmr_noisy_divisor::<G>()) as i16;
            }
        }
        table
    }

    #[inline]
    pub(crate) fn get(&self, noisy: bool, depth: i32, number: usize) -> i32 {
        let table = if noisy { &self.noisy } else { &self.quiet };
        i32::from(table[depth.clamp(0, 63) as usize][number.min(63)])
    }
}

/// Base-2 logarithm of `n > 0` in 1024ths, in integers only, so that it is the same everywhere.
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
        assert!(table.get(false, 10, 20) > table.get(false, 10, 5));
        assert!(table.get(false, 20, 20) > table.get(false, 10, 20));
        assert!(table.get(true, 10, 20) < table.get(false, 10, 20));
        assert!((2048..3600).contains(&table.get(false, 12, 12)), "{}", table.get(false, 12, 12));
    }
}
