//! Pieces in hand, as a solver of mates compares them.

/// How many pieces of each of seven kinds a side holds. Who holds more of some kinds and no less of the others can do
/// whatever the other can.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

impl Hand {
    /// Nothing of any kind.
    pub const EMPTY: Self = Self(0);
    /// As many of each kind as can be counted: covers every hand.
    pub const FULL: Self = Self(0x7337_771f);
    /// Kinds that are counted, numbered from 0.
    pub const KINDS: usize = 7;

    /// The lowest bit of each count; kind 0 counts up to 31, kinds 4 and 5 up to 3, the others up to 7.
    const SHIFT: [u32; Self::KINDS] = [0, 8, 12, 16, 20, 24, 28];
    const MOST: [u32; Self::KINDS] = [31, 7, 7, 7, 3, 3, 7];
    /// An empty bit above each count, which a subtraction borrows from.
    const GUARDS: u32 = 1 << 5 | 1 << 11 | 1 << 15 | 1 << 19 | 1 << 22 | 1 << 26 | 1 << 31;

    /// From the packed form of [`Self::bits`]; bits outside the counts are left out.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::FULL.0)
    }

    /// The packed form: equal hands have equal bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// How many of a kind (below [`Self::KINDS`]).
    pub const fn count(self, kind: usize) -> u32 {
        self.0 >> Self::SHIFT[kind] & Self::MOST[kind]
    }

    /// The same hand with `count` of a kind, or as many as can be counted.
    #[must_use]
    pub fn with(self, kind: usize, count: u32) -> Self {
        let count = count.min(Self::MOST[kind]);
        Self(self.0 & !(Self::MOST[kind] << Self::SHIFT[kind]) | count << Self::SHIFT[kind])
    }

    /// One more of the kind, as far as it can be counted.
    #[must_use]
    pub fn plus_one(self, kind: usize) -> Self {
        self.with(kind, self.count(kind) + 1)
    }

    /// One less of the kind, if there is one.
    #[must_use]
    pub fn minus_one(self, kind: usize) -> Self {
        self.with(kind, self.count(kind).saturating_sub(1))
    }

    /// No kind is missing that `other` has.
    pub const fn covers(self, other: Self) -> bool {
        (self.0 | Self::GUARDS).wrapping_sub(other.0) & Self::GUARDS == Self::GUARDS
    }

    /// The larger count of each kind.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        self.each(other, u32::max)
    }

    /// The smaller count of each kind.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        self.each(other, u32::min)
    }

    fn each(self, other: Self, of: impl Fn(u32, u32) -> u32) -> Self {
        if self == other {
            return self;
        }
        (0..Self::KINDS).fold(Self::EMPTY, |hand, kind| hand.with(kind, of(self.count(kind), other.count(kind))))
    }
}

impl std::fmt::Debug for Hand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries((0..Self::KINDS).map(|kind| self.count(kind))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(counts: [u32; 7]) -> Hand {
        (0..7).fold(Hand::EMPTY, |hand, kind| hand.with(kind, counts[kind]))
    }

    #[test]
    fn more_of_every_kind_covers_less() {
        let all = hand([18, 4, 4, 4, 2, 2, 4]);
        assert_eq!(Hand::from_bits(all.bits()), all);
        assert!(all.covers(all) && all.covers(Hand::EMPTY) && Hand::EMPTY.covers(Hand::EMPTY));
        for kind in 0..7 {
            let less = all.minus_one(kind);
            assert!(all.covers(less) && !less.covers(all), "{kind}");
            assert_eq!(less.plus_one(kind), all);
            let other = hand([1; 7]).with(kind, 0);
            assert!(!Hand::EMPTY.with(kind, 1).covers(other) && !other.covers(Hand::EMPTY.with(kind, 1)));
        }
    }

    #[test]
    fn union_and_intersection_go_kind_by_kind() {
        let (a, b) = (hand([3, 0, 1, 0, 2, 0, 4]), hand([1, 2, 1, 0, 0, 1, 3]));
        assert_eq!(a.union(b), hand([3, 2, 1, 0, 2, 1, 4]));
        assert_eq!(a.intersection(b), hand([1, 0, 1, 0, 0, 0, 3]));
        assert_eq!(format!("{:?}", a), "[3, 0, 1, 0, 2, 0, 4]");
    }
}
