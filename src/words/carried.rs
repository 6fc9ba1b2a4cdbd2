//! Messages that go to another machine, whose user may read another language: beside the English text, which every version
//! shows, their names and what is put in.

use super::heard::heard;
use super::message::{Message, Part};
use super::{Language, Words};
use once_cell::sync::Lazy;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A message as it travels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CarriedMessage {
    name: String,
    parts: Vec<(String, CarriedPart)>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum CarriedPart {
    Number(u64),
    Text(String),
    Message(CarriedMessage),
}

impl CarriedMessage {
    /// `None`: its text is the same in every language.
    pub fn of(message: &Message) -> Option<Self> {
        let (name, parts) = message.named()?;
        let parts = parts.iter().map(|(key, part)| ((*key).to_owned(), CarriedPart::of(part)));
        Some(Self { name: name.to_owned(), parts: parts.collect() })
    }

    /// `None`: this version does not know it.
    fn read(&self) -> Option<Message> {
        let (&name, keys) = NAMES.get_key_value(self.name.as_str())?;
        self.parts.iter().try_fold(Message::new(name), |message, (key, part)| {
            let key = *keys.iter().find(|known| *known == key)?;
            Some(message.with(key, part.read()?))
        })
    }
}

impl CarriedPart {
    fn of(part: &Part) -> Self {
        match part {
            Part::Number(number) => Self::Number(*number),
            Part::Text(text) => Self::Text(text.clone()),
            Part::Message(message) => {
                CarriedMessage::of(message).map_or_else(|| Self::Text(message.to_string()), Self::Message)
            }
        }
    }

    fn read(&self) -> Option<Part> {
        Some(match self {
            Self::Number(number) => Part::Number(*number),
            Self::Text(text) => Part::Text(heard(text)),
            Self::Message(message) => Part::Message(message.read()?),
        })
    }
}

/// The names of all messages, and the values that each takes.
static NAMES: Lazy<HashMap<&'static str, Vec<&'static str>>> = Lazy::new(|| {
    let mut names: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut last = "";
    for line in Language::English.source().lines().filter(|line| !line.starts_with('#')) {
        if !line.starts_with([' ', '}']) {
            last = line.split(" =").next().unwrap_or_default();
        }
        let end = |rest: &'static str| rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let values = line.split('$').skip(1).map(|rest| &rest[..end(rest).unwrap_or(rest.len())]);
        names.entry(last).or_default().extend(values);
    }
    names
});

/// Texts that have come, as the messages that they are where those came along. A message counts only for the English text
/// that it makes.
pub struct CarriedMessages(HashMap<String, Message>);

impl CarriedMessages {
    pub fn read(carried: &[CarriedMessage]) -> Self {
        let read = carried.iter().filter_map(CarriedMessage::read);
        Self(read.map(|message| (message.said(Words::english()), message)).collect())
    }

    pub fn message(&self, text: &str) -> Message {
        self.0.get(text).cloned().unwrap_or_else(|| heard(text).into())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn nested() -> Message {
        let why = Message::new("expected-once").with("argument", "--time");
        Message::new("reason-not").with("move", "e2e4").with("value", 3_u64).with("why", why)
    }

    #[test]
    fn what_was_said_is_read_on_the_other_side() {
        let message = nested();
        let json = serde_json::to_string(&CarriedMessage::of(&message).unwrap()).unwrap();
        let carried: CarriedMessage = serde_json::from_str(&json).unwrap();
        let known = CarriedMessages::read(&[carried]);
        assert_eq!(known.message(&message.to_string()), message);
        let japanese = Words::of(Language::Japanese);
        assert_eq!(known.message(&message.to_string()).said(japanese), message.said(japanese));
        assert_eq!(CarriedMessage::of(&Message::from("as it is")), None);
    }

    #[test]
    fn what_is_not_known_stays_the_text_that_came() {
        let json = [
            r#"{"name":"of-a-later-version","parts":[]}"#,
            r#"{"name":"expected-once","parts":[["later",1]]}"#,
            r#"{"name":"expected-once","parts":[["argument",{"name":"of-a-later-version","parts":[]}]]}"#,
            r#"{"name":"expected-once","parts":[["argument","--time"]]}"#,
        ];
        let carried = json.map(|text| serde_json::from_str::<CarriedMessage>(text).unwrap());
        let known = CarriedMessages::read(&carried);
        assert_eq!(known.0.len(), 1, "only the last one is known");
        assert_eq!(known.message("a\u{1b}[2J\n"), Message::from("a\\u{1b}[2J\\n"));
        for text in ["--nodes: expected once, found again", "", "of-a-later-version"] {
            assert_eq!(known.message(text), Message::from(text));
        }
    }
}
