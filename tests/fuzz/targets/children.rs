#![no_main]
//! No children file panics.

use hasami::workers::children;
use std::path::Path;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = children::parse(text, Path::new("."));
});
