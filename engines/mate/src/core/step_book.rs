//! Moves of the attacker that another engine claims to mate with. These moves only guide a search.

use hasami_api::{Hand, MoveText};
use std::collections::HashMap;

/// The attacker's moves, by board. A move holds for all hands that cover the attacker's hand next to it.
#[derive(Default)]
pub(crate) struct StepBook(HashMap<u64, Vec<(Hand, MoveText)>>);

impl StepBook {
    pub(crate) fn add(&mut self, key: u64, hand: Hand, mv: MoveText) {
        self.0.entry(key).or_default().push((hand, mv));
    }

    /// Returns the attacker's move on a board with this hand.
    pub(crate) fn step(&self, key: u64, hand: Hand) -> Option<&MoveText> {
        self.0.get(&key)?.iter().find(|(other, _)| hand.covers(*other)).map(|(_, mv)| mv)
    }
}
