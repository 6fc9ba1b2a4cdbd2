//! Reads messages with the Fluent library.

use super::{Language, Value};
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

pub struct Messages(FluentBundle<FluentResource>);

impl Messages {
    pub fn read(language: Language) -> Self {
        let id: LanguageIdentifier = language.code().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![id]);
        // Isolation marks around values would be read aloud by screen readers, and copied with the text.
        bundle.set_use_isolating(false);
        let resource = FluentResource::try_new(language.source().to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
        Self(bundle)
    }

    /// Formats the message of this name; `None` if it does not exist.
    pub fn write(&self, name: &str, values: &[(&str, Value<'_>)]) -> Option<String> {
        let pattern = self.0.get_message(name)?.value()?;
        let mut args = FluentArgs::new();
        for &(key, value) in values {
            args.set(key, FluentValue::from(value));
        }
        Some(self.0.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned())
    }
}

impl<'a> From<Value<'a>> for FluentValue<'a> {
    fn from(value: Value<'a>) -> Self {
        match value {
            Value::Text(text) => Self::from(text),
            Value::Number(number) => Self::from(number),
        }
    }
}
