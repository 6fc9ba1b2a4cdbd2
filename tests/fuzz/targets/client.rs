//! Fuzzes lines from a child engine: parsing never panics.

use hasami_protocol::{Protocol, client};

pub fn check(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    client::parse(Protocol::Uci, &line);
    client::parse(Protocol::Usi, &line);
}
