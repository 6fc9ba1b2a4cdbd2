//! The entry of chess.

use super::{Entry, Networks};
use crate::book::Book;
use crate::catalog::Oracle;
use crate::protocol::UCI;
use crate::protocol::option::{Declared, Kind};
use hasami_api::Verdict;
use hasami_chess::{Chess, ChessEval, Tables};
use hasami_nnue::{Evaluation, NetworkEval, NetworkGame};
#[cfg(feature = "training")]
use hasami_training::{Distiller, TrainingFormats};

/// A small book in Polyglot's format; its origin is told in `book/README.md`.
static BOOK: &[u8] = include_bytes!("../../book/chess.bin");

pub static ENTRY: Entry<Chess, Evaluation<ChessEval>> = Entry {
    variants: &["chess", "standard", "normal"],
    options: &OPTIONS,
    #[cfg(feature = "training")]
    training: Some(&TRAINING),
    networks: Some(Networks {
        game: NetworkGame::Chess,
        evaluator: |network| Evaluation::Network(NetworkEval::new(network)),
    }),
    own_transitions: include_str!("../tree/data/hasami_chess.toml"),
    opening: || Some(Box::new(Book::polyglot(BOOK, Chess::polyglot_key))),
    oracle: Some(|folders| Ok(Box::new(Syzygy(Tables::open(folders)?)))),
    ..Entry::new(&UCI, || Evaluation::HandMade(ChessEval::new()), include_str!("../tree/data/chess.toml"))
};

#[cfg(feature = "training")]
static TRAINING: TrainingFormats = TrainingFormats::of::<Chess>(NetworkGame::Chess, |network| {
    Box::new(Distiller::<Chess, _>::new(match network {
        Some(network) => Evaluation::Network(NetworkEval::new(network)),
        None => Evaluation::HandMade(ChessEval::new()),
    }))
});

static OPTIONS: [Declared; 1] = [Declared::uci(
    "UCI_Chess960",
    Kind::Check { get: |s| s.rules.chess960, set: |s, v| s.rules.chess960 = v },
    "Castling is written king takes rook.",
)];

/// The endgame tables.
struct Syzygy(Tables);

impl Oracle for Syzygy {
    fn probe(&self, position: &str) -> Option<Verdict> {
        self.0.probe(position)
    }
}
