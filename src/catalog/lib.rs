//! What a game offers to the rest of the program: the only path from the protocols to a concrete game.
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
    /// A limit ended the replay, so the certificate may be correct.
    Undecided(Message),
}

/// Openings for matches that are built into the program: the name of the file in `book/`, whose extension gives the
/// format, and its text.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInOpenings {
    pub name: &'static str,
    pub text: &'static str,
}

/// A game, its dialect, and the engines on offer. One entry of the table in `games.rs`.
pub trait Catalog: Send + Sync {
    /// The name of the game: `chess`, `shogi`.
    fn name(&self) -> &'static str;

    fn dialect(&self) -> &'static dyn Dialect;

    /// Names of the game as values of `UCI_Variant` or `USI_Variant` in other engines, the most common one first.
    fn variants(&self) -> &'static [&'static str];

    /// The game in terms of the protocol, for other engines.
    fn played(&self) -> PlayedGame {
        PlayedGame { protocol: self.dialect().protocol(), variants: self.variants() }
    }

    /// The options of the game's engine.
    fn options(&self) -> Options;

    fn manager(&self, settings: &Settings) -> Box<dyn Manage>;

    /// The network that is built into the program.
    fn built_in_network(&self) -> Option<Arc<Network>> {
        None
    }

    /// Reads the network that the settings name, or returns the built-in one; `None` for the hand-made evaluation. The
    /// error is a line for the user. The network is passed to [`Self::engines`] in [`Settings::network`].
    fn read_network(&self, settings: &Settings) -> Result<Option<Arc<Network>>, Message>;

    /// The settings with the network that they name, or with the built-in one if that cannot be read.
    fn with_network(&self, settings: &Settings) -> Settings {
        let network = self.read_network(settings).unwrap_or_else(|_| self.built_in_network());
        Settings { network, ..settings.clone() }
    }

    /// Checks that the endgame tables that the settings name can be read. The error is a line for the user.
    fn check_tables(&self, settings: &EndgameSettings) -> Result<(), Message> {
        let _ = settings;
        Ok(())
    }

    /// Evaluates the position at the end of a line with [`Settings::network`] or the hand-made evaluation. An error
    /// names the move that is wrong.
    fn evaluate(&self, line: &Line, settings: &Settings) -> Result<StaticEvaluation, String>;

    /// A factory of sequential engines for worker threads. All of them share one table if [`Settings::shared_hash`] is
    /// set.
    fn engines(&self, settings: &Settings) -> Box<dyn FnMut() -> Box<dyn Searcher> + Send>;

    /// A solver for every goal but [`hasami_api::Goal::Best`].
    fn mate_solver(&self, settings: &Settings) -> Box<dyn Searcher>;

    /// A solver for [`hasami_api::Goal::Mate`].
    fn solver(&self, algorithm: Algorithm, options: &SolverOptions) -> Box<dyn MateSolver>;

    fn has_brinkmates(&self) -> bool;

    /// The openings of a match for which none are given.
    fn built_in_openings(&self) -> Option<BuiltInOpenings> {
        None
    }

    /// A solver of brinkmates; `None` if the game has none.
    fn brinkmate_solver(&self, search: BrinkmateSearch, options: &SolverOptions) -> Option<Box<dyn BrinkmateSolver>>;

    /// A cell of `hasami solve --algorithm cells`, with `hash_mb` MiB of memory.
    fn cell(&self, hash_mb: usize) -> Box<dyn CellWorker>;

    /// Number of pieces in a start position that are not in the set of the game, and of those in the set that are
    /// missing, both without kings.
    fn against_set(&self, start: &Start) -> [u32; 2];

    /// Do mate problems of this game allow checks only?
    fn mates_by_checks(&self) -> bool;

    /// Number of leaf nodes below each legal move, in the order of move generation.
    fn perft(&self, start: &Start, depth: u32) -> Result<Vec<(MoveText, u64)>, InvalidPosition>;

    /// Checks a line against the rules.
    fn check(&self, line: &Line) -> Result<(), Message>;

    /// Checks a line against the rules, and that its last position can be played on by two players.
    fn check_play(&self, line: &Line) -> Result<(), Message>;

    /// The rules of a game with this start: those given in it, and those that its position requires.
    fn rules_of(&self, start: &Start) -> Rules;

    /// A referee for a game that begins with this line. An error names the move that is wrong.
    fn referee(&self, line: &Line) -> Result<Box<dyn Referee>, Message>;

    /// The units in which values and mates are written for people.
    fn mate_unit(&self) -> MateUnit;

    /// Names of the players, that of the first player first.
    fn sides(&self) -> [&'static str; 2];

    /// Number of plies that people count as one move.
    fn plies_per_move(&self) -> u32;

    /// The formats in which games can be read and written.
    fn formats(&self) -> &'static [Format];

    /// The format with this name.
    fn format(&self, word: &str) -> Option<Format> {
        self.formats().iter().copied().find(|format| format.word == word)
    }

    /// The endings that only this game has.
    fn endings(&self) -> &'static [Ending];

    /// Name and value of the rule that the game leaves open to choice, if it has one.
    fn own_rule(&self, rules: Rules) -> Option<(&'static str, String)>;

    fn write_record(&self, record: &GameRecord, format: Format) -> Result<String, RecordError>;

    /// The games in the text of a file.
    fn read_records(&self, text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError>;

    /// The start with the rules that its position requires.
    fn ruled(&self, start: Start) -> Start {
        Start { rules: self.rules_of(&start), ..start }
    }

    /// The names of the players of each game in the text of a file, if the format contains them.
    fn players(&self, text: &str, format: Format) -> Vec<[String; 2]>;

    /// The text of a file with the results of an analysis added: one review per game.
    fn annotate(&self, text: &str, format: Format, reviews: &[GameReview]) -> Result<String, RecordError>;

    /// How values are converted to winning chances when moves are judged.
    fn judging(&self) -> Judging;

    /// Parses a position in any form in which people post it. The position is not checked against the rules, except as
    /// needed to read moves in the notation of players.
    fn posted(&self, text: &str, rules: Rules) -> Result<Line, Message> {
        match pasted::read(self.dialect().protocol(), text) {
            Command::Position(line) => Ok(Line { start: self.ruled(Start { rules, ..line.start }), ..line }),
            Command::TypedPosition(TypedLine { start, moves }) => {
                let start = self.ruled(Start { rules, ..start });
                self.typed_line(&Line { start, moves: Vec::new() }, &moves)
            }
            Command::BadPosition(why) => Err(why),
            _ => Err(Message::from(format!("expected a position, found {text}"))),
        }
    }

    /// Appends to `line` the moves that a person has typed, each in the notation of the protocol or of players. An
    /// error names the move that is wrong.
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

    /// The position at the end of a line as FEN or SFEN. An error names the move that is wrong.
    fn position(&self, line: &Line) -> Result<String, Message> {
        Ok(self.referee(line)?.to_text())
    }

    /// The diagram of the position at the end of a line. An error names the move that is wrong.
    fn diagram(&self, line: &Line) -> Result<Diagram, String>;

    /// Origin and target of each move of a line on the diagram before it. An error names the move that is wrong.
    fn places(&self, line: &Line) -> Result<Vec<MovePlaces>, String>;

    /// The moves of a line in the notation of players. An error names the move that is wrong.
    fn notation(&self, line: &Line) -> Result<Vec<String>, String>;

    /// The moves of a line in the notation of Western players, if they use another one.
    fn western(&self, line: &Line) -> Result<Vec<String>, String>;

    /// The file formats of labelled positions, if networks can be trained for the game.
    fn training(&self) -> Option<&'static TrainingFormats> {
        None
    }

    /// Replays the certificate of a brinkmate, visiting at most `positions` positions. Returns what it proves, or why
    /// it proves nothing.
    fn verify_certificate(&self, file: &[u8], positions: u64) -> Result<Message, CertificateFault>;

    /// Opens endgame tables. An error names the folder.
    fn oracle(&self, folders: &[PathBuf]) -> Result<Box<dyn Oracle>, Message>;
}
