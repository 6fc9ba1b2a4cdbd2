//! Parses moves as people type them, in the protocol's or the players' notation.

use super::MoveError;
use hasami_api::{ParseMoveError, Render};
use hasami_protocol::is_end_of_game;
use hasami_words::shortened;

/// Maximum number of characters of an unreadable move that a message shows.
const SHOWN: usize = 40;

/// Parses a move that a person has typed, trying the protocol's notation before the players' notation.
pub fn read_move<G: Render>(game: &G, text: &str) -> Result<G::Move, MoveError> {
    let error = match game.parse_move(text) {
        Ok(m) => return Ok(m),
        Err(error) => error,
    };
    let found = shortened(text, SHOWN);
    match game.typed(text).as_deref() {
        None => Err(match error {
            ParseMoveError::Notation(_) => ParseMoveError::Notation(found),
            ParseMoveError::Illegal(_) => ParseMoveError::Illegal(found),
            ParseMoveError::Forbidden(_, rule) => ParseMoveError::Forbidden(found, rule),
        }
        .into()),
        Some([]) => Err(match game.forbidden(text) {
            Some(rule) => ParseMoveError::Forbidden(found, rule),
            None => ParseMoveError::Illegal(found),
        }
        .into()),
        Some([m]) => Ok(*m),
        Some([one, other, ..]) => {
            let [one, other] = [one, other].map(|m| game.format_move(*m).to_string());
            Err(MoveError::Ambiguous { found, one, other })
        }
    }
}

/// Splits a sequence of moves into words, without move numbers (`1.e4`, `12...`). A new word begins at white space, at
/// a comma, or at a side's symbol (`▲`, `△`). A symbol, `同` and the text after them form one word. Game results are
/// dropped.
pub fn words(text: &str) -> Vec<String> {
    const MARKS: &str = "▲△☗☖▼▽";
    let is_blank = |c: char| c.is_whitespace() || "、，,。".contains(c);
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in text.chars() {
        match words.last_mut().filter(|_| is_open && !MARKS.contains(c)) {
            Some(word) if is_blank(c) => is_open = word.ends_with('同') || MARKS.contains(word.as_str()),
            Some(word) => word.push(c),
            None if is_blank(c) => {}
            None => {
                words.push(c.to_string());
                is_open = true;
            }
        }
    }
    let mut words: Vec<String> =
        words.into_iter().map(|word| without_number(&word).to_owned()).filter(|word| !word.is_empty()).collect();
    words.pop_if(|word| is_end_of_game(word));
    words
}

/// Removes a move number, such as `12.` or `12...`, from the beginning of a word.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = rest.trim_start_matches(['.', '…']);
    if rest.len() < word.len() && dots.len() < rest.len() { dots } else { word }
}
