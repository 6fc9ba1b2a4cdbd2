//! Moves with which the attacker mates according to another engine, used to guide a search.

use hasami_api::{Hand, MoveText};
use std::collections::HashMap;

/// The attacker's moves, by board. Each move is stored with a hand of the attacker, and is used with every hand that
/// covers the stored one.
#[derive(Default)]
pub(crate) struct StepBook(HashMap<u64, Vec<(Hand, MoveText)>>);

impl StepBook {
    pub(crate) fn add(&mut self, key: u64, hand: Hand, mv: MoveText) {
        self.0.entry(key).or_default().push((hand, mv));
    }

    /// Returns the attacker's move for a board and a hand.
    pub(crate) fn step(&self, key: u64, hand: Hand) -> Option<&MoveText> {
        self.0.get(&key)?.iter().find(|(other, _)| hand.covers(*other)).map(|(_, mv)| mv)
    }
}
