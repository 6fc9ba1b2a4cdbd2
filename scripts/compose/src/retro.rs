//! Takes moves back: what an attack and a defence before a position may have been.

use crate::diagram::{ATTACKER, DEFENDER, Diagram, held_kind};
use hasami_api::{Game, Moves};
use hasami_shogi::Shogi;
use rand::prelude::*;
use rand::rngs::SmallRng;
use rsshogi::board::attack_tables::{
    GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, SILVER_ATTACKS, bishop_attacks, lance_attacks,
    rook_attacks,
};
use rsshogi::types::square::is_promotable_move;
use rsshogi::types::{Bitboard, Color, Piece, PieceType, Square};

/// Guesses before there is none.
const GUESSES: usize = 200;
/// What of the attacks is to be a check.
const CHECKS: f64 = 0.75;

/// A position from which an attack and a defence lead to this one, if one is found.
pub fn two_plies_before(diagram: &Diagram, random: &mut SmallRng) -> Option<Diagram> {
    (0..GUESSES).find_map(|_| {
        let between = guess(diagram, DEFENDER, random)?;
        let before = guess(&between, ATTACKER, random)?;
        let wants_check = random.random_bool(CHECKS);
        let mut game = before.game()?;
        play_to(&mut game, &between)?;
        let is_wanted = game.in_check() || !wants_check;
        play_to(&mut game, diagram)?;
        is_wanted.then_some(before)
    })
}

/// The move after which that position is on the board, if there is one, is made.
fn play_to(game: &mut Shogi, after: &Diagram) -> Option<()> {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    moves.iter().find_map(|&m| {
        game.make(m);
        if Diagram::of(game) == *after {
            return Some(());
        }
        game.unmake();
        None
    })
}

/// A man of that side goes back to a hand, or to a square that it came from; perhaps it has taken something.
fn guess(diagram: &Diagram, side: Color, random: &mut SmallRng) -> Option<Diagram> {
    let mut before = diagram.with_turn(side);
    let to = diagram.squares(side).choose(random)?;
    let kind = diagram.at(to).piece_type();
    before.put(to, Piece::NONE);
    if random.random_bool(0.3) && !kind.is_promoted() && kind != PieceType::KING {
        before.give(side, held_kind(kind)?);
        return Some(before);
    }
    let has_promoted = kind.is_promoted() && random.random_bool(0.5);
    let mover = if has_promoted { kind.demote() } else { kind };
    // Whoever goes there from here would come here from there.
    let reach = attacks(mover, to, side.flip(), occupied(diagram));
    let from = reach.iter().filter(|&from| diagram.at(from).is_empty()).choose(random)?;
    if has_promoted && !is_promotable_move(side, from, to) {
        return None;
    }
    before.put(from, Piece::from_parts(side, mover));
    if random.random_bool(0.6) {
        let taken = captured(&mut before, side, random)?;
        before.put(to, Piece::from_parts(side.flip(), taken));
    }
    Some(before)
}

/// A man that the side holds and may have taken.
fn captured(before: &mut Diagram, side: Color, random: &mut SmallRng) -> Option<PieceType> {
    let held = rsshogi::types::HandPiece::iter().filter(|&kind| before.held(side, kind) > 0).choose(random)?;
    before.take(side, held);
    let kind = held.to_piece_type();
    Some(if kind.is_promotable() && random.random_bool(0.3) { kind.promote() } else { kind })
}

fn occupied(diagram: &Diagram) -> Bitboard {
    let squares = diagram.squares(ATTACKER).chain(diagram.squares(DEFENDER));
    squares.fold(Bitboard::default(), |all, square| all | Bitboard::from_square(square))
}

fn attacks(kind: PieceType, from: Square, side: Color, occupied: Bitboard) -> Bitboard {
    let (at, us) = (from.to_index(), side.to_index());
    match kind {
        PieceType::PAWN => PAWN_ATTACKS[at][us],
        PieceType::LANCE => lance_attacks(from, occupied, side),
        PieceType::KNIGHT => KNIGHT_ATTACKS[at][us],
        PieceType::SILVER => SILVER_ATTACKS[at][us],
        PieceType::BISHOP => bishop_attacks(from, occupied),
        PieceType::ROOK => rook_attacks(from, occupied),
        PieceType::HORSE => bishop_attacks(from, occupied) | KING_ATTACKS[at],
        PieceType::DRAGON => rook_attacks(from, occupied) | KING_ATTACKS[at],
        PieceType::KING => KING_ATTACKS[at],
        _ => GOLD_ATTACKS[at][us],
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// With the attacker's king and without.
    const POSITIONS: [&str; 3] = [
        "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1",
        "5ppk1/8R/6L2/6B2/9/9/9/9/9 b Prb4g4s4n3l15p 1",
        "lnsgk1snl/1r4gb1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1",
    ];

    #[test]
    fn moves_taken_back_can_be_made_again() {
        let mut random = SmallRng::seed_from_u64(3);
        for text in POSITIONS {
            let after = Diagram::parse(text).unwrap();
            let found: Vec<_> = (0..6).filter_map(|_| two_plies_before(&after, &mut random)).collect();
            assert!(found.len() > 2, "{text}: {}", found.len());
            for before in found {
                assert_eq!(before.turn(), ATTACKER);
                assert!(two_moves_lead(&before, &after), "{} to {text}", before.text());
            }
        }
    }

    /// By all pairs of moves and the texts of positions.
    fn two_moves_lead(before: &Diagram, after: &Diagram) -> bool {
        let mut game = before.game().unwrap();
        let (mut attacks, mut found) = (Moves::new(), false);
        game.legal_moves(&mut attacks);
        for &attack in attacks.iter() {
            game.make(attack);
            let mut defences = Moves::new();
            game.legal_moves(&mut defences);
            for &defence in defences.iter() {
                game.make(defence);
                found |= game.to_text().rsplit_once(' ').unwrap().0 == after.text().rsplit_once(' ').unwrap().0;
                game.unmake();
            }
            game.unmake();
        }
        found
    }

    #[test]
    fn what_was_taken_stands_there_again() {
        let mut random = SmallRng::seed_from_u64(5);
        let after = Diagram::parse(POSITIONS[0]).unwrap();
        let before: Vec<_> = (0..60).filter_map(|_| two_plies_before(&after, &mut random)).collect();
        let men = |diagram: &Diagram| diagram.squares(ATTACKER).chain(diagram.squares(DEFENDER)).count();
        assert!(before.iter().any(|diagram| men(diagram) > men(&after)));
        assert!(before.iter().any(|diagram| men(diagram) < men(&after)));
    }
}
