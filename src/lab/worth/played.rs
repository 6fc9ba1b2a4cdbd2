//! The moves that an engine plays at judged positions.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::judged::{JudgedMoves, JudgedPosition};
use crate::learn::run::{RankingNotice, RankingRequest, SearchConditions, SearchedPosition};
use crate::learn::{LearnError, children};
use hasami_matches::spec::EngineSpec;

/// Events to show at the terminal.
pub enum PlayedEvent<'a> {
    Searched,
    /// The engine misbehaved, and the work continues.
    Note(&'a str),
}

/// Lets an engine search every position, each as a new game.
///
/// # Errors
/// If the engine fails several times in a row.
pub fn play(
    conditions: &SearchConditions,
    spec: &EngineSpec,
    judged: &[JudgedPosition],
    watch: &mut dyn FnMut(&PlayedEvent<'_>),
) -> Result<JudgedMoves, LearnError> {
    let question = |(at, position): (usize, &JudgedPosition)| RankingRequest { at, line: position.line.clone() };
    let questions = judged.iter().enumerate().map(question).collect();
    let mut moves = vec![None; judged.len()];
    children::search(conditions, spec, questions, &mut |notice| {
        match notice {
            RankingNotice::Searched(SearchedPosition { at, played, .. }) => {
                moves[at] = played;
                watch(&PlayedEvent::Searched);
            }
            RankingNotice::Note(text) => watch(&PlayedEvent::Note(&text)),
            RankingNotice::Name(_) => {}
        }
        Ok(())
    })?;
    Ok(JudgedMoves::new(judged, moves))
}
