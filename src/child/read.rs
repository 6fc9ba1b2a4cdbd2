//! Reads untrusted bytes as lines.

use std::io::{BufRead, BufReader, ErrorKind, Read};

/// Size of the read buffer, in bytes.
const CHUNK: usize = 16 << 10;

/// Maximum length of a line in bytes. Longer lines are dropped, since no engine prints that much about one position.
const LONGEST: usize = 64 << 10;

/// Calls `on` with each complete line, without its newline, until the stream ends. A last line without a trailing
/// newline is dropped, since it may be truncated.
pub fn lines(stream: Box<dyn Read + '_>, on: &mut dyn FnMut(&str)) {
    let mut stream = BufReader::with_capacity(CHUNK, stream);
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = match stream.fill_buf() {
            Ok([]) => return,
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= line.len() + part.len() > LONGEST;
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        stream.consume(used);
        if end.is_some() {
            if !too_long {
                on(String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(&line)).as_ref());
            }
            line.clear();
            too_long = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Yields one byte at a time, as a slow pipe does.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.len().min(1).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn read(bytes: &[u8]) -> Vec<String> {
        let (mut whole, mut dripped) = (Vec::new(), Vec::new());
        lines(Box::new(bytes), &mut |line| whole.push(line.to_owned()));
        lines(Box::new(Drip(bytes)), &mut |line| dripped.push(line.to_owned()));
        assert_eq!(whole, dripped);
        whole
    }

    #[test]
    fn lines_are_assembled_and_a_partial_last_line_is_dropped() {
        assert_eq!(read(b"one\r\ntwo\n\nfour\nhalf a li"), ["one", "two", "", "four"]);
        assert_eq!(read(b"\xff\xfebest\n"), ["\u{fffd}\u{fffd}best"]);
        assert!(read(b"").is_empty());
    }

    #[test]
    fn overlong_lines_are_dropped_as_a_whole() {
        let mut bytes = vec![b'x'; LONGEST];
        bytes.extend_from_slice(b"\nx");
        bytes.extend(vec![b'x'; LONGEST]);
        bytes.extend_from_slice(b"\nafter\n");
        let lengths: Vec<_> = read(&bytes).iter().map(String::len).collect();
        assert_eq!(lengths, [LONGEST, 5]);
    }
}
