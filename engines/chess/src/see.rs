//! Static exchange evaluation: computes the outcome of captures and recaptures on one square, ignoring pins as usual.

use crate::Move;
use shakmaty::{Bitboard, Chess as Standard, Color, Position, Role, Square, attacks};

/// The value of a piece in an exchange, in centipawns.
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 325,
        Role::Bishop => 335,
        Role::Rook => 500,
        Role::Queen => 975,
        Role::King => 10_000,
    }
}

/// Does the exchange that begins with the legal move `m` win at least `threshold` centipawns for the side to move?
pub fn at_least(position: &Standard, m: Move, threshold: i32) -> bool {
    let (from, to, victim, mover) = match m {
        Move::Normal { role, from, capture, to, promotion } => {
            let gain = capture.map_or(0, value) + promotion.map_or(0, |p| value(p) - value(Role::Pawn));
            (from, to, gain, promotion.unwrap_or(role))
        }
        Move::EnPassant { from, to } => (from, to, value(Role::Pawn), Role::Pawn),
        Move::Castle { .. } | Move::Put { .. } => return threshold <= 0,
    };
    // `balance` is the mover's gain minus the threshold: first on the assumption that the moved piece survives, and
    // later on the assumption that it is lost.
    let mut balance = victim - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(mover);
    if balance >= 0 {
        return true;
    }
    let mut occupied = position.board().occupied().without(from).with(to);
    if let Move::EnPassant { .. } = m {
        occupied = occupied.without(Square::from_coords(to.file(), from.rank()));
    }
    exchange(position, to, occupied, position.turn(), balance)
}

/// Plays out the recaptures on `to`, and returns whether the side `first`, which has just captured, reaches the
/// threshold. `balance`, which is negative, is the gain of `first` minus the threshold if its capturing piece is lost.
fn exchange(position: &Standard, to: Square, mut occupied: Bitboard, first: Color, mut balance: i32) -> bool {
    let board = position.board();
    let diagonal = board.bishops_and_queens();
    let straight = board.rooks_and_queens();
    let mut attackers = attackers_to(position, to, occupied);
    let mut side = first.other();
    loop {
        attackers &= occupied;
        let ours = attackers & board.by_color(side);
        let Some((role, from)) = cheapest(position, ours) else { break };
        // A king cannot capture a protected piece.
        if role == Role::King && (attackers & board.by_color(side.other())).any() {
            break;
        }
        occupied = occupied.without(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & straight;
        }
        side = side.other();
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            break;
        }
    }
    // `side` has lost the exchange: it cannot recapture, or its recapture does not help.
    side != first
}

#[inline]
fn attackers_to(position: &Standard, to: Square, occupied: Bitboard) -> Bitboard {
    let board = position.board();
    (attacks::pawn_attacks(Color::White, to) & board.pawns() & board.black())
        | (attacks::pawn_attacks(Color::Black, to) & board.pawns() & board.white())
        | (attacks::knight_attacks(to) & board.knights())
        | (attacks::king_attacks(to) & board.kings())
        | (attacks::bishop_attacks(to, occupied) & board.bishops_and_queens())
        | (attacks::rook_attacks(to, occupied) & board.rooks_and_queens())
}

#[inline]
fn cheapest(position: &Standard, attackers: Bitboard) -> Option<(Role, Square)> {
    if attackers.is_empty() {
        return None;
    }
    let board = position.board();
    Role::ALL.into_iter().find_map(|role| (attackers & board.by_role(role)).first().map(|from| (role, from)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::Chess;
    use hasami_api::{Game, SearchGame};

    #[test]
    fn exchanges_have_their_known_values() {
        for (fen, text, value) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 325),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
            ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
            ("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", 100 - 975),
            // White's second rook and queen attack through the first rook.
            ("3rk3/8/8/3p4/8/3R4/3R4/3QK3 w - - 0 1", "d3d5", 100),
            ("3rk3/3r4/8/3p4/8/3R4/8/3QK3 w - - 0 1", "d3d5", 100 - 500),
            // The king may not recapture a piece that is protected.
            ("8/8/3k4/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", 100),
            ("8/8/3k4/3p4/8/3R4/8/4K3 w - - 0 1", "d3d5", 100 - 500),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", 100),
            ("3rk3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 875 - 975),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 875),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0),
            ("3rk3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d4", -975),
        ] {
            let game = Chess::from_fen(fen).unwrap();
            let m = game.parse_move(text).unwrap();
            assert!(game.see_at_least(m, value), "{fen} {text} at least {value}");
            assert!(!game.see_at_least(m, value + 1), "{fen} {text} at most {value}");
        }
    }
}
