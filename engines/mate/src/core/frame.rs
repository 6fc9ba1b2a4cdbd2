//! Nodes on the path of a search, and their children.

use crate::core::attack_rules::MoveStage;
use crate::core::sample::Sample;
use crate::core::value::ProofNumbers;
use hasami_api::Hand;
use std::rc::Rc;

/// A move of a node on the path, with the value of the position after it.
#[derive(Clone, Copy)]
pub(crate) struct ChildNode<M> {
    pub(crate) mv: M,
    pub(crate) value: ProofNumbers,
    /// Whether the move is a drop of the defender that waits until the earlier drops on its square have failed.
    pub(crate) waits: bool,
    /// Target square of a drop.
    pub(crate) square: Option<u8>,
    /// Number of times that other searches had returned from this child when it was last evaluated, modulo 256.
    pub(crate) seen: u8,
}

/// Set of squares on which pieces are dropped.
#[derive(Default)]
pub(crate) struct DropSquares(u128);

impl DropSquares {
    /// Adds the target square of a drop. Returns true if the square is new, or if the move is not a drop (`None`).
    pub(crate) const fn insert(&mut self, square: Option<u8>) -> bool {
        let Some(square) = square else { return true };
        let bit = 1 << (square & 127);
        let is_new = self.0 & bit == 0;
        self.0 |= bit;
        is_new
    }
}

/// A node on the path. The children of a node are stored in the arena from index `first` on, up to the children of the
/// next node.
pub(crate) struct PathFrame<M> {
    /// Key of the board.
    pub(crate) key: u64,
    /// The attacker's hand.
    pub(crate) hand: Hand,
    /// The defender's hand.
    pub(crate) other_hand: Hand,
    /// Hash of the moves that lead to this node.
    pub(crate) path: u64,
    /// Hash of the moves that lead to the node's children.
    pub(crate) child_path: u64,
    pub(crate) first: usize,
    pub(crate) pn_limit: u32,
    pub(crate) dn_limit: u32,
    /// Current limits of multiple iterative deepening.
    pub(crate) inner: (u32, u32),
    pub(crate) chosen: usize,
    /// Index of this node's first move among the slots of [`crate::core::presence::Presence`].
    pub(crate) place: u32,
    /// The proof and disproof numbers last announced to other searches.
    pub(crate) announced: (u32, u32),
    /// True if some children are drops that wait for earlier drops on their squares to fail.
    pub(crate) has_waiting: bool,
    /// The next stage of moves, whose number is `next_stage`.
    pub(crate) stage: Option<MoveStage>,
    pub(crate) next_stage: u8,
    /// The proof against one answer, to be tried against later answers.
    pub(crate) sample: Option<Rc<Sample<M>>>,
    pub(crate) expansions: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_on_one_square_count_once_and_other_moves_separately() {
        let mut dropped = DropSquares::default();
        let moves = [Some(3), None, Some(80), Some(3), None, Some(80), Some(4)];
        assert_eq!(moves.map(|square| dropped.insert(square)), [true, true, true, false, true, false, true]);
    }
}
