//! Games that an engine played with itself, and their way into files.

use crate::label::Label;
use hasami_api::{Ending, Game, MoveText, Outcome, SearchGame, Start};

/// A move and the score that led to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelledMove {
    /// The move.
    pub text: MoveText,
    /// Centipawns for the side that made it.
    pub score: i16,
}

/// A game of an engine with itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayGame {
    /// The position after the random opening, as FEN or SFEN.
    pub start: String,
    /// What the engine played from there.
    pub moves: Vec<LabelledMove>,
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub ending: Ending,
}

/// A file that holds something else: what was expected and what was found, in one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct FormatError(pub String);

/// A game whose positions and games have file formats here.
pub trait LabelledGame: SearchGame {
    /// Bytes of a position.
    const POSITION_BYTES: usize;

    /// The ending of files of games, and of files of positions.
    const ENDINGS_OF_FILES: [&'static str; 2];

    /// Files of games say why a game ended.
    const TELLS_ENDINGS: bool;

    /// Appends a position; false where the format cannot hold it.
    fn write_position(&self, label: &Label, out: &mut Vec<u8>) -> bool;

    /// Appends a game.
    ///
    /// # Errors
    /// Where a move is illegal, or the format cannot hold the position.
    fn write_game(played: &SelfPlayGame, out: &mut Vec<u8>) -> Result<(), FormatError>;

    /// Reads the game at the beginning, and returns the number of its bytes as well; `None`: a game that is cut off.
    ///
    /// # Errors
    /// Where the bytes are no game.
    fn read_game(bytes: &[u8]) -> Result<Option<(SelfPlayGame, usize)>, FormatError>;
}

/// Which positions of a game are worth learning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Positions in check as well.
    pub checks: bool,
    /// Positions whose move captures or promotes as well.
    pub noisy: bool,
    /// Scores within this.
    pub most_score: u16,
    /// Plies of the game that are left out at its beginning.
    pub skip: u16,
}

impl Default for Filter {
    fn default() -> Self {
        Self { checks: false, noisy: false, most_score: 3_000, skip: 0 }
    }
}

/// Sets up the start of a game.
pub(crate) fn begin<G: Game>(played: &SelfPlayGame) -> Result<G, FormatError> {
    let start = Start { text: Some(played.start.as_str().into()), ..Start::default() };
    G::new(&start).map_err(|error| FormatError(error.to_string()))
}

/// Replays a game, and calls `each` before every move.
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

/// Appends the positions of a game that the filter lets through, and returns their number.
///
/// # Errors
/// Where a move of the game is illegal.
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
