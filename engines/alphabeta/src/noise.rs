//! What the groups of a position add to its evaluation, so that they differ ([`Task::group`]).
//!
//! [`Task::group`]: hasami_api::Task::group

/// The noise of one group.
#[derive(Clone, Copy)]
pub(crate) struct Noise {
    group: u64,
    /// It lies between this and its negative; 0: there is none.
    most: i32,
}

impl Noise {
    /// The first group has none.
    pub(crate) fn of(group: u8, most: i32) -> Self {
        Self { group: group.into(), most: if group == 0 { 0 } else { most } }
    }

    /// What a position is worth more to the side to move: the same whenever the group comes to it, and all values alike.
    #[inline]
    pub(crate) fn at(self, key: u64) -> i32 {
        if self.most == 0 {
            return 0;
        }
        let mixed = (key ^ self.group.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let high = (mixed ^ (mixed >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB) >> 32;
        ((high * (2 * self.most as u64 + 1)) >> 32) as i32 - self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_differ_and_each_says_the_same_again() {
        let of = |group| (1..2_000).map(|key| Noise::of(group, 30).at(key << 20)).collect::<Vec<i32>>();
        assert!(of(0).iter().all(|&noise| noise == 0), "the first one knows best");
        let (a, b) = (of(1), of(2));
        assert!(a != b && a == of(1));
        assert!(a.iter().all(|noise| noise.abs() <= 30) && a.contains(&30) && a.contains(&-30));
        assert!(a.iter().sum::<i32>().abs() < 2_000 * 3, "it leans to no side");
    }
}
