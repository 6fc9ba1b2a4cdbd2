//! Encodes binary messages to other processes and machines: a version byte, then a value in the postcard format
//! (variable-length integers, and texts preceded by their length). Positions and moves are sent as text. Input is not
//! trusted: sizes are limited, and a message with any invalid part is rejected.

use hasami_api::MoveText;
use hasami_words::text::visible;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The most moves in a line of moves or in a list.
pub const MOST_MOVES: usize = 4_096;

/// Maximum number of characters of a received text to show or log.
const SHOWN: usize = 80;

/// A message format.
pub struct MessageFormat {
    /// What version errors call a message of this format, such as `a message`.
    pub name: &'static str,
    /// The first byte of each message.
    pub version: u8,
    /// Length of the longest message that is accepted, in bytes.
    pub longest: usize,
}

impl MessageFormat {
    pub fn encode(&self, message: &impl Serialize) -> Vec<u8> {
        // Writing to a vector cannot fail.
        postcard::to_extend(message, vec![self.version]).unwrap_or_default()
    }

    /// Decodes a message, or describes why it cannot be decoded.
    pub fn decode<M: DeserializeOwned>(&self, bytes: &[u8]) -> Result<M, String> {
        let Self { name, version: ours, longest } = self;
        if bytes.len() > *longest {
            return Err(format!("expected a message of at most {longest} bytes, found {}", bytes.len()));
        }
        let (version, rest) = bytes.split_first().ok_or("expected a message, found nothing")?;
        if version != ours {
            return Err(format!("expected {name} of version {ours}, found version {version}"));
        }
        match postcard::take_from_bytes::<M>(rest) {
            Ok((message, [])) => Ok(message),
            Ok((_, rest)) => Err(format!("expected the end of a message, found {} bytes more", rest.len())),
            Err(_) => Err(format!("expected a message, found {} bytes that are none", bytes.len())),
        }
    }
}

/// Shortens and sanitises a text for display or for logs.
pub fn plain(text: &str) -> String {
    let shown = visible(text);
    match shown.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &shown[..end]),
        None => shown,
    }
}

/// Joins moves into one text, separated by single blanks.
pub fn words(moves: &[MoveText]) -> String {
    moves.iter().map(|text| &**text).collect::<Vec<_>>().join(" ")
}

/// Parses moves separated by blanks. Error messages use `what` as the name of a move, such as `a move`.
pub fn moves(words: &str, what: &str) -> Result<Vec<MoveText>, String> {
    let read = |word: &str| word.parse().map_err(|_| format!("expected {what}, found '{}'", plain(word)));
    let found = words.split(' ').filter(|word| !word.is_empty()).take(MOST_MOVES + 1).map(read);
    let found = found.collect::<Result<Vec<_>, String>>()?;
    if found.len() > MOST_MOVES {
        return Err(format!("expected {what}, at most {MOST_MOVES}, found more"));
    }
    Ok(found)
}
