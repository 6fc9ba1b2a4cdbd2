//! Static exchange evaluation: captures and recaptures on one square, the least valuable piece first.

use crate::sliders::{bishop_attacks, lance_attacks, rook_attacks};
use crate::values;
use rsshogi::board::attack_tables::lance_step_attacks;
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, Position, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, Move32, PieceType, Square};

/// Kinds of attackers, the least valuable first.
const ORDER: [PieceType; 14] = [
    PieceType::PAWN,
    PieceType::LANCE,
    PieceType::KNIGHT,
    PieceType::SILVER,
    PieceType::PRO_LANCE,
    PieceType::PRO_KNIGHT,
    PieceType::PRO_PAWN,
    PieceType::PRO_SILVER,
    PieceType::GOLD,
    PieceType::BISHOP,
    PieceType::ROOK,
    PieceType::HORSE,
    PieceType::DRAGON,
    PieceType::KING,
];

/// Returns whether the exchange that begins with `m` wins at least `threshold` centipawns. Promotions after the move
/// `m` are ignored.
pub fn at_least(position: &Position, m: Move32, threshold: i32) -> bool {
    let to = m.to_sq();
    let mut balance = gain(position, m) - threshold;
    if balance < 0 {
        return false;
    }
    let moved = m.piece_after_move().piece_type();
    balance = values::captured(moved) - balance;
    if balance <= 0 {
        return true;
    }
    let mut occupied = position.pieces() | Bitboard::from_square(to);
    if !m.is_drop() {
        occupied.clear(m.from_sq());
    }
    exchange(position, to, occupied, balance)
}

/// Returns the material that the move wins before any reply, in centipawns.
fn gain(position: &Position, m: Move32) -> i32 {
    let victim = position.piece_on(m.to_sq());
    let captured = if victim.is_empty() { 0 } else { values::captured(victim.piece_type()) };
    let promoted = if m.is_promotion() { values::promotion(m.piece_after_move().piece_type().demote()) } else { 0 };
    captured + promoted
}

/// Plays out the recaptures on `to`, and returns whether the side that began the exchange reaches its threshold.
/// `balance`, a positive number, is the amount by which this side misses the threshold if the opponent captures its
/// piece and nothing more happens.
fn exchange(position: &Position, to: Square, mut occupied: Bitboard, mut balance: i32) -> bool {
    let mut side = position.turn();
    let mut holds = true;
    let mut attackers = attackers(position, to, occupied);
    loop {
        side = side.flip();
        attackers &= occupied;
        let ours = unpinned(position, side, occupied, attackers & position.pieces_by_color(side));
        let Some((from, kind)) = cheapest(position, ours) else { break };
        holds = !holds;
        if kind == PieceType::KING {
            // A king captures after all other pieces, and only an undefended piece.
            let defended = attackers.intersects(position.pieces_by_color(side.flip()));
            return if defended { !holds } else { holds };
        }
        balance = values::captured(kind) - balance;
        // Reaching the threshold exactly counts as a win for the side that began the exchange.
        if balance < i32::from(holds) {
            break;
        }
        occupied.clear(from);
        attackers |= behind(position, to, from, occupied);
    }
    holds
}

/// Returns those of the pieces `ours` that are not pinned to the king of `side`. All pins count as long as one of the
/// pinning pieces has not moved.
fn unpinned(position: &Position, side: Color, occupied: Bitboard, ours: Bitboard) -> Bitboard {
    if position.pinners(side).intersects(occupied) { ours.and_not(position.blockers_for_king(side)) } else { ours }
}

/// Returns the pieces of both sides that attack a square.
fn attackers(position: &Position, to: Square, occupied: Bitboard) -> Bitboard {
    let (black, white) = (position.pieces_by_color(Color::BLACK), position.pieces_by_color(Color::WHITE));
    // A piece attacks `to` if the same piece of the other side, standing on `to`, would attack the piece's square.
    let steps = |table: &[Bitboard; 2], pieces: Bitboard| {
        (table[Color::WHITE.to_index()] & black | table[Color::BLACK.to_index()] & white) & pieces
    };
    let lines = rook_attacks(to, occupied);
    let lances = lines & position.pieces_by_type(PieceType::LANCE);
    steps(&PAWN_ATTACKS[to], position.pieces_by_type(PieceType::PAWN))
        | steps(&KNIGHT_ATTACKS[to], position.pieces_by_type(PieceType::KNIGHT))
        | steps(&SILVER_ATTACKS[to], position.pieces_by_type(PieceType::SILVER))
        | steps(&GOLD_ATTACKS[to], position.golds())
        | KING_ATTACKS[to] & position.horse_dragon_king()
        | lance_step_attacks(to, Color::WHITE) & lances & black
        | lance_step_attacks(to, Color::BLACK) & lances & white
        | lines & position.rook_dragon()
        | bishop_attacks(to, occupied) & position.bishop_horse()
}

fn cheapest(position: &Position, ours: Bitboard) -> Option<(Square, PieceType)> {
    if ours.is_empty() {
        return None;
    }
    ORDER.into_iter().find_map(|kind| (ours & position.pieces_by_type(kind)).lsb().map(|from| (from, kind)))
}

/// Returns the sliders that attack `to` along the line through `from`, which a capturing piece has just left.
fn behind(position: &Position, to: Square, from: Square, occupied: Bitboard) -> Bitboard {
    let straight = to.file() == from.file() || to.rank() == from.rank();
    if straight {
        let rooks = position.rook_dragon() & rook_attacks(to, occupied);
        let lances = [Color::BLACK, Color::WHITE]
            .map(|color| position.pieces_for(PieceType::LANCE, color) & lance_attacks(to, occupied, color.flip()));
        return rooks | lances[0] | lances[1];
    }
    position.bishop_horse() & bishop_attacks(to, occupied)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::walk::{game, random_games};
    use hasami_api::Game;

    /// Computes by negamax the gain of `side`, which may capture a piece worth `prey` on `to`.
    fn negamax(position: &Position, to: Square, side: Color, occupied: Bitboard, prey: i32) -> i32 {
        let ours = position.attackers_to_color(side, to, occupied) & occupied;
        let ours = unpinned(position, side, occupied, ours);
        let Some((from, kind)) = cheapest(position, ours) else { return 0 };
        let mut rest = occupied;
        rest.clear(from);
        if kind == PieceType::KING && !(position.attackers_to_color(side.flip(), to, rest) & rest).is_empty() {
            return 0;
        }
        (prey - negamax(position, to, side.flip(), rest, values::captured(kind))).max(0)
    }

    fn exact(position: &Position, m: Move32) -> i32 {
        let mut occupied = position.pieces() | Bitboard::from_square(m.to_sq());
        if !m.is_drop() {
            occupied.clear(m.from_sq());
        }
        let moved = values::captured(m.piece_after_move().piece_type());
        gain(position, m) - negamax(position, m.to_sq(), position.turn().flip(), occupied, moved)
    }

    #[test]
    fn thresholds_agree_with_the_exact_value() {
        random_games(11, 40, 100, |game, moves| {
            for &m in moves {
                let value = exact(game.position(), m);
                for threshold in [value - 1, value, value + 1, 0] {
                    let holds = at_least(game.position(), m, threshold);
                    assert_eq!(holds, value >= threshold, "{m} {value} {threshold} in {}", game.to_text());
                }
            }
        });
    }

    #[test]
    fn lances_behind_rooks_take_part() {
        // A rook with a lance behind it attacks a protected pawn: the rook takes the pawn, the silver takes the rook,
        // and the lance takes the silver.
        let game = game("4k4/9/4s4/4p4/9/9/4R4/4L4/4K4 b - 1");
        let m = game.parse_move("5g5d").unwrap();
        let (pawn, rook, silver) = (PieceType::PAWN, PieceType::ROOK, PieceType::SILVER);
        let expected = values::captured(pawn) - values::captured(rook) + values::captured(silver);
        assert!(at_least(game.position(), m, expected) && !at_least(game.position(), m, expected + 1));
    }
}
