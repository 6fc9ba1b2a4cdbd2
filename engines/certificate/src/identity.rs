//! Which positions are the same: board, hands and side to move.

use hasami_api::Game;
use std::hash::{BuildHasher, RandomState};

/// A position's text without its move number, hashed twice with keys that nobody can know beforehand: a certificate cannot
/// be made so that two of its positions are taken for one.
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
