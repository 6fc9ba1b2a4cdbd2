//! Lines of an input.

use encoding_rs::SHIFT_JIS;
use std::io::{BufRead, BufReader, Read};

/// Reads until the end of the input; lines come without their ends.
pub fn read(input: impl Read, mut bring: impl FnMut(String)) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    while matches!(input.read_until(b'\n', &mut line), Ok(1..)) {
        while line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            line.pop();
        }
        bring(decode(&line));
        line.clear();
    }
}

/// The words of both protocols are ASCII, but paths are not: Windows GUIs in Japan write them in code page 932, which
/// is hardly ever valid UTF-8 as well. What is neither keeps its readable part.
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
    fn lines_are_utf8_or_code_page_932_or_patched() {
        let path = "setoption name BookFile value C:\\将棋 エンジン\\定跡.db";
        let (cp932, _, lossy) = SHIFT_JIS.encode(path);
        assert!(!lossy);
        assert_eq!(decode(path.as_bytes()), path);
        assert_eq!(decode(&cp932), path);
        assert_eq!(decode(b"stop \xff"), "stop \u{fffd}");
    }

    #[test]
    fn any_line_end_ends_a_line() {
        let mut lines = Vec::new();
        read(&b"usi\r\nisready\n\nquit"[..], |line| lines.push(line));
        assert_eq!(lines, ["usi", "isready", "", "quit"]);
    }
}
