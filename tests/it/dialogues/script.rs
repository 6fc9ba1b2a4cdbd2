//! Parses dialogue files, whose format `tests/data/dialogues/README.md` describes.

/// A step of a dialogue, with its line number in the file.
pub type Step = (usize, Act);

pub enum Act {
    /// Send a line.
    Send(String),
    /// The next line of the program, except for skipped `info` lines, must match this pattern.
    Expect(String),
    /// A later line of the program must match this pattern.
    Await(String),
    CloseInput,
    End,
}

pub fn parse(text: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
        steps.push((
            number,
            match (sign, rest) {
                (">", line) => Act::Send(line.replace("\\r", "\r").replace("\\t", "\t")),
                ("<", pattern) => Act::Expect(pattern.into()),
                ("<<", pattern) => Act::Await(pattern.into()),
                (".", "eof") => Act::CloseInput,
                (".", "end") => Act::End,
                _ => return Err(format!("line {number}: expected '>', '<', '<<', '. eof' or '. end', found '{line}'")),
            },
        ));
    }
    match steps.last() {
        Some((_, Act::End)) => Ok(steps),
        _ => Err("expected '. end' at the end".into()),
    }
}

/// Returns true if the line matches the pattern, in which `*` stands for any characters.
pub fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn stars_match_anything() {
    for (pattern, line) in [("a*c", "abc"), ("a*c", "ac"), ("*", ""), ("a b", "a b"), ("*b*d", "abcd"), ("a*b*", "ab")]
    {
        assert!(matches(pattern, line), "{pattern} {line}");
    }
    for (pattern, line) in [("a*c", "abcd"), ("a", "ab"), ("ab*b", "ab"), ("*x*", "abc")] {
        assert!(!matches(pattern, line), "{pattern} {line}");
    }
}

#[test]
fn invalid_files_are_rejected() {
    for text in ["uci", "> uci", "<uci\n. end", ". stop\n. end"] {
        assert!(parse(text).is_err(), "{text}");
    }
}
