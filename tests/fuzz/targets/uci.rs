//! Fuzzes lines of UCI: parsing never panics, and a command survives writing, except for unknown words.

use hasami_protocol::{Command, Dialect, Protocol, UCI, client};

pub fn check(bytes: &[u8]) {
    let mut command = UCI.parse(&String::from_utf8_lossy(bytes));
    if let Command::Go(go) = &mut command {
        go.unread = None;
    }
    if let Some(line) = client::write(Protocol::Uci, &command) {
        assert_eq!(UCI.parse(&line), command, "{line}");
    }
}
