//! The searches by checks, by name.

use crate::style::Style;
use std::fmt;
use std::str::FromStr;

/// How mates by checks are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// The best known: depth-first proof numbers with all that has paid.
    #[default]
    Dfpn,
    /// The same by several processors over one table.
    Parallel,
    /// Proof numbers by multiple iterative deepening, plain, as in seeds 000 and 003.
    Pds,
    /// Iterative deepening by moves, plain, as in seed 003: the first mate found is a shortest one.
    Id,
}

impl Algorithm {
    pub const ALL: [Self; 4] = [Self::Dfpn, Self::Parallel, Self::Pds, Self::Id];

    /// Those that use several processors.
    pub const PARALLEL: [Self; 1] = [Self::Parallel];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Dfpn => "dfpn",
            Self::Parallel => "parallel",
            Self::Pds => "pds",
            Self::Id => "id",
        }
    }

    /// `None`: not by proof numbers.
    pub(crate) const fn style(self) -> Option<Style> {
        match self {
            Self::Dfpn | Self::Parallel => Some(Style::DFPN),
            Self::Pds => Some(Style::PDS),
            Self::Id => None,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|algorithm| algorithm.name() == text);
        found.ok_or_else(|| format!("expected one of {names}, found '{text}'"))
    }
}
