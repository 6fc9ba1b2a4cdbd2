//! Messages to other processes and machines as bytes: the version, and a value in the form of postcard (whole numbers of
//! variable length, texts with their length). Positions and moves are text. Nothing here trusts what it reads: sizes are
//! bounded, and what does not fit is refused as a whole.

use hasami_api::MoveText;
use hasami_words::text::visible;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Moves of a line, and of what else has moves.
pub const MOST_MOVES: usize = 4_096;

/// Characters of a text that are shown.
const SHOWN: usize = 80;

/// One kind of messages.
pub struct MessageFormat {
    /// As errors about the version call it: `a message`.
    pub name: &'static str,
    /// The first byte of each message.
    pub version: u8,
    /// Bytes of the longest message that is read.
    pub longest: usize,
}

impl MessageFormat {
    pub fn encode(&self, message: &impl Serialize) -> Vec<u8> {
        // Only a writer can fail, and a vector does not.
        postcard::to_extend(message, vec![self.version]).unwrap_or_default()
    }

    /// The error says what was expected and what was found.
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

/// A text that people will see, or that goes into a log.
pub fn plain(text: &str) -> String {
    let shown = visible(text);
    match shown.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &shown[..end]),
        None => shown,
    }
}

/// Moves with single blanks between them.
pub fn words(moves: &[MoveText]) -> String {
    moves.iter().map(|text| &**text).collect::<Vec<_>>().join(" ")
}

/// The moves of such words; `what` they are.
pub fn moves(words: &str, what: &str) -> Result<Vec<MoveText>, String> {
    let read = |word: &str| word.parse().map_err(|_| format!("expected {what}, found '{}'", plain(word)));
    let found = words.split(' ').filter(|word| !word.is_empty()).take(MOST_MOVES + 1).map(read);
    let found = found.collect::<Result<Vec<_>, String>>()?;
    if found.len() > MOST_MOVES {
        return Err(format!("expected {what}, at most {MOST_MOVES}, found more"));
    }
    Ok(found)
}
