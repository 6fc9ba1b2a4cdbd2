//! Errors that occur when files are read or written.

use std::io;
use thiserror::Error;

/// The reason why a file cannot be read or written. Callers add the name of the file to the message.
#[derive(Debug, Error)]
pub enum FileError {
    /// `what` is the kind of file expected, such as `TOML file`.
    #[error("expected a readable {what}, found: {source}")]
    Unreadable { what: String, source: io::Error },
    /// The user has named a folder or a device as an input file.
    #[error("expected a readable {what}, found {found}")]
    NoInput { what: String, found: &'static str },
    #[error("expected a readable {what}, found one that is not UTF-8")]
    Encoding { what: String },
    #[error("expected a {what} of at most {most} bytes, found more")]
    TooLarge { what: String, most: u64 },
    #[error("expected a regular file, found {0}")]
    Irregular(&'static str),
    #[error("expected a file that can be written, found: {0}")]
    Unwritable(#[source] io::Error),
    #[error("expected one that no other run writes, found it in use")]
    InUse,
}

impl From<FileError> for String {
    fn from(error: FileError) -> Self {
        error.to_string()
    }
}
