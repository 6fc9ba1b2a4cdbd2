//! Letters between a host and cells that share no memory, whatever carries them: threads, pipes, or a machine with a
//! clock of its own.

use std::str::FromStr;

/// Messages for a host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellEvent {
    /// A letter from a cell: a line of ASCII.
    Message(String),
    /// The cell is gone, and why. The last that is heard of it.
    Lost(String),
}

/// The host's side.
pub trait CellLinks: Send {
    /// A problem begins. Who was lost before may be left out, and who has come since be taken in: cells are numbered anew.
    fn renew(&mut self) {}

    /// Cells since [`Self::renew`]; they have the numbers from 0.
    fn cells(&self) -> usize;

    /// Never blocks. A cell that is lost hears nothing; that it is lost is told to every problem. A letter is a line of text, and may wait for others until the host looks
    /// for letters itself.
    fn send(&mut self, cell: usize, letter: &str);

    /// Nothing more is to be said for now: no letter waits any longer.
    fn flush(&mut self) {}

    /// The next that has come, without waiting.
    fn take(&mut self) -> Option<(usize, CellEvent)>;

    /// Waits until something may have come, or a moment has passed.
    fn wait(&mut self);

    /// A cell's message makes no sense: nothing more is wanted of it.
    fn dismiss(&mut self, cell: usize, why: &str);
}

/// A cell's side.
pub trait HostLink {
    /// The next letter that has come, without waiting.
    fn take(&mut self) -> Option<String>;

    /// Waits until something may have come, or a moment has passed. `false`: nothing will come any more.
    fn wait(&mut self) -> bool;

    /// A line of text, which may wait for others until the cell looks for letters itself.
    fn send(&mut self, letter: &str);

    /// The cell is at work and has nothing to say yet.
    fn toil(&mut self) {}
}

/// Who answers a host's letters, until nothing comes any more.
pub trait CellWorker: Send {
    fn serve(&mut self, mail: &mut dyn HostLink);
}

/// How cells search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CellSearch {
    /// By proof numbers on a table of the cell's own; a summary comes back.
    #[default]
    Dfpn,
    /// As in Tatematsu et al. 1996: best-first, and the whole sub-tree comes back.
    BestFirst,
}

impl CellSearch {
    pub const NAMES: [&str; 2] = [Self::Dfpn.name(), Self::BestFirst.name()];

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

/// How a host and its cells work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CellOptions {
    pub search: CellSearch,
    /// Leaves that the host makes before it gives any away (n_s of Tatematsu et al. 1996); 0: the first moves only.
    pub leaves: Option<usize>,
    /// Size of a task: nodes of a sub-tree (best-first), moves made (by proof numbers).
    pub size: Option<u64>,
    /// Note when each cell had nothing to do, in virtual time.
    pub trace: bool,
}
