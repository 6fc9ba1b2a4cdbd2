//! The values of all options.

use super::strength::Strength;
use hasami_api::Rules;
use hasami_nnue::Network;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How the master tree grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TreeModel {
    /// P-GPP: transition probabilities by rank (Yokoyama et al. 2014, section 3).
    Rank,
    /// By evaluation gap (Yokoyama et al. 2014, section 4).
    Gap,
    #[default]
    Hasami,
}

/// The way in which several workers search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parallel {
    /// One position where all workers can share its search, else a tree.
    #[default]
    Auto,
    /// One position, with a shared table where there is one, in every tree model. Child engines cannot share a search.
    Shared,
    /// A tree of positions, each with a worker of its own (P-GPP).
    Tree,
}

/// The evaluation of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationSettings {
    /// The file of a network; empty: that of the folder, or the built-in one; `classical`: the evaluation made by hand.
    pub file: String,
    /// USI: the folder of the file `nn.bin`, relative to the program.
    pub folder: String,
    /// USI: the divisor of a network's output; `None`: the usual one of its kind.
    pub fv_scale: Option<u32>,
}

impl Default for EvaluationSettings {
    fn default() -> Self {
        Self { file: String::new(), folder: "eval".into(), fv_scale: None }
    }
}

/// Which moves of a book are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookChoice {
    /// Of book files without a folder; empty: none.
    pub folder: String,
    /// So many plies of a game.
    pub plies: u32,
    /// A move is worse than the best one by so many centipawns at most.
    pub value_gap: u32,
    /// The file stays on the disk.
    pub on_the_fly: bool,
    /// Positions of the book may be seen from the other side.
    pub flipped: bool,
}

impl Default for BookChoice {
    fn default() -> Self {
        Self { folder: "book".into(), plies: 10_000, value_gap: 100, on_the_fly: false, flipped: true }
    }
}

/// Endgame tables and when they are asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndgameSettings {
    /// Folders, separated as those of the system's `PATH`; empty: none.
    pub folders: String,
    /// Pieces, kings included, up to which they are asked.
    pub pieces: u32,
    /// Positions with as many pieces as that are asked about so many plies before the end of the search, at least.
    pub depth: u32,
    /// A win that takes longer than the fifty-move rule allows is a draw.
    pub fifty_moves: bool,
}

impl Default for EndgameSettings {
    fn default() -> Self {
        Self { folders: String::new(), pieces: 7, depth: 1, fifty_moves: true }
    }
}

/// Everything that the GUI may set. Defaults suit a person who sets nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The tables of all thread workers together, MiB: one for all with `shared_hash`, else one each.
    pub hash_mb: u32,
    /// Thread workers.
    pub threads: u32,
    pub shared_hash: bool,
    pub ponder: bool,
    pub multi_pv: u16,
    /// UCI `Move Overhead`, USI `NetworkDelay`: lost between our clock and the GUI's, on every move.
    pub overhead: Duration,
    /// USI `NetworkDelay2`: the same where a move must be made before the flag falls (byoyomi).
    pub overhead_last: Duration,
    /// Percent of the time that a move usually takes.
    pub slow_mover: u32,
    /// UCI `nodestime`: so many nodes are a millisecond; 0: the clock counts time.
    pub nodes_per_ms: u32,
    /// USI `MinimumThinkingTime`: no move comes earlier, unless it is forced.
    pub least_time: Duration,
    /// USI `RoundUpToFullSecond`: the clock counts every second begun as a whole one.
    pub whole_seconds: bool,
    /// USI `PvInterval`: info lines follow one another after so long at least.
    pub info_interval: Duration,
    /// USI `ConsiderationMode`: every change is shown at once.
    pub consideration: bool,
    /// USI `OutputFailLHPV`: values that are only bounds are shown, too.
    pub show_bounds: bool,
    pub own_book: bool,
    pub book_file: PathBuf,
    /// How often `book_file` was set, be it to the same: a file that could not be read is then tried again.
    pub book_settings: u32,
    pub book_choice: BookChoice,
    pub show_wdl: bool,
    pub analyse_mode: bool,
    pub rules: Rules,
    /// 0 to 20; 20: as strong as it can be.
    pub skill_level: u8,
    /// UCI: `elo` says how strong it plays, not `skill_level`.
    pub limit_strength: bool,
    pub elo: u16,
    /// Resign below minus this many centipawns; `None`: never.
    pub resign_value: Option<u32>,
    pub debug_log_file: Option<PathBuf>,
    /// Where the page for the browser is served; empty: nowhere.
    pub web_page: String,
    pub parallel: Parallel,
    pub tree_model: TreeModel,
    /// Rules of the model that are switched, for experiments: `affinity=off,mate-probes=0.5`; empty: those that pay.
    pub tree_rules: String,
    /// The mate solver looks for brinkmates, too, where the game has them.
    pub brinkmates: bool,
    /// TOML file of child engines.
    pub children: Option<PathBuf>,
    /// Command lines of further child engines; not an option of the protocols.
    pub child_commands: Vec<String>,
    /// URL of the NATS server of a cluster; empty: none.
    pub cluster: String,
    /// Files of its credentials and of whom to trust; not options of the protocols.
    pub cluster_creds: Option<PathBuf>,
    pub cluster_tls_ca: Option<PathBuf>,
    pub tree_log: bool,
    pub evaluation: EvaluationSettings,
    pub endgames: EndgameSettings,
    /// Centipawns that a draw is worth to the side to move: to the first player, and to the second.
    pub draw_values: [i32; 2],
    /// The network that `evaluation` names, once it is read; not an option of the protocols.
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
            nodes_per_ms: 0,
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
