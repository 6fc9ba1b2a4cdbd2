//! Evaluates positions of minishogi by material.

use crate::board::{Kind, Piece};
use crate::{Minishogi, Move};
use hasami_api::{Evaluator, Game};

/// Value of a piece in hand in centipawns, by kind.
pub const HELD: [i32; Kind::HELD] = [110, 320, 520, 600, 400];

/// Returns the value of a piece on the board in centipawns.
pub fn value(piece: Piece) -> i32 {
    match (piece.kind, piece.promoted) {
        (Kind::Pawn, false) => 100,
        (Kind::Silver, false) => 300,
        (Kind::Pawn | Kind::Silver, true) | (Kind::Gold, _) => 380,
        (Kind::Bishop, false) => 500,
        (Kind::Rook, false) => 580,
        (Kind::Bishop, true) => 750,
        (Kind::Rook, true) => 850,
        (Kind::King, _) => 0,
    }
}

/// An evaluator that counts the pieces of each position from scratch.
#[derive(Clone, Default)]
pub struct Material;

impl Evaluator<Minishogi> for Material {
    fn refresh(&mut self, _game: &Minishogi) {}

    fn make(&mut self, _before: &Minishogi, _m: Move) {}

    fn unmake(&mut self, _null: bool) {}

    fn evaluate(&mut self, game: &Minishogi) -> i32 {
        let (position, us) = (game.position(), game.side());
        let signed = |side, value: i32| if side == us { value } else { -value };
        let board: i32 = position.pieces().map(|(_, piece)| signed(piece.side, value(piece))).sum();
        let held = |hand: &[u8]| hand.iter().zip(HELD).map(|(&count, value)| i32::from(count) * value).sum::<i32>();
        board + held(&position.hands[us.index()]) - held(&position.hands[us.other().index()])
    }
}
