//! Hashing of keys.

/// A bijection that spreads every bit (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) const fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
