//! The text form of an evaluation's weights: named groups of numbers, written by the tuner and read by the evaluations.
//!
//! ```text
//! # a comment, up to the end of the line
//! bishop_pair 25 48
//! mobility.knight -60 -75 -30 -40
//!     -10 -12 5 3
//! ```

use std::fmt::{self, Write as _};

/// A group of weights: its name and the number of its weights.
pub type Group = (&'static str, usize);

/// The error for a text that does not match the layout. The error says what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightsError(String);

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WeightsError {}

/// Reads the groups of `layout`, in order, into one flat list.
pub fn parse_weights(layout: &[Group], text: &str) -> Result<Vec<i32>, WeightsError> {
    let mut tokens = text.lines().flat_map(|line| line.split('#').next().unwrap_or("").split_whitespace()).peekable();
    let mut weights = Vec::with_capacity(layout.iter().map(|group| group.1).sum());
    for &(name, len) in layout {
        let found = tokens.next().unwrap_or("the end");
        if found != name {
            return Err(WeightsError(format!("expected the group '{name}', found '{found}'")));
        }
        for number in 0..len {
            let token = tokens.next().unwrap_or("the end");
            weights.push(token.parse().map_err(|_| {
                WeightsError(format!("expected {len} numbers in '{name}', found '{token}' after {number}"))
            })?);
        }
    }
    match tokens.next() {
        None => Ok(weights),
        Some(token) => Err(WeightsError(format!("expected the end of the weights, found '{token}'"))),
    }
}

/// Formats weights for [`parse_weights`]. The lines of `header` become comments.
///
/// # Panics
/// If there are fewer weights than the layout has.
pub fn print_weights(layout: &[Group], weights: &[i32], header: &str) -> String {
    let mut text: String = header.lines().map(|line| format!("# {line}\n")).collect();
    let mut rest = weights;
    for &(name, len) in layout {
        let (group, tail) = rest.split_at(len);
        rest = tail;
        text.push_str(name);
        for (number, weight) in group.iter().enumerate() {
            let blank = if number % 16 == 0 && len > 16 { "\n   " } else { "" };
            write!(text, "{blank} {weight}").expect("writing to a String never fails");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: [Group; 3] = [("pair", 2), ("table.long", 40), ("none", 0)];

    #[test]
    fn printed_weights_are_read_back() {
        let weights: Vec<i32> = (-10..32).collect();
        let text = print_weights(&LAYOUT, &weights, "made by hand\nfor a test");
        assert_eq!(parse_weights(&LAYOUT, &text), Ok(weights));
    }

    #[test]
    fn errors_name_the_group() {
        let error = |text: &str| parse_weights(&LAYOUT, text).expect_err("not the layout").to_string();
        assert_eq!(error("pear 1 2"), "expected the group 'pair', found 'pear'");
        assert_eq!(error("pair 1 table.long"), "expected 2 numbers in 'pair', found 'table.long' after 1");
        let text = print_weights(&LAYOUT, &[0; 42], "") + "more";
        assert_eq!(error(&text), "expected the end of the weights, found 'more'");
    }
}
