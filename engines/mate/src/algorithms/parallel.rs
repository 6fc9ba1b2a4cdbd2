//! A parallel search in which every processor searches the same tree with the same table, and virtual proof numbers
//! keep the processors apart.
//!
//! One processor begins alone, because starting threads takes longer than solving an easy problem. The first processor
//! continues its search when the others join.

use super::proof_numbers;
use crate::algorithm::{Capabilities, Description, MateAlgorithm, MateJob, Registered};
use crate::core::attack_rules::AttackRules;
use crate::core::dfpn::Dfpn;
use crate::core::machine::{Processor, run_led};
use crate::core::presence::{Presence, SharedSearch};
use crate::core::style::Style;
use crate::core::table::LazyTable;
use crate::interface::findings::MateFindings;
use crate::interface::options::{ProcessorUsage, SearchMachine, SolverOptions};
use hasami_api::{MateGame, Report};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) struct ParallelSearch {
    memory: LazyTable,
    machine: SearchMachine,
    /// Number of nodes that one processor searches before the others join.
    alone: u64,
    /// Whether searches with a node limit use one processor, because other work occupies the remaining processors.
    is_guest: bool,
}

impl Registered for ParallelSearch {
    const DESCRIPTION: Description = Description {
        name: "parallel",
        summary: "dfpn by several processors over one table, kept apart by virtual proof numbers (Kaneko 2010)",
        capabilities: Capabilities { parallel: true, ..Capabilities::PROOF_NUMBERS },
    };

    fn new(options: &SolverOptions, bytes: usize) -> Self {
        let &SolverOptions { machine, is_guest, .. } = options;
        Self { memory: LazyTable::new(bytes), machine, alone: options.alone(), is_guest }
    }
}

impl<G: MateGame> MateAlgorithm<G> for ParallelSearch {
    fn solve(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings {
        let is_limited = self.is_guest && job.task.limits.nodes.is_some();
        let has_others = self.machine.processors() > 1 && !is_limited;
        let (machine, alone) = (self.machine, self.alone);
        proof_numbers::solve(job, Style::DFPN, &mut self.memory, tell, |search| {
            if has_others { begin_parallel(search, &machine, alone) } else { None }
        })
    }

    fn prepare(&mut self) {
        self.memory.prepare();
    }

    fn forget(&mut self) {
        self.memory.forget();
    }
}

/// Starts the search on one processor. If the first `alone` nodes give no answer, all processors search until the table
/// contains the answer or the node limit is reached.
pub(crate) fn begin_parallel<G: MateGame, R: AttackRules<G>>(
    search: &mut Dfpn<G, R>,
    machine: &SearchMachine,
    alone: u64,
) -> Option<ProcessorUsage> {
    let is_paused = matches!(search.solve_for(alone.saturating_sub(search.nodes)), Ok(None));
    is_paused.then(|| search.search_parallel(machine))
}

impl<G: MateGame, R: AttackRules<G>> Dfpn<'_, G, R> {
    /// Continues a search begun by [`Self::solve_for`] on all processors, up to their common node limit. Results are
    /// stored in the table.
    fn search_parallel(&mut self, machine: &SearchMachine) -> ProcessorUsage {
        let presence = Arc::new(Presence::new(machine.processors()));
        let (style, table, depth_limit) = (self.style, self.table, self.depth_limit);
        let (begun, limit, path_bound) = (self.nodes, self.node_limit, Arc::clone(&self.path_bound));
        let refuted_twins = self.refuted_twins.clone();
        let games = Mutex::new(vec![self.root(); machine.processors()]);
        let join = |processor: &Processor| {
            let game = games.lock().unwrap_or_else(PoisonError::into_inner).pop().expect("one game per processor");
            let mut search: Dfpn<G, R> = Dfpn::new(style, game, table, processor.stop(), u64::MAX, depth_limit);
            search.path_bound = Arc::clone(&path_bound);
            search.refuted_twins.clone_from(&refuted_twins);
            search.shared = Some(SharedSearch::new(&presence, processor));
            let found = search.solve();
            processor.ended(search.nodes);
            if found.is_ok() {
                processor.end();
            }
        };
        let stop = self.stop.clone();
        let lead = |processor: &Processor| {
            processor.goes_on(begun);
            let found = self.go_on_shared(SharedSearch::new(&presence, processor));
            processor.ended(self.nodes);
            if found.is_ok() {
                processor.end();
            }
        };
        let (_, usage) = run_led(machine, &stop, limit - begun, lead, join);
        self.nodes = begun + usage.nodes();
        usage
    }
}
