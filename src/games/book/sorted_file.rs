//! A large book in YaneuraOu's format that stays on disk (`BookOnTheFly`). The positions of a book on disk must be
//! sorted, so that a lookup reads only a few lines.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::BookError;
use super::yaneuraou::{Lookup, key_of};
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// Only in this many bytes at the beginning of the file is the order of the positions checked.
const SAMPLE: u64 = 1 << 20;
/// Lines of a book that are longer than this many bytes are split.
const LONGEST_LINE: u64 = 1 << 12;
/// A search for the next position gives up after about this many bytes, because the file may not be a book.
const MOST_MOVES: u64 = 1 << 20;

/// A book file that is open for lookups.
pub(super) struct SortedFile {
    file: RefCell<BufReader<File>>,
    size: u64,
}

impl SortedFile {
    /// Creates a book from an open file. Fails if the first positions are not sorted.
    pub fn open(file: File) -> Result<Self, BookError> {
        let size = file.metadata()?.len();
        let book = Self { file: RefCell::new(BufReader::new(file)), size };
        book.check_order()?;
        Ok(book)
    }

    /// Checks the order of the positions at the beginning of the file.
    fn check_order(&self) -> Result<(), BookError> {
        let (mut last, mut at) = (String::new(), 0);
        while let Some((key, end)) = self.next_position(at)?.filter(|_| at < SAMPLE) {
            if key < last {
                return Err(BookError::Order { next: key, last });
            }
            (last, at) = (key, end);
        }
        if last.is_empty() { Err(BookError::Yaneuraou) } else { Ok(()) }
    }

    /// Finds the first position whose line begins at offset `from` or later, and the offset of its moves.
    fn next_position(&self, from: u64) -> io::Result<Option<(String, u64)>> {
        let mut file = self.file.borrow_mut();
        let mut at = from;
        if from > 0 {
            // If `from` is in the middle of a line, skips to the next line.
            at = file.seek(SeekFrom::Start(from - 1))?;
            at += read_line(&mut file)?.1;
        } else {
            file.seek(SeekFrom::Start(0))?;
        }
        loop {
            let (line, bytes) = read_line(&mut file)?;
            if bytes == 0 || at > from + MOST_MOVES {
                return Ok(None);
            }
            at += bytes;
            let sfen = line
                .trim_start_matches('\u{feff}')
                .trim()
                .strip_prefix("sfen ")
                .and_then(|sfen| sfen.get(key_of(sfen)?));
            if let Some(key) = sfen {
                return Ok(Some((key.to_owned(), at)));
            }
        }
    }

    /// Reads the move lines from the offset `from` up to the next position.
    fn moves_at(&self, from: u64) -> io::Result<String> {
        let mut file = self.file.borrow_mut();
        file.seek(SeekFrom::Start(from))?;
        let mut lines = String::new();
        loop {
            let (line, bytes) = read_line(&mut file)?;
            if bytes == 0 || line.trim_start().starts_with("sfen ") || lines.len() as u64 > MOST_MOVES {
                return Ok(lines);
            }
            lines += &line;
        }
    }

    fn find(&self, key: &str) -> io::Result<Option<String>> {
        // Binary search for the lowest offset whose next position is not less than `key`.
        let (mut low, mut high) = (0, self.size);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.next_position(middle)? {
                Some((found, _)) if *found < *key => low = middle + 1,
                _ => high = middle,
            }
        }
        match self.next_position(low)? {
            Some((found, moves)) if found == key => self.moves_at(moves).map(Some),
            _ => Ok(None),
        }
    }
}

impl Lookup for SortedFile {
    /// Returns the move lines of a position; `None` if the position is not found or the file cannot be read.
    fn lines(&self, key: &str) -> Option<String> {
        self.find(key).ok().flatten()
    }
}

/// Reads a line with its newline, and returns it with its number of bytes, which is 0 at the end of the file.
fn read_line(file: &mut BufReader<File>) -> io::Result<(String, u64)> {
    let mut bytes = Vec::new();
    let count = file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    Ok((String::from_utf8_lossy(&bytes).into_owned(), count as u64))
}
