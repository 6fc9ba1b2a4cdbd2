//! Puts positions in a random order for each epoch and divides them into batches. The order is a permutation that is
//! computed one number at a time, so it needs no memory, can be resumed, and can be computed by several threads.

use crate::train::TrainingError;

/// Number of rounds of the Feistel network. Even rounds change one half of a number, and odd rounds the other half.
const ROUNDS: usize = 6;

/// The order of one epoch, a permutation of the numbers below `count`. A Feistel network over two halves, whose sizes
/// need not be powers of two, is applied until the result is below `count` (Black and Rogaway, "Ciphers with Arbitrary
/// Finite Domains", CT-RSA 2002).
#[derive(Clone, Copy, Debug)]
struct Order {
    count: u64,
    /// Sizes of the two halves of a number; their product is `count` or slightly more.
    halves: [u64; 2],
    keys: [u64; ROUNDS],
}

/// Mixes the bits of `x`, so that each bit of the result depends on all bits of `x` (the finalizer of SplitMix64:
/// Steele, Lea and Flood 2014).
const fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

impl Order {
    fn new(count: u64, seed: u64) -> Self {
        let low = count.isqrt().max(1);
        let keys = std::array::from_fn(|round| mixed(seed.wrapping_add((round as u64 + 1).wrapping_mul(GOLDEN))));
        Self { count, halves: [low, count.div_ceil(low)], keys }
    }

    /// Returns the number at index `place` of the permutation; `place` must be below `count`.
    fn at(&self, place: u64) -> u64 {
        let mut number = place;
        loop {
            let mut halves = [number % self.halves[0], number / self.halves[0]];
            for (round, key) in self.keys.iter().enumerate() {
                let (changed, other) = (round % 2, (round + 1) % 2);
                let size = self.halves[changed];
                let step = (u128::from(mixed(halves[other] ^ key)) * u128::from(size)) >> 64;
                let sum = halves[changed] + step as u64;
                halves[changed] = if sum >= size { sum - size } else { sum };
            }
            number = halves[1] * self.halves[0] + halves[0];
            if number < self.count {
                return number;
            }
        }
    }
}

/// 2^64 divided by the golden ratio, a number whose multiples modulo 2^64 are distributed evenly.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Draws batches of positions, in a different order in every epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epochs {
    count: usize,
    batch: usize,
    seed: u64,
}

impl Epochs {
    /// Prepares epochs over `count` positions in batches of `batch` positions.
    ///
    /// # Errors
    /// Returns an error if there are not enough positions for one batch.
    pub fn new(count: usize, batch: usize, seed: u64) -> Result<Self, TrainingError> {
        if count < batch {
            return Err(TrainingError::Few { wanted: batch, found: count });
        }
        Ok(Self { count, batch, seed })
    }

    /// Number of batches per epoch.
    pub const fn steps(&self) -> u64 {
        (self.count / self.batch) as u64
    }

    /// Returns a function that maps an index in the batch of step `step` to the number of a position.
    pub fn batch(&self, step: u64) -> impl Fn(usize) -> usize + Sync + use<> {
        let (epoch, number) = (step / self.steps(), step % self.steps());
        let order = Order::new(self.count as u64, self.seed ^ (epoch + 1).wrapping_mul(GOLDEN));
        let first = number * self.batch as u64;
        move |index| order.at(first + index as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_epoch_has_all_positions_once_in_a_different_order() {
        for count in [1, 2, 3, 7, 96, 1_000, 4_097] {
            let epochs = Epochs::new(count, 1, 5).unwrap();
            let of_epoch = |epoch: u64| {
                (0..epochs.steps()).map(|step| epochs.batch(epoch * epochs.steps() + step)(0)).collect::<Vec<_>>()
            };
            let (first, second) = (of_epoch(0), of_epoch(1));
            for order in [&first, &second] {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..count), "{count}");
            }
            assert!(count < 7 || first != second, "{count}");
        }
    }

    /// Checks that neighbours end up as far apart as random numbers: on average, a third of the number of positions.
    #[test]
    fn neighbours_end_up_far_apart() {
        let epochs = Epochs::new(100_000, 100, 1).unwrap();
        let batches = (0..epochs.steps()).map(|step| epochs.batch(step));
        let order: Vec<usize> = batches.flat_map(|batch| (0..100).map(batch)).collect();
        let mut places = vec![0usize; order.len()];
        order.iter().enumerate().for_each(|(place, &number)| places[number] = place);
        for list in [&order, &places] {
            let mean = list.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum::<usize>() / list.len();
            assert!((32_000..34_700).contains(&mean), "{mean}");
        }
    }

    #[test]
    fn too_few_positions_are_rejected() {
        assert!(
            Epochs::new(9, 10, 1).is_err_and(|error| error.to_string() == "at least 10 positions are needed, not 9")
        );
    }
}
