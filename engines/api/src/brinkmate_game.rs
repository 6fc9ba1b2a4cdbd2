//! What a search for brinkmates asks of a game.

use crate::{MateGame, Side};

/// Squares that matter to a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zone {
    /// A piece that stands there matters.
    pub on: u128,
    /// A piece that could go there matters.
    pub reach: u128,
}

impl Zone {
    /// All squares: every move may matter.
    pub const EVERYWHERE: Self = Self { on: u128::MAX, reach: u128::MAX };

    /// The squares of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self { on: self.on | other.on, reach: self.reach | other.reach }
    }
}

/// Questions of a search for brinkmates beyond those for mates.
pub trait BrinkmateGame: MateGame {
    /// The side to move, which is not in check, makes no move. Taken back as a move is.
    fn pass(&mut self);

    /// The quiet move is far from the king of that side, so it is not likely to threaten or to save it. Only
    /// for the order in which moves are tried.
    fn is_far(&self, m: Self::Move, king: Side) -> bool;

    /// Where another piece of the defender could change what this check does; before it is made.
    fn check_zone(&self, _m: Self::Move) -> Zone {
        Zone::EVERYWHERE
    }

    /// Where another piece of the defender, who is in check, could change what there is to answer.
    fn evasion_zone(&self) -> Zone {
        Zone::EVERYWHERE
    }

    /// The answer may change something within the zone.
    fn meets(&self, _answer: Self::Move, _zone: Zone) -> bool {
        true
    }

    /// Both moves end on one square, so that the second takes what the first has put there.
    fn is_on_one_square(a: Self::Move, b: Self::Move) -> bool;
}
