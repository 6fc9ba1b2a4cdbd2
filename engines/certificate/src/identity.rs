//! Identities of positions: equal positions have the same board, hands and side to move.

use hasami_api::Game;
use std::hash::{BuildHasher, RandomState};

/// Two hashes of a position's text without its move number. The keys are random, so a certificate cannot be constructed
/// to contain two different positions with equal hashes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PositionIdentity(u64, u64);

pub struct Identities([RandomState; 2]);

impl Identities {
    pub fn new() -> Self {
        Self([RandomState::new(), RandomState::new()])
    }

    pub fn of<G: Game>(&self, game: &G) -> PositionIdentity {
        let text = game.to_text();
        let position = text.rsplit_once(' ').map_or(text.as_str(), |(position, _)| position);
        let [a, b] = &self.0;
        PositionIdentity(a.hash_one(position), b.hash_one(position))
    }
}
