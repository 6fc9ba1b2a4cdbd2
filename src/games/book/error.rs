//! Reasons why a book, or some of its lines, cannot be used.

use hasami_words::files::FileError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum BookError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot read the book: {0}")]
    Io(#[from] io::Error),
    #[error("expected a Polyglot book (entries of 16 bytes), found {0} bytes")]
    Polyglot(usize),
    #[error("expected a YaneuraOu book ('sfen ...' lines), found none")]
    Yaneuraou,
    #[error("line {number}: expected {expected}, found '{found}'")]
    Line { number: usize, expected: &'static str, found: String },
    #[error("expected positions in order, as BookOnTheFly needs them, found '{next}' after '{last}'")]
    Order { next: String, last: String },
    /// Unreadable lines of the book were skipped; the rest of the book is used.
    #[error("{count} skipped: {first}")]
    Skipped { count: String, first: Box<Self> },
    /// The book that `BookFile` names cannot be used.
    #[error("BookFile {}: {why}", path.display())]
    Named { path: PathBuf, why: Box<Self> },
}
