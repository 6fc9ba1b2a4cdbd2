//! The values of all options.

use super::strength::Strength;
use hasami_api::Rules;
use hasami_nnue::Network;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The rule by which the master tree grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TreeModel {
    /// P-GPP: transition probabilities by rank (Yokoyama et al. 2014, section 3).
    Rank,
    /// P-GPP with transition probabilities by differences in evaluation (Yokoyama et al. 2014, section 4).
    Gap,
    #[default]
    Hasami,
}

/// The way in which several workers search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parallel {
    /// Workers search one position if all of them can share its search, and a tree otherwise.
    #[default]
    Auto,
    /// Workers search one position in every tree model, with a shared table if there is one. Child engines cannot share
    /// a search.
    Shared,
    /// Workers search a tree of positions, with one worker per position (P-GPP).
    Tree,
}

/// The evaluation of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationSettings {
    /// File of a network; empty for the file in the folder, or else the built-in network.
    pub file: String,
    /// Folder of the file `nn.bin`, relative to the program (USI).
    pub folder: String,
    /// Divisor of a network's output (USI); `None` for the usual divisor of the network's type.
    pub fv_scale: Option<u32>,
}

impl Default for EvaluationSettings {
    fn default() -> Self {
        Self { file: String::new(), folder: "eval".into(), fv_scale: None }
    }
}

/// Decides which moves of a book are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookChoice {
    /// Folder in which book files are looked for if their path names no folder; empty for none.
    pub folder: String,
    /// Number of plies at the beginning of a game in which the book is used.
    pub plies: u32,
    /// Largest difference between a move's value and that of the best move, in centipawns.
    pub value_gap: u32,
    /// Whether the file is left on disk instead of being read into memory.
    pub on_the_fly: bool,
    /// Whether rotated positions are also looked up.
    pub flipped: bool,
}

impl Default for BookChoice {
    fn default() -> Self {
        Self { folder: "book".into(), plies: 10_000, value_gap: 100, on_the_fly: false, flipped: true }
    }
}

/// Endgame tables, and the conditions under which they are probed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndgameSettings {
    /// Folders, separated as in the system's `PATH`; empty for none.
    pub folders: String,
    /// Largest number of pieces, kings included, of positions that are probed.
    pub pieces: u32,
    /// Positions with exactly this many pieces are probed only at least this many plies before the end of the search.
    pub depth: u32,
    /// Whether a win that takes longer than the fifty-move rule allows counts as a draw.
    pub fifty_moves: bool,
}

impl Default for EndgameSettings {
    fn default() -> Self {
        Self { folders: String::new(), pieces: 7, depth: 1, fifty_moves: true }
    }
}

/// All settings that a GUI can change. The defaults suit a user who sets nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Size of the tables of all worker threads together, in MiB: one table with `shared_hash`, otherwise one table per
    /// thread.
    pub hash_mb: u32,
    /// Number of worker threads.
    pub threads: u32,
    pub shared_hash: bool,
    pub ponder: bool,
    pub multi_pv: u16,
    /// Time lost on every move between our clock and the GUI's clock (UCI `Move Overhead`, USI `NetworkDelay`).
    pub overhead: Duration,
    /// Time lost between our clock and the GUI's clock on moves that must be made before the flag falls, as in byoyomi
    /// (USI `NetworkDelay2`).
    pub overhead_last: Duration,
    /// Time to spend on a move, as a percentage of the usual time.
    pub slow_mover: u32,
    /// Shortest time for a move, unless it is forced (USI `MinimumThinkingTime`).
    pub least_time: Duration,
    /// Whether the clock rounds the time of a move up to whole seconds (USI `RoundUpToFullSecond`).
    pub whole_seconds: bool,
    /// Shortest time between two `info` lines (USI `PvInterval`).
    pub info_interval: Duration,
    /// Whether every change is shown at once (USI `ConsiderationMode`).
    pub consideration: bool,
    /// Whether values that are only bounds are also shown (USI `OutputFailLHPV`).
    pub show_bounds: bool,
    pub own_book: bool,
    pub book_file: PathBuf,
    /// Number of times that `book_file` was set, even to the same value. An unreadable file is tried again whenever
    /// this number changes.
    pub book_settings: u32,
    pub book_choice: BookChoice,
    pub show_wdl: bool,
    pub analyse_mode: bool,
    pub rules: Rules,
    /// Level of play from 0 to 20; 20 is full strength.
    pub skill_level: u8,
    /// Whether `elo` decides the strength instead of `skill_level` (UCI).
    pub limit_strength: bool,
    pub elo: u16,
    /// The engine resigns if the value is below minus this number of centipawns; `None` if the engine never resigns.
    pub resign_value: Option<u32>,
    pub debug_log_file: Option<PathBuf>,
    /// Address on which the web page is served; empty for none.
    pub web_page: String,
    pub parallel: Parallel,
    pub tree_model: TreeModel,
    /// Rules of the tree model to change for experiments: `affinity=off,mate-probes=0.5`; empty for the default rules.
    pub tree_rules: String,
    /// Whether the mate solver also searches for brinkmates, in games that have them.
    pub brinkmates: bool,
    /// TOML file of child engines.
    pub children: Option<PathBuf>,
    /// Command lines of further child engines; not an option of the protocols.
    pub child_commands: Vec<String>,
    /// URL of the NATS server of a cluster; empty for none.
    pub cluster: String,
    /// Files with the credentials for the server of the cluster and with the certificates to trust; not options of the
    /// protocols.
    pub cluster_creds: Option<PathBuf>,
    pub cluster_tls_ca: Option<PathBuf>,
    pub tree_log: bool,
    pub evaluation: EvaluationSettings,
    pub endgames: EndgameSettings,
    /// Values of a draw in centipawns, if the side to move is the first and the second player.
    pub draw_values: [i32; 2],
    /// The network that `evaluation` names, once it has been read; not an option of the protocols.
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
