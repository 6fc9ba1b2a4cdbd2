//! No line panics, and a command that can be written reads back as itself.

use hasami::protocol::{Dialect, Protocol, UCI, client};

pub fn check(bytes: &[u8]) {
    let command = UCI.parse(&String::from_utf8_lossy(bytes));
    if let Some(line) = client::write(Protocol::Uci, &command) {
        assert_eq!(UCI.parse(&line), command, "{line}");
    }
}
