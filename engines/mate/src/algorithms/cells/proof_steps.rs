//! What cells have shown of their proofs.

use crate::interface::cell_message::ProofStep;
use std::collections::BTreeSet;

/// What was asked of cells, and what they have shown.
#[derive(Default)]
pub(super) struct ShownProofs {
    pub(super) steps: Vec<ProofStep>,
    /// Cells that have not answered yet.
    pub(super) awaited: BTreeSet<usize>,
    /// Cells whose time is over.
    pub(super) withheld: BTreeSet<usize>,
}
