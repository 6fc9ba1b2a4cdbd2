//! Where the options of a match file stand, so that whatever is wrong with them is told with its line.

use clap::Command;
use hasami_terminal::Failure;
use hasami_terminal::arguments;
use hasami_words::Message;
use std::collections::BTreeMap;

/// The lines of a file; empty without one.
#[derive(Default, Debug)]
pub struct FileLines {
    file: String,
    /// By what a message about it begins with: `--games`, the name of an engine.
    lines: BTreeMap<String, usize>,
}

impl FileLines {
    pub fn new(file: String) -> Self {
        Self { file, lines: BTreeMap::new() }
    }

    /// The option, or the engine, stands in this line. The first one counts.
    pub fn add(&mut self, place: String, line: usize) {
        self.lines.entry(place).or_insert(line);
    }

    /// The failure with its line, if it is about something in the file.
    pub fn place(&self, failure: Failure, command: &Command) -> Failure {
        match failure {
            Failure::BadInput(why) => match self.line(&why.to_string()) {
                Some(line) => Failure::BadInput(self.in_line(line, why)),
                None => Failure::BadInput(why),
            },
            Failure::NoAnswer(why) => match self.line(&why.to_string()) {
                Some(line) => Failure::NoAnswer(self.in_line(line, why)),
                None => Failure::NoAnswer(why),
            },
            Failure::Arguments(error) if error.use_stderr() => {
                let why = arguments::complaint(&error, command);
                match self.line(&why.to_string()) {
                    Some(line) => Failure::BadInput(self.in_line(line, why)),
                    None => Failure::Arguments(error),
                }
            }
            other => other,
        }
    }

    fn in_line(&self, line: usize, why: Message) -> Message {
        why.at(Message::new("line-number").with("number", line)).at(format!("--file {}", self.file))
    }

    fn line(&self, why: &str) -> Option<usize> {
        let (place, _) = why.split_once(": ")?;
        self.lines.get(place.split(' ').next().filter(|word| word.starts_with("--")).unwrap_or(place)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_words::{Language, Words};

    #[test]
    fn what_is_wrong_gets_its_line() {
        let (mut lines, command) = (FileLines::new("m.toml".into()), Command::new("hasami"));
        lines.add("--openings".into(), 3);
        lines.add("--openings".into(), 9);
        lines.add("new one".into(), 7);
        let told = |why: &str| lines.place(Failure::bad_input(why), &command).to_string();
        assert_eq!(told("--openings: x.epd: none"), "--file m.toml: line 3: --openings: x.epd: none");
        assert_eq!(told("--openings x.epd: none"), "--file m.toml: line 3: --openings x.epd: none");
        assert_eq!(told("new one: does not start"), "--file m.toml: line 7: new one: does not start");
        assert_eq!(told("--games: four"), "--games: four");
        let japanese = lines.place(Failure::bad_input("--openings: x"), &command).into_message();
        let japanese = japanese.said(Words::of(Language::Japanese));
        assert_eq!(japanese, "--file m.toml：3行目：--openings: x");
        assert!(matches!(lines.place(Failure::no_answer("new one: x"), &command), Failure::NoAnswer(_)));
        assert_eq!(
            FileLines::default().place(Failure::bad_input("--openings: x"), &command).to_string(),
            "--openings: x"
        );
    }
}
