//! Hashing of keys and moves.

use std::hash::Hasher;

/// A bijective hash function (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) const fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A fast hasher for moves; not safe against keys chosen to collide.
#[derive(Default)]
pub(crate) struct MoveHasher(u64);

impl Hasher for MoveHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let word = |part: &[u8]| part.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        self.0 = bytes.chunks(8).fold(self.0, |hash, part| mix(hash ^ word(part)));
    }

    fn write_u32(&mut self, word: u32) {
        self.0 = mix(self.0 ^ u64::from(word));
    }

    /// Hashes the discriminant of an enum.
    fn write_isize(&mut self, variant: isize) {
        self.0 = self.0.rotate_left(8) ^ variant as u64;
    }
}
