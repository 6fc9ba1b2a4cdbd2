//! Implements [`Inputs`] for chess: the elements of a position.

use crate::element::{Changes, Elements, Inputs, Pair};
use hasami_chess::{Chess, Move};
use shakmaty::{CastlingSide, Color, Piece, Position, Role, Square};

pub const ELEMENTS: usize = 768;
pub const SQUARES: usize = 64;

/// Returns the element of a piece on a square, numbered from each side's point of view.
#[inline]
fn pair(piece: Piece, square: Square) -> Pair {
    let plane = 2 * (piece.role as u16 - 1);
    let square = u16::from(u8::from(square));
    let enemy_of_first = u16::from(piece.color == Color::Black);
    [64 * (plane + enemy_of_first) + square, 64 * (plane + 1 - enemy_of_first) + (square ^ 56)]
}

/// Returns the square of each king from the point of view of the king's side.
#[inline]
fn seen(kings: [Square; 2]) -> [u8; 2] {
    [u8::from(kings[0]), u8::from(kings[1]) ^ 56]
}

#[inline]
fn king(game: &Chess, color: Color) -> Square {
    game.position().board().king_of(color).unwrap_or(Square::A1)
}

impl Inputs for Chess {
    const ELEMENTS: usize = ELEMENTS;
    const SAMPLE: &str = include_str!("../data/chess-sample.txt");
    /// The spread of the outputs of Stockfish 15.1's network.
    const USUAL_SPREAD: i32 = 86;
    const MOST_PIECES: usize = 32;

    #[inline]
    fn kings(&self) -> [u8; 2] {
        seen([king(self, Color::White), king(self, Color::Black)])
    }

    fn elements(&self) -> [Elements; 2] {
        let mut sets = [Elements::default(), Elements::default()];
        for (square, piece) in self.position().board() {
            let [first, second] = pair(piece, square);
            sets[0].insert(first);
            sets[1].insert(second);
        }
        sets
    }

    #[inline]
    fn changes(&self, m: Move) -> (Changes, [u8; 2]) {
        let us = self.position().turn();
        let mut kings = [king(self, Color::White), king(self, Color::Black)];
        let mut changes = Changes::default();
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                changes.removed.push(pair(role.of(us), from));
                if let Some(victim) = capture {
                    changes.removed.push(pair(victim.of(us.other()), to));
                }
                changes.added.push(pair(promotion.unwrap_or(role).of(us), to));
                if role == Role::King {
                    kings[us as usize ^ 1] = to;
                }
            }
            Move::EnPassant { from, to } => {
                changes.removed.push(pair(us.pawn(), from));
                changes.removed.push(pair(us.other().pawn(), Square::from_coords(to.file(), from.rank())));
                changes.added.push(pair(us.pawn(), to));
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                changes.removed.push(pair(us.king(), king));
                changes.removed.push(pair(us.rook(), rook));
                changes.added.push(pair(us.king(), side.king_to(us)));
                changes.added.push(pair(us.rook(), side.rook_to(us)));
                kings[us as usize ^ 1] = side.king_to(us);
            }
            Move::Put { role, to } => changes.added.push(pair(role.of(us), to)),
        }
        (changes, seen(kings))
    }

    #[inline]
    fn missing(&self) -> u8 {
        0
    }

    #[inline]
    fn pieces(&self) -> u32 {
        self.position().board().occupied().count() as u32
    }
}
