//! Positions in random order, batch after batch, epoch after epoch: a permutation that is computed number by number. It
//! needs no memory, a break loses nothing of it, and every thread finds its own part.

use crate::train::TrainingError;

/// Even ones change the one half of a number, odd ones the other.
const ROUNDS: usize = 6;

/// The order of one epoch: a Feistel network over two halves that need not be powers of two, repeated while the number is
/// not below the count (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002).
#[derive(Clone, Copy, Debug)]
struct Order {
    count: u64,
    /// Numbers of each half; together they are `count` or somewhat more.
    halves: [u64; 2],
    keys: [u64; ROUNDS],
}

/// Bits that depend on all bits of `x` (the last steps of SplitMix64: Steele, Lea and Flood 2014).
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

    /// The number at a place below the count.
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

/// Multiples of it lie evenly.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Batches of so many positions, in an order of its own in every epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epochs {
    count: usize,
    batch: usize,
    seed: u64,
}

impl Epochs {
    /// Of the positions below `count`.
    ///
    /// # Errors
    /// Where they are too few for a batch.
    pub fn new(count: usize, batch: usize, seed: u64) -> Result<Self, TrainingError> {
        if count < batch {
            return Err(TrainingError::Few { wanted: batch, found: count });
        }
        Ok(Self { count, batch, seed })
    }

    /// Batches of an epoch.
    pub const fn steps(&self) -> u64 {
        (self.count / self.batch) as u64
    }

    /// Where the positions of the batch after so many steps are.
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
    fn an_epoch_sees_every_position_once_in_an_order_of_its_own() {
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

    /// Neighbours in the files are as far from each other as two numbers at random: a third of the count.
    #[test]
    fn neighbours_are_torn_apart() {
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
    fn too_few_positions_are_refused() {
        assert!(
            Epochs::new(9, 10, 1).is_err_and(|error| error.to_string() == "expected at least 10 positions, found 9")
        );
    }
}
