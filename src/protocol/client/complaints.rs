//! Errors that an engine tells of itself: one that cannot read a file says so in an `info string`, and goes on without.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

/// More of one engine are not kept.
const MOST: usize = 8;
/// The longest text for one line of a log.
const LONGEST: usize = 200;

/// See the module.
#[derive(Default)]
pub struct Complaints(Vec<String>);

impl Complaints {
    /// Hears an `info string`; gives the complaint if it is a new one.
    pub fn hear(&mut self, text: &str) -> Option<&str> {
        let text = text.trim().chars().take(LONGEST).collect::<String>();
        if !is_complaint(&text) || self.0.len() >= MOST || self.0.contains(&text) {
            return None;
        }
        self.0.push(text);
        self.last()
    }

    pub fn last(&self) -> Option<&str> {
        self.0.last().map(String::as_str)
    }
}

/// Whether the text of an `info string` is one.
pub fn is_complaint(text: &str) -> bool {
    let head = text.trim_start().as_bytes();
    head.get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"error"))
}
