//! Depth-first proof-number search on one processor, with all improvements that have proved useful.

use super::proof_numbers;
use crate::algorithm::{Capabilities, Description, MateAlgorithm, MateJob, Registered};
use crate::core::style::Style;
use crate::core::table::LazyTable;
use crate::interface::findings::MateFindings;
use crate::interface::options::SolverOptions;
use hasami_api::{MateGame, Report};

pub(crate) struct Sequential(LazyTable);

impl Registered for Sequential {
    const DESCRIPTION: Description = Description {
        name: "dfpn",
        summary: "depth-first proof numbers, with all that has paid",
        capabilities: Capabilities::PROOF_NUMBERS,
    };

    fn new(_options: &SolverOptions, bytes: usize) -> Self {
        Self(LazyTable::new(bytes))
    }
}

impl<G: MateGame> MateAlgorithm<G> for Sequential {
    fn solve(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings {
        proof_numbers::solve(job, Style::DFPN, &mut self.0, tell, |_| None)
    }

    fn prepare(&mut self) {
        self.0.prepare();
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}
