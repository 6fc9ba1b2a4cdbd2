//! Names of workers as shown to users. Names that the program assigns are translated.

use hasami_words::Words;
use std::borrow::Cow;

/// Prefix of the names of threads of this program, followed by a number.
const THREAD: &str = "thread ";

/// The name as it is shown. Names of child engines and remote workers are not changed.
pub fn worker_name<'a>(name: &'a str, words: &Words) -> Cow<'a, str> {
    match name.strip_prefix(THREAD).and_then(|number| number.parse::<u64>().ok()) {
        Some(number) => words.with("thread-number", &[("number", number.into())]).into(),
        None => name.into(),
    }
}

/// The names of several workers, separated by commas.
pub fn worker_names(names: &[String], words: &Words) -> String {
    names.iter().map(|name| worker_name(name, words)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Profile;
    use hasami_words::Language;

    #[test]
    fn names_of_threads_are_translated() {
        let japanese = Words::of(Language::Japanese);
        let own = Profile::thread(3).name;
        assert_eq!(
            (worker_name(&own, Words::english()), worker_name(&own, japanese)),
            (own.as_str().into(), "スレッド3".into())
        );
        assert_eq!(worker_names(&[own, "thread x".to_owned()], japanese), "スレッド3, thread x");
    }
}
