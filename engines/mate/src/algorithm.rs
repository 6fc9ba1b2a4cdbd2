//! The searches by checks, by name.

use crate::style::Style;
use hasami_api::Core;
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
    /// Several processors over one table in hierarchical pincers (Takano et al. 2004).
    Aohpas,
    /// A host and cells that share no memory, as in Tatematsu et al. 1996.
    Cells,
    /// Proof numbers by multiple iterative deepening, plain, as in seeds 000 and 003.
    Pds,
    /// Iterative deepening by moves, plain, as in Hashimoto et al. 2001: the first mate found is a shortest one.
    Id,
    /// All positions of a level at once, as in the level-synchronous machine: every shortest attack against every
    /// longest defence.
    Levels,
}

impl Algorithm {
    pub const ALL: [Self; 7] =
        [Self::Dfpn, Self::Parallel, Self::Aohpas, Self::Cells, Self::Pds, Self::Id, Self::Levels];

    /// Those that use several processors.
    pub const PARALLEL: [Self; 4] = [Self::Parallel, Self::Aohpas, Self::Cells, Self::Levels];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Dfpn => "dfpn",
            Self::Parallel => "parallel",
            Self::Aohpas => "aohpas",
            Self::Cells => "cells",
            Self::Pds => "pds",
            Self::Id => "id",
            Self::Levels => "levels",
        }
    }

    /// `None`: not by proof numbers.
    pub(crate) const fn style(self, core: Core) -> Option<Style> {
        match (self, core) {
            (Self::Dfpn | Self::Parallel, _) | (Self::Aohpas, Core::Dfpn) => Some(Style::DFPN),
            (Self::Pds, _) | (Self::Aohpas, Core::Pds) => Some(Style::PDS),
            (Self::Id | Self::Cells | Self::Levels, _) => None,
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
