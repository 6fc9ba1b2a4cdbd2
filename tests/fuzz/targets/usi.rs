//! Fuzzes USI lines: parsing never panics, and a command that is written and parsed again loses only unknown words.

use hasami_protocol::{Command, Protocol, client};

pub fn check(bytes: &[u8]) {
    let mut command = Protocol::Usi.parse(&String::from_utf8_lossy(bytes));
    if let Command::Go(go) = &mut command {
        go.unread = None;
    }
    if let Some(line) = client::write(Protocol::Usi, &command) {
        assert_eq!(Protocol::Usi.parse(&line), command, "{line}");
    }
}
