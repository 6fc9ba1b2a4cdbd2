//! A line in the table of checks that `hasami doctor` prints.

use hasami_words::text::{padded, wrapped};

/// Column where the result of a check begins.
const INDENT: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Fine,
    /// The checked feature works, but could work better.
    Note,
    /// A requested feature does not work.
    Fault,
}

impl State {
    const fn word(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Note => "note",
            Self::Fault => "FAULT",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    pub what: &'static str,
    pub state: State,
    /// The result, in one line.
    pub found: String,
    /// Advice on how to fix the problem or how to use the feature.
    pub advice: Option<String>,
}

impl Check {
    pub fn fine(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, state: State::Fine, found: found.into(), advice: None }
    }

    pub fn note(what: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { state: State::Note, ..Self::fine(what, found) }.advise(advice)
    }

    pub fn fault(what: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { state: State::Fault, ..Self::fine(what, found) }.advise(advice)
    }

    pub fn advise(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    pub fn as_json(&self) -> serde_json::Value {
        let state = self.state.word().to_lowercase();
        serde_json::json!({ "what": self.what, "state": state, "found": self.found, "advice": self.advice })
    }

    /// Formats a check as lines, wrapped to `columns` on a terminal.
    pub fn said(&self, columns: Option<usize>) -> String {
        let fitted =
            |line: String, indent| columns.map_or(line.clone(), |columns| wrapped(&line, columns, indent)) + "\n";
        let found = format!("{}  {}  {}", padded(self.state.word(), 5), padded(self.what, 11), self.found);
        let advice = self.advice.iter().map(|advice| format!("{:INDENT$}-> {}", "", advice));
        let advice = advice.map(|advice| fitted(advice, INDENT + 3));
        std::iter::once(fitted(found, INDENT)).chain(advice).collect()
    }
}
