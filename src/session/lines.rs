//! Lines of an input, read on a thread of their own.

use crossbeam_channel::{Receiver, unbounded};
use std::io::{self, BufRead, BufReader, Read};
use std::thread::Builder;

/// The lines as they come, without their ends. The channel closes at the end of the input. Bytes that are not UTF-8
/// are replaced: the words of both protocols are ASCII.
pub fn reader(input: impl Read + Send + 'static) -> io::Result<Receiver<String>> {
    let (sender, lines) = unbounded();
    Builder::new().name("input".to_owned()).spawn(move || {
        let mut input = BufReader::new(input);
        let mut line = Vec::new();
        while matches!(input.read_until(b'\n', &mut line), Ok(1..)) {
            while line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
                line.pop();
            }
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
            line.clear();
        }
    })?;
    Ok(lines)
}
