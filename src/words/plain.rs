//! Messages read without a library, in builds that have none: text, values, and choices by a number.

use super::{Language, Value};
use std::collections::HashMap;

/// The pattern of each message.
pub struct Messages(HashMap<&'static str, &'static str>);

impl Messages {
    pub fn read(language: Language) -> Self {
        let source = language.source();
        let mut messages = HashMap::new();
        let mut begins: Vec<usize> = source.match_indices('\n').map(|(at, _)| at + 1).collect();
        begins.insert(0, 0);
        begins.retain(|&at| !source[at..].starts_with([' ', '}', '#', '\n']));
        for (index, &at) in begins.iter().enumerate() {
            let whole = &source[at..begins.get(index + 1).copied().unwrap_or(source.len())];
            // A comment belongs to what follows.
            let whole = whole.split("\n#").next().unwrap_or_default();
            if let Some((name, pattern)) = whole.split_once(" = ") {
                messages.insert(name, pattern.trim_end());
            }
        }
        Self(messages)
    }

    /// `None`: there is no message of this name.
    pub fn write(&self, name: &str, values: &[(&str, Value<'_>)]) -> Option<String> {
        let mut written = String::new();
        put(self.0.get(name)?, values, &mut written);
        Some(written)
    }
}

fn put(pattern: &str, values: &[(&str, Value<'_>)], written: &mut String) {
    let Some((before, rest)) = pattern.split_once("{ $") else {
        written.push_str(pattern);
        return;
    };
    written.push_str(before);
    let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let value = values.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
    let rest = match rest.strip_prefix("->") {
        Some(choices) => {
            let (choices, rest) = choices.split_once("\n}").unwrap_or((choices, ""));
            put(chosen(choices, value), values, written);
            rest
        }
        None => {
            match value {
                Some(Value::Text(text)) => written.push_str(text),
                Some(Value::Number(number)) => written.push_str(&number.to_string()),
                None => {}
            }
            rest.strip_prefix('}').unwrap_or(rest)
        }
    };
    put(rest, values, written);
}

/// The choice of this number, `[one]` of 1, or else that with the star.
fn chosen<'a>(choices: &'a str, value: Option<&Value<'_>>) -> &'a str {
    let of = |key: &str| {
        let mut lines = choices.lines().map(str::trim_start);
        lines.find_map(|line| line.strip_prefix(key))
    };
    let exact = match value {
        Some(Value::Number(number)) => of(&format!("[{number}] ")).or_else(|| of("[one] ").filter(|_| *number == 1)),
        Some(Value::Text(text)) => of(&format!("[{text}] ")),
        None => None,
    };
    exact.or_else(|| of("*[other] ")).unwrap_or_default()
}
