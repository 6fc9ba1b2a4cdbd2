//! The ways in which proof numbers are searched: ours, and as in the papers.

/// Differences between searches by proof numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    /// To the number that needs all children every open child but the largest adds one and this part of the rest of its own:
    /// a fourth if this is 4, all of it if 1, which makes it the sum, nothing if 0. For proof and for disproof numbers.
    pub(crate) parts: [u32; 2],
    /// The limits of a child allow for the second best one, so that the search stays where it is for a while (df-pn).
    /// Otherwise the child has all that its parent has left.
    pub(crate) by_rival: bool,
    /// A node that is new is searched with limits of one, and then of one more, up to those that it was given (multiple
    /// iterative deepening).
    pub(crate) deepens: bool,
    /// By how much limits grow where they do.
    pub(crate) step: u32,
    /// Knowledge of one hand is used for others, and drops wait for each other.
    pub(crate) by_hands: bool,
    /// Drops of the attacker on one square count once: most often one answer refutes all of them.
    pub(crate) joins_drops: bool,
    /// A position's first numbers are those of its moves, not one.
    pub(crate) counts_moves: bool,
    /// The attacker need not check.
    pub(crate) any_moves: bool,
    /// The first proof and disproof numbers of what is new grow so many times: the search prefers what it was told of.
    pub(crate) doubts: [u32; 2],
}

impl Style {
    /// The best known: see docs/design/mate-solver.md for what each part is worth.
    pub(crate) const DFPN: Self = Self {
        parts: [4, 0],
        by_rival: true,
        deepens: false,
        step: 1,
        by_hands: true,
        joins_drops: true,
        counts_moves: true,
        any_moves: false,
        doubts: [1, 1],
    };

    /// For attacks that need not check: there are so many answers in a row that with larger parts of the proof numbers those
    /// of deep positions grow beyond all bounds.
    pub(crate) const BRINKMATE: Self = Self { parts: [8, 8], joins_drops: false, ..Self::DFPN };

    /// PDS (Nagai 1998) as in Takano et al. 2004, section 3, and Hashimoto et al. 2001, section 4.
    pub(crate) const PDS: Self = Self {
        parts: [1, 1],
        by_rival: false,
        deepens: true,
        step: 1,
        by_hands: false,
        joins_drops: false,
        counts_moves: false,
        any_moves: false,
        doubts: [1, 1],
    };
}
