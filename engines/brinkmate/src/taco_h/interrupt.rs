//! The error returned by a search that ends without a result.

/// The search was stopped or reached its node limit.
pub(super) struct Interrupted;
