//! The line numbers of the options of a match file, so that errors can name them.

use clap::error::{ContextKind, ContextValue};
use hasami_terminal::Failure;
use std::collections::BTreeMap;

/// The lines of a match file; empty if there is no file.
#[derive(Default, Debug)]
pub struct FileLines {
    file: String,
    /// Line numbers by the text with which error messages begin: `--games`, or the name of an engine.
    lines: BTreeMap<String, usize>,
}

impl FileLines {
    pub fn new(file: String) -> Self {
        Self { file, lines: BTreeMap::new() }
    }

    /// Records the line of an option or an engine. Only the first line of an option counts.
    pub fn add(&mut self, place: String, line: usize) {
        self.lines.entry(place).or_insert(line);
    }

    /// Adds the line number to the failure, if it is about something in the file.
    pub fn place(&self, failure: Failure) -> Failure {
        let text = failure.to_string();
        let line = match &failure {
            Failure::Arguments(error) if error.use_stderr() => match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::String(usage)) => {
                    self.lines.get(usage.split(' ').next().unwrap_or_default()).copied()
                }
                _ => None,
            },
            Failure::BadInput(_) | Failure::NoAnswer(_) => self.line(&text),
            _ => None,
        };
        let Some(line) = line else { return failure };
        let text = format!("--file {}: line {line}: {text}", self.file);
        if matches!(failure, Failure::NoAnswer(_)) { Failure::NoAnswer(text) } else { Failure::BadInput(text) }
    }

    fn line(&self, why: &str) -> Option<usize> {
        let (place, _) = why.split_once(": ")?;
        self.lines.get(place.split(' ').next().filter(|word| word.starts_with("--")).unwrap_or(place)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_gets_its_line() {
        let mut lines = FileLines::new("m.toml".into());
        lines.add("--openings".into(), 3);
        lines.add("--openings".into(), 9);
        lines.add("new one".into(), 7);
        let told = |why: &str| lines.place(Failure::bad_input(why)).to_string();
        assert_eq!(told("--openings: x.epd: none"), "--file m.toml: line 3: --openings: x.epd: none");
        assert_eq!(told("--openings x.epd: none"), "--file m.toml: line 3: --openings x.epd: none");
        assert_eq!(told("new one: does not start"), "--file m.toml: line 7: new one: does not start");
        assert_eq!(told("--games: four"), "--games: four");
        assert!(matches!(lines.place(Failure::no_answer("new one: x")), Failure::NoAnswer(_)));
        assert_eq!(FileLines::default().place(Failure::bad_input("--openings: x")).to_string(), "--openings: x");
    }
}
