//! Messages for people in several languages, and safe handling of text and files from outside.
//!
//! The messages that users see, on the terminal and on the web page, are in one Fluent file per language (`en.ftl`,
//! `ja.ftl`). Output for programs does not depend on the language.
//! - [`Message`]: a message before its language is known; `message.rs`
//! - [`Words`]: the texts of one [`Language`]
//! - [`mod@heard`]: text from engines and other machines, made safe to show
//! - [`text`]: formats text from outside for one line of a message, and numbers with their units
//! - [`files`]: reading and writing of files that users and GUIs name
//!
//! ```
//! use hasami_words::{Language, Message, Words};
//!
//! let message = Message::new("mate-in").with("count", 3_u64);
//! assert_eq!(message.to_string(), "a mate in 3 plies");
//! assert_ne!(message.said(Words::of(Language::Japanese)), message.to_string());
//! ```
//!
//! The crate is independent of the games; its only dependency in this workspace is `hasami-api`.

mod errors;
pub mod files;
mod heard;
mod message;
pub mod text;

/// A value that is inserted into a message.
pub use fluent_bundle::FluentValue as Value;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
pub use heard::{HasTexts, heard, heard_field};
pub use message::{Message, MessageArgument};
use once_cell::sync::Lazy;
use unic_langid::LanguageIdentifier;

/// The languages that messages are available in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    #[default]
    English,
    Japanese,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// The ISO 639 code of the language, as in `lang="ja"`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    /// The name of the language, written in that language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Japanese => "日本語",
        }
    }

    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Returns the first available language in a browser's list; English if none is available.
    pub fn accepted(list: &str) -> Self {
        let codes = list.split(',').map(|word| word.trim().get(..2).unwrap_or_default());
        codes.filter_map(Self::of_code).next().unwrap_or_default()
    }

    /// Determines the language as POSIX prescribes: from the first locale variable that is set and not empty. The
    /// function `variable` must return the value of an environment variable.
    pub fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default();
        Self::of_code(locale.split(['_', '.', '@']).next().unwrap_or_default()).unwrap_or_default()
    }

    const fn source(self) -> &'static str {
        match self {
            Self::English => include_str!("en.ftl"),
            Self::Japanese => include_str!("ja.ftl"),
        }
    }
}

/// Shortens a text for a message: keeps at most its first `most` characters.
pub fn shortened(text: &str, most: usize) -> String {
    let shown: String = text.chars().take(most).collect();
    if shown.len() < text.len() { shown + "..." } else { shown }
}

/// The messages of one language.
pub struct Words {
    pub language: Language,
    bundle: FluentBundle<FluentResource>,
}

static WORDS: Lazy<[Words; 2]> = Lazy::new(|| Language::ALL.map(Words::read));

impl Words {
    pub fn of(language: Language) -> &'static Self {
        &WORDS[language as usize]
    }

    /// The English messages, for output that must not depend on the user's language, such as files.
    pub fn english() -> &'static Self {
        Self::of(Language::English)
    }

    fn read(language: Language) -> Self {
        let id: LanguageIdentifier = language.code().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![id]);
        // Turns off Fluent's isolation marks around values, because screen readers would read them aloud.
        bundle.set_use_isolating(false);
        let resource = FluentResource::try_new(language.source().to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
        Self { language, bundle }
    }

    /// Returns the message called `name`, or the name itself if no such message exists.
    pub fn get(&self, name: &str) -> String {
        self.with(name, &[])
    }

    /// Returns the message called `name` with the values inserted.
    pub fn with(&self, name: &str, values: &[(&str, Value<'_>)]) -> String {
        self.write(name, values).unwrap_or_else(|| name.to_owned())
    }

    fn write(&self, name: &str, values: &[(&str, Value<'_>)]) -> Option<String> {
        let pattern = self.bundle.get_message(name)?.value()?;
        let args: FluentArgs<'_> = values.iter().cloned().collect();
        Some(self.bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned())
    }

    /// Returns the message called `name` with `$count` inserted.
    pub fn count(&self, name: &str, count: u64) -> String {
        self.with(name, &[("count", count.into())])
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::collections::BTreeMap;

    /// Returns the names of all messages of a language, each with the names of the values that it takes.
    fn names(language: Language) -> BTreeMap<String, Vec<String>> {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut last = String::new();
        for line in language.source().lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            if !line.starts_with([' ', '}']) {
                last = line.split(" =").next().unwrap().to_owned();
                assert!(!found.contains_key(&last), "{last} stands twice");
                found.entry(last.clone()).or_default();
            }
            let values = line
                .split('$')
                .skip(1)
                .map(|rest| rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect::<String>());
            let known = found.get_mut(&last).unwrap();
            known.extend(values);
            known.sort();
            known.dedup();
        }
        found
    }

    #[test]
    fn every_language_has_the_same_names_with_the_same_values() {
        let (english, mut japanese) = (names(Language::English), names(Language::Japanese));
        // Two messages take different values: `longer-than-line` takes the whole mate only in English, and the name of
        // a repetition depends on the game only in Japanese.
        let differing: [(&str, &[&str]); 2] = [("longer-than-line", &["mate"]), ("ending-repetition", &[])];
        for (name, values) in differing {
            japanese.insert(name.to_owned(), values.iter().map(|&value| value.to_owned()).collect());
        }
        assert_eq!(english, japanese);
        for language in Language::ALL {
            let words = Words::of(language);
            for name in english.keys() {
                assert!(words.write(name, &[]).is_some(), "{name} in {language:?}");
            }
        }
    }

    #[test]
    fn locales_choose_the_language_of_messages() {
        let of = |set: &[(&str, &str)]| {
            Language::of_locale(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
        };
        assert_eq!(of(&[]), Language::English);
        assert_eq!(of(&[("LANG", "ja_JP.UTF-8")]), Language::Japanese);
        assert_eq!(of(&[("LANG", "ja")]), Language::Japanese);
        assert_eq!(of(&[("LANG", "jam_JM.UTF-8")]), Language::English, "Jamaican Creole");
        assert_eq!(of(&[("LC_ALL", "C"), ("LANG", "ja_JP.UTF-8")]), Language::English);
        assert_eq!(of(&[("LC_ALL", ""), ("LC_MESSAGES", "ja_JP.eucJP"), ("LANG", "C")]), Language::Japanese);
    }

    #[test]
    fn browsers_say_what_they_like() {
        for (list, expected) in [
            ("ja,en;q=0.8", Language::Japanese),
            ("fr-FR, ja", Language::Japanese),
            ("fr", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::accepted(list), expected, "{list}");
        }
    }
}
