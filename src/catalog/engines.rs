//! The engines of a game: searches, solvers, and the networks that evaluate positions.

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

/// An entry in the table of games: the game's rules, and the searches and solvers for its positions. If code needs only
/// the rules, it should use [`GameRules`].
pub trait Catalog: GameRules {
    fn options(&self) -> Options;

    fn manager(&self, settings: &Settings) -> Box<dyn Manage>;

    /// Returns the network that is built into the program, if there is one.
    fn built_in_network(&self) -> Option<Arc<Network>> {
        None
    }

    /// Reads the network file named in the settings, or returns the built-in network; `None` if the game has no
    /// networks. The caller must store the network in [`Settings::network`] before calling [`Self::engines`].
    fn read_network(&self, settings: &Settings) -> Result<Option<Arc<Network>>, EvaluationError>;

    /// Stores the network named in the settings in [`Settings::network`], or the built-in network if the file cannot be
    /// read.
    fn with_network(&self, settings: &Settings) -> Settings {
        let network = self.read_network(settings).unwrap_or_else(|_| self.built_in_network());
        Settings { network, ..settings.clone() }
    }

    /// Checks that the endgame tables named in the settings can be read.
    fn check_tables(&self, _settings: &EndgameSettings) -> Result<(), GameError> {
        Ok(())
    }

    /// Evaluates the final position of a line with [`Settings::network`], in centipawns from the first player's point
    /// of view. If a move in the line is illegal, the error names that move.
    fn evaluate(&self, line: &Line, settings: &Settings) -> Result<i32, GameError>;

    /// Returns a factory that makes sequential engines for worker threads. The engines share one transposition table if
    /// [`Settings::shared_hash`] is set.
    fn engines(&self, settings: &Settings) -> Box<dyn FnMut() -> Box<dyn Searcher> + Send>;

    /// Creates a solver for all goals except [`hasami_api::Goal::Best`].
    fn mate_solver(&self, settings: &Settings) -> Box<dyn Searcher>;

    /// Creates a solver for [`hasami_api::Goal::Mate`].
    fn solver(&self, algorithm: Algorithm, options: &SolverOptions) -> Box<dyn MateSolver>;

    fn has_brinkmates(&self) -> bool;

    /// Creates a brinkmate solver; `None` if the game has no brinkmates.
    fn brinkmate_solver(&self, search: BrinkmateSearch, options: &SolverOptions) -> Option<Box<dyn BrinkmateSolver>>;

    /// Creates a cell for `hasami solve --algorithm cells`, with `hash_mb` MiB of memory.
    fn cell(&self, hash_mb: usize) -> Box<dyn CellWorker>;

    /// The file formats for labelled positions; `None` if no network can be trained for the game.
    fn training(&self) -> Option<&'static TrainingFormats> {
        None
    }

    /// Replays a brinkmate certificate, visiting at most `positions` positions. Returns what the certificate proves, or
    /// the reason why it proves nothing.
    fn verify_certificate(&self, file: &[u8], positions: u64) -> Result<Message, CertificateFault>;
}
