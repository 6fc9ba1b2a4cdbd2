//! The file formats of a game, for programs that choose the game at run time.

use crate::distil::MakeDistiller;
use crate::game::{Filter, FormatError, LabelledGame, SelfPlayGame, positions};
use crate::label::Label;
use crate::text::LabelledText;
use hasami_api::{Side, Start};
use hasami_nnue::NetworkGame;

/// A game and its size in bytes; `None` if the game is truncated.
pub type FoundGame = Option<(SelfPlayGame, usize)>;

/// The file formats of one game.
pub struct TrainingFormats {
    /// The game that the networks play.
    pub game: NetworkGame,
    /// File name extension of files of games.
    pub games: &'static str,
    /// File name extension of files of positions.
    pub positions: &'static str,
    /// Do files of games store how a game ended? See [`LabelledGame::TELLS_ENDINGS`].
    pub tells_endings: bool,
    /// Size of a position, in bytes.
    pub position_bytes: usize,
    /// Appends a game; see [`LabelledGame::write_game`].
    pub write_game: fn(&SelfPlayGame, &mut Vec<u8>) -> Result<(), FormatError>,
    /// Reads a game; see [`LabelledGame::read_game`].
    pub read_game: fn(&[u8]) -> Result<FoundGame, FormatError>,
    /// Appends the position of a line of text. Returns false if the format cannot represent it.
    pub write_text: fn(&LabelledText, &mut Vec<u8>) -> Result<bool, FormatError>,
    /// Creates a distiller, which labels positions by an evaluation.
    pub distiller: MakeDistiller,
    /// Extracts the positions of a game; see [`positions`].
    pub extract: fn(&SelfPlayGame, &Filter, &mut Vec<u8>) -> Result<usize, FormatError>,
}

impl TrainingFormats {
    /// Returns the formats of the game `G`.
    pub const fn of<G: LabelledGame>(game: NetworkGame, distiller: MakeDistiller) -> Self {
        Self {
            game,
            games: G::ENDINGS_OF_FILES[0],
            positions: G::ENDINGS_OF_FILES[1],
            tells_endings: G::TELLS_ENDINGS,
            position_bytes: G::POSITION_BYTES,
            write_game: G::write_game,
            read_game: G::read_game,
            write_text: write_text::<G>,
            distiller,
            extract: positions::<G>,
        }
    }
}

fn write_text<G: LabelledGame>(line: &LabelledText, out: &mut Vec<u8>) -> Result<bool, FormatError> {
    let start = Start { text: Some(line.position.as_str().into()), ..Start::default() };
    let game = G::new(&start).map_err(|error| FormatError(error.to_string()))?;
    let score = if line.is_for_first && game.side() == Side::Second { -line.score } else { line.score };
    let label = Label { score, best: 0, ply: game.ply() as u16, outcome: line.outcome };
    Ok(game.write_position(&label, out))
}
