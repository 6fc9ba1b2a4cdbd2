//! The pieces in hand, in a form that mate solvers can compare.

/// The pieces that a side holds in hand, as a count for each of seven kinds. A hand that [covers](Self::covers) another
/// hand allows every drop that the other hand allows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

/// Identifies a position in a mate search: a hash of the board, and the attacker's hand.
pub type PositionKey = (u64, Hand);

impl Hand {
    /// The empty hand.
    pub const EMPTY: Self = Self(0);
    /// The hand with the largest count of each kind, which covers every hand.
    pub const FULL: Self = Self(0x7337_771f);
    /// Number of kinds of pieces, which are numbered from 0.
    pub const KINDS: usize = 7;

    /// Position of the lowest bit of each count; kind 0 counts up to 31, kinds 4 and 5 up to 3, the others up to 7.
    const SHIFT: [u32; Self::KINDS] = [0, 8, 12, 16, 20, 24, 28];
    const MOST: [u32; Self::KINDS] = [31, 7, 7, 7, 3, 3, 7];
    /// Mask of the zero bits above the counts, from which a subtraction may borrow.
    const GUARDS: u32 = 1 << 5 | 1 << 11 | 1 << 15 | 1 << 19 | 1 << 22 | 1 << 26 | 1 << 31;

    /// Builds a hand from its packed form ([`Self::bits`]), ignoring bits that belong to no count.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::FULL.0)
    }

    /// The packed form; equal hands have equal bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Number of pieces of a kind (below [`Self::KINDS`]).
    pub const fn count(self, kind: usize) -> u32 {
        self.0 >> Self::SHIFT[kind] & Self::MOST[kind]
    }

    /// Returns the hand with the count of a kind set to `count`, or to the largest possible count if `count` is larger.
    #[must_use]
    pub fn with(self, kind: usize, count: u32) -> Self {
        let count = count.min(Self::MOST[kind]);
        Self(self.0 & !(Self::MOST[kind] << Self::SHIFT[kind]) | count << Self::SHIFT[kind])
    }

    /// Returns the hand with one more piece of the kind `kind`, unless it has the largest possible number already.
    #[must_use]
    pub fn plus_one(self, kind: usize) -> Self {
        self.with(kind, self.count(kind) + 1)
    }

    /// Returns the hand with one piece fewer of the kind `kind`, or unchanged if it has none.
    #[must_use]
    pub fn minus_one(self, kind: usize) -> Self {
        self.with(kind, self.count(kind).saturating_sub(1))
    }

    /// Does this hand have at least as many pieces of every kind as `other`?
    pub const fn covers(self, other: Self) -> bool {
        (self.0 | Self::GUARDS).wrapping_sub(other.0) & Self::GUARDS == Self::GUARDS
    }

    /// Returns the hand with the larger of the two counts for each kind of piece.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        self.each(other, u32::max)
    }

    /// Returns the hand with the smaller of the two counts for each kind of piece.
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
