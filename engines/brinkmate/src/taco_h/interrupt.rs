//! The error of a search that ends without a result.

/// A search that was stopped or reached its node limit.
pub(super) struct Interrupted;
