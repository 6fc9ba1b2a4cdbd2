//! No line panics, and a command that can be written reads back as itself.

use hasami::protocol::{Dialect, Protocol, USI, client};

pub fn check(bytes: &[u8]) {
    let command = USI.parse(&String::from_utf8_lossy(bytes));
    if let Some(line) = client::write(Protocol::Usi, &command) {
        assert_eq!(USI.parse(&line), command, "{line}");
    }
}
