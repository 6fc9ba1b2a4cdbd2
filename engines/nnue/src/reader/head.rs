//! The head that all files of others have, and their end.

use crate::bytes::Bytes;
use crate::error::NetworkError;

/// The versions at the beginning of files: shogi and Stockfish 12 and 13; later Stockfish; shogi with remarks.
const VERSIONS: [u32; 3] = [0x7AF3_2F16, 0x7AF3_2F20, 0x7AF3_2F17];
/// Stockfish's development of 2026 and version 19.
const VERSION_OF_2026: u32 = 0x6A44_8AFA;
/// Stockfish 14: its feature set with 512 values a side.
const FIRST_LAYER_OF_14: u32 = 0x5F23_4CB8 ^ 1_024;
/// No description is longer.
pub const MOST_DESCRIPTION: usize = 1 << 16;
/// Some trainers fill up files with a text of at most so many bytes.
pub const MOST_PADDING: usize = 64;
/// The head of a file and what follows it.
pub struct Head<'a> {
    pub description: String,
    pub payload: Bytes<'a>,
}

pub fn read(file: &[u8]) -> Result<Head<'_>, NetworkError> {
    let mut bytes = Bytes::new(file);
    let version = bytes.u32("the version")?;
    if version == VERSION_OF_2026 {
        let text = "expected a network of Stockfish 12 to 17.1 (but 14) or of shogi, found one of Stockfish's development of 2026";
        return Err(NetworkError::new(text.into()));
    }
    if !VERSIONS.contains(&version) {
        let text =
            format!("expected a network file (version 7af32f16, 7af32f17 or 7af32f20), found version {version:08x}");
        return Err(NetworkError::new(text));
    }
    bytes.u32("the hash of the file")?;
    let length = bytes.u32("the length of the description")? as usize;
    if length > MOST_DESCRIPTION {
        let text = format!("expected a description of at most {MOST_DESCRIPTION} bytes, found a length of {length}");
        return Err(NetworkError::new(text));
    }
    let description = String::from_utf8_lossy(bytes.take(length, "the description")?).into_owned();
    if bytes.clone().u32("the first layer's hash") == Ok(FIRST_LAYER_OF_14) {
        let text = "expected a network of Stockfish 12 to 17.1 (but 14) or of shogi, found one of Stockfish 14";
        return Err(NetworkError::new(text.into()));
    }
    Ok(Head { description, payload: bytes })
}

/// Nothing follows but the text with which some trainers fill up a file.
pub fn end(bytes: &Bytes<'_>) -> Result<(), NetworkError> {
    match bytes.left() {
        0..=MOST_PADDING => Ok(()),
        left => Err(NetworkError::new(format!("expected the end of the file, found {left} bytes more"))),
    }
}
