//! A host and cells that share no memory, after Tatematsu et al. 1996 ("Improvement of processor efficiency in
//! parallel search for tsume-shogi game tree", 1996).
//!
//! The host holds the upper part of the tree (`host`, `tree`, `walker`), gives its leaves to cells in the order of their
//! value and joins what they send (`cell`, `branch`); all they know of each other are messages (`interface::cell_message`),
//! which `office` carries inside a machine, and anything else that is a [`CellLinks`] outside of it. `measure` has both ways to value nodes: the
//! paper's best-first search, or proof numbers with cells that search by df-pn (`worker`). `prune` keeps the host's
//! memory within its bounds.
//!
//! A node is known by the one line that leads to it, so that what fails there because a position is repeated fails on
//! this line, and is used for no other.

mod alone;
mod audit;
mod branch;
mod cell;
mod claims;
mod exchange;
mod facts;
mod host;
mod measure;
mod proof_steps;
mod proofs;
mod prune;
mod shown;
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
use exchange::{CellExchange, Counter, Tube};
use hasami_api::{MateAnswer, MateGame, Report, Stop};
use host::{Host, HostPlan};
use std::sync::Mutex;
use std::sync::PoisonError;

/// The paper gives 20 of 32 cells a leaf at once (section 3.2.1).
const BEST_LEAVES: (usize, usize) = (20, 32);
/// Nodes of a sub-tree that a cell sends back.
const BRANCH: u64 = 2_000;
/// Moves made by a cell that searches by proof numbers before it says what it has found.
const ERRAND: u64 = 10_000;

/// Leaves for each such cell: more keep it busier, and are searched in vain (docs/design/tatematsu1996.md has figures).
const LEAVES: usize = 6;
/// Tasks that it has at once: many are decided at a glance, and then there is to be another one at hand.
const AHEAD: usize = 2;

pub(crate) struct HostAndCells {
    options: CellOptions,
    machine: SearchMachine,
    bytes: usize,
    /// To cells that are not of this program.
    links: Option<Box<dyn CellLinks>>,
    /// Problems given to cells.
    problems: u32,
}

impl Registered for HostAndCells {
    const DESCRIPTION: Description = Description {
        name: "cells",
        summary: "a host and cells that share no memory (Tatematsu et al. 1996), on threads, in processes or on other machines",
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

/// A problem with how cells are to work at it.
struct CellJob<'a, G> {
    options: CellOptions,
    bytes: usize,
    /// Unlike that of other problems for the same cells.
    number: u32,
    job: &'a MateJob<'a, G>,
}

/// The result.
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

    /// With so many cells, in this process or elsewhere.
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
            // Of cells elsewhere the memory is theirs.
            cell_bytes: if are_elsewhere { self.bytes / 2 } else { self.bytes / 2 / cells.max(1) },
            counts_cells: are_elsewhere,
            audits: are_elsewhere,
            asks_for_proofs: search == CellSearch::Dfpn,
            nodes: self.job.node_limit(),
        }
    }

    /// One processor of the machine more than it says is the host.
    fn on_machine(&self, machine: &SearchMachine, stop: &Stop) -> CellsOutcome {
        let cells = machine.processors();
        let machine = with_host(machine);
        let (begin, plan, office) = (self.begin(), self.plan(cells, false), CellExchange::new(&machine, cells));
        // A game need not be one that threads can share.
        let game = Mutex::new(self.job.game.clone());
        let (any_moves, trace) = (self.job.request.any_moves, self.options.trace);
        let (ends, mut usage) = machine::run(&machine, stop, self.job.node_limit(), |processor| {
            let Some(cell) = processor.rank().checked_sub(1) else {
                let game = game.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let mut counter = Counter { office: &office, processor };
                let mut host =
                    Host::new(HostPlan { nodes: u64::MAX, ..plan }, &begin, &game, &mut counter, processor.stop());
                let found = conclude(&mut host, &game, any_moves, stop);
                processor.end();
                return (Some((found, host.pruned)), Vec::new());
            };
            let mut tube = Tube { office: &office, processor, cell, idle: trace.then(Vec::new) };
            let mut worker = MateCell::<G>::with_bytes(plan.cell_bytes);
            worker.believes = true;
            worker.serve_until(&mut tube, processor.stop());
            (None, tube.idle.unwrap_or_default())
        });
        let mut answer = Err(Interrupted);
        for (found, idle) in ends {
            usage.idle.push(idle);
            if let Some((found, pruned)) = found {
                (answer, usage.pruned) = (found, pruned);
            }
        }
        usage.messages = office.traffic();
        if !self.options.trace {
            usage.idle.clear();
        }
        CellsOutcome { answer, nodes: usage.nodes(), usage: Some(usage) }
    }

    /// The cells are somewhere else.
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
