//! Labelled positions as lines of text, in the format of bullet's tools: `POSITION | SCORE | RESULT`, with the score
//! and the result for the first player. A line may contain `;` instead of `|`, and `-` for an unknown result.

use crate::game::FormatError;
use hasami_api::{Outcome, Side};

/// A labelled position in text form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelledText {
    /// The position as FEN or SFEN.
    pub position: String,
    /// The score in centipawns for the first player.
    pub score: i16,
    /// The result of the game.
    pub outcome: Outcome,
}

/// Parses one labelled position from a line of text.
///
/// # Errors
/// Returns an error if the line is malformed.
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
    // The smallest `i16` is excluded, because it cannot be negated.
    let score = score
        .parse::<i16>()
        .ok()
        .filter(|&score| score != i16::MIN)
        .ok_or_else(|| FormatError(format!("expected a score within 32767 centipawns, found '{score}'")))?;
    Ok(LabelledText { position: position.to_string(), score, outcome })
}
