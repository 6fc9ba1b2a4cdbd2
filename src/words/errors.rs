//! Error messages about illegal moves, which `verify` prints.

use super::Message;
use hasami_api::ParseMoveError;

impl From<ParseMoveError> for Message {
    fn from(error: ParseMoveError) -> Self {
        match error {
            ParseMoveError::Notation(text) => Self::new("expected-move").with("found", text),
            ParseMoveError::Illegal(text) => Self::new("expected-legal").with("found", text),
            ParseMoveError::Forbidden(text, rule) => {
                Self::new("expected-allowed").with("found", text).with("rule", rule.word())
            }
        }
    }
}
