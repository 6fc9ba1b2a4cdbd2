//! Why a certificate is refused.

use hasami_api::MoveText;
use std::fmt::Write;

/// One line: the moves from the start to where it happens, and what is wrong there; `None` is a pass.
pub fn refusal(path: impl IntoIterator<Item = Option<MoveText>>, why: &str) -> String {
    let mut line = String::new();
    for mv in path {
        let word = mv.as_deref().unwrap_or("pass");
        let _ = if line.is_empty() { write!(line, "after {word}") } else { write!(line, " {word}") };
    }
    if line.is_empty() { format!("at the start: {why}") } else { format!("{line}: {why}") }
}
