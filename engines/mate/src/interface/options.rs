//! Options of a solver that do not depend on its task, and statistics of its processors.

use super::cell_options::CellOptions;
use std::num::NonZeroU32;

/// Memory and processors of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverOptions {
    /// Size of the solver's tables in MiB, at least 1.
    pub hash_mb: usize,
    /// The processors on which the parallel algorithms run. All other algorithms run on one thread.
    pub machine: SearchMachine,
    /// Number of nodes that one processor searches before the others join, for up to four processors; see
    /// [`Self::alone`].
    pub alone: u64,
    /// Whether a task with a node limit uses only one processor, because other searches occupy the remaining
    /// processors.
    pub is_guest: bool,
    /// The sequential search that each processor of `aohpas` runs.
    pub core: AohpasCore,
    /// Step by which the global thresholds of `aohpas` grow.
    pub step: NonZeroU32,
    /// Options of `cells`.
    pub cells: CellOptions,
}

impl SolverOptions {
    /// The default step, taken from Takano et al. 2004, section 7.1.
    pub const STEP: NonZeroU32 = NonZeroU32::new(5).expect("above 0");

    /// Number of nodes that one processor searches before the others join. The number is largest for few processors,
    /// because a few processors may be slower than one. The number is smaller for many processors, because the time
    /// during which only one processor works would be a larger part of the total.
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

/// The sequential search that the processors of `aohpas` run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AohpasCore {
    /// Plain PDS, as in Takano et al. 2004.
    #[default]
    Pds,
    /// Df-pn, the best known search.
    Dfpn,
}

/// The processors of a parallel search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchMachine {
    /// The given number of threads, scheduled by the system.
    Threads(usize),
    /// Processors with a virtual clock that counts nodes, so that results are the same on every machine.
    Virtual {
        /// Number of processors.
        processors: usize,
        /// Number of nodes per turn.
        turn: u64,
        /// Delay of every message, in nodes.
        delay: u64,
        /// Seed that determines the order of processors whose clocks are equal.
        seed: u64,
    },
}

impl SearchMachine {
    /// Number of processors.
    pub const fn processors(&self) -> usize {
        match *self {
            Self::Threads(processors) | Self::Virtual { processors, .. } => processors,
        }
    }

    /// Returns true if the processors run by a virtual clock.
    pub const fn is_virtual(&self) -> bool {
        matches!(self, Self::Virtual { .. })
    }
}

impl Default for SearchMachine {
    fn default() -> Self {
        Self::Threads(1)
    }
}

/// Statistics of the processors of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProcessorUsage {
    /// Number of nodes searched by each processor.
    pub worked: Vec<u64>,
    /// Virtual time of each processor in nodes, or its node count if the processor is a thread.
    pub clocks: Vec<u64>,
    /// Share of the processors' total time, up to the moment the last one finished, that was spent working, in
    /// thousandths.
    pub busy: u32,
    /// Periods during which each processor was idle, if requested.
    pub idle: Vec<Vec<(u64, u64)>>,
    /// Number of sub-trees that a host pruned to leaves for lack of memory, and number of cells' results from which the
    /// host kept only the value.
    pub pruned: (u64, u64),
}

impl ProcessorUsage {
    /// Total number of nodes searched by the processors.
    pub fn nodes(&self) -> u64 {
        self.worked.iter().sum()
    }

    /// Adds the statistics of a later search on the same processors.
    pub fn then(&mut self, next: &Self) {
        for (all, next) in [(&mut self.worked, &next.worked), (&mut self.clocks, &next.clocks)] {
            all.iter_mut().zip(next).for_each(|(all, next)| *all += next);
        }
    }

    /// Adds nodes that one processor searched alone.
    pub fn alone(&mut self, nodes: u64) {
        self.clocks.iter_mut().for_each(|clock| *clock += nodes);
    }

    /// Virtual time of the search in nodes.
    pub fn clock(&self) -> u64 {
        self.clocks.iter().copied().max().unwrap_or(0)
    }
}
