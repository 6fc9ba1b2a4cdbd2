//! Why a file is not read.

/// A file that is not a network that can be run: what was expected and what was found, in one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NetworkError(String);

impl NetworkError {
    pub(crate) const fn new(text: String) -> Self {
        Self(text)
    }
}
