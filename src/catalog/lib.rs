//! A game's offers to the program around it: the only way from the protocol side to a concrete game.
//!
//! The program knows its games by a table, [`Games`], that `main` hands in. A game is one crate and one entry of that table
//! (`Entry` of `hasami-games`). The crate implements the traits of `hasami_api`:
//! - `Game`: name, rules, notation of moves and positions; `SearchGame` for the alpha-beta search, `MateGame` for the solver
//!   of mates (`BrinkmateGame` where brinkmates are wanted), `Evaluator` for the values of positions
//! - `Records`: what the players are called, why games end, and the formats in which games are written and read
//! - `Render`: diagrams, and moves as players write them
//!
//! The entry says which protocol the game is played in, what evaluates it, and the tables of transition probabilities of the
//! tree; the options that only this game has; and, where the game has them, an opening book, endgame tables, brinkmates, and
//! whether its mate problems allow quiet moves.
//!
//! A protocol (`hasami_protocol::Dialect`) is a way of writing. Where several games of a table share one, a GUI chooses by the
//! option `UCI_Variant` or `USI_Variant`, and the first of them is played until it does.
//!
//! ```no_run
//! use hasami_api::Line;
//! use hasami_catalog::Catalog;
//!
//! fn is_over(game: &dyn Catalog, line: &Line) -> bool {
//!     game.check(line).is_ok() && game.check_play(line).is_err()
//! }
//! ```

pub mod evaluation;
mod referee;
mod speaker;
mod static_evaluation;
mod table;
mod typed;

pub use referee::{Arbiter, Oracle, PvFault, Referee};
pub use speaker::{Notation, Speaker};
pub use static_evaluation::{PieceValue, StaticEvaluation};
pub use table::Games;
pub use typed::words as typed_words;

use hasami_api::{
    Diagram, Ending, Format, GameRecord, GameReview, InvalidPosition, Judging, Line, MateUnit, MovePlaces, MoveText,
    ReadGame, RecordError, Rules, Searcher, Start,
};
use hasami_brinkmate::{BrinkmateSearch, BrinkmateSolver};
use hasami_mate::{Algorithm, CellWorker, MateSolver, SolverOptions};
use hasami_nnue::Network;
use hasami_protocol::client::PlayedGame;
use hasami_protocol::option::Options;
use hasami_protocol::settings::EndgameSettings;
use hasami_protocol::{Command, Dialect, Settings, TypedLine, pasted};
use hasami_training::TrainingFormats;
use hasami_tree::manage::Manage;
use hasami_words::Message;
use std::path::PathBuf;
use std::sync::Arc;

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Debug)]
pub enum CertificateFault {
    Wrong(Message),
    /// A limit ended the replay: it may be right.
    Undecided(Message),
}

/// Openings of matches inside the program: the name of their file in book/, whose ending is their format, and its text.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInOpenings {
    pub name: &'static str,
    pub text: &'static str,
}

/// A game, its dialect, and the engines on offer. One entry of the table in `games.rs`.
pub trait Catalog: Send + Sync {
    /// `chess`, `shogi`.
    fn name(&self) -> &'static str;

    fn dialect(&self) -> &'static dyn Dialect;

    /// Its names among the values of `UCI_Variant` or `USI_Variant` of other engines, the usual one first.
    fn variants(&self) -> &'static [&'static str];

    /// The game as other engines know it.
    fn played(&self) -> PlayedGame {
        PlayedGame { protocol: self.dialect().protocol(), variants: self.variants() }
    }

    /// The options of its engine.
    fn options(&self) -> Options;

    fn manager(&self, settings: &Settings) -> Box<dyn Manage>;

    /// The network that comes with the program.
    fn built_in_network(&self) -> Option<Arc<Network>> {
        None
    }

    /// The network that the settings name, read from its file, or the built-in one; `None` for the evaluation made by hand. The error is a line
    /// for the user. [`Settings::network`] hands it to [`Self::engines`].
    fn read_network(&self, settings: &Settings) -> Result<Option<Arc<Network>>, Message>;

    /// The settings with the network that they name; with the built-in one where that cannot be read.
    fn with_network(&self, settings: &Settings) -> Settings {
        let network = self.read_network(settings).unwrap_or_else(|_| self.built_in_network());
        Settings { network, ..settings.clone() }
    }

    /// Endgame tables can be read where the settings name any; the error is a line for the user.
    fn check_tables(&self, settings: &EndgameSettings) -> Result<(), Message> {
        let _ = settings;
        Ok(())
    }

    /// Evaluates the position at the end of a line by [`Settings::network`] or by hand; errors name the move.
    fn evaluate(&self, line: &Line, settings: &Settings) -> Result<StaticEvaluation, String>;

    /// A maker of sequential engines for thread workers: every call gives one more, all on one table if
    /// [`Settings::shared_hash`] says so.
    fn engines(&self, settings: &Settings) -> Box<dyn FnMut() -> Box<dyn Searcher> + Send>;

    /// A solver for every goal but [`hasami_api::Goal::Best`].
    fn mate_solver(&self, settings: &Settings) -> Box<dyn Searcher>;

    /// A solver for [`hasami_api::Goal::Mate`].
    fn solver(&self, algorithm: Algorithm, options: &SolverOptions) -> Box<dyn MateSolver>;

    fn has_brinkmates(&self) -> bool;

    /// Openings of a match for which none were named.
    fn built_in_openings(&self) -> Option<BuiltInOpenings> {
        None
    }

    /// A solver of brinkmates, if the game has them.
    fn brinkmate_solver(&self, search: BrinkmateSearch, options: &SolverOptions) -> Option<Box<dyn BrinkmateSolver>>;

    /// A cell of `hasami solve --algorithm cells`, with so many MiB.
    fn cell(&self, hash_mb: usize) -> Box<dyn CellWorker>;

    /// Men of a start beyond those of a set, and men of a set that it lacks, kings left out.
    fn against_set(&self, start: &Start) -> [u32; 2];

    /// Problems of this game are about checks only.
    fn mates_by_checks(&self) -> bool;

    /// Leaf counts below each legal move, in the order of generation.
    fn perft(&self, start: &Start, depth: u32) -> Result<Vec<(MoveText, u64)>, InvalidPosition>;

    /// Checks a line against the rules.
    fn check(&self, line: &Line) -> Result<(), Message>;

    /// The same for a line that two sides are to play on from.
    fn check_play(&self, line: &Line) -> Result<(), Message>;

    /// The rules of a game that begins so: those of the start, and what its position demands.
    fn rules_of(&self, start: &Start) -> Rules;

    /// An arbiter for a game that begins with this line; errors name the move.
    fn referee(&self, line: &Line) -> Result<Box<dyn Referee>, Message>;

    /// How its players write values and mates.
    fn mate_unit(&self) -> MateUnit;

    /// Names of the players, the first one first.
    fn sides(&self) -> [&'static str; 2];

    /// Plies that people count as one move.
    fn plies_per_move(&self) -> u32;

    /// Formats in which games can be written and read.
    fn formats(&self) -> &'static [Format];

    /// The format of this word.
    fn format(&self, word: &str) -> Option<Format> {
        self.formats().iter().copied().find(|format| format.word == word)
    }

    /// Ends that only this game has.
    fn endings(&self) -> &'static [Ending];

    /// The rule of its own that the game leaves to choose: its name, and how it is chosen.
    fn own_rule(&self, rules: Rules) -> Option<(&'static str, String)>;

    fn write_record(&self, record: &GameRecord, format: Format) -> Result<String, RecordError>;

    /// The games of a file.
    fn read_records(&self, text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError>;

    /// The start with the rules that its position demands.
    fn ruled(&self, start: Start) -> Start {
        Start { rules: self.rules_of(&start), ..start }
    }

    /// The names of the players of each game of a file, where the format tells them.
    fn players(&self, text: &str, format: Format) -> Vec<[String; 2]>;

    /// The text of a file with what an analysis found written into it: one review for each of its games.
    fn annotate(&self, text: &str, format: Format, reviews: &[GameReview]) -> Result<String, RecordError>;

    /// How values become chances where moves are judged.
    fn judging(&self) -> Judging;

    /// A position in any form in which people post them, not yet checked against the rules, by which moves as players write
    /// them are read.
    fn posted(&self, text: &str, rules: Rules) -> Result<Line, Message> {
        match pasted::read(self.dialect().protocol(), text) {
            Command::Position(line) => Ok(Line { start: self.ruled(Start { rules, ..line.start }), ..line }),
            Command::TypedPosition(TypedLine { start, moves }) => {
                let start = self.ruled(Start { rules, ..start });
                self.typed_line(&Line { start, moves: Vec::new() }, &moves)
            }
            Command::BadPosition(why) => Err(why),
            _ => Err(Message::new("expected-position").with("found", text)),
        }
    }

    /// `line` and the moves that somebody has typed after it, each in the protocol's notation or as players write it; errors
    /// name the move.
    fn typed_line(&self, line: &Line, moves: &str) -> Result<Line, Message> {
        let mut referee = self.referee(line)?;
        let mut line = line.clone();
        for word in typed::words(moves) {
            let number = line.moves.len() + 1;
            let read = referee.read(&word).and_then(|m| Ok(referee.play(&m)?));
            line.moves.push(read.map_err(|why| why.at_move(number))?);
        }
        Ok(line)
    }

    /// The text of the position at the end of a line; errors name the move.
    fn position(&self, line: &Line) -> Result<String, Message> {
        Ok(self.referee(line)?.to_text())
    }

    /// The position at the end of a line, to be drawn; errors name the move.
    fn diagram(&self, line: &Line) -> Result<Diagram, String>;

    /// Where the moves of a line lead on the diagrams before them; errors name the move.
    fn places(&self, line: &Line) -> Result<Vec<MovePlaces>, String>;

    /// The moves of a line as players write them; errors name the move.
    fn notation(&self, line: &Line) -> Result<Vec<String>, String>;

    /// The same as Western players write them, where that is another way.
    fn western(&self, line: &Line) -> Result<Vec<String>, String>;

    /// The files of its labelled positions, if networks can be trained for it.
    fn training(&self) -> Option<&'static TrainingFormats> {
        None
    }

    /// Replays the file of a certificate of a brinkmate, visiting at most so many positions; what it proves, or why it does
    /// not.
    fn verify_certificate(&self, file: &[u8], positions: u64) -> Result<Message, CertificateFault>;

    /// Endgame tables from folders; errors name the folder.
    fn oracle(&self, folders: &[PathBuf]) -> Result<Box<dyn Oracle>, Message>;
}
