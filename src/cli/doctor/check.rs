//! One line of the table.

use std::fmt;

/// How a thing was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Fine,
    /// It works, and could work better.
    Note,
    /// Something that was asked for does not work.
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

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    pub what: &'static str,
    pub state: State,
    /// What was found, in one line.
    pub found: String,
    /// What to do about it, or with it.
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
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<5}  {:<11}  {}", self.state.word(), self.what, self.found)?;
        self.advice.iter().try_for_each(|advice| writeln!(f, "{:<18}  -> {advice}", ""))
    }
}
