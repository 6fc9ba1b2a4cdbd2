//! `--notation`: the notation of moves on the screen.

use clap::ValueEnum;
use hasami_catalog::Notation;

#[derive(clap::Args)]
pub struct NotationArgs {
    /// Notation of moves: that of the game's players (SAN, Japanese notation), that of Western players, or that of the
    /// protocol
    #[arg(long, value_enum, default_value_t)]
    notation: NotationWord,
}

/// The words that `--notation` accepts.
#[derive(Clone, Copy, Default, ValueEnum)]
enum NotationWord {
    #[default]
    #[value(alias = "san", alias = "japanese", alias = "ki2")]
    Players,
    Western,
    #[value(alias = "usi", alias = "uci")]
    Protocol,
}

impl NotationArgs {
    pub const fn notation(&self) -> Notation {
        match self.notation {
            NotationWord::Players => Notation::Players,
            NotationWord::Western => Notation::Western,
            NotationWord::Protocol => Notation::Protocol,
        }
    }
}
