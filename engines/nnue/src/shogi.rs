//! Implements [`Inputs`] for shogi: the elements of a position.

use crate::element::{Changes, Elements, Inputs, Pair};
use hasami_shogi::{Move, Shogi};
use rsshogi::types::{Color, HandPiece, Piece, PieceType, Square};

pub const ELEMENTS: usize = 2_344;
pub const SQUARES: usize = 81;

/// Number of elements for the pieces in both hands.
pub const IN_HAND: u16 = 76;

/// For each kind in hand (pawn, lance, knight, silver, bishop, rook, gold), the first element and the number of
/// elements per side.
pub const HANDS: [(u16, u16); 7] = [(0, 18), (18, 4), (22, 4), (26, 4), (30, 2), (32, 2), (34, 4)];

/// Number of pieces at the start of an even game, not counting kings.
const EVEN: u8 = 38;

/// Returns the element of a piece on a square, numbered from each side's point of view.
#[inline]
fn on_board(piece: Piece, square: Square) -> Pair {
    let plane = 2 * (piece.piece_type().raw() as u16 - 1);
    let square = square.raw() as u16;
    let enemy_of_first = u16::from(piece.color() == Color::WHITE);
    [IN_HAND + 81 * (plane + enemy_of_first) + square, IN_HAND + 81 * (plane + 1 - enemy_of_first) + (80 - square)]
}

/// The element of the `n`-th piece (counted from 0) of a kind in hand; `None` if a full set does not have that many
/// pieces of the kind.
#[inline]
fn in_hand(color: Color, kind: HandPiece, n: u32) -> Option<Pair> {
    let (first, most) = HANDS[kind.to_index()];
    let n = n as u16;
    (n < most).then(|| {
        let enemy_of_first = if color == Color::WHITE { IN_HAND / 2 } else { 0 };
        [first + n + enemy_of_first, first + n + (IN_HAND / 2 - enemy_of_first)]
    })
}

/// Returns the square of each king from the point of view of the king's side. A missing king counts as standing on the
/// first square.
#[inline]
fn seen(kings: [Square; 2]) -> [u8; 2] {
    let raw = |square: Square| if square.is_none() { 0 } else { square.raw() as u8 };
    [raw(kings[0]), 80 - raw(kings[1])]
}

impl Inputs for Shogi {
    const ELEMENTS: usize = ELEMENTS;
    const SAMPLE: &str = include_str!("../data/shogi-sample.txt");
    /// The spread of the outputs of the network K-P 256 with `FV_SCALE` 16.
    const USUAL_SPREAD: i32 = 294;
    const MOST_PIECES: usize = 40;

    #[inline]
    fn kings(&self) -> [u8; 2] {
        seen([Color::BLACK, Color::WHITE].map(|color| self.position().king_square(color)))
    }

    fn elements(&self) -> [Elements; 2] {
        let mut sets = [Elements::default(), Elements::default()];
        let mut insert = |[first, second]: Pair| {
            sets[0].insert(first);
            sets[1].insert(second);
        };
        let position = self.position();
        for square in position.pieces().iter() {
            insert(on_board(position.piece_on(square), square));
        }
        for color in [Color::BLACK, Color::WHITE] {
            for kind in HandPiece::iter() {
                let held = position.hand(color).count(kind);
                (0..held).filter_map(|n| in_hand(color, kind, n)).for_each(&mut insert);
            }
        }
        sets
    }

    #[inline]
    fn changes(&self, m: Move) -> (Changes, [u8; 2]) {
        let position = self.position();
        let us = position.turn();
        let mut kings = [Color::BLACK, Color::WHITE].map(|color| position.king_square(color));
        let mut changes = Changes::default();
        let to = m.to_sq();
        if let Some(kind) = m.dropped_piece() {
            if let Some(hand) = HandPiece::from_piece_type(kind) {
                let held = position.hand(us).count(hand);
                if let Some(pair) = in_hand(us, hand, held - 1) {
                    changes.removed.push(pair);
                }
            }
            changes.added.push(on_board(Piece::from_parts(us, kind), to));
            return (changes, seen(kings));
        }
        let piece = position.piece_on(m.from_sq());
        changes.removed.push(on_board(piece, m.from_sq()));
        changes.added.push(on_board(if m.is_promotion() { piece.promote() } else { piece }, to));
        let victim = position.piece_on(to);
        if !victim.is_empty() {
            changes.removed.push(on_board(victim, to));
            if let Some(hand) = HandPiece::from_piece_type(victim.piece_type().demote())
                && let Some(pair) = in_hand(us, hand, position.hand(us).count(hand))
            {
                changes.added.push(pair);
            }
        }
        if piece.piece_type() == PieceType::KING {
            kings[usize::from(us == Color::WHITE)] = to;
        }
        (changes, seen(kings))
    }

    #[inline]
    fn missing(&self) -> u8 {
        let position = self.position();
        let held = |color| HandPiece::iter().map(|kind| position.hand(color).count(kind)).sum::<u32>();
        let kings = [Color::BLACK, Color::WHITE].iter().filter(|&&c| !position.king_square(c).is_none()).count() as u32;
        let pieces = position.pieces().count() - kings + held(Color::BLACK) + held(Color::WHITE);
        EVEN.saturating_sub(pieces.min(u32::from(EVEN)) as u8)
    }

    #[inline]
    fn pieces(&self) -> u32 {
        self.position().pieces().count()
    }
}
