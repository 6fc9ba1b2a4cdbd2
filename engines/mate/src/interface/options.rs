//! Options of a solver beside its task, and the use of its processors.

use super::cell_options::CellOptions;
use std::fmt;
use std::num::NonZeroU32;

/// How much memory a solver takes, and which processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverOptions {
    /// MiB of its tables, one at least.
    pub hash_mb: usize,
    /// The processors of the parallel algorithms; the others use one thread.
    pub machine: SearchMachine,
    /// Nodes that one processor makes before others join it, with two to four of them; see [`Self::alone`].
    pub alone: u64,
    /// A task with a limit of nodes is a look beside the searches of others, and has one processor.
    pub is_guest: bool,
    /// The sequential search of the processors of `aohpas`.
    pub core: AohpasCore,
    /// By how much the global thresholds of `aohpas` grow.
    pub step: NonZeroU32,
    /// How `cells` work.
    pub cells: CellOptions,
}

impl SolverOptions {
    /// The paper's (Takano et al. 2004, section 7.1).
    pub const STEP: NonZeroU32 = NonZeroU32::new(5).expect("above 0");

    /// Nodes that one processor makes before the others join it. Few are the likeliest to be slower together; with many,
    /// what one does alone is the larger part of the time.
    pub fn alone(&self) -> u64 {
        match self.machine.processors() {
            0..=4 => self.alone,
            processors => 2 * self.alone / processors as u64,
        }
    }
}

impl Default for SolverOptions {
    fn default() -> Self {
        let (core, step, cells) = (AohpasCore::default(), Self::STEP, CellOptions::default());
        Self { hash_mb: 1, machine: SearchMachine::default(), alone: 1 << 17, is_guest: false, core, step, cells }
    }
}

/// A sequential search on top of which several processors search together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AohpasCore {
    /// Plain, as in the paper.
    #[default]
    Pds,
    /// The best known.
    Dfpn,
}

/// The processors of a parallel search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchMachine {
    /// So many threads, as the system lets them run.
    Threads(usize),
    /// By a virtual clock that counts nodes: the same on every machine.
    Virtual {
        /// How many there are.
        processors: usize,
        /// Nodes after which another has its turn.
        turn: u64,
        /// Nodes that a message is under way.
        delay: u64,
        /// Which of those goes first whose clocks are equal.
        seed: u64,
    },
}

impl SearchMachine {
    /// How many there are.
    pub const fn processors(&self) -> usize {
        match *self {
            Self::Threads(processors) | Self::Virtual { processors, .. } => processors,
        }
    }

    /// They run by the virtual clock.
    pub const fn is_virtual(&self) -> bool {
        matches!(self, Self::Virtual { .. })
    }
}

impl Default for SearchMachine {
    fn default() -> Self {
        Self::Threads(1)
    }
}

impl fmt::Display for SearchMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threads(processors) => write!(f, "{processors} threads"),
            Self::Virtual { processors, .. } => write!(f, "{processors} virtual processors"),
        }
    }
}

/// Use of the processors of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProcessorUsage {
    /// Nodes of each.
    pub worked: Vec<u64>,
    /// Virtual time of each, in nodes; on threads the nodes.
    pub clocks: Vec<u64>,
    /// Thousandths of the time of all, up to the end of the last one, in which they worked.
    pub busy: u32,
    /// From when to when each had nothing to do, if that was asked for.
    pub idle: Vec<Vec<(u64, u64)>>,
    /// Messages between processors without a common memory, and their bytes.
    pub messages: (u64, u64),
    /// A host's losses for want of memory: sub-trees that became leaves, and answers of cells of which only the value was
    /// kept.
    pub pruned: (u64, u64),
}

impl ProcessorUsage {
    /// Nodes of all together.
    pub fn nodes(&self) -> u64 {
        self.worked.iter().sum()
    }

    /// Another search of the same processors comes after it.
    pub fn then(&mut self, next: &Self) {
        for (all, next) in [(&mut self.worked, &next.worked), (&mut self.clocks, &next.clocks)] {
            all.iter_mut().zip(next).for_each(|(all, next)| *all += next);
        }
    }

    /// Beside the search of all, one has made so many nodes alone.
    pub fn alone(&mut self, nodes: u64) {
        self.clocks.iter_mut().for_each(|clock| *clock += nodes);
    }

    /// The time of the search.
    pub fn clock(&self) -> u64 {
        self.clocks.iter().copied().max().unwrap_or(0)
    }
}
