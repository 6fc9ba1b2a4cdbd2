//! Fuzzes children files: parsing never panics.

use hasami_workers::children;
use std::path::Path;

pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = children::parse(text, Path::new("."));
}
