//! The training file formats of each game, for programs that choose the game at run time.

use crate::distil::distil;
use crate::game::{Filter, FormatError, LabelledGame, SelfPlayGame, positions};
use crate::label::Label;
use crate::text::LabelledText;
use hasami_api::{Side, Start};
use hasami_nnue::{Network, NetworkEval, NetworkGame, built_in};
use std::sync::Arc;

/// A game that was read and its size in bytes; `None` if the game is truncated.
pub type FoundGame = Option<(SelfPlayGame, usize)>;

/// The type of [`distil`] for one game.
type Distil = fn(&mut NetworkEval, &SelfPlayGame, u32, u64, &Filter, &mut Vec<u8>) -> Result<usize, FormatError>;

/// The training file formats of one game, such as chess.
pub struct TrainingFormats {
    /// The game whose games and positions the files contain.
    pub game: NetworkGame,
    /// File name extension of game files.
    pub games: &'static str,
    /// File name extension of position files.
    pub positions: &'static str,
    /// Whether game files state how a game ended; see [`LabelledGame::TELLS_ENDINGS`].
    pub tells_endings: bool,
    /// Size of a packed position, in bytes.
    pub position_bytes: usize,
    /// Appends a game to bytes, as [`LabelledGame::write_game`] does.
    pub write_game: fn(&SelfPlayGame, &mut Vec<u8>) -> Result<(), FormatError>,
    /// Reads a game from bytes, as [`LabelledGame::read_game`] does.
    pub read_game: fn(&[u8]) -> Result<FoundGame, FormatError>,
    /// Appends the position that a line of text describes. Returns false if the format cannot represent the position.
    pub write_text: fn(&LabelledText, &mut Vec<u8>) -> Result<bool, FormatError>,
    /// Appends positions that differ by a few moves from those of a game, labelled by a network, as [`distil`] does.
    pub distil: Distil,
    /// Appends the positions of a game, as [`positions`] does.
    pub extract: fn(&SelfPlayGame, &Filter, &mut Vec<u8>) -> Result<usize, FormatError>,
}

impl TrainingFormats {
    /// Returns the formats of the game `G`.
    pub const fn of<G: LabelledGame>(game: NetworkGame) -> Self {
        Self {
            game,
            games: G::ENDINGS_OF_FILES[0],
            positions: G::ENDINGS_OF_FILES[1],
            tells_endings: G::TELLS_ENDINGS,
            position_bytes: G::POSITION_BYTES,
            write_game: G::write_game,
            read_game: G::read_game,
            write_text: write_text::<G>,
            distil: distil::<G>,
            extract: positions::<G>,
        }
    }

    /// Creates an evaluator that uses `network`, or the built-in network of the game if `network` is `None`.
    pub fn evaluator(&self, network: Option<&Arc<Network>>) -> NetworkEval {
        NetworkEval::new(network.map_or_else(|| built_in(self.game), Arc::clone))
    }
}

fn write_text<G: LabelledGame>(line: &LabelledText, out: &mut Vec<u8>) -> Result<bool, FormatError> {
    let start = Start { text: Some(line.position.as_str().into()), ..Start::default() };
    let game = G::new(&start).map_err(|error| FormatError(error.to_string()))?;
    let score = if game.side() == Side::Second { -line.score } else { line.score };
    let label = Label { score, best: 0, ply: game.ply() as u16, outcome: line.outcome };
    Ok(game.write_position(&label, out))
}
