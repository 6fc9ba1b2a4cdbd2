//! Reads an input line by line.

use encoding_rs::SHIFT_JIS;
use std::io::{BufRead, BufReader, Read};

/// Maximum length of an input line in bytes; a game of ten thousand moves is shorter.
pub const LONGEST: usize = 1 << 20;

/// This text replaces an input line as soon as the line is too long, because it may never end.
pub const TOO_LONG: &str = "line-of-more-than-1048576-bytes";

/// Reads lines until the end of the input, and passes them to `bring` without their newlines.
pub fn read(input: impl Read, mut bring: impl FnMut(String)) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    while matches!((&mut input).take(LONGEST as u64 + 1).read_until(b'\n', &mut line), Ok(1..)) {
        if line.len() > LONGEST {
            let has_ended = line.last() == Some(&b'\n');
            line = Vec::new();
            bring(TOO_LONG.to_owned());
            if !has_ended && input.skip_until(b'\n').is_err() {
                return;
            }
            continue;
        }
        while line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            line.pop();
        }
        bring(decode(&line));
        line.clear();
    }
}

/// Decodes a line. The keywords of UCI and USI are ASCII, but paths need not be: Windows GUIs in Japan write paths in
/// code page 932, which is hardly ever valid UTF-8. In any other encoding, what can be decoded is kept.
fn decode(line: &[u8]) -> String {
    match std::str::from_utf8(line) {
        Ok(text) => text.to_owned(),
        Err(_) => match SHIFT_JIS.decode_without_bom_handling_and_without_replacement(line) {
            Some(text) => text.into_owned(),
            None => String::from_utf8_lossy(line).into_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_decoded_as_utf8_or_code_page_932() {
        let path = "setoption name BookFile value C:\\将棋 エンジン\\定跡.db";
        let (cp932, _, lossy) = SHIFT_JIS.encode(path);
        assert!(!lossy);
        assert_eq!(decode(path.as_bytes()), path);
        assert_eq!(decode(&cp932), path);
        assert_eq!(decode(b"stop \xff"), "stop \u{fffd}");
    }

    #[test]
    fn an_endless_line_is_reported_and_uses_little_memory() {
        let endless = std::io::repeat(b'x').take(40 * LONGEST as u64);
        let mut lines = Vec::new();
        read(endless.chain(&b"\nisready\n"[..]), |line| lines.push(line));
        assert_eq!(lines, [TOO_LONG, "isready"]);
        assert!(TOO_LONG.contains(&LONGEST.to_string()));
        let most = vec![b'y'; LONGEST];
        let mut lines = Vec::new();
        read(&[&most[..], b"\nisready\n"].concat()[..], |line| lines.push(line));
        assert_eq!(lines, [TOO_LONG, "isready"], "the end of the long line is the last byte read for it");
        let mut reported = Vec::new();
        let mut endless = std::io::repeat(b'x').take(40 * LONGEST as u64);
        let reads = std::cell::Cell::new(0);
        read(CountedReads(&mut endless, &reads), |line| reported.push((line, reads.get())));
        assert!(
            matches!(&reported[..], [(line, 0..=400)] if line == TOO_LONG),
            "reported before the line ends: {reported:?}"
        );
        let mut lines = 0;
        read(&[vec![b'y'; LONGEST - 1], b"\n".to_vec()].concat()[..], |line| lines += line.len());
        assert_eq!(lines, LONGEST - 1, "the longest line that is accepted");
    }

    struct CountedReads<'a, R>(&'a mut R, &'a std::cell::Cell<usize>);

    impl<R: Read> Read for CountedReads<'_, R> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.1.set(self.1.get() + 1);
            self.0.read(buffer)
        }
    }

    #[test]
    fn any_line_end_ends_a_line() {
        let mut lines = Vec::new();
        read(&b"usi\r\nisready\n\nquit"[..], |line| lines.push(line));
        assert_eq!(lines, ["usi", "isready", "", "quit"]);
    }
}
