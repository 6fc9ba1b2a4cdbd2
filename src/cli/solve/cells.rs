//! The options of `--algorithm cells`: how cells search, and which machines run them.

use super::super::cluster::ClusterArgs;
use super::algorithm::Need;
use clap::builder::PossibleValuesParser;
use hasami_catalog::Catalog;
use hasami_mate::{CellLinks, CellOptions, CellSearch, SearchMachine, SolverOptions};
use hasami_terminal::{Failure, values};

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

    /// Delay of a message between the host and virtual cells, in nodes; with --virtual [default: 0]
    #[arg(long, value_name = "NODES", value_parser = values::delay, allow_negative_numbers = true)]
    delay: Option<u64>,

    #[command(flatten)]
    pub cluster: ClusterArgs,
}

impl CellSolverArgs {
    /// Returns whether an option on the command line selects the search by cells.
    pub fn are_wanted(&self) -> bool {
        self.given().iter().any(|&(_, is_given)| is_given)
    }

    fn given(&self) -> [(&'static str, bool); 4] {
        [
            ("--set cell-search", self.cell_search.is_some()),
            ("--set ns", self.ns.is_some()),
            ("--set cell-nodes", self.cell_nodes.is_some()),
            ("--connect", self.cluster.membership().is_some()),
        ]
    }

    /// Returns the options that need an algorithm with cells. `traces` states whether the idle times of virtual cells
    /// are written to a file.
    pub fn needs(&self, traces: bool) -> Vec<Need> {
        // Options for virtual cells require an algorithm with cells, but do not select one.
        let given = self.given().into_iter().chain(self.of_virtual_cells(traces));
        given.map(|(option, is_given)| Need { option, is_given, can: |able| able.distributed }).collect()
    }

    /// Returns each option for virtual cells, and whether it was given.
    pub const fn of_virtual_cells(&self, traces: bool) -> [(&'static str, bool); 2] {
        [("--set delay", self.delay.is_some()), ("--set trace", traces)]
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

    /// Returns the cells on other machines, if a cluster was named.
    pub fn remote_cells(&self, game: &'static dyn Catalog) -> Result<Option<Box<dyn CellLinks>>, Failure> {
        let slots = self.cluster.solver_slots(game)?;
        Ok(slots.map(|slots| Box::new(slots) as Box<dyn CellLinks>))
    }
}
