//! Terms of passed pawns that depend on pieces: whether the pawn's way ahead is free.

use super::info::{AttackMaps, index};
use super::layout::*;
use super::masks::{fill_forward, forward, relative_rank};
use super::sink::Sink;
use shakmaty::{Bitboard, Color};

/// Adds the terms of the passed pawns of `us`. All attack maps must be complete.
pub fn terms(us: Color, passed: Bitboard, info: &AttackMaps, sink: &mut impl Sink) {
    let them = us.other();
    let occupied = info.board.occupied();
    for square in passed {
        let rank = relative_rank(us, square);
        let stop = forward(us, Bitboard::from_square(square));
        if (stop & occupied).any() {
            sink.add(us, PASSED_BLOCKED + rank, 1);
        } else if (fill_forward(us, stop) & (occupied | info.all[index(them)])).is_empty() {
            sink.add(us, PASSED_FREE + rank, 1);
        }
        if (stop & info.all[index(us)]).any() {
            sink.add(us, PASSED_DEFENDED + rank, 1);
        }
    }
}
