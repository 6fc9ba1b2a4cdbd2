//! The value of a position without a search.

/// A position and its value, in centipawns for the first player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StaticEvaluation {
    /// The position, as its protocol writes it.
    pub text: String,
    pub total: i32,
    pub pieces: Vec<PieceValue>,
}

/// A piece of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceValue {
    /// Its letter, as the protocol writes it.
    pub name: String,
    /// Rank from the top and file from the left, both from 0; `None`: in hand, one of those of its kind.
    pub place: Option<[u32; 2]>,
    /// What its absence would take away, in centipawns for the first player; `None` where it cannot be absent.
    pub value: Option<i32>,
}
