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
    /// Its letter in the FEN or SFEN.
    pub name: String,
    /// Rank from the top and file from the left, both from 0; `None` for one of the pieces in hand of this kind.
    pub place: Option<[u32; 2]>,
    /// The difference that its absence makes, in centipawns for the first player; `None` if it cannot be absent.
    pub value: Option<i32>,
}
