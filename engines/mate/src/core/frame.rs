//! A node on the path of a search, and its children.

use crate::core::attack_rules::MoveStage;
use crate::core::sample::Sample;
use crate::core::value::ProofNumbers;
use hasami_api::Hand;
use std::rc::Rc;

/// A move of a node on the path and what is known about the position after it.
#[derive(Clone, Copy)]
pub(crate) struct ChildNode<M> {
    pub(crate) mv: M,
    pub(crate) value: ProofNumbers,
    /// A drop of the defender that is looked at when those before it on its square have failed.
    pub(crate) waits: bool,
    /// Where a drop of the defender goes.
    pub(crate) square: Option<u8>,
    /// How often searches had come back from here when it was last looked at, modulo 256.
    pub(crate) seen: u8,
}

/// A node on the path. Its children lie in the arena from `first` on, up to the next node's.
pub(crate) struct PathFrame<M> {
    /// Key of the board.
    pub(crate) key: u64,
    /// The attacker's.
    pub(crate) hand: Hand,
    /// The defender's.
    pub(crate) other_hand: Hand,
    /// Names the way to this node.
    pub(crate) path: u64,
    /// Names the way to its children.
    pub(crate) child_path: u64,
    pub(crate) first: usize,
    pub(crate) pn_limit: u32,
    pub(crate) dn_limit: u32,
    /// The limits so far, where they grow.
    pub(crate) inner: (u32, u32),
    pub(crate) chosen: usize,
    /// Where its moves are in the crowd.
    pub(crate) place: u32,
    /// The numbers that the others were told last.
    pub(crate) told: (u32, u32),
    /// Some children wait.
    pub(crate) has_waiting: bool,
    /// The next stage of moves, if there is one, and its number.
    pub(crate) stage: Option<MoveStage>,
    pub(crate) next_stage: u8,
    /// A proof that later answers are tried by.
    pub(crate) sample: Option<Rc<Sample<M>>>,
    pub(crate) expansions: u64,
}
