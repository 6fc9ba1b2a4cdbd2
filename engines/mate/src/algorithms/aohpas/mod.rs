//! AOHPAS: hierarchical pincers on an AND/OR tree (Takano et al. 2004), for any number of processors with one table.
//!
//! One processor, called PE1 by Takano et al., searches children in ascending order of their proof numbers ([`left`]).
//! Every other processor works at one OR node of PE1's path, in descending order of the proof numbers ([`right`]). All
//! processors share PE1's path and the list of nodes on which they work ([`path`]), and store their results in the
//! table.

mod left;
mod path;
mod right;

use super::proof_numbers;
use crate::algorithm::{Capabilities, Description, MateAlgorithm, MateJob, Registered};
use crate::core::dfpn::Dfpn;
use crate::core::machine::{Processor, run};
use crate::core::path::KeyFilter;
use crate::core::style::Style;
use crate::core::table::{LazyTable, MateTable};
use crate::core::value::ProofNumbers;
use crate::interface::findings::MateFindings;
use crate::interface::options::{AohpasCore, ProcessorUsage, SearchMachine, SolverOptions};
use hasami_api::{MateGame, Report};
use path::FirstPath;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) struct AohpasAlgorithm {
    memory: LazyTable,
    machine: SearchMachine,
    core: AohpasCore,
    step: NonZeroU32,
}

impl Registered for AohpasAlgorithm {
    const DESCRIPTION: Description = Description {
        name: "aohpas",
        summary: "several processors over one table in hierarchical pincers (Takano et al. 2004)",
        capabilities: Capabilities { parallel: true, core_and_step: true, ..Capabilities::PROOF_NUMBERS },
    };

    fn new(options: &SolverOptions, bytes: usize) -> Self {
        let &SolverOptions { machine, core, step, .. } = options;
        Self { memory: LazyTable::new(bytes), machine, core, step }
    }
}

impl<G: MateGame> MateAlgorithm<G> for AohpasAlgorithm {
    fn solve(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings {
        let style = match self.core {
            AohpasCore::Pds => Style::PDS,
            AohpasCore::Dfpn => Style::DFPN,
        };
        let (machine, step) = (self.machine, self.step);
        proof_numbers::solve(job, style, &mut self.memory, tell, |search| {
            Some(search_by_aohpas(search, &machine, step).1)
        })
    }

    fn prepare(&mut self) {
        self.memory.prepare();
    }

    fn forget(&mut self) {
        self.memory.forget();
    }
}

/// State shared by the processors.
struct Aohpas<'a, G: MateGame> {
    /// Search style of the processors other than PE1.
    style: Style,
    /// Step by which the global thresholds grow (Takano et al. 2004, section 6.3).
    step: NonZeroU32,
    root: Mutex<G>,
    table: &'a MateTable,
    path_bound: Arc<KeyFilter>,
    depth_limit: usize,
    path: Mutex<FirstPath<G::Move>>,
}

/// Searches the current position on all processors of the machine up to the node limit, and stores the results in the
/// table.
pub(crate) fn search_by_aohpas<G: MateGame>(
    search: &mut Dfpn<G>,
    machine: &SearchMachine,
    step: NonZeroU32,
) -> (Option<ProofNumbers>, ProcessorUsage) {
    let shared = Aohpas {
        style: search.style,
        step,
        root: Mutex::new(search.game.clone()),
        table: search.table,
        path_bound: Arc::clone(&search.path_bound),
        depth_limit: search.depth_limit,
        path: Mutex::default(),
    };
    let nodes = search.node_limit.saturating_sub(search.nodes);
    let (found, usage) = run(machine, &search.stop, nodes, |processor| match processor.rank() {
        0 => shared.go_from_small_end(processor),
        _ => {
            shared.go_from_large_end(processor);
            None
        }
    });
    search.nodes += usage.nodes();
    (found.into_iter().flatten().next(), usage)
}

impl<G: MateGame> Aohpas<'_, G> {
    fn search<'b>(&'b self, style: Style, processor: &'b Processor) -> Dfpn<'b, G> {
        let root = self.root.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut search: Dfpn<_> = Dfpn::new(style, root, self.table, processor.stop(), u64::MAX, self.depth_limit);
        search.path_bound = Arc::clone(&self.path_bound);
        search
    }

    fn path(&self) -> MutexGuard<'_, FirstPath<G::Move>> {
        self.path.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
