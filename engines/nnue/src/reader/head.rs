//! Reads the beginning and the end of network files, which all formats of other programs have in common.

use crate::bytes::Bytes;
use crate::error::NetworkError;

/// Version numbers of network files: for shogi and Stockfish 12 and 13, for later versions of Stockfish, and for shogi
/// networks with remarks.
const VERSIONS: [u32; 3] = [0x7AF3_2F16, 0x7AF3_2F20, 0x7AF3_2F17];
/// Maximum length of the description in a network file, in bytes.
pub const MOST_DESCRIPTION: usize = 1 << 16;
/// Maximum length, in bytes, of the text that some training programs append as padding.
pub const MOST_PADDING: usize = 64;
/// The description in a network file, and the bytes that follow the description.
pub struct Head<'a> {
    pub description: String,
    pub payload: Bytes<'a>,
}

pub fn read(file: &[u8]) -> Result<Head<'_>, NetworkError> {
    let mut bytes = Bytes::new(file);
    let version = bytes.u32("the version")?;
    if !VERSIONS.contains(&version) {
        let text = format!(
            "expected a network of Stockfish 12 to 17.1 or of shogi (version 7af32f16, 7af32f17 or 7af32f20), found version {version:08x}"
        );
        return Err(NetworkError::new(text));
    }
    bytes.u32("the hash of the file")?;
    let length = bytes.u32("the length of the description")? as usize;
    if length > MOST_DESCRIPTION {
        let text = format!("expected a description of at most {MOST_DESCRIPTION} bytes, found a length of {length}");
        return Err(NetworkError::new(text));
    }
    let description = String::from_utf8_lossy(bytes.take(length, "the description")?).into_owned();
    Ok(Head { description, payload: bytes })
}

/// Checks that nothing is left to read except the padding of a training program.
pub fn end(bytes: &Bytes<'_>) -> Result<(), NetworkError> {
    match bytes.left() {
        0..=MOST_PADDING => Ok(()),
        left => Err(NetworkError::new(format!("expected the end of the file, found {left} bytes more"))),
    }
}
