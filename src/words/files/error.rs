//! Errors that occur when files are read or written.

use std::io;
use thiserror::Error;

/// The reason why a file cannot be read or written. Callers add the name of the file to the message.
#[derive(Debug, Error)]
pub enum FileError {
    /// `what` is the kind of file expected, such as `TOML file`.
    #[error("cannot read the {what}: {source}")]
    Unreadable { what: String, source: io::Error },
    /// The user has named a folder or a device as an input file.
    #[error("cannot read the {what}: it is {found}")]
    NoInput { what: String, found: &'static str },
    #[error("cannot read the {what}: it is not UTF-8")]
    Encoding { what: String },
    #[error("cannot read the {what}: it is larger than {most} bytes")]
    TooLarge { what: String, most: u64 },
    #[error("cannot use {0}, only a regular file")]
    Irregular(&'static str),
    #[error("cannot write the file: {0}")]
    Unwritable(#[source] io::Error),
    #[error("cannot write the file: another run is using it")]
    InUse,
}

impl From<FileError> for String {
    fn from(error: FileError) -> Self {
        error.to_string()
    }
}
