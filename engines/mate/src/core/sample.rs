//! The attacker's side of a proof against one answer, to be tried against others.

use hasami_api::{Hand, Zone};

/// A move of the attacker, and how it goes on after each answer.
pub(crate) struct SampleTurn<M> {
    pub(crate) attack: M,
    pub(crate) answers: Vec<(M, u32)>,
}

/// The attacker's side of a proof.
pub(crate) struct Sample<M> {
    /// The first one is the last in the list.
    pub(crate) turns: Vec<SampleTurn<M>>,
    pub(crate) zone: Zone,
    /// The part of the attacker's hand that it needs.
    pub(crate) hand: Hand,
}
