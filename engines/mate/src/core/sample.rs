//! The attacker's side of a proof against one answer, to be tried against other answers.

use hasami_api::{Hand, Zone};

/// A move of the attacker, with the index of the next turn for each answer.
pub(crate) struct SampleTurn<M> {
    pub(crate) attack: M,
    pub(crate) answers: Vec<(M, u32)>,
}

pub(crate) struct Sample<M> {
    /// All turns. The first move of the proof is the last turn in the list.
    pub(crate) turns: Vec<SampleTurn<M>>,
    pub(crate) zone: Zone,
    /// The part of the attacker's hand that the proof needs.
    pub(crate) hand: Hand,
}
