//! The tokenizer of both protocols: splits a line into words at white space, in one pass.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

/// Iterates over the words of a line.
#[derive(Clone)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub fn new(line: &'a str) -> Self {
        Self { rest: line.trim_start_matches('\u{feff}') }
    }

    /// Returns the unread part of the line, without surrounding white space.
    pub fn rest(&self) -> &'a str {
        self.rest.trim_matches(is_blank)
    }

    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    pub fn is_empty(&self) -> bool {
        self.rest().is_empty()
    }

    /// Reads the next word as an integer, clamped to the range of `T`. A word that is not an integer is left unread.
    pub fn number<T: Clamped>(&mut self) -> Option<T> {
        let number = integer(self.peek()?)?;
        self.next();
        Some(T::clamped(number))
    }

    /// Reads the words before `end`, or all words if `end` is missing, and joins them with single spaces; `end` is
    /// skipped.
    pub fn joined_until(&mut self, end: &str) -> String {
        let mut joined = String::new();
        for word in self.by_ref().take_while(|&word| word != end) {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(word);
        }
        joined
    }
}

/// Returns whether this is a word for the end of a game, such as GUIs and game records write after the last move.
pub fn is_end_of_game(word: &str) -> bool {
    const WORDS: [&str; 28] = [
        "resign",
        "win",
        "lose",
        "draw",
        "break",
        "abort",
        "interrupt",
        "timeup",
        "time_up",
        "illegal",
        "rep_draw",
        "rep_win",
        "rep_lose",
        "sennichite",
        "jishogi",
        "impasse",
        "max_moves",
        "1-0",
        "0-1",
        "1/2-1/2",
        "*",
        "投了",
        "中断",
        "千日手",
        "持将棋",
        "詰み",
        "切れ負け",
        "入玉勝ち",
    ];
    let bare = word.trim_start_matches(['▲', '△', '☗', '☖']);
    WORDS.contains(&bare.to_ascii_lowercase().as_str()) || bare.starts_with("まで") || bare.starts_with('%')
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start_matches(is_blank);
        let end = text.find(is_blank).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c.is_ascii_control()
}

/// Parses an integer with any number of digits, saturating at the limits of the type. Digits after a decimal point are
/// ignored, because some match runners send fractions.
fn integer(word: &str) -> Option<i64> {
    let whole = match word.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|b| b.is_ascii_digit()) => whole,
        Some(_) => return None,
        None => word,
    };
    let (negative, digits) = match whole.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, whole.strip_prefix('+').unwrap_or(whole)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

/// Integer types with a function that clamps any `i64` to their range.
pub(super) trait Clamped {
    fn clamped(number: i64) -> Self;
}

macro_rules! clamped {
    ($($type:ty),*) => { $(
        impl Clamped for $type {
            fn clamped(number: i64) -> Self {
                Self::try_from(number).unwrap_or(if number < 0 { Self::MIN } else { Self::MAX })
            }
        }
    )* };
}

clamped!(u16, u32, u64, i32, i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_blanks_separate_words() {
        let words: Vec<_> = Words::new("\u{feff}  go\t depth  3\r\n").collect();
        assert_eq!(words, ["go", "depth", "3"]);
        assert!(Words::new(" \r\n").is_empty());
    }

    #[test]
    fn numbers_are_clamped_and_other_words_are_left_unread() {
        let mut words = Words::new("300 -5 99999999999999999999 -99999999999999999999 +7 12.75 x - 1.x");
        assert_eq!(words.number::<u16>(), Some(300));
        assert_eq!(words.number::<u32>(), Some(0));
        assert_eq!(words.number::<u64>(), Some(i64::MAX as u64));
        assert_eq!(words.number::<i32>(), Some(i32::MIN));
        assert_eq!(words.number::<u16>(), Some(7));
        assert_eq!(words.number::<u16>(), Some(12));
        for left in ["x", "-", "1.x"] {
            assert_eq!(words.number::<u16>(), None);
            assert_eq!(words.next(), Some(left));
        }
        assert_eq!(words.number::<u16>(), None);
    }
}
