//! Fuzzes UCI lines: parsing never panics, and a command that is written and parsed again loses only unknown words.

use hasami_protocol::{Command, Protocol, client};

pub fn check(bytes: &[u8]) {
    let mut command = Protocol::Uci.parse(&String::from_utf8_lossy(bytes));
    if let Command::Go(go) = &mut command {
        go.unread = None;
    }
    if let Some(line) = client::write(Protocol::Uci, &command) {
        assert_eq!(Protocol::Uci.parse(&line), command, "{line}");
    }
}
