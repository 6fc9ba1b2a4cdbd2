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
    /// Where a drop goes.
    pub(crate) square: Option<u8>,
    /// How often searches had come back from here when it was last looked at, modulo 256.
    pub(crate) seen: u8,
}

/// Squares to which a drop has been seen.
#[derive(Default)]
pub(crate) struct DropSquares(u128);

impl DropSquares {
    /// Whether it is the first drop there; what is no drop always is one of its own.
    pub(crate) const fn insert(&mut self, square: Option<u8>) -> bool {
        let Some(square) = square else { return true };
        let bit = 1 << (square & 127);
        let is_new = self.0 & bit == 0;
        self.0 |= bit;
        is_new
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_on_one_square_are_one_and_other_moves_are_each_their_own() {
        let mut dropped = DropSquares::default();
        let moves = [Some(3), None, Some(80), Some(3), None, Some(80), Some(4)];
        assert_eq!(moves.map(|square| dropped.insert(square)), [true, true, true, false, true, false, true]);
    }
}
