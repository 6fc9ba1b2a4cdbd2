//! What a search asks of a game where attacks need not be checks.

use crate::{MateGame, Side};

/// When a stage of moves begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stage {
    /// The number that the side to move wants small has become so large in all moves looked at so far; without limit: all of
    /// them have failed.
    pub from: u32,
    /// What the moves of the stage are expected to add to the other number.
    pub adds: u32,
}

/// Squares that matter to a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zone {
    /// A piece that stands there matters.
    pub on: u128,
    /// A piece that could go there matters.
    pub reach: u128,
}

impl Zone {
    pub const EVERYWHERE: Self = Self { on: u128::MAX, reach: u128::MAX };

    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self { on: self.on | other.on, reach: self.reach | other.reach }
    }
}

/// A position in the table under another key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twin {
    pub key: u64,
    /// What is proved there is proved here; otherwise, what is disproved.
    pub by_proof: bool,
}

/// What a search for brinkmates asks beyond that for mates.
pub trait BrinkmateGame: MateGame {
    /// The side to move, which is not in check, makes no move. Taken back as a move is.
    fn pass(&mut self);

    /// What this quiet move does is far from the king of that side, so that it is not likely to threaten or to save it. Only
    /// for the order in which moves are tried.
    fn is_far(&self, m: Self::Move, king: Side) -> bool;

    /// As [`MateGame::zone_of_attack`], of a check.
    fn check_zone(&self, m: Self::Move) -> Zone;

    /// As [`MateGame::zone_of_answers`].
    fn evasion_zone(&self) -> Zone;

    /// As [`MateGame::is_within`].
    fn meets(&self, answer: Self::Move, zone: Zone) -> bool;
}
