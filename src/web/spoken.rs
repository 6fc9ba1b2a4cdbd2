//! Formats scores and moves in the notation that players use.

use hasami_api::{Bound, Line, MateUnit, Score};
use hasami_catalog::{GameRules, Notation, Speaker};
use hasami_tree::{Reason, marked_score};
use hasami_words::Words;

/// Formats scores, and moves that follow a given position, in the notation that players use.
pub struct PageSpeaker {
    pub notation: Speaker,
    unit: MateUnit,
}

impl PageSpeaker {
    /// Creates a speaker for lines that begin in the position after the moves of `root`.
    pub fn at(catalog: &'static dyn GameRules, unit: MateUnit, root: &Line) -> Self {
        Self { notation: Speaker::at(catalog, root, Notation::Players), unit }
    }

    /// Formats the score, preceded by ≥ or ≤ if it is a bound.
    pub fn score(&self, score: Score, bound: Bound) -> String {
        marked_score(score, bound, self.unit).replace(">=", "≥").replace("<=", "≤").replace('-', "−")
    }

    /// Explains why a move was not chosen.
    pub fn reason(&self, reason: &Reason, words: &Words) -> String {
        reason.why_text(|line| self.notation.last(line), |score, bound| self.score(score, bound), words)
    }
}
