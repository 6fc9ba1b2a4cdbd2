//! Messages on a stream of bytes, which nobody vouches for: a greeting, and then each message in a frame.
//!
//! A frame is the message's length and its sum (four bytes each, the lowest first), and the message. One without bytes says
//! that its sender is there.

use super::wire::LONGEST;
use hasami_words::text::visible;

/// Begins a stream, so that a program that is no cell is known by its first words.
pub const GREETING: &[u8] = b"hasami cell\n";

const HEAD: usize = 8;

/// Found bytes that are shown.
const SHOWN: usize = 20;

/// FNV-1a (Fowler, Noll and Vo), for messages that broken pipes have mangled.
fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum: u32, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// One longer than [`LONGEST`] is refused by the reader.
pub fn frame(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    [&length.to_le_bytes(), &sum(message).to_le_bytes(), message].concat()
}

/// Messages out of bytes. It holds no more than one message, and what has come with its end.
#[derive(Default)]
pub struct FrameReader {
    has_greeted: bool,
    /// Nothing can be made of what follows an error.
    is_broken: bool,
    buffer: Vec<u8>,
}

impl FrameReader {
    /// The messages that these bytes complete. After an error there are no more.
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

/// The first message, if it is whole, and the bytes of its frame.
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
