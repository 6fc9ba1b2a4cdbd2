//! Terms of hands, the safety of the kings, threats, and files without pawns.

use super::attacks::Attacks;
use super::layout::{
    HAND, HAND_COUNTS, HANGING, KINDS, KING_ATTACKED, KING_ATTACKED_TWICE, KING_ESCAPES, KING_UNDEFENDED, KING_ZONE,
    MINOR_THREAT, OPEN_FILES, PAWN_THREAT, POWERS, TEMPO,
};
use super::sink::Sink;
use super::views::king_of;
use crate::squares::squares;
use once_cell::sync::Lazy;
use rsshogi::board::{KING_ATTACKS, Position};
use rsshogi::types::{Bitboard, Color, File, Hand, HandPiece, PieceType, Square};

/// Number of pieces of each kind in a set, indexed by [`HandPiece`].
const SET: [usize; HandPiece::COUNT] = [18, 4, 4, 4, 2, 2, 4];

/// Squares at most two steps from a king.
static ZONE: Lazy<[Bitboard; 81]> = Lazy::new(|| {
    std::array::from_fn(|king| {
        let mut zone = Bitboard::EMPTY;
        Square::iter().filter(|&to| Square::from_index(king).distance(to) <= 2).for_each(|to| zone.set(to));
        zone
    })
});

/// Adds all terms except those of `views`.
#[inline]
pub fn add_all(position: &Position, sink: &mut impl Sink) {
    let attacks = [Attacks::of(position, Color::BLACK, sink), Attacks::of(position, Color::WHITE, sink)];
    for color in [Color::BLACK, Color::WHITE] {
        let (ours, theirs) = (&attacks[color.to_index()], &attacks[color.flip().to_index()]);
        hand(position, color, sink);
        king(position, color, ours, theirs, sink);
        threats(position, color, ours, theirs, sink);
    }
    sink.add(position.turn(), TEMPO);
}

fn hand(position: &Position, color: Color, sink: &mut impl Sink) {
    let hand = position.hand(color);
    if hand == Hand::ZERO {
        return;
    }
    for kind in HandPiece::iter() {
        let count = hand.count(kind) as usize;
        let usual = count.min(SET[kind.to_index()]);
        if count != 0 {
            sink.add(color, HAND + kind.to_index() * HAND_COUNTS + usual);
        }
        // The weights are learned from games with one set. Additional pieces are valued like a second hand.
        if count != usual {
            sink.add(color, HAND + kind.to_index() * HAND_COUNTS + count - usual);
        }
    }
    if hand.count(HandPiece::PAWN) != 0 {
        let pawns = position.pieces_for(PieceType::PAWN, color);
        let open = File::iter().filter(|&file| !pawns.intersects(Bitboard::file_mask(file))).count();
        sink.add(color, OPEN_FILES + open);
    }
}

/// The attacking power of a hand against the enemy king, `0..POWERS`.
#[inline]
fn power(hand: Hand) -> usize {
    let of = |kind, weight| hand.count(kind) as usize * weight;
    let minors = of(HandPiece::LANCE, 1) + of(HandPiece::KNIGHT, 1) + of(HandPiece::SILVER, 2) + of(HandPiece::GOLD, 3);
    let majors = of(HandPiece::BISHOP, 2) + of(HandPiece::ROOK, 3);
    let pawn = usize::from(hand.count(HandPiece::PAWN) != 0);
    ((minors + majors + pawn).div_ceil(2)).min(POWERS - 1)
}

fn king(position: &Position, color: Color, ours: &Attacks, theirs: &Attacks, sink: &mut impl Sink) {
    let king = king_of(position, color);
    let ring = KING_ATTACKS[king];
    let attacked = ring & theirs.all();
    let undefended = attacked.and_not(ours.men);
    let escapes = ring.and_not(position.pieces_by_color(color)).and_not(theirs.all());
    let power = power(position.hand(color.flip()));
    let count = |squares: Bitboard| squares.count() as usize;
    sink.add(color, KING_ATTACKED + count(attacked) * POWERS + power);
    sink.add(color, KING_UNDEFENDED + count(undefended) * POWERS + power);
    sink.add(color, KING_ESCAPES + count(escapes) * POWERS + power);
    sink.add(color, KING_ATTACKED_TWICE + count(ring & theirs.twice));
    sink.add(color, KING_ZONE + count(ZONE[king.to_index()] & theirs.men));
}

/// Adds the threats against pieces of `color` that are attacked and not defended, or attacked by a less valuable piece.
fn threats(position: &Position, color: Color, ours: &Attacks, theirs: &Attacks, sink: &mut impl Sink) {
    let to_move = usize::from(position.turn() == color) * KINDS;
    let own = position.pieces_by_color(color).and_not(position.pieces_by_type(PieceType::KING));
    let hanging = (own & theirs.all()).and_not(ours.all());
    for square in squares(hanging) {
        sink.add(color, HANGING + to_move + position.piece_on(square).piece_type().to_index());
    }
    let defended = own.and_not(hanging);
    let by_pawns = (defended & theirs.pawns).and_not(position.pieces_by_type(PieceType::PAWN));
    for square in squares(by_pawns) {
        sink.add(color, PAWN_THREAT + to_move + position.piece_on(square).piece_type().to_index());
    }
    let majors = position.bishop_horse() | position.rook_dragon();
    for square in squares((defended & majors & theirs.minors).and_not(by_pawns)) {
        sink.add(color, MINOR_THREAT + to_move + position.piece_on(square).piece_type().to_index());
    }
}
