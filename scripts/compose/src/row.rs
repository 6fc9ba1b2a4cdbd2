//! Lists of problems, as `hasami solve` reads them: SFEN, name, plies, then notes, each a key and a value.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub position: String,
    pub name: String,
    pub plies: u16,
    notes: Vec<(String, String)>,
}

impl Row {
    pub fn new(position: String, name: String, plies: u16) -> Self {
        Self { position, name, plies, notes: Vec::new() }
    }

    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        let value = value.to_string();
        match self.notes.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value,
            None => self.notes.push((key.to_owned(), value)),
        }
        self
    }

    pub fn note(&self, key: &str) -> &str {
        self.notes.iter().find(|(known, _)| known == key).map_or("", |(_, value)| value)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}", self.position, self.name, self.plies)?;
        self.notes.iter().try_for_each(|(key, value)| write!(f, "\t{key}={value}"))
    }
}

/// What is wrong names the line.
pub fn parse(text: &str) -> Result<Vec<Row>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|(index, line)| row(line).map_err(|why| format!("line {}: {why}", index + 1))).collect()
}

fn row(line: &str) -> Result<Row, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [position, name, plies, notes @ ..] = fields.as_slice() else {
        return Err(format!("expected SFEN, name and plies with tabs between them, found '{line}'"));
    };
    let plies = plies.parse().map_err(|_| format!("expected a length in plies, found '{plies}'"))?;
    let row = Row::new((*position).to_owned(), (*name).to_owned(), plies);
    notes.iter().try_fold(row, |row, note| match note.split_once('=') {
        Some((key, value)) => Ok(row.with(key, value)),
        None => Err(format!("expected a note KEY=VALUE, found '{note}'")),
    })
}

/// The positions of any list, whatever follows them.
pub fn positions(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split('\t').next())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_its_text() {
        let row = Row::new("4k4/9 b - 1".into(), "h01-001".into(), 3).with("kind", "game").with("line", "a b c");
        let text = row.to_string();
        assert_eq!(text, "4k4/9 b - 1\th01-001\t3\tkind=game\tline=a b c");
        assert_eq!(parse(&format!("# what\n{text}\n\n")).unwrap(), std::slice::from_ref(&row));
        assert_eq!(row.clone().with("kind", "composed").note("kind"), "composed");
        assert_eq!(row.note("else"), "");
        assert_eq!(positions(&format!("# what\n{text}\n")).collect::<Vec<_>>(), ["4k4/9 b - 1"]);
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let wrong = |text: &str| parse(&format!("# x\n{text}\n")).unwrap_err();
        assert_eq!(wrong("a\tb"), "line 2: expected SFEN, name and plies with tabs between them, found 'a\tb'");
        assert_eq!(wrong("a\tb\tc"), "line 2: expected a length in plies, found 'c'");
        assert_eq!(wrong("a\tb\t1\tc"), "line 2: expected a note KEY=VALUE, found 'c'");
    }
}
