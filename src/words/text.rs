//! Formats text for single lines of messages, and numbers with their units.

pub mod difference;

use encoding_rs::Encoding;
pub use encoding_rs::{SHIFT_JIS, WINDOWS_1252};
use hasami_api::Format;
use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Replaces each run of white space with a single space.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Decodes the bytes of a file as UTF-8 or, if they are not valid UTF-8, in the encoding `older`, such as Shift JIS.
/// Text in Shift JIS is hardly ever valid UTF-8. A byte order mark selects UTF-16.
pub fn decoded(bytes: Vec<u8>, older: &'static Encoding) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| older.decode(error.as_bytes()).0.into_owned())
}

/// Encodes a game record as other programs expect for this format and file name: in Shift JIS or UTF-8.
pub fn encoded_for(format: Format, path: &Path, text: &str) -> Vec<u8> {
    let is = |other: &&str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(other));
    let is_utf8 = !format.is_shift_jis || format.others.iter().any(is);
    if is_utf8 { text.as_bytes().to_vec() } else { in_shift_jis(text) }
}

/// Encodes a text in Shift JIS, with substitutes for characters that Shift JIS lacks.
fn in_shift_jis(text: &str) -> Vec<u8> {
    let fits = |text: &str| !SHIFT_JIS.encode(text).2;
    let written = |c: char| if fits(c.encode_utf8(&mut [0; 4])) { c } else { nearest(c) };
    let text = if fits(text) { Cow::Borrowed(text) } else { text.chars().map(written).collect() };
    SHIFT_JIS.encode(&text).0.into_owned()
}

/// Returns a substitute for a character: the letter without an accent, a player's usual symbol, a hyphen, or `〓` or `?`
/// for a missing character.
fn nearest(c: char) -> char {
    const LETTERS: [(&str, char); 17] = [
        ("ÀÁÂÃÄÅĀĂĄ", 'A'),
        ("àáâãäåāăą", 'a'),
        ("ÇĆČ", 'C'),
        ("çćč", 'c'),
        ("ÈÉÊËĒĘĚ", 'E'),
        ("èéêëēęě", 'e'),
        ("ÌÍÎÏĪ", 'I'),
        ("ìíîïī", 'i'),
        ("ÑŃŇ", 'N'),
        ("ñńň", 'n'),
        ("ÒÓÔÕÖØŌŐ", 'O'),
        ("òóôõöøōő", 'o'),
        ("ÙÚÛÜŪŮŰ", 'U'),
        ("ùúûüūůű", 'u'),
        ("☗⛊", '▲'),
        ("☖⛉", '△'),
        ("–—", '-'),
    ];
    let letter = LETTERS.iter().find(|(others, _)| others.contains(c)).map(|(_, letter)| *letter);
    letter.unwrap_or(if c.width() == Some(2) { '〓' } else { '?' })
}

/// Escapes control characters, including newlines, as in source code.
pub fn visible(text: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// Removes the last line if it has no trailing newline.
pub fn whole_lines(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..=end])
}

/// The text that replaces a password or token.
pub const LEFT_OUT: &str = "...";

/// Replaces passwords and tokens: in each URL, the part before the host becomes [`LEFT_OUT`]. All output that may
/// contain a user's URL passes through this function.
pub fn redacted(text: &str) -> Cow<'_, str> {
    const SCHEME: &str = "://";
    if !text.contains(SCHEME) {
        return Cow::Borrowed(text);
    }
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(SCHEME) {
        let (head, tail) = rest.split_at(at + SCHEME.len());
        shown.push_str(head);
        let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
        let url = &tail[..tail.find(ends).unwrap_or(tail.len())];
        // A list of URLs is separated by commas, but a password may also contain commas.
        let url = url.find(SCHEME).map_or(url, |next| &url[..url[..next].rfind(',').unwrap_or(next)]);
        let login = url.rfind('@').unwrap_or(0);
        shown.push_str(if login > 0 { LEFT_OUT } else { "" });
        rest = &tail[login..];
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// Lists at most six names and counts the others, as in `a, b, c, d, e, f and 4 more`.
pub fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 6;
    let names: Vec<&str> = names.collect();
    let shown = names[..names.len().min(MOST)].join(", ");
    let more = names.len().saturating_sub(MOST);
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// Right-aligns a text in a field that is `columns` terminal columns wide.
pub fn to_right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(text.width())))
}

/// Prefixes an error with the place it refers to, such as an option, a file or a line.
pub trait At {
    fn at(self, place: impl Display) -> String;
}

impl<E: Display> At for E {
    fn at(self, place: impl Display) -> String {
        format!("{place}: {self}")
    }
}

/// Formats a duration as one number with its unit: `90 s`, `3 min`, `2 h`.
pub fn span(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}

/// Formats a number with its unit: `1 node`, `2 nodes`, `2 plies`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    match what.strip_suffix('y') {
        _ if count == N::from(1) => format!("{count} {what}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ => format!("{count} {what}s"),
    }
}

/// Shortens a name to `columns` terminal columns; Japanese characters are two columns wide. Omits the middle of a long
/// name, because similar names usually differ at an end.
pub fn fitted(name: &str, columns: usize) -> Cow<'_, str> {
    if name.width() <= columns {
        return Cow::Borrowed(name);
    }
    let room = columns.saturating_sub(1);
    let head = beginning(name.chars(), room.div_ceil(2));
    let tail = beginning(name.chars().rev(), room - head.width());
    Cow::Owned(format!("{head}…{}", tail.chars().rev().collect::<String>()))
}

/// Returns as many first characters as fit into `columns` terminal columns.
fn beginning(chars: impl Iterator<Item = char>, columns: usize) -> String {
    let mut taken = String::new();
    for c in chars {
        if taken.width() + c.width().unwrap_or(0) > columns {
            break;
        }
        taken.push(c);
    }
    taken
}

/// Wraps text at spaces into lines of at most `columns` columns. All lines but the first are indented by `indent`
/// spaces. A word that is longer than a line is not split.
pub fn wrapped(text: &str, columns: usize, indent: usize) -> String {
    let (mut result, mut width) = (String::new(), 0);
    for piece in text.split_inclusive(' ') {
        if width > indent && width + piece.trim_end().width() > columns {
            result.truncate(result.trim_end_matches(' ').len());
            result.push('\n');
            result.push_str(&" ".repeat(indent));
            width = indent;
        }
        result.push_str(piece);
        width += piece.width();
    }
    result
}

/// Left-aligns a text in a field that is `columns` terminal columns wide.
pub fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

/// Describes an error in a single line of JSON. Removes the parser's line number, which is always 1.
pub fn json_fault(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    let why = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(why, _)| why);
    format!("{} at column {}", visible(why), error.column())
}

/// Returns the line number and the description of an error in a TOML file.
pub fn toml_fault(text: &str, error: &toml::de::Error) -> (usize, String) {
    (line_number(text, error.span().unwrap_or_default().start), one_line(error.message()))
}

/// Returns the number of the line, counted from 1, that contains the byte at `at`.
pub fn line_number(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).matches('\n').count() + 1
}

/// Writes `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn words_come_on_one_line() {
        assert_eq!(one_line("  a\n\tb  c "), "a b c");
        assert_eq!(visible("a\nb\u{7}c 将棋"), "a\\nb\\u{7}c 将棋");
    }

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(fitted("engine-dev-12", 13), "engine-dev-12");
        assert_eq!(fitted("engine-dev-123", 13), "engine…ev-123");
        assert_eq!(fitted("将棋エンジン一号", 11), "将棋…ン一号");
        assert_eq!(fitted("abc", 1), "…");
        assert_eq!((padded("将棋", 6), padded("abcdef", 3)), ("将棋  ".to_owned(), "abcdef".to_owned()));
        for columns in 1..30 {
            assert!(fitted("将棋 engine 将棋 engine 将棋", columns).width() <= columns);
        }
    }

    #[test]
    fn sentences_are_cut_between_words() {
        assert_eq!(wrapped("ok  Threads up to 2", 14, 4), "ok  Threads up\n    to 2");
        assert_eq!(wrapped("ok  /a/long/path is there", 10, 4), "ok  /a/long/path\n    is\n    there");
    }

    #[test]
    fn passwords_and_tokens_are_not_shown() {
        for (text, shown) in [
            ("setoption name Cluster value nats://me:s3cret@pc1", "setoption name Cluster value nats://...@pc1"),
            ("nats://s3cret@pc1:4222", "nats://...@pc1:4222"),
            ("tls://a:s3cret@x,tls://b:s3,cret@y:1", "tls://...@x,tls://...@y:1"),
            ("tls://a:s3c@ret@x/y and nats://b:s3cret@z", "tls://...@x/y and nats://...@z"),
            ("[\"--connect\",\"nats://me:s3cret@pc1\"]", "[\"--connect\",\"nats://...@pc1\"]"),
            ("nats://pc1, mail to a@b", "nats://pc1, mail to a@b"),
            ("e2e4 e7e5", "e2e4 e7e5"),
            ("://", "://"),
        ] {
            assert_eq!(redacted(text), shown);
        }
    }

    #[test]
    fn characters_that_shift_jis_lacks_are_written_as_others() {
        let written = |name: &str, text| decoded(encoded_for(hasami_shogi::KIF, Path::new(name), text), SHIFT_JIS);
        assert_eq!(written("x.kif", "☗Éva Müller ☖♞ 😀 ▲玉"), "▲Eva Muller △? 〓 ▲玉");
        assert_eq!(written("x.kifu", "☗Éva 😀"), "☗Éva 😀");
    }

    #[test]
    fn records_are_in_shift_jis_but_for_kifu() {
        let text = "▲７六歩\n";
        let [sjis, utf8] = ["x.kif", "x.KIFU"].map(|name| encoded_for(hasami_shogi::KIF, Path::new(name), text));
        assert_eq!((sjis.len(), utf8.as_slice()), (9, text.as_bytes()));
        assert!([sjis, utf8].into_iter().all(|bytes| decoded(bytes, SHIFT_JIS) == text));
    }
}
