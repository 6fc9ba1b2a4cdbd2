//! Self-play games, whose positions are training data.

use crate::label::Label;
use hasami_api::{Ending, Game, MoveText, Outcome, SearchGame, Start};
use hasami_nnue::Inputs;

/// A move, with the score from the search that chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelledMove {
    /// The move.
    pub text: MoveText,
    /// Score in centipawns for the side that made the move.
    pub score: i16,
}

/// A game that an engine played against itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayGame {
    /// The position after the random opening, as FEN or SFEN.
    pub start: String,
    /// The moves that the engine played from `start`.
    pub moves: Vec<LabelledMove>,
    /// Result of the game.
    pub outcome: Outcome,
    /// The reason the game ended.
    pub ending: Ending,
}

/// The error for malformed data, displayed as one line of text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct FormatError(pub String);

/// A game with file formats for self-play games and for positions.
pub trait LabelledGame: SearchGame + Inputs {
    /// Size of a packed position, in bytes.
    const POSITION_BYTES: usize;

    /// File name extensions of game files and of position files.
    const ENDINGS_OF_FILES: [&'static str; 2];

    /// Whether game files state why a game ended.
    const TELLS_ENDINGS: bool;

    /// Appends the current position in packed form. Returns false if the format cannot represent the position.
    fn write_position(&self, label: &Label, out: &mut Vec<u8>) -> bool;

    /// Appends a game to the bytes `out`.
    ///
    /// # Errors
    /// Returns an error if a move is illegal or the format cannot represent the start position.
    fn write_game(played: &SelfPlayGame, out: &mut Vec<u8>) -> Result<(), FormatError>;

    /// Reads the game at the beginning of `bytes`, and returns it with its size in bytes, or `None` if the game is
    /// truncated.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a game.
    fn read_game(bytes: &[u8]) -> Result<Option<(SelfPlayGame, usize)>, FormatError>;
}

/// The conditions that decide which positions of a game are used for training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Whether to include positions in which the side to move is in check.
    pub checks: bool,
    /// Whether to include positions in which the move played is a capture or a promotion.
    pub noisy: bool,
    /// Largest absolute score, in centipawns, of the positions to include.
    pub most_score: u16,
    /// Number of plies to exclude at the beginning of the game.
    pub skip: u16,
}

impl Default for Filter {
    fn default() -> Self {
        Self { checks: false, noisy: false, most_score: 3_000, skip: 0 }
    }
}

/// Sets up the start position of a game.
pub(crate) fn begin<G: Game>(played: &SelfPlayGame) -> Result<G, FormatError> {
    let start = Start { text: Some(played.start.as_str().into()), ..Start::default() };
    G::new(&start).map_err(|error| FormatError(error.to_string()))
}

/// Replays a game, calling `each` before every move.
pub(crate) fn replay<G: Game>(
    played: &SelfPlayGame,
    mut each: impl FnMut(&G, G::Move, &LabelledMove) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let mut game = begin::<G>(played)?;
    for (number, step) in played.moves.iter().enumerate() {
        let m = game.parse_move(&step.text).map_err(|error| FormatError(format!("move {}: {error}", number + 1)))?;
        each(&game, m, step)?;
        game.make(m);
    }
    Ok(())
}

/// Appends those positions of a game that pass the filter, and returns their number.
///
/// # Errors
/// Returns an error if a move of the game is illegal.
pub fn positions<G: LabelledGame>(
    played: &SelfPlayGame,
    filter: &Filter,
    out: &mut Vec<u8>,
) -> Result<usize, FormatError> {
    let (mut count, mut ply) = (0, 0);
    replay::<G>(played, |game, m, step| {
        ply += 1;
        let facts = game.facts(m);
        let is_wanted = ply > filter.skip
            && step.score.unsigned_abs() <= filter.most_score
            && (filter.noisy || (facts.victim == 0 && !facts.promotes))
            && (filter.checks || !game.in_check());
        let label = Label { score: step.score, best: G::pack(m), ply: game.ply() as u16, outcome: played.outcome };
        count += usize::from(is_wanted && game.write_position(&label, out));
        Ok(())
    })?;
    Ok(count)
}
