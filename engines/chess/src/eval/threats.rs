//! Threats: attacks on pieces that are worth more than the attacker or badly defended.

use super::info::{AttackMaps, index};
use super::layout::*;
use super::masks::{forward, pawn_attacks, rank};
use super::sink::Sink;
use shakmaty::{Bitboard, Color, Role, attacks};

const VICTIMS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Adds the threats of `us`. All attack maps must be complete.
pub fn terms(us: Color, info: &AttackMaps, sink: &mut impl Sink) {
    let them = us.other();
    let theirs = info.board.by_color(them);
    let by_pawn = info.attacked(us, Role::Pawn);
    let by_minor = info.attacked(us, Role::Knight) | info.attacked(us, Role::Bishop);
    let by_rook = info.attacked(us, Role::Rook);
    // Squares that the enemy defends with a pawn, or defends twice while we attack them at most once.
    let solid = info.attacked(them, Role::Pawn) | (info.twice[index(them)] & !info.twice[index(us)]);
    if (theirs & info.all[index(us)]).is_empty() {
        return push_threats(us, info, sink);
    }
    for (number, &victim) in VICTIMS.iter().enumerate() {
        let men = info.men(them, victim);
        let loose = men & !solid;
        let valuable = matches!(victim, Role::Rook | Role::Queen);
        count(us, PAWN_THREAT + number, men & by_pawn, sink);
        count(us, MINOR_THREAT + number, by_minor & if valuable { men } else { loose }, sink);
        count(us, ROOK_THREAT + number, by_rook & if victim == Role::Queen { men } else { loose }, sink);
    }
    count(us, KING_THREAT, theirs & !solid & info.attacked(us, Role::King), sink);
    count(us, HANGING, theirs & info.all[index(us)] & !info.all[index(them)], sink);
    push_threats(us, info, sink);
}

#[inline]
fn count(us: Color, feature: usize, set: Bitboard, sink: &mut impl Sink) {
    if set.any() {
        sink.add(us, feature, set.count() as i32);
    }
}

fn push_threats(us: Color, info: &AttackMaps, sink: &mut impl Sink) {
    let them = us.other();
    let empty = !info.board.occupied();
    let single = forward(us, info.pawns[index(us)]) & empty;
    let double = forward(us, single & rank(us, 2)) & empty;
    let safe = !info.attacked(them, Role::Pawn) & (info.all[index(us)] | !info.all[index(them)]);
    let pieces = info.board.by_color(them) & !info.board.pawns() & !info.attacked(us, Role::Pawn);
    count(us, PUSH_THREAT, pawn_attacks(us, (single | double) & safe) & pieces, sink);
    harass_queen(us, info, sink);
}

/// Counts squares from which a piece of ours would attack the enemy's only queen without being lost.
fn harass_queen(us: Color, info: &AttackMaps, sink: &mut impl Sink) {
    let them = us.other();
    let Some(queen) = info.men(them, Role::Queen).single_square() else { return };
    let safe = info.area[index(us)] & !info.board.by_color(us) & (!info.all[index(them)] | info.twice[index(us)]);
    let occupied = info.board.occupied();
    let knight = attacks::knight_attacks(queen) & info.attacked(us, Role::Knight);
    count(us, QUEEN_HARASSED, knight & safe, sink);
    let (by_bishop, by_rook) = (info.attacked(us, Role::Bishop) & safe, info.attacked(us, Role::Rook) & safe);
    let bishop = if by_bishop.any() { attacks::bishop_attacks(queen, occupied) & by_bishop } else { by_bishop };
    let rook = if by_rook.any() { attacks::rook_attacks(queen, occupied) & by_rook } else { by_rook };
    count(us, QUEEN_HARASSED + 1, bishop | rook, sink);
}
