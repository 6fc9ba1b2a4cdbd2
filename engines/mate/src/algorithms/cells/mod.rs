//! A host and cells that share no memory, after Tatematsu et al., "Improvement of processor efficiency in parallel
//! search for tsume-shogi game tree" (1996).
//!
//! The host holds the upper part of the tree (`host`, `tree`, `walker`), assigns leaves to cells in order of value, and
//! merges the results (`cell`, `branch`). Host and cells communicate only by messages (`interface::cell_message`),
//! which `exchange` carries within a process and any other [`CellLinks`] carries between processes. `measure` contains
//! the two evaluations of nodes: the one for best-first search, as in the paper by Tatematsu et al., and proof numbers
//! for cells that search by df-pn (`worker`). `prune` keeps the host's tree within its memory limit.
//!
//! A node of the tree is reached by a single line, so a failure caused by a repetition holds for that line and is not
//! used for any other.

mod alone;
mod audit;
mod branch;
mod cell;
mod claims;
mod exchange;
mod facts;
mod host;
mod measure;
mod prune;
mod tree;
mod walker;
mod worker;

pub use cell::MateCell;

use crate::algorithm::{Capabilities, Description, MateAlgorithm, MateJob, Registered, answered};
use crate::core::interrupt::Interrupted;
use crate::core::machine;
use crate::core::notation::texts;
use crate::core::replay::{is_mate_line, without_cycles};
use crate::core::reports::at_the_end;
use crate::interface::cell_link::CellLinks;
use crate::interface::cell_message::CellProblem;
use crate::interface::cell_options::{CellOptions, CellSearch};
use crate::interface::findings::MateFindings;
use crate::interface::options::{ProcessorUsage, SearchMachine, SolverOptions};
use crate::interface::request::MateRules;
use claims::Conclusion;
use exchange::{CellExchange, CellSide, HostSide};
use hasami_api::{MateAnswer, MateGame, Report, Stop};
use host::{Host, HostPlan};
use std::sync::Mutex;
use std::sync::PoisonError;

/// Ratio of leaves to cells, as in Tatematsu et al. 1996, section 3.2.1: 20 leaves for 32 cells.
const BEST_LEAVES: (usize, usize) = (20, 32);
/// Default initial size of a task for a best-first cell: the number of nodes of the sub-tree that the cell returns.
const BRANCH: u64 = 2_000;
/// Default initial size of a task for a proof-number cell: the number of moves made before the cell reports.
const ERRAND: u64 = 10_000;

/// Number of leaves per proof-number cell. More leaves keep cells busier, but waste more of their work (figures in
/// docs/design/tatematsu1996.md).
const LEAVES: usize = 6;
/// Number of tasks assigned at once to a proof-number cell. Many tasks are decided immediately, so a cell needs another
/// task in its queue.
const AHEAD: usize = 2;

pub(crate) struct HostAndCells {
    options: CellOptions,
    machine: SearchMachine,
    bytes: usize,
    /// Links to cells outside this process.
    links: Option<Box<dyn CellLinks>>,
    /// Number of problems sent to cells so far.
    problems: u32,
}

impl Registered for HostAndCells {
    const DESCRIPTION: Description = Description {
        name: "cells",
        summary: "a host and cells that share no memory (Tatematsu et al. 1996), on threads or on other machines",
        capabilities: Capabilities { parallel: true, distributed: true, ..Capabilities::NONE },
    };

    fn new(options: &SolverOptions, bytes: usize) -> Self {
        let &SolverOptions { cells, machine, .. } = options;
        Self { options: cells, machine, bytes, links: None, problems: 0 }
    }
}

impl<G: MateGame> MateAlgorithm<G> for HostAndCells {
    fn solve(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings {
        self.problems = self.problems.wrapping_add(1);
        let cell_job = CellJob { options: self.options, bytes: self.bytes, number: self.problems, job };
        let CellsOutcome { answer, nodes, usage } = match &mut self.links {
            Some(links) => cell_job.over_links(links.as_mut(), job.stop),
            None => cell_job.on_machine(&self.machine, job.stop),
        };
        tell(at_the_end(answer.as_ref().ok(), nodes));
        MateFindings { usage, ..answered(answer, nodes) }
    }

    fn attach_workers(&mut self, links: Box<dyn CellLinks>) {
        self.links = Some(links);
    }
}

/// A problem and the settings with which cells work on it.
struct CellJob<'a, G> {
    options: CellOptions,
    bytes: usize,
    /// Number of the problem, unique among the problems sent to one set of cells.
    number: u32,
    job: &'a MateJob<'a, G>,
}

struct CellsOutcome {
    answer: Result<MateAnswer, Interrupted>,
    nodes: u64,
    usage: Option<ProcessorUsage>,
}

impl<G: MateGame> CellJob<'_, G> {
    fn begin(&self) -> CellProblem {
        CellProblem {
            number: self.number,
            game: G::NAME.into(),
            search: self.options.search,
            any_moves: self.job.request.any_moves,
            longest: self.job.longest() as u64,
            line: self.job.task.line.clone(),
        }
    }

    /// Returns the settings of a host with `cells` cells, in this process or on other machines (`are_elsewhere`).
    fn plan(&self, cells: usize, are_elsewhere: bool) -> HostPlan {
        let CellOptions { search, leaves, size, .. } = self.options;
        let (usual_leaves, usual_size, ahead) = match search {
            CellSearch::BestFirst => (cells * BEST_LEAVES.0 / BEST_LEAVES.1, BRANCH, 1),
            CellSearch::Dfpn => (LEAVES * cells, ERRAND, AHEAD),
        };
        HostPlan {
            search,
            leaves: leaves.unwrap_or(usual_leaves),
            size: size.unwrap_or(usual_size),
            ahead,
            bytes: self.bytes / 2,
            // Cells on other machines use their own memory.
            cell_bytes: if are_elsewhere { self.bytes / 2 } else { self.bytes / 2 / cells.max(1) },
            are_elsewhere,
            nodes: self.job.node_limit(),
        }
    }

    /// Runs the host and its cells on a machine. The host has its own processor.
    fn on_machine(&self, machine: &SearchMachine, stop: &Stop) -> CellsOutcome {
        let cells = machine.processors();
        let machine = with_host(machine);
        let (begin, plan, exchange) = (self.begin(), self.plan(cells, false), CellExchange::new(&machine, cells));
        // The game is in a mutex because a game need not be `Sync`.
        let game = Mutex::new(self.job.game.clone());
        let (any_moves, trace) = (self.job.request.any_moves, self.options.trace);
        let (ends, mut usage) = machine::run(&machine, stop, self.job.node_limit(), |processor| {
            let Some(cell) = processor.rank().checked_sub(1) else {
                let game = game.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let mut host_side = HostSide { exchange: &exchange, processor };
                let mut host =
                    Host::new(HostPlan { nodes: u64::MAX, ..plan }, &begin, &game, &mut host_side, processor.stop());
                let found = conclude(&mut host, &game, any_moves, stop);
                processor.end();
                return (Some((found, host.pruned)), Vec::new());
            };
            let mut cell_side = CellSide { exchange: &exchange, processor, cell, idle: trace.then(Vec::new) };
            let mut worker = MateCell::<G>::with_bytes(plan.cell_bytes);
            worker.believes = true;
            worker.serve_until(&mut cell_side, processor.stop());
            (None, cell_side.idle.unwrap_or_default())
        });
        let mut answer = Err(Interrupted);
        for (found, idle) in ends {
            usage.idle.push(idle);
            if let Some((found, pruned)) = found {
                (answer, usage.pruned) = (found, pruned);
            }
        }
        if !self.options.trace {
            usage.idle.clear();
        }
        CellsOutcome { answer, nodes: usage.nodes(), usage: Some(usage) }
    }

    /// Runs the host with cells outside this process.
    fn over_links(&self, links: &mut dyn CellLinks, stop: &Stop) -> CellsOutcome {
        links.renew();
        let (begin, plan) = (self.begin(), self.plan(links.cells(), true));
        let mut host = Host::new(plan, &begin, self.job.game, links, stop);
        let answer = conclude(&mut host, self.job.game, self.job.request.any_moves, stop);
        CellsOutcome { answer, nodes: host.nodes(), usage: None }
    }
}

const fn with_host(machine: &SearchMachine) -> SearchMachine {
    match *machine {
        SearchMachine::Threads(cells) => SearchMachine::Threads(cells + 1),
        SearchMachine::Virtual { processors, turn, delay, seed } => {
            SearchMachine::Virtual { processors: processors + 1, turn, delay, seed }
        }
    }
}

fn conclude<G: MateGame>(
    host: &mut Host<G>,
    game: &G,
    any_moves: bool,
    stop: &Stop,
) -> Result<MateAnswer, Interrupted> {
    let line = match host.run()? {
        Conclusion::Mate(line) => without_cycles(game, &line),
        Conclusion::None { cut } => return Ok(if cut { MateAnswer::Unknown } else { MateAnswer::NoMate }),
    };
    let is_right = is_mate_line(game, &line, MateRules::Strict, !any_moves, stop);
    Ok(if is_right { MateAnswer::Mate(texts(game, &line)) } else { MateAnswer::Unknown })
}

#[cfg(test)]
mod tests;
