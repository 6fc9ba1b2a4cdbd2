//! `--lang`: the language of human-readable output, which takes precedence over the locale.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use hasami_words::{Language, Words};
use std::ffi::OsString;
use std::io::{self, Write};

#[derive(clap::Args)]
pub struct LanguageArgs {
    /// Language of results and pages [default: by the locale]
    #[arg(long = "lang", value_name = "LANGUAGE", global = true, value_parser = languages())]
    pub language: Option<Language>,
}

fn languages() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::ALL.map(Language::code))
        .map(|code| Language::of_code(&code).unwrap_or_default())
}

/// Returns the messages in the named language, or in the locale's language if none is named.
pub fn words(named: Option<Language>) -> &'static Words {
    Words::of(named.unwrap_or_else(|| Language::of_locale(|name| std::env::var(name).ok())))
}

/// Prints a warning on stderr.
pub fn tell(line: &str) {
    // A failure to write to stderr cannot be reported, so it is ignored.
    let _ = writeln!(io::stderr(), "hasami: {}", line);
}

/// Returns the language given by `--lang`, even if other arguments are invalid.
pub fn named_by(arguments: &[OsString]) -> Option<Language> {
    let words = || arguments.iter().map_while(|word| word.to_str().filter(|word| *word != "--"));
    let next = words().skip_while(|word| *word != "--lang").nth(1);
    let code = words().find_map(|word| word.strip_prefix("--lang=")).or(next);
    code.and_then(Language::of_code)
}

/// Removes `--lang` from a command line that will be saved, because the language is a personal choice.
pub fn without(words: Vec<String>) -> Vec<String> {
    let (mut words, mut others) = (words.into_iter(), Vec::new());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--lang" => _ = words.next(),
            other if other.starts_with("--lang=") => {}
            _ => others.push(word),
        }
    }
    others
}

/// Returns the language that the user has named on the command line.
pub fn named() -> Option<Language> {
    named_by(&typed())
}

/// Returns the user's command line; moves a language option that precedes the subcommand to a place after it.
pub fn typed() -> Vec<OsString> {
    behind_subcommand(std::env::args_os().collect())
}

fn behind_subcommand(mut words: Vec<OsString>) -> Vec<OsString> {
    let taken = match words.get(1).and_then(|word| word.to_str()) {
        Some("--lang") => 2,
        Some(word) if word.starts_with("--lang=") => 1,
        _ => 0,
    };
    // The subcommand `help` takes no options.
    if words.get(taken + 1).is_some_and(|word| word != "help") {
        words[1..=taken + 1].rotate_left(taken);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_found_among_whatever_is_wrong() {
        let of = |line: &str| named_by(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("hasami solve --lang ja --tiem"), Some(Language::Japanese));
        assert_eq!(of("hasami --lang=en fly"), Some(Language::English));
        for none in ["hasami fly", "hasami solve --lang", "hasami --lang fr", "hasami compliance -- engine --lang ja"] {
            assert_eq!(of(none), None, "{none}");
        }
    }

    #[test]
    fn what_is_kept_has_no_language() {
        let of = |line: &str| without(line.split(' ').map(str::to_owned).collect()).join(" ");
        assert_eq!(of("--games 4 --lang ja --quiet --lang=en --log x --lang"), "--games 4 --quiet --log x");
    }

    #[test]
    fn the_subcommand_comes_first() {
        let of = |line: &str| {
            let moved = behind_subcommand(line.split(' ').map(OsString::from).collect());
            moved.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("hasami --lang ja match -engine x"), "hasami match --lang ja -engine x");
        assert_eq!(of("hasami --lang=ja match"), "hasami match --lang=ja");
        for same in [
            "hasami",
            "hasami --lang",
            "hasami --lang ja",
            "hasami --lang ja help match",
            "hasami match --lang ja",
            "hasami -V",
        ] {
            assert_eq!(of(same), same);
        }
    }
}
