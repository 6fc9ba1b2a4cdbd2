//! The games of networks.

/// The game of a network.
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

    /// The word of the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Shogi => "shogi",
        }
    }
}
