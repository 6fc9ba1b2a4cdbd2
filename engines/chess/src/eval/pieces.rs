//! Mobility and placement of the pieces.

use super::info::{AttackMaps, index};
use super::king::attack_units;
use super::layout::*;
use super::masks::{CENTRE, LONG_DIAGONALS, backward, fill_forward, pawn_attacks, rank};
use super::sink::Sink;
use shakmaty::{Bitboard, Color, Role, Square, attacks};

/// Adds the terms of all pieces of `us` and fills in the attack maps.
pub fn terms(us: Color, info: &mut AttackMaps, sink: &mut impl Sink) {
    let occupied = info.board.occupied();
    // Attacks of sliders pass through queens of their side, and attacks of rooks also through rooks of their side.
    let queens = info.men(us, Role::Queen);
    let beyond_queens = occupied & !queens;
    let beyond_majors = beyond_queens & !info.men(us, Role::Rook);
    for square in info.men(us, Role::Knight) {
        piece(us, Role::Knight, attacks::knight_attacks(square), KNIGHT_MOBILITY, info, sink);
        minor_post(us, square, 0, info, sink);
    }
    for square in info.men(us, Role::Bishop) {
        piece(us, Role::Bishop, attacks::bishop_attacks(square, beyond_queens), BISHOP_MOBILITY, info, sink);
        minor_post(us, square, 1, info, sink);
        bishop(us, square, info, sink);
    }
    for square in info.men(us, Role::Rook) {
        piece(us, Role::Rook, attacks::rook_attacks(square, beyond_majors), ROOK_MOBILITY, info, sink);
        rook(us, square, info, sink);
    }
    for square in queens {
        piece(us, Role::Queen, attacks::queen_attacks(square, occupied), QUEEN_MOBILITY, info, sink);
    }
    if info.men(us, Role::Bishop).more_than_one() {
        sink.add(us, BISHOP_PAIR, 1);
    }
}

#[inline]
fn piece(us: Color, role: Role, attacked: Bitboard, mobility: usize, info: &mut AttackMaps, sink: &mut impl Sink) {
    info.mark(us, role, attacked);
    sink.add(us, mobility + (attacked & info.area[index(us)]).count(), 1);
    let near = attacked & info.zones[index(us.other())];
    info.danger[index(us)] += attack_units(role, near.count());
}

#[inline]
fn minor_post(us: Color, square: Square, kind: usize, info: &AttackMaps, sink: &mut impl Sink) {
    let post = Bitboard::from_square(square);
    let outpost_ranks = rank(us, 3) | rank(us, 4) | rank(us, 5);
    if (post & outpost_ranks & info.attacked(us, Role::Pawn)).any() {
        let front = fill_forward(us, post);
        let span = front & !post;
        let guards = super::masks::beside(span) & info.pawns[index(us.other())];
        if guards.is_empty() {
            sink.add(us, OUTPOST + kind, 1);
        }
    }
    if (backward(us, info.board.pawns()) & post).any() {
        sink.add(us, BEHIND_PAWN, 1);
    }
}

#[inline]
fn bishop(us: Color, square: Square, info: &AttackMaps, sink: &mut impl Sink) {
    let dark = Bitboard::DARK_SQUARES.contains(square);
    let colour = if dark { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
    let pawns = info.pawns[index(us)] & colour;
    let blocked = pawns & backward(us, info.board.occupied());
    sink.add(us, BAD_BISHOP, pawns.count() as i32);
    sink.add(us, BAD_BISHOP + 1, blocked.count() as i32);
    if LONG_DIAGONALS.contains(square)
        && (attacks::bishop_attacks(square, info.board.pawns()).with(square) & CENTRE).more_than_one()
    {
        sink.add(us, LONG_BISHOP, 1);
    }
}

#[inline]
fn rook(us: Color, square: Square, info: &AttackMaps, sink: &mut impl Sink) {
    let file = Bitboard::from_file(square.file());
    if (file & info.pawns[index(us)]).is_empty() {
        let open = (file & info.pawns[index(us.other())]).is_empty();
        sink.add(us, if open { ROOK_OPEN } else { ROOK_HALF_OPEN }, 1);
    }
    let targets = info.pawns[index(us.other())] & rank(us, 6) | info.men(us.other(), Role::King) & rank(us, 7);
    if rank(us, 6).contains(square) && targets.any() {
        sink.add(us, ROOK_SEVENTH, 1);
    }
}

/// Adds the term of safe squares: squares on our side of the central files that enemy pawns do not attack. Squares
/// behind our pawns that the enemy does not attack at all count twice.
pub fn space(us: Color, info: &AttackMaps, sink: &mut impl Sink) {
    let them = us.other();
    let pawns = info.pawns[index(us)];
    let home = super::masks::CENTRE_FILES & (rank(us, 1) | rank(us, 2) | rank(us, 3));
    let safe = home & !pawns & !pawn_attacks(them, info.pawns[index(them)]);
    let behind = fill_forward(them, backward(us, pawns));
    sink.add(us, SPACE, (safe.count() + (safe & behind & !info.all[index(them)]).count()) as i32);
}
