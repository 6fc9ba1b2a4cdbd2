//! The reasons for which a slot, a machine or a master is gone. Reasons are sent as English text; those that this
//! version knows are translated into the user's language.

use hasami_words::Message;

/// Each of them contains at most one value, `$value`.
const REASONS: [&str; 7] = [
    "machine-told-to-end",
    "machine-is-drained",
    "given-to-another",
    "not-heard-for",
    "not-heard-any-more",
    "master-has-ended",
    "master-began-anew",
];

/// A placeholder for the value.
const MARK: &str = "\u{1}";

/// The reason as a message that can be translated, if it is known.
pub fn message(text: &str) -> Message {
    let known = REASONS.iter().find_map(|&name| {
        let pattern = Message::new(name).with("value", MARK).to_string();
        match pattern.split_once(MARK) {
            None => (pattern == text).then(|| Message::new(name)),
            Some((before, after)) => {
                let value = text.strip_prefix(before)?.strip_suffix(after)?;
                Some(Message::new(name).with("value", value))
            }
        }
    });
    known.unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_words::{Language, Words};

    #[test]
    fn known_reasons_are_translated() {
        for name in REASONS {
            let text = Message::new(name).with("value", "2.5").to_string();
            let said = message(&text).said(Words::of(Language::Japanese));
            assert!(!said.is_ascii() && said.contains("2.5") == text.contains("2.5"), "{said}");
            assert_eq!(message(&text).to_string(), text);
        }
        assert_eq!(message("not heard of for 4 s"), Message::new("not-heard-for").with("value", "4"));
        for other in ["ended with exit code 3", "not heard of", ""] {
            assert_eq!(message(other), Message::from(other));
        }
    }
}
