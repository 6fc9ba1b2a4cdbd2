//! Names of workers for people: those that the program has given are words.

use hasami_words::Words;
use std::borrow::Cow;

/// The beginning of the name of a thread of ours, before its number.
const THREAD: &str = "thread ";

/// As it is shown; names that others have given stay as they are.
pub fn worker_name<'a>(name: &'a str, words: &Words) -> Cow<'a, str> {
    match name.strip_prefix(THREAD).and_then(|number| number.parse::<u64>().ok()) {
        Some(number) => words.with("thread-number", &[("number", number.into())]).into(),
        None => name.into(),
    }
}

/// Several of them.
pub fn worker_names(names: &[String], words: &Words) -> String {
    names.iter().map(|name| worker_name(name, words)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Profile;
    use hasami_words::Language;

    #[test]
    fn threads_have_a_name_in_every_language() {
        let japanese = Words::of(Language::Japanese);
        let own = Profile::thread(3).name;
        assert_eq!(
            (worker_name(&own, Words::english()), worker_name(&own, japanese)),
            (own.as_str().into(), "スレッド3".into())
        );
        assert_eq!(worker_names(&[own, "thread x".to_owned()], japanese), "スレッド3, thread x");
    }
}
