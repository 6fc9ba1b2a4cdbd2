//! Proof-number searches on one processor: df-pn with all useful improvements, and plain PDS (Nagai 1998).

use super::proof_numbers;
use crate::algorithm::{Capabilities, Description, MateAlgorithm, MateJob, Registered};
use crate::core::style::Style;
use crate::core::table::LazyTable;
use crate::interface::findings::MateFindings;
use crate::interface::options::SolverOptions;
use hasami_api::{MateGame, Report};

/// Sequential search by df-pn or, if `PLAIN` is true, by PDS.
pub(crate) struct Sequential<const PLAIN: bool>(LazyTable);

impl Registered for Sequential<false> {
    const DESCRIPTION: Description = Description {
        name: "dfpn",
        summary: "depth-first proof numbers, with every improvement that has proved useful",
        capabilities: Capabilities::PROOF_NUMBERS,
    };

    fn new(_options: &SolverOptions, bytes: usize) -> Self {
        Self(LazyTable::new(bytes))
    }
}

impl Registered for Sequential<true> {
    const DESCRIPTION: Description = Description {
        name: "pds",
        summary: "proof numbers by multiple iterative deepening, plain (Nagai 1998)",
        capabilities: Capabilities::PROOF_NUMBERS,
    };

    fn new(_options: &SolverOptions, bytes: usize) -> Self {
        Self(LazyTable::new(bytes))
    }
}

impl<G: MateGame, const PLAIN: bool> MateAlgorithm<G> for Sequential<PLAIN> {
    fn solve(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings {
        let style = if PLAIN { Style::PDS } else { Style::DFPN };
        proof_numbers::solve(job, style, &mut self.0, tell, |_| None)
    }

    fn prepare(&mut self) {
        self.0.prepare();
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}
