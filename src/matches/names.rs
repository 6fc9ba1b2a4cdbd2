//! Shortens engine names for output, so that two names fit into a line of 80 columns.

use hasami_words::text::fitted;
use std::borrow::Cow;

/// Largest width of a name, in columns.
const WIDEST: usize = 30;

/// Returns an engine's name; if it is too long, its middle is left out.
pub fn fitting(name: &str) -> Cow<'_, str> {
    fitted(name, WIDEST)
}

/// Shortens all names that are too long.
pub fn shown(names: &[String]) -> Vec<String> {
    names.iter().map(|name| fitting(name).into_owned()).collect()
}
