//! The options of `--algorithm cells`: the search of the cells, and the processes that run them.

use super::super::cluster::ClusterArgs;
use super::super::language::tell;
use super::algorithm::Need;
use clap::builder::PossibleValuesParser;
use hasami_catalog::Catalog;
use hasami_mate::{CellLinks, CellOptions, CellSearch, SearchMachine, SolverOptions};
use hasami_remote::cluster::wire::SlotRole;
use hasami_terminal::{Failure, values};
use hasami_workers::cells::RemoteCells;
use hasami_workers::cells::processes::CellProcesses;
use std::time::Duration;

/// Default of `--patience`: the longest silence of a cell process.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(clap::Args)]
pub struct CellSolverArgs {
    /// Search of the cells: by proof numbers, each with its own table, or best-first, as in Tatematsu et al. 1996
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(CellSearch::NAMES))]
    cell_search: Option<String>,

    /// Number of leaves that the host generates before it gives any to cells (n_s); 0: only the first moves
    #[arg(long, value_name = "N", value_parser = values::leaves, allow_negative_numbers = true)]
    ns: Option<usize>,

    /// Work of a cell before it answers, in positions of the cell's tree (best-first) or in moves made
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_negative_numbers = true)]
    cell_nodes: Option<u64>,

    /// Number of cells that are processes of this program instead of threads
    #[arg(long, value_name = "C", value_parser = values::cells, conflicts_with_all = ["threads", "processors", "connect"], allow_negative_numbers = true)]
    cells: Option<u32>,

    /// Command that starts a cell, such as "ssh host hasami cell" (may be repeated)
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["threads", "processors", "connect"])]
    child: Vec<String>,

    /// Seconds of silence after which a process counts as lost [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    patience: Option<Duration>,

    /// Delay of a message between the host and virtual cells, in nodes; with --virtual [default: 0]
    #[arg(long, value_name = "NODES", value_parser = values::delay, allow_negative_numbers = true)]
    delay: Option<u64>,

    #[command(flatten)]
    cluster: ClusterArgs,
}

impl CellSolverArgs {
    /// Returns whether an option was given that selects the search by cells.
    pub fn are_wanted(&self) -> bool {
        self.given().iter().any(|&(_, is_given)| is_given)
    }

    pub fn are_remote(&self) -> bool {
        self.cluster.membership().is_some()
    }

    fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("--cell-search", self.cell_search.is_some()),
            ("--ns", self.ns.is_some()),
            ("--cell-nodes", self.cell_nodes.is_some()),
            ("--cells", self.cells.is_some()),
            ("--child", !self.child.is_empty()),
            ("--connect", self.cluster.membership().is_some()),
        ]
    }

    /// Returns the options that need an algorithm with cells. `traces` states that the work of virtual cells is to be
    /// written to a file.
    pub fn needs(&self, traces: bool) -> Vec<Need> {
        // Options about virtual cells also restrict the algorithm, but do not select the search by cells.
        let given = self.given().into_iter().chain(self.of_virtual_cells(traces));
        given.map(|(option, is_given)| Need { option, is_given, can: |able| able.distributed }).collect()
    }

    pub fn check_patience(&self) -> Result<(), Failure> {
        if self.patience.is_some() && self.cells.is_none() && self.child.is_empty() {
            return Err(Failure::lonely("--patience", "--cells or --child"));
        }
        Ok(())
    }

    /// Returns the options about virtual cells, and whether each of them was given.
    pub const fn of_virtual_cells(&self, traces: bool) -> [(&'static str, bool); 2] {
        [("--delay", self.delay.is_some()), ("--trace", traces)]
    }

    pub fn options(&self, trace: bool) -> CellOptions {
        let search = self.cell_search.as_deref().and_then(|name| name.parse().ok()).unwrap_or_default();
        CellOptions { search, leaves: self.ns, size: self.cell_nodes, trace }
    }

    /// Sets the delay of messages between the host and virtual cells.
    pub fn delay(&self, mut options: SolverOptions) -> SolverOptions {
        if let (SearchMachine::Virtual { delay, .. }, Some(given)) = (&mut options.machine, self.delay) {
            *delay = given;
        }
        options
    }

    /// Returns the number of parts into which the memory of a job is divided: one for the host and, if cells are
    /// processes of this program, one for all cells.
    pub fn parts(&self) -> u32 {
        if self.cells.is_some() { 2 } else { 1 }
    }

    /// Returns the cells of one host that are not threads, if any were requested.
    pub fn remote_cells(
        &self,
        host_mb: usize,
        game: &'static dyn Catalog,
    ) -> Result<Option<Box<dyn CellLinks>>, Failure> {
        if let Some(slots) = self.cluster.solver_slots(game, SlotRole::Cells)? {
            return Ok(Some(Box::new(RemoteCells::new(slots, PATIENCE))));
        }
        let patience = self.patience.unwrap_or(PATIENCE);
        let remote = |cells| Box::new(RemoteCells::new(cells, patience)) as Box<dyn CellLinks>;
        Ok(self.start(host_mb, patience)?.map(remote))
    }

    /// Starts the cell processes of one host.
    fn start(&self, host_mb: usize, patience: Duration) -> Result<Option<CellProcesses>, Failure> {
        let mut commands = Vec::new();
        if let Some(cells) = self.cells {
            let program = std::env::current_exe()?;
            let hash = (host_mb / cells as usize).max(1).to_string();
            let words = [program.to_string_lossy().as_ref(), "cell", "--hash", &hash].map(str::to_owned);
            commands.extend((0..cells).map(|_| Ok(words.to_vec())));
        }
        let split = |text: &String| CellProcesses::split(text).map_err(|why| Failure::at("--child", why));
        commands.extend(self.child.iter().map(split));
        let commands = commands.into_iter().collect::<Result<Vec<_>, Failure>>()?;
        if commands.is_empty() {
            return Ok(None);
        }
        let started = CellProcesses::start(commands, patience, Box::new(tell));
        started.map(Some).map_err(|why| Failure::at("--child", why))
    }
}
