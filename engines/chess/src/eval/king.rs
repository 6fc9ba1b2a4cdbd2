//! Danger to the king. Attacks are counted in units by fixed rules. For each number of units there is a learned weight.

use super::info::{AttackMaps, index};
use super::layout::DANGER;
use super::sink::Sink;
use shakmaty::{Bitboard, Color, Role, attacks};

/// The largest number of units that has a weight.
const LAST: i32 = 47;

/// Units of danger of a piece that attacks this number of squares around the king.
#[inline]
pub fn attack_units(role: Role, squares: usize) -> i32 {
    if squares == 0 {
        return 0;
    }
    let presence = match role {
        Role::Knight | Role::Bishop => 2,
        Role::Rook => 3,
        _ => 4,
    };
    presence + squares as i32
}

/// Adds the danger that `us` poses to the enemy king. All attack maps must be complete.
pub fn terms(us: Color, info: &AttackMaps, sink: &mut impl Sink) {
    let them = us.other();
    let mut units = info.danger[index(us)];
    if units == 0 {
        return;
    }
    units += weak_squares(us, info) + check_units(us, info);
    if info.men(us, Role::Queen).is_empty() {
        units -= 8;
    }
    if (info.men(them, Role::Knight) & info.zones[index(them)]).any() {
        units -= 1;
    }
    sink.add(us, DANGER + units.clamp(0, LAST) as usize, 1);
}

/// The number of squares around the enemy king that we attack and that only the king or queen defends, at most 6.
fn weak_squares(us: Color, info: &AttackMaps) -> i32 {
    let weak = info.zones[index(us.other())] & info.all[index(us)] & weakly_defended(us.other(), info);
    (weak.count() as i32).min(6)
}

/// Squares that `side` does not attack at all, or only once and with king or queen.
fn weakly_defended(side: Color, info: &AttackMaps) -> Bitboard {
    let royal = info.attacked(side, Role::King) | info.attacked(side, Role::Queen);
    !info.all[index(side)] | (royal & !info.twice[index(side)])
}

/// Units of danger for each kind of piece that could give a safe check on the next move.
fn check_units(us: Color, info: &AttackMaps) -> i32 {
    let them = us.other();
    let king = info.kings[index(them)];
    let occupied = info.board.occupied() & !info.men(them, Role::Queen);
    let undefended = !info.all[index(them)] | (weakly_defended(them, info) & info.twice[index(us)]);
    let safe = !info.board.by_color(us) & undefended;
    let straight = attacks::rook_attacks(king, occupied) & safe;
    let diagonal = attacks::bishop_attacks(king, occupied) & safe;
    let jump = attacks::knight_attacks(king) & safe;
    let mut units = 0;
    for (squares, role, worth) in [
        (straight, Role::Rook, 6),
        (straight | diagonal, Role::Queen, 5),
        (diagonal, Role::Bishop, 3),
        (jump, Role::Knight, 5),
    ] {
        if (squares & info.attacked(us, role)).any() {
            units += worth;
        }
    }
    units
}
