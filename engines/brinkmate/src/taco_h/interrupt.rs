//! How a search ends that does not decide its position.

/// The search was stopped or ran into its limit of nodes.
pub(super) struct Interrupted;
