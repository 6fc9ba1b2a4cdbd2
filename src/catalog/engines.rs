//! The engines of a game: searches, solvers, and the networks with which they evaluate positions.

use super::{CertificateFault, EvaluationError, GameError, GameRules};
use hasami_api::{Line, Searcher};
use hasami_brinkmate::{BrinkmateSearch, BrinkmateSolver};
use hasami_mate::{Algorithm, CellWorker, MateSolver, SolverOptions};
use hasami_nnue::Network;
use hasami_protocol::Settings;
use hasami_protocol::option::Options;
use hasami_protocol::settings::EndgameSettings;
use hasami_training::TrainingFormats;
use hasami_tree::manage::Manage;
use hasami_words::Message;
use std::sync::Arc;

/// An entry of the table of games: the rules of the game, and the searches and solvers for its positions. Code that
/// needs only the rules uses [`GameRules`].
pub trait Catalog: GameRules {
    /// The options of the game's engine.
    fn options(&self) -> Options;

    fn manager(&self, settings: &Settings) -> Box<dyn Manage>;

    /// The network that is built into the program.
    fn built_in_network(&self) -> Option<Arc<Network>> {
        None
    }

    /// Reads the network that the settings name, or returns the built-in one; `None` if the game has no networks. The
    /// error is a line for the user. The network is passed to [`Self::engines`] in [`Settings::network`].
    fn read_network(&self, settings: &Settings) -> Result<Option<Arc<Network>>, EvaluationError>;

    /// Adds the network that the settings name to the settings, or the built-in network if the named one cannot be
    /// read.
    fn with_network(&self, settings: &Settings) -> Settings {
        let network = self.read_network(settings).unwrap_or_else(|_| self.built_in_network());
        Settings { network, ..settings.clone() }
    }

    /// Checks that the endgame tables that the settings name can be read. The error is a line for the user.
    fn check_tables(&self, _settings: &EndgameSettings) -> Result<(), GameError> {
        Ok(())
    }

    /// Evaluates the position at the end of a line with [`Settings::network`], in centipawns for the first player. An
    /// error names the move that is wrong.
    fn evaluate(&self, line: &Line, settings: &Settings) -> Result<i32, GameError>;

    /// A factory of sequential engines for worker threads. All of them share one table if [`Settings::shared_hash`] is
    /// set.
    fn engines(&self, settings: &Settings) -> Box<dyn FnMut() -> Box<dyn Searcher> + Send>;

    /// Creates a solver for every goal but [`hasami_api::Goal::Best`].
    fn mate_solver(&self, settings: &Settings) -> Box<dyn Searcher>;

    /// Creates a solver for [`hasami_api::Goal::Mate`].
    fn solver(&self, algorithm: Algorithm, options: &SolverOptions) -> Box<dyn MateSolver>;

    fn has_brinkmates(&self) -> bool;

    /// Creates a solver of brinkmates; `None` if the game has none.
    fn brinkmate_solver(&self, search: BrinkmateSearch, options: &SolverOptions) -> Option<Box<dyn BrinkmateSolver>>;

    /// Creates a cell of `hasami solve --algorithm cells`, with `hash_mb` MiB of memory.
    fn cell(&self, hash_mb: usize) -> Box<dyn CellWorker>;

    /// The file formats of labelled positions, if networks can be trained for the game.
    fn training(&self) -> Option<&'static TrainingFormats> {
        None
    }

    /// Replays the certificate of a brinkmate, visiting at most `positions` positions. Returns what it proves, or why
    /// it proves nothing.
    fn verify_certificate(&self, file: &[u8], positions: u64) -> Result<Message, CertificateFault>;
}
