//! What is wrong with a TOML file, in the words of people who write one.

use super::{line_number, one_line, visible};
use crate::{Message, shortened};
use toml::de::Error;

/// So much of what was found is shown.
const SHOWN: usize = 40;

/// An error in a TOML file: the line, what was expected, what was found.
pub fn toml_fault(text: &str, error: &Error) -> (usize, Message) {
    let span = error.span().unwrap_or_default();
    let line = line_number(text, span.start);
    (line, reworded(&one_line(error.message()), text.get(span).unwrap_or_default()))
}

/// The parser's words in the order of all our messages; `found` is the text that it complains about.
fn reworded(message: &str, found: &str) -> Message {
    let message = message.replace('`', "'");
    if let Some(name) = message.strip_prefix("missing field ") {
        return Message::new("expected-key").with("name", name.trim_matches('\''));
    }
    if let Some((found, expected)) = message.split_once(", expected ") {
        let kinds = ["invalid type: ", "invalid value: ", "unknown field ", "unknown variant "];
        let value = kinds.into_iter().find_map(|kind| found.strip_prefix(kind));
        let fault = Message::new(if value.is_some() { "expected-here" } else { "expected-syntax" });
        return fault.with("expected", wanted(expected)).with("found", flaw(value.unwrap_or(found)));
    }
    let found = shortened(&visible(found.lines().next().unwrap_or_default().trim()), SHOWN);
    // What our own types expect.
    if let Some(expected) = message.strip_prefix("expected ") {
        return Message::new("expected-syntax").with("expected", wanted(expected)).with("found", format!("'{found}'"));
    }
    match message.as_str() {
        "duplicate key" => Message::new("expected-key-once").with("found", found),
        _ => Message::new("expected-toml").with("found", found).with("flaw", flaw(&message)),
    }
}

/// What should stand there: types in the words of people who write TOML.
fn wanted(kind: &str) -> Message {
    if let Some(values) = kind.strip_prefix("one of ") {
        return Message::new("one-of").with("values", values);
    }
    if let Some((one, other)) = kind.split_once(" or ") {
        return Message::new("either-of").with("one", wanted(one)).with("other", wanted(other));
    }
    match kind {
        "u32" | "u64" | "u16" => Message::new("natural-number"),
        "i64" => Message::new("whole-number"),
        "f64" => Message::new("a-number"),
        "a boolean" => Message::new("truth"),
        _ => Message::new("toml-kind").with("kind", dashed(kind)).with("text", kind),
    }
}

/// What stands there, or what is wrong with it.
fn flaw(found: &str) -> Message {
    let mut kinds = ["string ", "integer ", "floating point ", "boolean "].into_iter();
    match kinds.find_map(|kind| Some((kind, found.strip_prefix(kind)?))) {
        Some((kind, value)) if value.starts_with(['"', '\'']) => {
            Message::new("toml-value").with("kind", dashed(kind)).with("value", value).with("text", found)
        }
        _ => Message::new("toml-flaw").with("flaw", dashed(found)).with("text", found),
    }
}

/// A type as TOML calls it.
pub fn toml_type(name: &str) -> Message {
    Message::new("toml-type").with("type", name)
}

/// As the files of words name it.
fn dashed(text: &str) -> String {
    let plain = text.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), " ");
    plain.split_whitespace().collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Language, Words};

    #[derive(serde::Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct File {
        a: u32,
        b: Option<Vec<String>>,
    }

    fn told(text: &str) -> (usize, Message) {
        toml_fault(text, &toml::from_str::<File>(text).unwrap_err())
    }

    #[test]
    fn broken_toml_is_one_line_of_expected_and_found() {
        let texts = [
            ("", 1),
            ("a = -1", 1),
            ("a = \"x\"", 1),
            ("a = 1\nc = 2", 2),
            ("a = 1\na = 2", 2),
            ("a = ", 1),
            ("a", 1),
            ("[a", 1),
            ("a = 1\nb = [1]", 2),
            ("a = 1\nb = [\"x\"", 2),
            ("a = 1\nb = \"x\ny\"", 3),
            ("a = 1\nb = 'x", 2),
            ("a = 1\nb = x", 2),
            ("a = 99999999999999999999999", 1),
            ("\u{1}", 1),
        ];
        for (text, line) in texts {
            let (at, why) = told(text);
            assert_eq!(at, line, "{text:?}: {why}");
            let english = why.to_string();
            assert!(english.starts_with("expected ") && english.contains(", found "), "{text:?}: {why}");
            assert!(!english.contains(char::is_control), "{text:?}: {why:?}");
            let japanese = why.said(Words::of(Language::Japanese));
            let is_english =
                ["expected", "found", "invalid", "missing", "unclosed"].iter().any(|w| japanese.contains(w));
            assert!(!japanese.is_ascii() && !is_english, "{text:?}: {japanese}");
        }
    }

    #[test]
    fn the_usual_faults_are_said_in_both_languages() {
        for (text, english, japanese) in [
            ("", "expected 'a', found none", "「a」がありません"),
            (
                "a = \"x\"",
                "expected a whole number, 0 or more, found string \"x\"",
                "0以上の整数を指定してください。指定されたもの：文字列 \"x\"",
            ),
            ("a = 1\nc = 2", "expected 'a' or 'b', found 'c'", "'a' か 'b'を指定してください。指定されたもの：'c'"),
            (
                "a = 1\nb = x",
                "expected literal string, found string values must be quoted",
                "引用符のない文字列（必要なもの：'' で囲んだ文字列）",
            ),
            ("a = 1 b = 2", "expected newline, '#', found unexpected key or value", "余分な語（必要なもの：改行か #）"),
            ("a = 1\na = 2", "expected every key once, found 'a' again", "「a」が二度あります"),
        ] {
            let why = told(text).1;
            assert_eq!(why, english);
            assert_eq!(why.said(Words::of(Language::Japanese)), japanese);
        }
    }
}
