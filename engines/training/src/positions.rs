//! Labelled positions of a fixed size, in memory-mapped files or in buffers.

use crate::sample::Sample;
use crate::{chess, shogi};
use hasami_nnue::NetworkGame;
use memmap2::Mmap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread;

/// The error for a position file that cannot be used, displayed as one line of text.
#[derive(Debug, thiserror::Error)]
pub enum PositionsError {
    /// The file cannot be opened or mapped into memory.
    #[error("{}: {error}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// The file does not contain a whole number of positions.
    #[error("{}: expected a multiple of {size} bytes, found {found}", path.display())]
    Size {
        /// Path of the file.
        path: PathBuf,
        /// Size of a packed position, in bytes.
        size: usize,
        /// Size of the file, in bytes.
        found: usize,
    },
}

/// Returns the size of a packed position of a game, in bytes.
pub const fn position_bytes(game: NetworkGame) -> usize {
    match game {
        NetworkGame::Chess => chess::BYTES,
        NetworkGame::Shogi => shogi::BYTES,
    }
}

/// The positions of one game in several files or in memory, in order.
pub struct Positions {
    game: NetworkGame,
    files: Vec<Bytes>,
    /// For each file, the number of positions before it, and as the last entry the total number.
    begins: Vec<usize>,
}

enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    #[inline]
    fn all(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl Positions {
    /// Wraps the positions in `bytes`, ignoring an incomplete position at the end.
    pub fn of(game: NetworkGame, bytes: Vec<u8>) -> Self {
        let begins = vec![0, bytes.len() / position_bytes(game)];
        Self { game, files: vec![Bytes::Owned(bytes)], begins }
    }

    /// Maps the files in `paths` into memory.
    ///
    /// # Errors
    /// Returns an error if a file cannot be opened or its size is not a multiple of the size of a position.
    pub fn open(game: NetworkGame, paths: &[impl AsRef<Path>]) -> Result<Self, PositionsError> {
        let size = position_bytes(game);
        let (mut files, mut begins) = (Vec::new(), vec![0]);
        for path in paths.iter().map(AsRef::as_ref) {
            let failed = |error| PositionsError::Io { path: path.to_path_buf(), error };
            // A pipe cannot be mapped, and opening it would block.
            if !path.metadata().map_err(failed)?.is_file() {
                return Err(failed(std::io::Error::other("not a regular file")));
            }
            let file = File::open(path).map_err(failed)?;
            if file.metadata().map_err(failed)?.len() == 0 {
                continue;
            }
            // SAFETY: as in every program that maps files, the process dies if another process shortens the file.
            let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
            if !map.len().is_multiple_of(size) {
                return Err(PositionsError::Size { path: path.to_path_buf(), size, found: map.len() });
            }
            begins.push(begins[files.len()] + map.len() / size);
            files.push(Bytes::Mapped(map));
        }
        Ok(Self { game, files, begins })
    }

    /// The game to which the positions belong.
    pub const fn game(&self) -> NetworkGame {
        self.game
    }

    /// Size of a packed position, in bytes.
    pub const fn size(&self) -> usize {
        position_bytes(self.game)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.begins[self.files.len()]
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of the packed position at `index`.
    ///
    /// # Panics
    /// Panics if `index` is out of range.
    #[inline]
    pub fn bytes(&self, index: usize) -> &[u8] {
        let file = self.begins.partition_point(|&begin| begin <= index) - 1;
        let size = position_bytes(self.game);
        &self.files[file].all()[(index - self.begins[file]) * size..][..size]
    }

    /// Formats a position as a line that [`crate::parse_line`] can read: FEN or SFEN, then score and result for the
    /// first player. Returns `None` if the bytes are not a valid position.
    pub fn to_text(&self, index: usize) -> Option<String> {
        let bytes = self.bytes(index);
        let (text, second_moves) = match self.game {
            // The chess format stores positions as if White were to move.
            NetworkGame::Chess => (chess::to_text(bytes.try_into().expect("32 bytes"))?, false),
            NetworkGame::Shogi => shogi::to_text(bytes.try_into().expect("40 bytes"))?,
        };
        let mut sample = Sample::default();
        if !self.read(index, &mut sample) {
            return None;
        }
        let score = i32::from(sample.score) * if second_moves { -1 } else { 1 };
        let result = sample.result.map(|points| if second_moves { 1.0 - points } else { points });
        let result = match result {
            Some(points) => *["0.0", "0.5", "1.0"].get((2.0 * points) as usize)?,
            None => "-",
        };
        Some(format!("{text} | {score} | {result}"))
    }

    /// Counts the positions whose bytes are invalid, in `threads` threads.
    pub fn unread(&self, threads: usize) -> usize {
        let part = self.len().div_ceil(threads.max(1)).max(1);
        let count = |from: usize| {
            let mut sample = Sample::default();
            (from..self.len().min(from + part)).filter(|&index| !self.read(index, &mut sample)).count()
        };
        thread::scope(|scope| {
            let begins: Vec<_> = (0..self.len()).step_by(part).map(|from| scope.spawn(move || count(from))).collect();
            begins.into_iter().map(|part| part.join().expect("a thread that reads positions does not panic")).sum()
        })
    }

    /// Unpacks a position into `sample`. Returns false if the bytes of the position are invalid.
    #[inline]
    pub fn read(&self, index: usize, sample: &mut Sample) -> bool {
        let bytes = self.bytes(index);
        match self.game {
            NetworkGame::Chess => chess::read(bytes.try_into().expect("32 bytes"), sample),
            NetworkGame::Shogi => shogi::read(bytes.try_into().expect("40 bytes"), sample),
        }
    }
}
