//! Engines' names on lines for people: two of them fit a line of 80 columns.

use hasami_words::text::fitted;
use std::borrow::Cow;

/// Columns of a name.
const WIDEST: usize = 30;

/// A name, without its middle if it is a long one.
pub fn fitting(name: &str) -> Cow<'_, str> {
    fitted(name, WIDEST)
}

/// All of them.
pub fn shown(names: &[String]) -> Vec<String> {
    names.iter().map(|name| fitting(name).into_owned()).collect()
}
