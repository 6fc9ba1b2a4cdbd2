//! The steps of proofs that cells have shown.

use crate::interface::cell_message::ProofStep;
use std::collections::BTreeSet;

/// The answers of cells that were asked for their steps.
#[derive(Default)]
pub(super) struct ShownProofs {
    pub(super) steps: Vec<ProofStep>,
    /// Cells that have not answered yet.
    pub(super) awaited: BTreeSet<usize>,
    /// Cells that did not answer in time.
    pub(super) withheld: BTreeSet<usize>,
}
