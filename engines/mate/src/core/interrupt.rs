//! The error returned by a search that ends without deciding its position.

/// The search was stopped or reached its node limit.
pub(crate) struct Interrupted;
