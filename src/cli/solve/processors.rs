//! Options for parallel work: how many problems are solved at once, and with how many processors each.

use super::algorithm::Need;
use hasami_mate::{CellOptions, SearchMachine, SolverOptions};
use hasami_terminal::{Failure, values};

/// Default length of a virtual processor's turn, in nodes.
const TURN: u64 = 100;
const SEED: u64 = 1;

#[derive(clap::Args)]
pub struct Processors {
    /// Number of threads for each problem
    #[arg(long, value_name = "N", value_parser = values::threads, default_value = "1", allow_negative_numbers = true)]
    threads: u32,

    /// Number of problems to solve at the same time
    #[arg(long, value_name = "N", value_parser = values::jobs, default_value = "1", allow_negative_numbers = true)]
    pub jobs: u32,

    /// Simulate P processors in turns, with a clock that counts nodes; the result is the same on every machine
    #[arg(long = "virtual", value_name = "P", value_parser = values::processors, conflicts_with = "threads", allow_negative_numbers = true)]
    processors: Option<u32>,

    /// Nodes in a turn of a virtual processor [default: 100]
    #[arg(long, value_name = "NODES", value_parser = values::nodes, allow_negative_numbers = true)]
    turn: Option<u64>,

    /// Seed of the order of virtual processors and of other random choices [default: 1]
    #[arg(long, value_name = "N", value_parser = values::seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Size of all tables together, in MiB
    #[arg(long, value_name = "MB", value_parser = values::hash, default_value = "256", allow_negative_numbers = true)]
    hash: u32,
}

impl Processors {
    pub const fn processors(&self) -> usize {
        self.machine().processors()
    }

    /// Returns the name of the option that gives each problem several processors.
    pub const fn many(&self) -> &'static str {
        if self.machine().is_virtual() { "--virtual" } else { "--threads" }
    }

    /// Returns the option for several processors per problem, which only parallel algorithms support.
    pub const fn need(&self) -> Need {
        Need { option: self.many(), is_given: self.processors() > 1, can: |able| able.parallel }
    }

    /// Returns the options of a solver for one problem.
    pub fn options(&self, cells: CellOptions) -> Result<SolverOptions, Failure> {
        let (hash, jobs, machine) = (self.hash, self.jobs, self.machine());
        self.check_virtual([("--set turn", self.turn.is_some()), ("--set seed", self.seed.is_some())])?;
        if hash < jobs {
            return Err(Failure::at("--hash", format!("{hash} MiB is too little for {jobs} jobs; each needs 1 MiB")));
        }
        let hash_mb = (hash / jobs).max(1) as usize;
        Ok(SolverOptions { hash_mb, machine, cells, ..SolverOptions::default() })
    }

    /// Rejects options for virtual processors unless `--virtual` is given.
    pub fn check_virtual(&self, options: [(&str, bool); 2]) -> Result<(), Failure> {
        match options.into_iter().find(|&(_, is_given)| is_given && self.processors.is_none()) {
            Some((option, _)) => Err(Failure::lonely(option, "--virtual")),
            None => Ok(()),
        }
    }

    const fn machine(&self) -> SearchMachine {
        match self.processors {
            Some(processors) => {
                let turn = if let Some(turn) = self.turn { turn } else { TURN };
                let seed = if let Some(seed) = self.seed { seed } else { SEED };
                SearchMachine::Virtual { processors: processors as usize, turn, delay: 0, seed }
            }
            None => SearchMachine::Threads(self.threads as usize),
        }
    }
}
