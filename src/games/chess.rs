//! The catalog entry of chess.

use super::Entry;
use crate::book::Book;
use hasami_api::{EndgameTables, Verdict};
use hasami_catalog::{BuiltInOpenings, GameError, Oracle};
use hasami_chess::{Chess, NoTables, SearchTables, Tables};
use hasami_nnue::{Network, NetworkEval, NetworkGame, built_in};
use hasami_protocol::Protocol;
use hasami_protocol::option::{Declared, Kind, Rebuild};
use hasami_protocol::settings::EndgameSettings;
use hasami_training::TrainingFormats;
use std::path::PathBuf;
use std::sync::Arc;

/// A small opening book in Polyglot's format, whose origin is described in `book/README.md`.
static BOOK: &[u8] = include_bytes!("../../book/chess.bin");

pub static ENTRY: Entry<Chess, NetworkEval> = Entry {
    variants: &["chess", "standard", "normal"],
    options: &OPTIONS,
    training: Some(&TRAINING),
    networks: Some(NetworkGame::Chess),
    own_transitions: include_str!("../tree/data/hasami_chess.toml"),
    opening: || Some(Box::new(Book::polyglot(BOOK, Chess::polyglot_key))),
    match_openings: Some(BuiltInOpenings {
        name: "chess_openings.epd",
        text: include_str!("../../book/chess_openings.epd"),
    }),
    endgames: Some(open_tables),
    oracle: Some(|folders| Ok(Box::new(Syzygy(Tables::open(folders).map_err(no_tables)?)))),
    ..Entry::new(Protocol::Uci, evaluator, include_str!("../tree/data/chess.toml"))
};

static TRAINING: TrainingFormats = TrainingFormats::of::<Chess>(NetworkGame::Chess);

fn evaluator(network: Option<Arc<Network>>) -> NetworkEval {
    NetworkEval::new(network.unwrap_or_else(|| built_in(NetworkGame::Chess)))
}

static OPTIONS: [Declared; 5] = [
    Declared::uci(
        "SyzygyPath",
        Kind::Text { get: |s| s.endgames.folders.clone(), set: |s, v| s.endgames.folders = v.trim().into() },
        "Folders with Syzygy endgame tables, separated by : (Windows: ;).",
    )
    .rebuilding(Rebuild::Own),
    Declared::uci(
        "SyzygyProbeDepth",
        Kind::Spin { range: 1..=100, get: |s| s.endgames.depth, set: |s, v| s.endgames.depth = v },
        "Smallest remaining depth, in plies, at which the largest tables are probed.",
    )
    .rebuilding(Rebuild::Own),
    Declared::uci(
        "Syzygy50MoveRule",
        Kind::Check { get: |s| s.endgames.fifty_moves, set: |s, v| s.endgames.fifty_moves = v },
        "Counts wins that the fifty-move rule would prevent as draws.",
    )
    .rebuilding(Rebuild::Own),
    Declared::uci(
        "SyzygyProbeLimit",
        Kind::Spin { range: 0..=7, get: |s| s.endgames.pieces, set: |s, v| s.endgames.pieces = v },
        "Largest number of pieces, kings included, for which tables are probed.",
    )
    .rebuilding(Rebuild::Own),
    Declared::uci(
        "UCI_Chess960",
        Kind::Check { get: |s| s.rules.chess960, set: |s, v| s.rules.chess960 = v },
        "Writes castling as the king taking its own rook.",
    ),
];

fn open_tables(settings: &EndgameSettings) -> Result<Option<Arc<dyn EndgameTables<Chess>>>, GameError> {
    let folders: Vec<PathBuf> =
        std::env::split_paths(&settings.folders).filter(|f| !f.as_os_str().is_empty()).collect();
    if folders.is_empty() || settings.pieces == 0 {
        return Ok(None);
    }
    let tables = Tables::open(&folders).map_err(no_tables)?;
    let (pieces, depth) = (settings.pieces as usize, settings.depth as i32);
    Ok(Some(Arc::new(SearchTables::new(tables, pieces, depth, settings.fifty_moves))))
}

fn no_tables(NoTables { folder, why }: NoTables) -> GameError {
    let why = why.map_or_else(|| "no tables in it".to_owned(), |error| error.to_string());
    GameError::NoTables { folder, why }
}

/// Endgame tables in the Syzygy format.
struct Syzygy(Tables);

impl Oracle for Syzygy {
    fn probe(&self, position: &str) -> Option<Verdict> {
        self.0.probe(position)
    }
}
