//! Options of a host and its cells.

use std::str::FromStr;

/// The kind of search that cells run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CellSearch {
    /// Cells search by proof numbers, each with a separate table, and return only the numbers.
    #[default]
    Dfpn,
    /// Cells search best-first and return the whole sub-tree, as in Tatematsu et al. 1996.
    BestFirst,
}

impl CellSearch {
    /// The names of all kinds of search.
    pub const NAMES: [&str; 2] = [Self::Dfpn.name(), Self::BestFirst.name()];

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dfpn => "dfpn",
            Self::BestFirst => "best-first",
        }
    }
}

impl FromStr for CellSearch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = [Self::Dfpn, Self::BestFirst].into_iter().find(|search| search.name() == text);
        found.ok_or_else(|| format!("expected one of {}, found '{text}'", Self::NAMES.join(", ")))
    }
}

/// Options of a host and its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CellOptions {
    /// The kind of search for tasks.
    pub search: CellSearch,
    /// Number of leaves that the host creates before it assigns the first one (n_s of Tatematsu et al. 1996); 0 expands
    /// only the root.
    pub leaves: Option<usize>,
    /// Initial size of a task: number of sub-tree nodes (best-first) or of moves made (proof numbers).
    pub size: Option<u64>,
    /// Whether to record the virtual time during which each cell was idle.
    pub trace: bool,
}
