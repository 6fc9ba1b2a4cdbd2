//! How a search ends that does not decide its position.

/// It was stopped or ran into its node limit.
pub(crate) struct Interrupted;
