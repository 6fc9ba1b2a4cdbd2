//! Lets an engine play a move in every judged position.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::judged::{JudgedMoves, JudgedPosition};
use crate::learn::children;
use crate::learn::run::{RankingNotice, RankingRequest, SearchConditions, SearchedPosition};
use hasami_matches::spec::EngineSpec;

/// Lets an engine search every position, each as a new game. The function `advance` is called after each position, and
/// engine problems are reported to `warn`.
///
/// # Errors
/// Returns an error if the engine fails several times in a row.
pub fn play(
    conditions: &SearchConditions,
    spec: &EngineSpec,
    judged: &[JudgedPosition],
    advance: &mut dyn FnMut(),
    warn: &mut dyn FnMut(String),
) -> Result<JudgedMoves, String> {
    let question = |(at, position): (usize, &JudgedPosition)| RankingRequest { at, line: position.line.clone() };
    let questions = judged.iter().enumerate().map(question).collect();
    let mut moves = vec![None; judged.len()];
    children::search(conditions, spec, questions, &mut |notice| {
        match notice {
            RankingNotice::Searched(SearchedPosition { at, played, .. }) => {
                moves[at] = played;
                advance();
            }
            RankingNotice::Note(text) => warn(text),
            RankingNotice::Name(_) => {}
        }
        Ok(())
    })?;
    Ok(JudgedMoves::new(judged, moves))
}
