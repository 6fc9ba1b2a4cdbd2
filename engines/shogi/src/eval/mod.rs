//! The hand-crafted evaluation. The evaluation is linear in its weights, which `scripts/tune` learns, and is
//! interpolated between opening and endgame.
//!
//! The places of the pieces relative to both kings are updated with every move (`views`). Hands, attacks, threats and
//! the safety of the kings are computed at each call (`attacks`, `terms`). Every term goes through a
//! [`Sink`](sink::Sink), so that the sum and the tuner's list of features come from the same code.

mod attacks;
mod layout;
mod sink;
mod terms;
mod trace;
mod views;

pub use layout::GROUPS as WEIGHT_GROUPS;
pub use sink::WEIGHTS_TEXT;
pub use trace::{Trace, trace};

use crate::{Move, Shogi};
use hasami_api::{Evaluator, Game, Score, Side};
use layout::{ending, opening};
use rsshogi::board::Position;
use rsshogi::types::{Color, HandPiece, PieceType};
use sink::{SeparateSums, Sum, WEIGHTS, Weights};
use views::Views;

/// Number of pieces in a set. The values of more pieces may exceed the range of a sum of
/// [`hasami_api::tapered::Pair`]s.
const SET: u32 = 40;

/// The phase of a position without pieces in hand and without promoted pieces.
const FULL_PHASE: i32 = 24;

const PROMOTED: [PieceType; 6] = [
    PieceType::PRO_PAWN,
    PieceType::PRO_LANCE,
    PieceType::PRO_KNIGHT,
    PieceType::PRO_SILVER,
    PieceType::HORSE,
    PieceType::DRAGON,
];

/// The evaluator of shogi.
#[derive(Clone)]
pub struct ShogiEval {
    weights: &'static Weights,
    /// One entry for each position since the last refresh. The list is never empty.
    views: Vec<Views>,
    /// Whether there are more pieces than in a set. The number of pieces never changes during a game.
    is_beyond_pairs: bool,
}

impl Default for ShogiEval {
    fn default() -> Self {
        Self::new()
    }
}

impl ShogiEval {
    /// An evaluator for any position, after [`Evaluator::refresh`].
    pub fn new() -> Self {
        Self { weights: &WEIGHTS, views: vec![Views::default()], is_beyond_pairs: false }
    }

    #[inline]
    fn current(&self) -> Views {
        *self.views.last().expect("refresh puts the first one there")
    }
}

impl Evaluator<Shogi> for ShogiEval {
    fn refresh(&mut self, game: &Shogi) {
        self.views.clear();
        self.views.push(Views::of(game.position()));
        self.is_beyond_pairs = men(game.position()) > SET;
    }

    #[inline]
    fn make(&mut self, before: &Shogi, m: Move) {
        self.views.push(self.current().after(before.position(), m));
    }

    #[inline]
    fn make_null(&mut self) {
        self.views.push(self.current());
    }

    #[inline]
    fn unmake(&mut self, _null: bool) {
        self.views.pop();
    }

    fn evaluate(&mut self, game: &Shogi) -> i32 {
        let position = game.position();
        let [opening, ending] = if self.is_beyond_pairs {
            separate_sums(position, self.weights)
        } else {
            let mut sum = Sum { weights: self.weights, total: self.current().total() };
            terms::add_all(position, &mut sum);
            [opening(sum.total), ending(sum.total)]
        };
        let phase = phase(position);
        let value = (opening * phase + ending * (FULL_PHASE - phase)) / FULL_PHASE;
        let value = if game.side() == Side::First { value } else { -value };
        value.clamp(-Score::MAX_CP, Score::MAX_CP)
    }
}

/// The sums for opening and endgame, computed from scratch.
#[cold]
fn separate_sums(position: &Position, weights: &Weights) -> [i32; 2] {
    let mut sums = SeparateSums { weights, totals: [0; 2] };
    views::add_features(position, &mut sums);
    terms::add_all(position, &mut sums);
    sums.totals
}

/// Number of pieces on the board and in both hands, kings included.
fn men(position: &Position) -> u32 {
    let held = |color| HandPiece::iter().map(|kind| position.hand(color).count(kind)).sum::<u32>();
    position.pieces().count() + held(Color::BLACK) + held(Color::WHITE)
}

/// The phase, from [`FULL_PHASE`] down to 0. The more pieces are in hand or promoted, the lower it is.
fn phase(position: &Position) -> i32 {
    let mut progress = 0;
    for color in [Color::BLACK, Color::WHITE] {
        let hand = position.hand(color);
        let held: u32 = HandPiece::iter().map(|kind| hand.count(kind)).sum();
        progress += 2 * held - hand.count(HandPiece::PAWN);
    }
    progress += 2 * PROMOTED.iter().map(|&kind| position.pieces_by_type(kind).count()).sum::<u32>();
    (FULL_PHASE - progress as i32).max(0)
}

#[cfg(test)]
mod tests;
