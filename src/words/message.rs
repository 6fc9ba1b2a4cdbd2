//! A message before its language is known: its name and the values to insert.

use super::{Value, Words};
use std::fmt;

/// A message that is formatted once the user's language is known. Messages in logs and protocols are in English.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message(Said);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Said {
    Named {
        name: &'static str,
        parts: Vec<(&'static str, MessageArgument)>,
    },
    /// A text that is the same in every language.
    Text(String),
}

/// A value that is inserted into a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MessageArgument {
    Text(String),
    Number(u64),
    Message(Message),
}

impl Message {
    /// Creates the message called `name`.
    pub const fn new(name: &'static str) -> Self {
        Self(Said::Named { name, parts: Vec::new() })
    }

    /// Adds a value to insert into the message.
    pub fn with(mut self, key: &'static str, part: impl Into<MessageArgument>) -> Self {
        if let Said::Named { parts, .. } = &mut self.0 {
            parts.push((key, part.into()));
        }
        self
    }

    /// Prefixes the message with the place it refers to, such as an option, or a file and a line.
    pub fn at(self, place: impl Into<MessageArgument>) -> Self {
        Self::new("at-place").with("place", place).with("why", self)
    }

    /// Prefixes the message with the number of a move in its line, counted from 1.
    pub fn at_move(self, number: usize) -> Self {
        self.at(Self::new("move-number").with("number", number))
    }

    /// Creates a message that shows a duration as one number with its unit.
    pub fn span(seconds: u64) -> Self {
        let (name, count) = match seconds {
            0..120 => ("seconds", seconds),
            120..7_200 => ("minutes", seconds / 60),
            _ => ("hours", seconds / 3_600),
        };
        Self::new(name).with("count", count)
    }

    /// Formats the message in the language of `words`.
    pub fn said(&self, words: &Words) -> String {
        let (name, parts) = match &self.0 {
            Said::Text(text) => return text.clone(),
            Said::Named { name, parts } => (name, parts),
        };
        let mut values: Vec<(&str, Value<'_>)> = Vec::with_capacity(parts.len());
        for (key, part) in parts {
            let value = match part {
                MessageArgument::Text(text) => text.into(),
                MessageArgument::Number(number) => number.into(),
                MessageArgument::Message(message) => message.said(words).into(),
            };
            values.push((key, value));
        }
        words.with(name, &values)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(Words::english()))
    }
}

/// Compares the English form of the message; for tests.
impl PartialEq<&str> for Message {
    fn eq(&self, other: &&str) -> bool {
        format!("{self}").as_str() == *other
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self(Said::Text(text))
    }
}

impl From<crate::files::FileError> for Message {
    fn from(error: crate::files::FileError) -> Self {
        error.to_string().into()
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.to_string()
    }
}

impl From<&str> for MessageArgument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for MessageArgument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for MessageArgument {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<Message> for MessageArgument {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<u64> for MessageArgument {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<usize> for MessageArgument {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::*;

    #[test]
    fn a_message_is_said_in_every_language_with_what_is_in_it() {
        let message = Message::new("fault-at").with("ply", 3_u64).with("why", Message::new("no-mate")).at_move(2);
        assert_eq!(message.to_string(), "move 2: ply 3: no mate");
        assert_eq!(message.said(Words::of(Language::Japanese)), "2手目：3手目：不詰");
        assert_eq!(Message::from("as it is").said(Words::of(Language::Japanese)), "as it is");
        assert_eq!(String::from(message.clone()), message.to_string());
    }
}
