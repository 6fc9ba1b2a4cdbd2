//! Breaks the evaluation of a position down into its terms, for the tuner.

use super::layout::FEATURES;
use super::sink::Counts;
use super::{FULL_PHASE, phase, terms, views};
use crate::Shogi;

/// The terms of one evaluation: `value for the first player = opening * phase + ending * (1 - phase)`, where `opening`
/// and `ending` are the sums of the features' counts times their weights.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Each feature that is present, with the first player's count minus the second's.
    pub counts: Vec<(u16, i16)>,
    /// Phase of the game, from 1 in the opening to 0 in the endgame.
    pub phase: f32,
}

/// The terms of the evaluation of the current position.
pub fn trace(game: &Shogi) -> Trace {
    let mut counts = Counts(Box::new([0; FEATURES]));
    views::add_features(game.position(), &mut counts);
    terms::add_all(game.position(), &mut counts);
    Trace {
        counts: (0..).zip(counts.0.iter().copied()).filter(|&(_, count)| count != 0).collect(),
        phase: phase(game.position()) as f32 / FULL_PHASE as f32,
    }
}
