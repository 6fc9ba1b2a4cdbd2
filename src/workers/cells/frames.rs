//! Carries messages on an untrusted stream of bytes: a greeting, followed by each message in a frame.
//!
//! A frame consists of the length of the message, its checksum (four bytes each, little-endian) and the message itself.
//! A cell sends empty messages to show that it is alive.

use super::wire::LONGEST;
use hasami_words::text::visible;

/// The first bytes of a stream, by which a program that is not a cell is recognised.
pub const GREETING: &[u8] = b"hasami cell\n";

const HEAD: usize = 8;

/// Number of unexpected bytes that are shown.
const SHOWN: usize = 20;

/// The hash FNV-1a (Fowler, Noll and Vo), which detects messages that a broken pipe has garbled.
fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum: u32, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns the frame of a message. The reader rejects messages longer than [`LONGEST`].
pub fn frame(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    [&length.to_le_bytes(), &sum(message).to_le_bytes(), message].concat()
}

/// Reads messages from bytes. Buffers at most one message and the bytes that arrived together with its end.
#[derive(Default)]
pub struct FrameReader {
    has_greeted: bool,
    /// Whether an error occurred, after which the rest of the stream cannot be interpreted.
    is_broken: bool,
    buffer: Vec<u8>,
}

impl FrameReader {
    /// Returns the messages that these bytes complete. After an error, no more messages are returned.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        if self.is_broken {
            return Ok(Vec::new());
        }
        let read = self.read_whole(bytes);
        self.is_broken = read.is_err();
        read
    }

    fn read_whole(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        self.buffer.extend_from_slice(bytes);
        let mut at = 0;
        if !self.has_greeted {
            let known = self.buffer.len().min(GREETING.len());
            if self.buffer[..known] != GREETING[..known] {
                let found = String::from_utf8_lossy(&self.buffer[..self.buffer.len().min(SHOWN)]).into_owned();
                return Err(format!("expected 'hasami cell' and messages, found '{}'", visible(&found)));
            }
            if known < GREETING.len() {
                return Ok(Vec::new());
            }
            (self.has_greeted, at) = (true, known);
        }
        let mut messages = Vec::new();
        while let Some((message, used)) = first_message(&self.buffer[at..])? {
            messages.push(message);
            at += used;
        }
        self.buffer.drain(..at);
        Ok(messages)
    }
}

/// Returns the first message, if it has arrived completely, and the size of its frame in bytes.
fn first_message(bytes: &[u8]) -> Result<Option<(Vec<u8>, usize)>, String> {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return Ok(None) };
    let length = u32::from_le_bytes(*length) as usize;
    if length > LONGEST {
        return Err(format!("expected a message of at most {LONGEST} bytes, found one of {length}"));
    }
    let Some((found, rest)) = rest.split_first_chunk::<4>() else { return Ok(None) };
    let Some(message) = rest.get(..length) else { return Ok(None) };
    let (expected, found) = (sum(message), u32::from_le_bytes(*found));
    if expected != found {
        return Err(format!("expected the sum {expected:08x} of a message, found {found:08x}"));
    }
    Ok(Some((message.to_vec(), HEAD + length)))
}
