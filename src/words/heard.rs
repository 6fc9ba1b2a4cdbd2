//! Makes text from engines and other machines safe to show and to store. Text from outside may contain anything:
//! terminal control sequences, newlines that forge log lines, or a megabyte of characters.

use serde::{Deserialize, Deserializer};

/// Maximum length of a text in characters; longer text is cut.
const LONGEST: usize = 300;

/// Joins a text into one line, escapes control characters, and cuts the text if it is too long.
pub fn heard(text: &str) -> String {
    let acts = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let mut kept = String::new();
    let mut count = 0;
    for c in text.chars() {
        let start = kept.len();
        if acts(c) {
            kept.extend(c.escape_default())
        } else {
            kept.push(c)
        }
        count += kept[start..].chars().count();
        if count > LONGEST {
            let cut = kept.char_indices().nth(LONGEST - 1).map_or(kept.len(), |(at, _)| at);
            kept.truncate(cut);
            kept.push('…');
            break;
        }
    }
    kept
}

/// Types that contain text from other programs. [`HasTexts::heard`] makes that text safe to show.
pub trait HasTexts: Sized {
    fn heard(self) -> Self;
}

impl HasTexts for String {
    fn heard(self) -> Self {
        heard(&self)
    }
}

impl<T: HasTexts> HasTexts for Option<T> {
    fn heard(self) -> Self {
        self.map(T::heard)
    }
}

impl<T: HasTexts> HasTexts for Vec<T> {
    fn heard(self) -> Self {
        self.into_iter().map(T::heard).collect()
    }
}

impl<T: HasTexts, const N: usize> HasTexts for [T; N] {
    fn heard(self) -> Self {
        self.map(T::heard)
    }
}

/// Deserializes a field and makes its text safe to show: `#[serde(deserialize_with = "heard_field")]`.
pub fn heard_field<'de, D: Deserializer<'de>, T: Deserialize<'de> + HasTexts>(from: D) -> Result<T, D::Error> {
    T::deserialize(from).map(T::heard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal_or_forges_a_line() {
        assert_eq!(
            heard("a\u{1b}[2Jb\nFinished game 9\r\u{7}\u{9b}"),
            "a\\u{1b}[2Jb\\nFinished game 9\\r\\u{7}\\u{9b}"
        );
        assert_eq!(heard("x\u{202e}y\u{200b}z"), "x\\u{202e}y\\u{200b}z");
        assert_eq!(heard("Stockfish 15.1 将棋エンジン"), "Stockfish 15.1 将棋エンジン");
    }

    #[test]
    fn long_texts_are_cut_and_cut_ones_stay_as_they_are() {
        for giant in ["x".repeat(500_000), "\u{1b}".repeat(500_000), "将".repeat(301)] {
            let once = heard(&giant);
            assert_eq!(once.chars().count(), LONGEST, "{once}");
            assert_eq!(heard(&once), once);
        }
        let whole = "将".repeat(300);
        assert_eq!(heard(&whole), whole);
        assert_eq!(Some(vec!["a\n".to_owned()]).heard(), Some(vec!["a\\n".to_owned()]));
    }
}
