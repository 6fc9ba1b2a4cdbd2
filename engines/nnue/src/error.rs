/// The error for a file that is not a supported network, as one line of text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NetworkError(String);

impl NetworkError {
    pub(crate) const fn new(text: String) -> Self {
        Self(text)
    }
}
