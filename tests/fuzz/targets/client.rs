#![no_main]
//! No line of a child engine panics.

use hasami::protocol::{Protocol, client};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let line = String::from_utf8_lossy(bytes);
    client::parse(Protocol::Uci, &line);
    client::parse(Protocol::Usi, &line);
});
