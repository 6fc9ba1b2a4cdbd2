//! Options of proof-number searches: the default options, and those used in papers.

/// Options of a proof-number search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    /// The part of an open child's number that is added to the number of a node that needs all children, unless the
    /// child's number is the largest: a quarter for 4, everything for 1 (which gives the sum), nothing for 0 (which
    /// gives the weak number). The first value is for proof numbers, the second for disproof numbers.
    pub(crate) parts: [u32; 2],
    /// Whether the limits of a child depend on the second-best child, as in df-pn. If `by_rival` is false, a child gets
    /// the remaining limits of its parent.
    pub(crate) by_rival: bool,
    /// Whether a new node is searched with small limits that grow step by step up to the limits of the node (multiple
    /// iterative deepening).
    pub(crate) deepens: bool,
    /// Step by which limits grow in multiple iterative deepening.
    pub(crate) step: u32,
    /// Whether results for one hand are used for other hands, and drops on one square wait for each other.
    pub(crate) by_hands: bool,
    /// Whether drops of the attacker on one square count once, because usually one answer refutes all of them.
    pub(crate) joins_drops: bool,
    /// Whether the initial numbers of a position depend on the number of moves; if not, all initial numbers are 1.
    pub(crate) counts_moves: bool,
    /// Whether the attacker may play moves other than checks.
    pub(crate) any_moves: bool,
    /// Factors of the initial proof and disproof numbers of new positions. Large factors make the search prefer
    /// positions for which it has hints.
    pub(crate) doubts: [u32; 2],
}

impl Style {
    /// The best known options, whose effects are listed in docs/design/mate-solver.md.
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

    /// Options for attacks that need not give check. Attacks without check allow many answers, so if more than an
    /// eighth of each number were added, the numbers of deep positions would grow without limit.
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
