//! The error of a search that ends without a result.

/// The search was stopped or reached its limit of nodes.
pub(super) struct Interrupted;
