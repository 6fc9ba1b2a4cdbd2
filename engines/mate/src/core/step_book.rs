//! Moves that a cell claims to play in decided positions. These moves only guide a search.

use crate::interface::cell_message::ProofStep;
use hasami_api::{Hand, MoveText};
use std::collections::HashMap;

/// Maximum number of steps kept per board.
const KEPT: usize = 64;

/// Steps towards a mate, or against one, by board.
pub(crate) struct StepBook {
    is_mate: bool,
    steps: HashMap<u64, Vec<(Hand, MoveText)>>,
    count: usize,
}

impl StepBook {
    pub(crate) fn new(is_mate: bool, told: &[ProofStep]) -> Self {
        let mut steps: HashMap<u64, Vec<(Hand, MoveText)>> = HashMap::with_capacity(told.len());
        for &ProofStep { key, hand, mv } in told {
            let known = steps.entry(key).or_default();
            if known.len() < KEPT {
                known.push((hand, mv));
            }
        }
        let count = steps.values().map(Vec::len).sum();
        Self { is_mate, steps, count }
    }

    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// Returns the step of the side to move for this hand of the attacker.
    pub(crate) fn step(&self, attacks: bool, key: u64, hand: Hand) -> Option<&MoveText> {
        if attacks != self.is_mate {
            return None;
        }
        let serves = |other: Hand| if attacks { hand.covers(other) } else { other.covers(hand) };
        self.steps.get(&key)?.iter().find(|(other, _)| serves(*other)).map(|(_, mv)| mv)
    }
}
