//! The words of the page in its languages: one file each, in Fluent's format.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use once_cell::sync::Lazy;
use unic_langid::LanguageIdentifier;

/// A language of the page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    #[default]
    English,
    Japanese,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// As in `lang="ja"`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    /// Its own name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Japanese => "日本語",
        }
    }

    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// The first of a browser's list that is there.
    pub fn accepted(list: &str) -> Self {
        let codes = list.split(',').map(|word| word.trim().get(..2).unwrap_or_default());
        codes.filter_map(Self::of_code).next().unwrap_or_default()
    }

    const fn source(self) -> &'static str {
        match self {
            Self::English => include_str!("words/en.ftl"),
            Self::Japanese => include_str!("words/ja.ftl"),
        }
    }
}

/// The words of one language.
pub struct Words {
    pub language: Language,
    bundle: FluentBundle<FluentResource>,
}

static WORDS: Lazy<[Words; 2]> = Lazy::new(|| Language::ALL.map(Words::read));

impl Words {
    pub fn of(language: Language) -> &'static Self {
        &WORDS[language as usize]
    }

    fn read(language: Language) -> Self {
        let id: LanguageIdentifier = language.code().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![id]);
        // Marks around what is put in would be read aloud, and copied.
        bundle.set_use_isolating(false);
        let resource = FluentResource::try_new(language.source().to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
        Self { language, bundle }
    }

    /// The words of this name. A name that is not there stands for itself, and fails a test.
    pub fn get(&self, name: &str) -> String {
        self.with(name, &[])
    }

    /// The same with values in it.
    pub fn with(&self, name: &str, values: &[(&str, Value<'_>)]) -> String {
        let Some(pattern) = self.bundle.get_message(name).and_then(|message| message.value()) else {
            return name.to_owned();
        };
        let mut args = FluentArgs::new();
        for (key, value) in values {
            args.set(*key, FluentValue::from(value));
        }
        self.bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned()
    }
}

/// What is put into words.
pub enum Value<'a> {
    Text(&'a str),
    Number(u64),
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Value<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&Value<'a>> for FluentValue<'a> {
    fn from(value: &Value<'a>) -> Self {
        match *value {
            Value::Text(text) => Self::from(text),
            Value::Number(number) => Self::from(number),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::collections::BTreeMap;

    /// The names of a language, and the values that each takes.
    fn names(language: Language) -> BTreeMap<String, Vec<String>> {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut last = String::new();
        for line in language.source().lines().filter(|line| !line.starts_with(['#', '}']) && !line.is_empty()) {
            if !line.starts_with(' ') {
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
        let english = names(Language::English);
        assert_eq!(english, names(Language::Japanese));
        for language in Language::ALL {
            let words = Words::of(language);
            for name in english.keys() {
                assert!(words.bundle.has_message(name), "{name} in {language:?}");
            }
        }
    }

    /// Every name that the code asks for is there.
    #[test]
    fn every_name_that_is_asked_for_is_there() {
        let english = names(Language::English);
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web");
        let mut asked = 0;
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.extension().is_none_or(|extension| extension != "rs") || entry.ends_with("words.rs") {
                continue;
            }
            let code = std::fs::read_to_string(&entry).unwrap();
            for opening in ["words.get(\"", "words.with(\"", "Part::new(\""] {
                for piece in code.split(opening).skip(1) {
                    // A part's heading is its second argument.
                    let at = if opening.starts_with("Part") { 2 } else { 0 };
                    let name = piece.split('"').nth(at).unwrap();
                    assert!(name.is_empty() || english.contains_key(name), "{name} in {}", entry.display());
                    asked += 1;
                }
            }
        }
        assert!(asked > 20, "{asked}");
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
