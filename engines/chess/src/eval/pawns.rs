//! Terms of pawn structure, passed pawns and the king's shelter, which depend only on pawns and kings and are cached.

use super::layout::*;
use super::masks::{
    backward, beside, fill_files, fill_forward, folded_file, forward, passed_span, pawn_attacks, rank, relative_rank,
};
use super::sink::Sink;
use shakmaty::{Bitboard, Board, Color, File, Square};

/// Passed pawns of each side, White first.
pub type Passed = [Bitboard; 2];

/// Adds the terms of both sides and returns the passed pawns.
pub fn terms(board: &Board, kings: [Square; 2], sink: &mut impl Sink) -> Passed {
    [Color::White, Color::Black].map(|us| {
        let ours = board.pawns() & board.by_color(us);
        let theirs = board.pawns() & board.by_color(us.other());
        let king = us.fold_wb(kings[0], kings[1]);
        let enemy_king = us.fold_wb(kings[1], kings[0]);
        shelter(us, king, ours, theirs, sink);
        let passed = structure(us, ours, theirs, sink);
        for pawn in passed {
            passed_pawn(us, pawn, king, enemy_king, sink);
        }
        passed
    })
}

/// Adds the terms of each pawn and returns the passed ones.
fn structure(us: Color, ours: Bitboard, theirs: Bitboard, sink: &mut impl Sink) -> Bitboard {
    let defended = pawn_attacks(us, ours);
    let attacked = pawn_attacks(us.other(), theirs);
    let mut passed = Bitboard::EMPTY;
    for square in ours {
        let pawn = Bitboard::from_square(square);
        let rank = relative_rank(us, square);
        let front = fill_forward(us, forward(us, pawn));
        if (beside(pawn) & ours).any() {
            sink.add(us, PAWN_PHALANX + rank, 1);
        }
        if defended.contains(square) {
            sink.add(us, PAWN_DEFENDED + rank, 1);
        }
        if (front & ours).any() {
            sink.add(us, PAWN_DOUBLED + folded_file(square), 1);
        }
        isolated_or_backward(us, square, ours, theirs, attacked, sink);
        if (front & ours).is_empty() {
            if (passed_span(us, square) & theirs).is_empty() {
                passed |= pawn;
            } else if (front & theirs).is_empty() && is_candidate(us, square, ours, theirs) {
                sink.add(us, CANDIDATE + rank, 1);
            }
        }
    }
    passed
}

/// Adds the term of an isolated pawn, or of a backward one. A pawn is backward if all its neighbours are further ahead
/// and an enemy pawn attacks the square in front of it.
fn isolated_or_backward(
    us: Color,
    square: Square,
    ours: Bitboard,
    theirs: Bitboard,
    attacked: Bitboard,
    sink: &mut impl Sink,
) {
    let pawn = Bitboard::from_square(square);
    let neighbours = beside(fill_files(pawn)) & ours;
    if neighbours.is_empty() {
        sink.add(us, PAWN_ISOLATED + folded_file(square), 1);
    } else if (helpers(us, square) & ours).is_empty() && (forward(us, pawn) & attacked).any() {
        let open = (fill_forward(us, pawn) & theirs).is_empty();
        sink.add(us, PAWN_BACKWARD + usize::from(open), 1);
    }
}

/// Squares on the neighbouring files next to `square` or behind it.
#[inline]
fn helpers(us: Color, square: Square) -> Bitboard {
    fill_forward(us.other(), beside(Bitboard::from_square(square)))
}

/// Are there at least as many pawns of ours next to the pawn or behind it as there are enemy pawns in its way?
fn is_candidate(us: Color, square: Square, ours: Bitboard, theirs: Bitboard) -> bool {
    (helpers(us, square) & ours).count() >= (passed_span(us, square) & theirs).count()
}

fn passed_pawn(us: Color, square: Square, king: Square, enemy_king: Square, sink: &mut impl Sink) {
    let rank = relative_rank(us, square);
    sink.add(us, PASSED + rank, 1);
    let stop = forward(us, Bitboard::from_square(square)).first();
    if let Some(stop) = stop.filter(|_| rank >= 3) {
        // The closer the pawn is to promotion, the more the distances of the kings matter.
        let weight = rank as i32 - 2;
        sink.add(us, PASSED_OWN_KING + stop.distance(king) as usize, weight);
        sink.add(us, PASSED_ENEMY_KING + stop.distance(enemy_king) as usize, weight);
    }
}

/// Adds the terms of the pawns of both sides in front of the king, on the king's file and the two neighbouring files.
fn shelter(us: Color, king: Square, ours: Bitboard, theirs: Bitboard, sink: &mut impl Sink) {
    let level = relative_rank(us, king) as u32;
    let ahead = fill_forward(us, rank(us, level));
    let centre = u32::from(king.file()).clamp(1, 6);
    for number in centre - 1..=centre + 1 {
        let file = Bitboard::from_file(File::new(number));
        let own = rearmost(us, ours & file & ahead);
        let other_file = if number == u32::from(king.file()) { 0 } else { 8 };
        sink.add(us, SHELTER + other_file + own.map_or(0, |pawn| relative_rank(us, pawn)), 1);
        let storm = rearmost(us, theirs & file & ahead);
        let blocked = storm.is_some_and(|pawn| (backward(us, Bitboard::from_square(pawn)) & ours).any());
        let free = if blocked { 0 } else { 8 };
        sink.add(us, STORM + free + storm.map_or(0, |pawn| relative_rank(us, pawn)), 1);
    }
    let file = Bitboard::from_file(king.file());
    if (file & ours).is_empty() {
        sink.add(us, KING_OPEN_FILE + usize::from((file & theirs).is_empty()), 1);
    }
}

/// The square of the set that is nearest to the first rank of `us`.
#[inline]
fn rearmost(us: Color, set: Bitboard) -> Option<Square> {
    us.fold_wb(set.first(), set.last())
}
