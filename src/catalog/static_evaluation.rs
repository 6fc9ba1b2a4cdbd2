//! The static evaluation of a position.

/// A position and its static value, in centipawns for the first player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StaticEvaluation {
    /// The position as FEN or SFEN.
    pub text: String,
    pub total: i32,
    pub pieces: Vec<PieceValue>,
}

/// A piece of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceValue {
    /// The letter of the piece in FEN or SFEN.
    pub name: String,
    /// Rank from the top and file from the left, both counted from 0; `None` for a piece in hand.
    pub place: Option<[u32; 2]>,
    /// The difference that the absence of the piece would make, in centipawns for the first player; `None` if it cannot
    /// be absent.
    pub value: Option<i32>,
}
