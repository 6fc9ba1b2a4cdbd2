//! The operations that a search for brinkmates needs from a game.

use crate::{MateGame, Side};

/// The squares that a proof of a mate or brinkmate depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zone {
    /// Squares on which a defending piece would affect the proof.
    pub on: u128,
    /// Squares to which a defending move would affect the proof.
    pub reach: u128,
}

impl Zone {
    /// The zone of all squares, which every move of the defender reaches.
    pub const EVERYWHERE: Self = Self { on: u128::MAX, reach: u128::MAX };

    /// The union of two zones.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self { on: self.on | other.on, reach: self.reach | other.reach }
    }
}

/// The operations that a search for brinkmates needs beyond those of [`MateGame`].
pub trait BrinkmateGame: MateGame {
    /// Makes a null move, which [`unmake`](crate::Game::unmake) takes back; the side to move must not be in check.
    fn pass(&mut self);

    /// Is the quiet move `m` so far from the king of side `king` that it probably neither threatens nor protects this
    /// king? The answer affects only move ordering.
    fn is_far(&self, m: Self::Move, king: Side) -> bool;

    /// Returns the squares on which an additional piece of the defender could change the effect of the check `m`, which
    /// has not been made yet.
    fn check_zone(&self, _m: Self::Move) -> Zone {
        Zone::EVERYWHERE
    }

    /// Returns the squares on which an additional piece of the defender, whose king is in check, could change the set
    /// of legal evasions.
    fn evasion_zone(&self) -> Zone {
        Zone::EVERYWHERE
    }

    /// Can the defender's move `answer` change anything within the zone?
    fn meets(&self, _answer: Self::Move, _zone: Zone) -> bool {
        true
    }

    /// Do the moves `a` and `b` have the same target square, so that `b` captures the piece that `a` moved?
    fn is_on_one_square(a: Self::Move, b: Self::Move) -> bool;
}
