//! Labelled positions as lines of text: `POSITION | SCORE | RESULT`, score and result for the first player, as bullet's tools
//! have it; `;` may stand for `|`, and `-` for a result that is not known.

use crate::game::FormatError;
use hasami_api::{Outcome, Side};

/// A line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelledText {
    /// FEN or SFEN.
    pub position: String,
    /// Centipawns.
    pub score: i16,
    /// The score is for the first player, not for the side to move.
    pub is_for_first: bool,
    /// The end of the game.
    pub outcome: Outcome,
}

/// Reads a line.
///
/// # Errors
/// What was expected and what was found.
pub fn parse_line(line: &str) -> Result<LabelledText, FormatError> {
    let refused = || FormatError(format!("expected POSITION | CENTIPAWNS | 1.0, 0.5, 0.0 or -, found '{line}'"));
    let fields: Vec<_> = line.split(['|', ';']).map(str::trim).collect();
    let [position, score, result] = fields[..] else { return Err(refused()) };
    let outcome = match result.trim_matches(['[', ']']) {
        "1" | "1.0" | "1-0" => Outcome::Win(Side::First),
        "0" | "0.0" | "0-1" => Outcome::Win(Side::Second),
        "0.5" | "1/2" | "1/2-1/2" => Outcome::Draw,
        "-" | "*" => Outcome::Unfinished,
        _ => return Err(refused()),
    };
    // The opposite of the smallest number must be one, too.
    let score = score
        .parse::<i16>()
        .ok()
        .filter(|&score| score != i16::MIN)
        .ok_or_else(|| FormatError(format!("expected a score within 32767 centipawns, found '{score}'")))?;
    Ok(LabelledText { position: position.to_string(), score, is_for_first: true, outcome })
}
