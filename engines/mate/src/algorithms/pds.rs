//! Plain PDS (Nagai 1998).

use super::proof_numbers;
use crate::algorithm::{Capabilities, Description, MateAlgorithm, MateJob, Registered};
use crate::core::style::Style;
use crate::core::table::LazyTable;
use crate::interface::findings::MateFindings;
use crate::interface::options::SolverOptions;
use hasami_api::{MateGame, Report};

pub(crate) struct Plain(LazyTable);

impl Registered for Plain {
    const DESCRIPTION: Description = Description {
        name: "pds",
        summary: "proof numbers by multiple iterative deepening, plain (Nagai 1998)",
        capabilities: Capabilities::PROOF_NUMBERS,
    };

    fn new(_options: &SolverOptions, bytes: usize) -> Self {
        Self(LazyTable::new(bytes))
    }
}

impl<G: MateGame> MateAlgorithm<G> for Plain {
    fn solve(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings {
        proof_numbers::solve(job, Style::PDS, &mut self.0, tell, |_| None)
    }

    fn prepare(&mut self) {
        self.0.prepare();
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}
