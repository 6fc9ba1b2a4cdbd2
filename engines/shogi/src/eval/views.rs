//! Terms of the pieces on the board: material, square, and offset from both kings.
//!
//! There is a view for each king, and a piece counts in both views: in the view of its own king with its material, its
//! square and its offset from that king, and in the view of the enemy king with its offset from that king. A move
//! changes a view by a few entries of a table. When the king of a view moves, the view is computed from scratch.

use super::layout::{ENEMY_KING, KINDS, MATERIAL, OFFSETS, OWN_KING, Pair, SQUARE, offset};
use super::sink::{Sink, WEIGHTS, Weights};
use crate::squares::squares;
use once_cell::sync::Lazy;
use rsshogi::board::Position;
use rsshogi::types::{Color, Move32, Piece, PieceType, SQ_59, Square};

/// The values of pieces, indexed by the square of the king, the owner of the piece (0 for the king's side), and the
/// kind and square of the piece. All squares are as seen by the king's side.
type Table = [[[[Pair; 81]; KINDS]; 2]; 81];

static TABLE: Lazy<Box<Table>> = Lazy::new(|| fill(&WEIGHTS));

/// The sums of both views, Black's first, each from the point of view of its own side. If there are more pieces than in
/// a set, the sums wrap around and are not used.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Views(pub [Pair; 2]);

/// A piece and its square.
#[derive(Clone, Copy)]
struct PlacedPiece(Piece, Square);

impl Views {
    pub fn of(position: &Position) -> Self {
        let view = |color| whole(position, color, king_of(position, color), Square::NONE);
        Self([view(Color::BLACK), view(Color::WHITE)])
    }

    /// Black's sum minus White's.
    #[inline]
    pub fn total(self) -> Pair {
        self.0[0] - self.0[1]
    }

    /// The views after the move `m` in the position `before`.
    #[inline]
    pub fn after(self, before: &Position, m: Move32) -> Self {
        let (us, to, after) = (before.turn(), m.to_sq(), m.piece_after_move());
        if after.piece_type() == PieceType::KING {
            return self.after_king(before, m);
        }
        let gone = before.piece_on(to);
        let change = |color| {
            let row = &TABLE[seen_by(color, king_of(before, color)).to_index()];
            let mut change = value(row, color, PlacedPiece(after, to));
            if !m.is_drop() {
                change -= value(row, color, PlacedPiece(before.piece_on(m.from_sq()), m.from_sq()));
            }
            if !gone.is_empty() {
                change -= value(row, color, PlacedPiece(gone, to));
            }
            change
        };
        let (ours, theirs) = (us.to_index(), us.flip().to_index());
        let mut views = self;
        views.0[ours] = views.0[ours].wrapping_add(change(us));
        views.0[theirs] = views.0[theirs].wrapping_add(change(us.flip()));
        views
    }

    #[inline(never)]
    fn after_king(self, before: &Position, m: Move32) -> Self {
        let (us, them) = (before.turn(), before.turn().flip());
        let (from, to) = (m.from_sq(), m.to_sq());
        let gone = before.piece_on(to);
        let mut views = self;
        views.0[us.to_index()] = whole(before, us, to, to);
        let row = &TABLE[seen_by(them, king_of(before, them)).to_index()];
        let king = m.piece_after_move();
        let mut change = value(row, them, PlacedPiece(king, to)) - value(row, them, PlacedPiece(king, from));
        if !gone.is_empty() {
            change -= value(row, them, PlacedPiece(gone, to));
        }
        views.0[them.to_index()] = views.0[them.to_index()].wrapping_add(change);
        views
    }
}

/// Adds the features of every piece, for the tuner.
pub fn add_features(position: &Position, sink: &mut impl Sink) {
    for square in squares(position.pieces()) {
        let piece = position.piece_on(square);
        let (color, kind) = (piece.color(), piece.piece_type().to_index());
        let at = |square| seen_by(color, square);
        let (own, enemy) = (king_of(position, color), king_of(position, color.flip()));
        sink.add(color, MATERIAL + kind);
        sink.add(color, SQUARE + kind * 81 + at(square).to_index());
        sink.add(color, OWN_KING + kind * OFFSETS + offset(at(own), at(square)));
        sink.add(color, ENEMY_KING + kind * OFFSETS + offset(at(enemy), at(square)));
    }
}

/// Computes a view from scratch, with its king on `king` and without the piece on `vacated`.
fn whole(position: &Position, color: Color, king: Square, vacated: Square) -> Pair {
    let row = &TABLE[seen_by(color, king).to_index()];
    let own_king = position.king_square(color);
    let mut sum = 0;
    for square in squares(position.pieces()) {
        if square != vacated && square != own_king {
            sum = Pair::wrapping_add(sum, value(row, color, PlacedPiece(position.piece_on(square), square)));
        }
    }
    if own_king.is_none() {
        return sum;
    }
    sum.wrapping_add(value(row, color, PlacedPiece(Piece::from_parts(color, PieceType::KING), king)))
}

#[inline(always)]
fn value(row: &[[[Pair; 81]; KINDS]; 2], viewer: Color, man: PlacedPiece) -> Pair {
    let enemy = usize::from(man.0.color() != viewer);
    row[enemy][man.0.piece_type().to_index()][seen_by(viewer, man.1).to_index()]
}

/// The square of the king, or the square used instead in a problem without that king.
#[inline]
pub fn king_of(position: &Position, color: Color) -> Square {
    let king = position.king_square(color);
    if king.is_none() { seen_by(color, SQ_59) } else { king }
}

/// The square as seen by `color`: turned for White.
#[inline(always)]
pub fn seen_by(color: Color, square: Square) -> Square {
    if color == Color::BLACK { square } else { square.flip() }
}

fn fill(weights: &Weights) -> Box<Table> {
    let mut table: Box<Table> = vec![[[[0; 81]; KINDS]; 2]; 81].into_boxed_slice().try_into().expect("it has 81 rows");
    for king in Square::iter() {
        for kind in 1..KINDS {
            for square in Square::iter() {
                let entry = &mut table[king.to_index()];
                let (own, index) = (offset(king, square), square.to_index());
                entry[0][kind][index] = weights[MATERIAL + kind]
                    + weights[SQUARE + kind * 81 + index]
                    + weights[OWN_KING + kind * OFFSETS + own];
                let enemy = offset(king.flip(), square.flip());
                entry[1][kind][index] = -weights[ENEMY_KING + kind * OFFSETS + enemy];
            }
        }
    }
    table
}
