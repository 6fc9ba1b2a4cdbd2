//! Writes scores and moves in the notation of players.

use hasami_api::{Bound, Line, MateUnit, Score};
use hasami_catalog::{GameRules, Notation, Speaker};
use hasami_tree::{Reason, marked_score};
use hasami_words::Words;

/// Writes scores, and moves that follow a position, in the notation of players.
pub struct PageSpeaker {
    pub notation: Speaker,
    unit: MateUnit,
}

impl PageSpeaker {
    /// A speaker for lines that start at the end of `root`.
    pub fn at(catalog: &'static dyn GameRules, unit: MateUnit, root: &Line) -> Self {
        Self { notation: Speaker::at(catalog, root, Notation::Players), unit }
    }

    /// The score with its bound, in mathematical notation.
    pub fn score(&self, score: Score, bound: Bound) -> String {
        marked_score(score, bound, self.unit).replace(">=", "≥").replace("<=", "≤").replace('-', "−")
    }

    /// The reason why a move was not chosen.
    pub fn reason(&self, reason: &Reason, words: &Words) -> String {
        reason.why_text(|line| self.notation.last(line), |score, bound| self.score(score, bound), words)
    }
}
