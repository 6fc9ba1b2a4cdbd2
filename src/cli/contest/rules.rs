//! The words for the rules of a match on the command line.

use clap::ValueEnum;

/// The protocol option that `--entering-king` sets.
pub const ENTERING_KING: &str = "EnteringKingRule";

#[derive(Clone, Copy, Default, ValueEnum)]
pub enum EnteringKing {
    None,
    Csa24,
    #[default]
    Csa27,
    Try,
}

impl EnteringKing {
    pub const fn option_word(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Csa24 => "CSARule24",
            Self::Csa27 => "CSARule27",
            Self::Try => "TryRule",
        }
    }
}
