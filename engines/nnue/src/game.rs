//! The games that networks can evaluate.

/// The game that a network is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetworkGame {
    /// Chess.
    Chess,
    /// Shogi.
    Shogi,
}

impl NetworkGame {
    /// All games.
    pub const ALL: [Self; 2] = [Self::Chess, Self::Shogi];

    /// The name of the game on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Shogi => "shogi",
        }
    }
}
