//! The values of all options that a GUI can set.

use super::strength::Strength;
use hasami_api::Rules;
use hasami_nnue::Network;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The rule for growing the master tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TreeModel {
    /// P-GPP: transition probabilities by rank (Yokoyama et al. 2014, section 3).
    Rank,
    /// P-GPP with transition probabilities by differences in evaluation (Yokoyama et al. 2014, section 4).
    Gap,
    #[default]
    Hasami,
}

/// How several workers divide the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parallel {
    /// If every worker can share a search, all search the same position; if not, they search a tree of positions.
    #[default]
    Auto,
    /// All workers search the same position, whatever the tree model, with a shared table if there is one. Child
    /// engines cannot share a search.
    Shared,
    /// Workers search a tree of positions, with one worker per position (P-GPP).
    Tree,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationSettings {
    /// Network file; if empty, `nn.bin` in `folder` is used, or the built-in network if that file does not exist.
    pub file: String,
    /// Folder of the network file `nn.bin`, relative to the folder of the program (USI).
    pub folder: String,
    /// Divisor of the network's output (USI); `None` for the usual divisor of this type of network.
    pub fv_scale: Option<u32>,
}

impl Default for EvaluationSettings {
    fn default() -> Self {
        Self { file: String::new(), folder: "eval".into(), fv_scale: None }
    }
}

/// Settings that decide which book moves are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookChoice {
    /// Folder that is searched for a book file whose path contains no folder; empty for none.
    pub folder: String,
    /// The book is used only for this many plies at the beginning of a game.
    pub plies: u32,
    /// A book move is played only if its value is at most this many centipawns below that of the best book move.
    pub value_gap: u32,
    /// Whether the book file is read piecewise during play instead of being loaded into memory.
    pub on_the_fly: bool,
    /// Whether a position is also looked up in the book after exchanging the sides and rotating the board.
    pub flipped: bool,
}

impl Default for BookChoice {
    fn default() -> Self {
        Self { folder: "book".into(), plies: 10_000, value_gap: 100, on_the_fly: false, flipped: true }
    }
}

/// Endgame tables, and when they are probed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndgameSettings {
    /// Folders of endgame tables, separated as in the system's `PATH`; empty for none.
    pub folders: String,
    /// Positions with more pieces than this number, including kings, are not probed.
    pub pieces: u32,
    /// Positions with exactly `pieces` pieces are probed only at a remaining depth of at least this many plies.
    pub depth: u32,
    /// Whether a win that takes longer than the fifty-move rule allows counts as a draw.
    pub fifty_moves: bool,
}

impl Default for EndgameSettings {
    fn default() -> Self {
        Self { folders: String::new(), pieces: 7, depth: 1, fifty_moves: true }
    }
}

/// All settings that a GUI can change. The defaults are meant for users who set no options.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Total size of the worker threads' tables, in MiB: one table with `shared_hash`, one table per thread without it.
    pub hash_mb: u32,
    pub threads: u32,
    pub shared_hash: bool,
    pub ponder: bool,
    pub multi_pv: u16,
    /// Extra time that the GUI's clock counts for every move (UCI `Move Overhead`, USI `NetworkDelay`).
    pub overhead: Duration,
    /// Like `overhead`, for moves that use up all the time on the clock, as in byoyomi (USI `NetworkDelay2`).
    pub overhead_last: Duration,
    /// Thinking time per move, as a percentage of the normal thinking time.
    pub slow_mover: u32,
    /// Shortest time for a move, unless it is forced (USI `MinimumThinkingTime`).
    pub least_time: Duration,
    /// Whether the clock rounds the time of a move up to whole seconds (USI `RoundUpToFullSecond`).
    pub whole_seconds: bool,
    /// Shortest time between two `info` lines (USI `PvInterval`).
    pub info_interval: Duration,
    /// Whether `info` lines are printed without regard to `info_interval` (USI `ConsiderationMode`).
    pub consideration: bool,
    /// Whether scores that are only bounds are also shown (USI `OutputFailLHPV`).
    pub show_bounds: bool,
    pub own_book: bool,
    pub book_file: PathBuf,
    /// Number of times that `book_file` was set, even to the same value. An unreadable book file is tried again
    /// whenever this number changes.
    pub book_settings: u32,
    pub book_choice: BookChoice,
    pub show_wdl: bool,
    pub analyse_mode: bool,
    pub rules: Rules,
    /// Playing strength from 0 to 20; 20 is full strength.
    pub skill_level: u8,
    /// Whether `elo` decides the strength instead of `skill_level` (UCI).
    pub limit_strength: bool,
    pub elo: u16,
    /// The engine resigns if the score is below minus this number of centipawns; `None` if the engine never resigns.
    pub resign_value: Option<u32>,
    pub debug_log_file: Option<PathBuf>,
    /// Address of the web page; empty for none.
    pub web_page: String,
    pub parallel: Parallel,
    pub tree_model: TreeModel,
    /// Changes to the rules of the tree model, for experiments: `affinity=off,mate-probes=0.5`; empty for the default
    /// rules.
    pub tree_rules: String,
    /// Whether the mate solver also searches for brinkmates, in games that have them.
    pub brinkmates: bool,
    /// TOML file that lists child engines.
    pub children: Option<PathBuf>,
    /// Command lines of further child engines; not an option of the protocols.
    pub child_commands: Vec<String>,
    /// URL of the NATS server of a cluster; empty for none.
    pub cluster: String,
    /// Credentials file for the cluster's server, and file of trusted certificates; not options of the protocols.
    pub cluster_creds: Option<PathBuf>,
    pub cluster_tls_ca: Option<PathBuf>,
    pub tree_log: bool,
    pub evaluation: EvaluationSettings,
    pub endgames: EndgameSettings,
    /// Value of a draw in centipawns, if the first or the second player is to move.
    pub draw_values: [i32; 2],
    /// The network that `evaluation` selects, once its file has been read; not an option of the protocols.
    pub network: Option<Arc<Network>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mb: 64,
            threads: 1,
            shared_hash: true,
            brinkmates: true,
            ponder: false,
            multi_pv: 1,
            overhead: Duration::from_millis(30),
            overhead_last: Duration::from_millis(120),
            slow_mover: 100,
            least_time: Duration::ZERO,
            whole_seconds: false,
            info_interval: Duration::from_millis(100),
            consideration: false,
            show_bounds: true,
            own_book: false,
            book_file: PathBuf::new(),
            book_settings: 0,
            book_choice: BookChoice::default(),
            show_wdl: false,
            analyse_mode: false,
            rules: Rules::default(),
            skill_level: Strength::FULL,
            limit_strength: false,
            elo: Strength::ELO[0].1,
            resign_value: None,
            debug_log_file: None,
            web_page: String::new(),
            parallel: Parallel::Auto,
            tree_model: TreeModel::Hasami,
            tree_rules: String::new(),
            children: None,
            child_commands: Vec::new(),
            cluster: String::new(),
            cluster_creds: None,
            cluster_tls_ca: None,
            tree_log: false,
            evaluation: EvaluationSettings::default(),
            endgames: EndgameSettings::default(),
            draw_values: [0; 2],
            network: None,
        }
    }
}
