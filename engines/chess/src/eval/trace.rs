//! Breaks the evaluation of a position down into its terms, for the tuner.

use super::info::AttackMaps;
use super::layout::{FEATURES, TEMPO, ending};
use super::sink::{Counts, Sink, Sum, WEIGHTS};
use super::{FULL_PHASE, endgame, kings, pawns, phase, piece_terms, place};
use crate::Chess;
use shakmaty::{Color, Position};

/// The terms of one evaluation: `value for White = opening * phase + ending * scale * (1 - phase) + fixed`, where
/// `opening` and `ending` are the sums of the features' counts times their weights.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Each feature that is present, with White's count minus Black's.
    pub counts: Vec<(u16, i16)>,
    /// Phase of the game, from 1 in the opening to 0 in the endgame.
    pub phase: f32,
    /// Share of the endgame sum that counts, 0 to 1.
    pub scale: f32,
    /// Centipawns that do not depend on any weight.
    pub fixed: f32,
}

/// The terms of the evaluation of the current position.
pub fn trace(game: &Chess) -> Trace {
    let mut counts = Counts(Box::new([0; FEATURES]));
    add_all(game, &mut counts);
    let mut sum = Sum { weights: &WEIGHTS, total: 0 };
    let info = add_all(game, &mut sum);
    let strong = if ending(sum.total) >= 0 { Color::White } else { Color::Black };
    let position = game.position();
    let units: i32 = position.board().iter().map(|(_, piece)| phase(piece.role)).sum();
    Trace {
        counts: (0..).zip(counts.0.iter().copied()).filter(|&(_, count)| count != 0).collect(),
        phase: units.min(FULL_PHASE) as f32 / FULL_PHASE as f32,
        scale: endgame::scale(strong, &info) as f32 / endgame::FULL as f32,
        fixed: endgame::mop_up(&info) as f32,
    }
}

/// Adds every term of the evaluation, without incremental sums and without the cache.
fn add_all<'a>(game: &'a Chess, sink: &mut impl Sink) -> AttackMaps<'a> {
    let position = game.position();
    for (square, piece) in position.board() {
        sink.add(piece.color, place(square, piece), 1);
    }
    let kings = kings(position);
    let passed = pawns::terms(position.board(), kings, sink);
    let mut info = AttackMaps::new(position.board(), kings);
    piece_terms(&mut info, passed, sink);
    sink.add(position.turn(), TEMPO, 1);
    info
}
