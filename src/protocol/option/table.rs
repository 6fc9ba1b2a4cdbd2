//! The table of the options that all games have, in both protocols. Each game also declares options of its own.

use super::{Declared, Effect, Kind, Rebuild};
use crate::settings::{Parallel, TreeModel};
use crate::{Protocol, Settings, Strength};
use hasami_api::Score;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The `ResignValue` that means "never resign", as in other shogi engines.
const NEVER_RESIGN: u32 = 99_999;

const PARALLEL: [Parallel; 3] = [Parallel::Auto, Parallel::Shared, Parallel::Tree];
const TREE_MODELS: [TreeModel; 3] = [TreeModel::Rank, TreeModel::Gap, TreeModel::Hasami];

/// Declares an option that exists in both protocols.
const fn both(uci: &'static str, usi: &'static str, kind: Kind, help: &'static str) -> Declared {
    Declared { uci: Some(uci), usi: Some(usi), kind, help, rebuilds: Rebuild::Nobody }
}

fn millis(time: Duration) -> u32 {
    time.as_millis().try_into().unwrap_or(u32::MAX)
}

fn path_text(path: Option<&Path>) -> String {
    path.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
}

fn path(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| text.into())
}

/// Returns the UCI name of the option that precedes a game's own options in the list.
pub const fn before_those_of_games(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Uci => "BookFile",
        Protocol::Usi => "UCI_AnalyseMode",
    }
}

/// The options of all games, in the order in which GUIs show them.
pub static OPTIONS: &[Declared] = &[
    both(
        "Hash",
        "USI_Hash",
        Kind::Spin { range: 1..=1_048_576, get: |s| s.hash_mb, set: |s, v| s.hash_mb = v },
        "Memory for the tables of all threads together, in MiB. For go mate, the mate solver takes the same amount in addition.",
    )
    .rebuilding(Rebuild::Own),
    both("Clear Hash", "ClearHash", Kind::Button(Effect::ClearHash), "Clears the tables."),
    both(
        "Threads",
        "Threads",
        Kind::Spin { range: 0..=1024, get: |s| s.threads, set: |s, v| s.threads = v },
        "Number of threads that search. With 0, only child engines and workers of the cluster search.",
    )
    .rebuilding(Rebuild::Own),
    both(
        "SharedHash",
        "SharedHash",
        Kind::Check { get: |s| s.shared_hash, set: |s, v| s.shared_hash = v },
        "All threads share one table and one set of histories. If off, each thread has its own.",
    )
    .rebuilding(Rebuild::Own),
    both(
        "Ponder",
        "USI_Ponder",
        Kind::Check { get: |s| s.ponder, set: |s, v| s.ponder = v },
        "Searches while the opponent thinks.",
    ),
    Declared::usi("Stochastic_Ponder", Kind::Accepted("check default false"), "Accepted without effect: workers that ponder also search other replies."),
    both(
        "MultiPV",
        "USI_MultiPV",
        Kind::Spin { range: 1..=600, get: |s| s.multi_pv.into(), set: |s, v| s.multi_pv = v as u16 },
        "Number of lines to show.",
    ),
    both(
        "Skill Level",
        "SkillLevel",
        Kind::Spin {
            range: 0..=Strength::FULL as u32,
            get: |s| s.skill_level.into(),
            set: |s, v| s.skill_level = v as u8,
        },
        "Playing strength: 20 is full strength, 0 that of a beginner.",
    ),
    Declared::uci(
        "UCI_LimitStrength",
        Kind::Check { get: |s| s.limit_strength, set: |s, v| s.limit_strength = v },
        "Plays at the strength of UCI_Elo; Skill Level is then ignored.",
    ),
    Declared::uci(
        "UCI_Elo",
        Kind::Spin {
            range: Strength::ELO[0].1 as u32..=Strength::ELO[Strength::ELO.len() - 1].1 as u32,
            get: |s| s.elo.into(),
            set: |s, v| s.elo = v as u16,
        },
        "Rating to play at with UCI_LimitStrength, on the scale of Stockfish's option of this name.",
    ),
    Declared::uci(
        "Move Overhead",
        Kind::Spin {
            range: 0..=10_000,
            get: |s| millis(s.overhead),
            // UCI has one option for both `overhead` and `overhead_last`; `overhead_last` is never less than its
            // default.
            set: |s, v| {
                s.overhead = Duration::from_millis(v.into());
                s.overhead_last = s.overhead.max(Settings::default().overhead_last);
            },
        },
        "Time that every move loses between the engine and the GUI, in ms.",
    ),
    Declared::usi(
        "NetworkDelay",
        Kind::Spin {
            range: 0..=10_000,
            get: |s| millis(s.overhead),
            set: |s, v| s.overhead = Duration::from_millis(v.into()),
        },
        "Time that every move loses between the engine and the GUI, in ms.",
    ),
    Declared::usi(
        "NetworkDelay2",
        Kind::Spin {
            range: 0..=10_000,
            get: |s| millis(s.overhead_last),
            set: |s, v| s.overhead_last = Duration::from_millis(v.into()),
        },
        "Replaces NetworkDelay for moves at which the flag would fall (byoyomi), in ms.",
    ),
    Declared::usi(
        "MinimumThinkingTime",
        Kind::Spin {
            range: 0..=100_000,
            get: |s| millis(s.least_time),
            set: |s, v| s.least_time = Duration::from_millis(v.into()),
        },
        "Shortest time for a move, in ms, unless the move is forced or decided.",
    ),
    Declared::usi(
        "RoundUpToFullSecond",
        Kind::Check { get: |s| s.whole_seconds, set: |s, v| s.whole_seconds = v },
        "For clocks that round every move up to a full second: moves take whole seconds less NetworkDelay.",
    ),
    both(
        "Slow Mover",
        "SlowMover",
        Kind::Spin { range: 1..=1_000, get: |s| s.slow_mover, set: |s, v| s.slow_mover = v },
        "Time for a move, in percent of the usual time.",
    ),
    both(
        "OwnBook",
        "USI_OwnBook",
        Kind::Check { get: |s| s.own_book, set: |s, v| s.own_book = v },
        "Plays opening moves from a book.",
    ),
    both(
        "BookFile",
        "BookFile",
        Kind::File {
            get: |s| path_text(Some(&s.book_file)),
            set: |s, v| {
                (s.book_file, s.book_settings) = (v.into(), s.book_settings.wrapping_add(u32::from(!v.is_empty())));
            },
        },
        "File of opening moves: Polyglot's .bin (UCI) or YaneuraOu's .db (USI). Empty: the small built-in book.",
    ),
    both(
        "EvalFile",
        "EvalFile",
        Kind::File { get: |s| s.evaluation.file.clone(), set: |s, v| s.evaluation.file = v.trim().into() },
        "Network file that evaluates positions. Empty: nn.bin in EvalDir (USI) if it exists, otherwise the built-in network.",
    )
    .rebuilding(Rebuild::Own),
    Declared::usi(
        "EvalDir",
        Kind::Text { get: |s| s.evaluation.folder.clone(), set: |s, v| s.evaluation.folder = v.trim().into() },
        "Folder of the network file nn.bin, relative to the program. EvalFile overrides it.",
    )
    .rebuilding(Rebuild::Own),
    Declared::usi(
        "FV_SCALE",
        Kind::Spin {
            range: 0..=128,
            get: |s| s.evaluation.fv_scale.unwrap_or(0),
            set: |s, v| s.evaluation.fv_scale = Some(v).filter(|&v| v > 0),
        },
        "Divisor of the network's output, as stated by its authors (Suisho 5: 24). 0: 16, or 28 for layer stacks.",
    )
    .rebuilding(Rebuild::Own),
    Declared::uci(
        "UCI_ShowWDL",
        Kind::Check { get: |s| s.show_wdl, set: |s, v| s.show_wdl = v },
        "Shows the probabilities of win, draw and loss in permille with every score.",
    ),
    both(
        "UCI_AnalyseMode",
        "USI_AnalyseMode",
        Kind::Check { get: |s| s.analyse_mode, set: |s, v| s.analyse_mode = v },
        "Analysis instead of a game: no book and no resignation; a forced move does not end the search, and a mate ends it only as described below.",
    ),
    Declared::uci("UCI_Opponent", Kind::Accepted("string default <empty>"), "Accepted without effect: the engine plays the same against every opponent."),
    Declared::usi(
        "PvInterval",
        Kind::Spin {
            range: 0..=100_000_000,
            get: |s| millis(s.info_interval),
            set: |s, v| s.info_interval = Duration::from_millis(v.into()),
        },
        "Shortest time between two info lines, in ms.",
    ),
    Declared::usi(
        "ConsiderationMode",
        Kind::Check { get: |s| s.consideration, set: |s, v| s.consideration = v },
        "Shows every change at once, as with a PvInterval of 0.",
    ),
    Declared::usi(
        "OutputFailLHPV",
        Kind::Check { get: |s| s.show_bounds, set: |s, v| s.show_bounds = v },
        "Also shows values that are only bounds during a search.",
    ),
    Declared::usi(
        "ResignValue",
        Kind::Spin {
            range: 1..=NEVER_RESIGN,
            get: |s| s.resign_value.unwrap_or(NEVER_RESIGN),
            set: |s, v| s.resign_value = Some(v).filter(|&v| v <= Score::MAX_CP as u32),
        },
        "Resigns if the score falls below minus this many centipawns; 99999: never.",
    ),
    both(
        "Parallel",
        "Parallel",
        Kind::Combo {
            words: &["auto", "shared", "tree"],
            aliases: &[],
            get: |s| PARALLEL.iter().position(|&p| p == s.parallel).unwrap_or_default(),
            set: |s, v| s.parallel = PARALLEL.get(v).copied().unwrap_or_default(),
        },
        "What several workers search: one position (shared), a master tree (tree), or whichever suits them (auto).",
    ),
    both(
        "TreeModel",
        "TreeModel",
        Kind::Combo {
            words: &["rank", "gap", "hasami"],
            aliases: &[],
            get: |s| TREE_MODELS.iter().position(|&m| m == s.tree_model).unwrap_or_default(),
            set: |s, v| s.tree_model = TREE_MODELS.get(v).copied().unwrap_or_default(),
        },
        "Model by which the master tree grows.",
    ),
    both(
        "TreeRules",
        "TreeRules",
        Kind::Unlisted { set: |s, v| s.tree_rules = v.into() },
        "Switches rules of the tree model, for experiments: affinity=off,mate-probes=0.5. Not shown to GUIs.",
    ),
    both(
        "Children",
        "Children",
        Kind::File { get: |s| path_text(s.children.as_deref()), set: |s, v| s.children = path(v) },
        "TOML file that lists child engines.",
    )
    .rebuilding(Rebuild::All),
    both(
        "Cluster",
        "Cluster",
        Kind::Text { get: |s| s.cluster.clone(), set: |s, v| s.cluster = v.trim().to_owned() },
        "NATS server through which other machines lend workers: nats://HOST.",
    )
    .rebuilding(Rebuild::All),
    both(
        "TreeLog",
        "TreeLog",
        Kind::Check { get: |s| s.tree_log, set: |s, v| s.tree_log = v },
        "Reports in info strings which nodes the workers search.",
    ),
    both(
        "DebugLogFile",
        "DebugLogFile",
        Kind::File { get: |s| path_text(s.debug_log_file.as_deref()), set: |s, v| s.debug_log_file = path(v) },
        "File to which every input and output line is appended.",
    ),
    both(
        "WebPage",
        "WebPage",
        Kind::Text { get: |s| s.web_page.clone(), set: |s, v| s.web_page = v.trim().to_owned() },
        "Web page that shows the search: `on`, or an address to listen on.",
    ),
];
