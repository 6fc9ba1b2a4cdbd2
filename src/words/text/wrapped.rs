//! Text in lines of a given width. Japanese has no blanks to break at: a line may end behind nearly every sign.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Signs that begin no line.
const NOT_FIRST: &str = "、。，．・：；？！」』）】］〉》～…ーゃゅょっぁぃぅぇぉャュョッァィゥェォ,.)]:;";
/// Signs that end no line.
const NOT_LAST: &str = "「『（【［〈《([";

/// With more line ends where a line would be wider than so many columns. Words of other languages stay whole.
pub fn wrapped(text: &str, columns: usize) -> String {
    text.split('\n').map(|line| wrapped_line(line, columns)).collect::<Vec<_>>().join("\n")
}

fn wrapped_line(text: &str, columns: usize) -> String {
    let mut lines = vec![String::new()];
    for piece in pieces(text) {
        let last = lines.last_mut().map_or(0, |line| line.width());
        if last > 0 && last + piece.trim_end().width() > columns {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(if line.is_empty() { piece.trim_start() } else { piece });
        }
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Parts between which a line may end.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut before: Option<char> = None;
    for (at, next) in text.char_indices() {
        if before.is_some_and(|before| may_break(before, next)) {
            found.push(&text[begin..at]);
            begin = at;
        }
        before = Some(next);
    }
    found.push(&text[begin..]);
    found
}

fn may_break(before: char, next: char) -> bool {
    let is_wide = |c: char| c.width().unwrap_or(0) > 1;
    let is_held = NOT_FIRST.contains(next) || NOT_LAST.contains(before) || next == ' ';
    // A number with what it counts, and a word that came from elsewhere.
    let is_katakana = |c: char| ('ァ'..='ヿ').contains(&c);
    let is_held = is_held || before.is_ascii_digit() && is_wide(next) || is_katakana(before) && is_katakana(next);
    !is_held && (before == ' ' || is_wide(before) || is_wide(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_is_broken_between_signs_and_words_stay_whole() {
        let text = "探索するスレッド数（既定値：コアごとに1つ）。--children があれば0。";
        for columns in 8..60 {
            let lines = wrapped(text, columns);
            assert_eq!(lines.replace(['\n', ' '], ""), text.replace(' ', ""), "{columns}");
            for line in lines.lines() {
                assert!(line.width() <= columns.max(16), "{columns}: {line}");
                assert!(!line.starts_with(['、', '。', '）', 'ッ']) && !line.ends_with('（'), "{columns}: {line}");
                assert!(!line.contains("--") || line.contains("--children"), "{columns}: {line}");
            }
        }
        assert_eq!(wrapped("one two\nx", 5), "one\ntwo\nx");
        assert_eq!(wrapped("", 5), "");
    }
}
