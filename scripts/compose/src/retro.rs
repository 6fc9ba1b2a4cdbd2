//! Takes moves back: what an attack and a defence before a position may have been.

use crate::diagram::{ATTACKER, DEFENDER, Diagram, held_kind};
use hasami_api::Game;
use hasami_shogi::{Move, Shogi};
use rand::prelude::*;
use rand::rngs::SmallRng;
use rsshogi::board::attack_tables::{
    GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, SILVER_ATTACKS, bishop_attacks, lance_attacks,
    rook_attacks,
};
use rsshogi::types::square::is_promotable_move;
use rsshogi::types::{Bitboard, Color, HandPiece, Piece, PieceType, Square};

/// Guesses before there is none.
const GUESSES: usize = 200;
/// What of the attacks is to be a check.
const CHECKS: f64 = 0.75;

/// A position, and the attack that with a defence leads to another one.
pub struct Before {
    pub diagram: Diagram,
    pub attack: Move,
    pub defence: Move,
}

/// A position from which an attack and a defence lead to this one, if one is found.
pub fn two_plies_before(diagram: &Diagram, random: &mut SmallRng) -> Option<Before> {
    (0..GUESSES).find_map(|_| {
        let (between, defence) = guess(diagram, DEFENDER, random)?;
        let (before, attack) = guess(&between, ATTACKER, random)?;
        let wants_check = random.random_bool(CHECKS);
        let mut game = before.game()?;
        let first = play_to(&mut game, &attack, &between)?;
        let is_wanted = game.in_check() || !wants_check;
        let second = play_to(&mut game, &defence, diagram)?;
        is_wanted.then_some(Before { diagram: before, attack: first, defence: second })
    })
}

/// The same where the attack is a check, much faster.
pub fn check_before(diagram: &Diagram, random: &mut SmallRng) -> Option<Before> {
    (0..20 * GUESSES).find_map(|_| {
        let to = diagram.squares(DEFENDER).choose(random)?;
        let (between, defence) = guess_to(diagram, DEFENDER, to, random)?;
        let to = *checkers(&between).choose(random)?;
        let (before, attack) = guess_to(&between, ATTACKER, to, random)?;
        if !checkers(&before).is_empty() {
            return None;
        }
        let mut game = before.game()?;
        let first = play_to(&mut game, &attack, &between)?;
        let second = play_to(&mut game, &defence, diagram)?;
        Some(Before { diagram: before, attack: first, defence: second })
    })
}

/// The attacker's men that attack the defender's king.
fn checkers(diagram: &Diagram) -> Vec<Square> {
    let Some(king) = diagram.king(DEFENDER) else { return Vec::new() };
    let occupied = occupied(diagram);
    let checks =
        |&at: &Square| attacks(diagram.at(at).piece_type(), at, ATTACKER, occupied).iter().any(|to| to == king);
    diagram.squares(ATTACKER).filter(checks).collect()
}

/// Makes the move, if it is legal and that position is on the board after it.
fn play_to(game: &mut Shogi, text: &str, after: &Diagram) -> Option<Move> {
    let m = game.parse_move(text).ok()?;
    game.make(m);
    (Diagram::of(game) == *after).then_some(m)
}

/// A man of that side goes back to a hand, or to a square that it came from; perhaps it has taken something. With the move
/// that it made.
fn guess(diagram: &Diagram, side: Color, random: &mut SmallRng) -> Option<(Diagram, String)> {
    let to = diagram.squares(side).choose(random)?;
    guess_to(diagram, side, to, random)
}

fn guess_to(diagram: &Diagram, side: Color, to: Square, random: &mut SmallRng) -> Option<(Diagram, String)> {
    let mut before = diagram.with_turn(side);
    let kind = diagram.at(to).piece_type();
    before.put(to, Piece::NONE);
    if random.random_bool(0.3) && !kind.is_promoted() && kind != PieceType::KING {
        let held = held_kind(kind)?;
        before.give(side, held);
        return Some((before, format!("{}*{to}", letter(held))));
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
    Some((before, format!("{from}{to}{}", if has_promoted { "+" } else { "" })))
}

fn letter(kind: HandPiece) -> char {
    const LETTERS: [(HandPiece, char); 7] = [
        (HandPiece::PAWN, 'P'),
        (HandPiece::LANCE, 'L'),
        (HandPiece::KNIGHT, 'N'),
        (HandPiece::SILVER, 'S'),
        (HandPiece::GOLD, 'G'),
        (HandPiece::BISHOP, 'B'),
        (HandPiece::ROOK, 'R'),
    ];
    LETTERS.iter().find(|&&(known, _)| known == kind).map_or('?', |&(_, letter)| letter)
}

/// A man that the side holds and may have taken.
fn captured(before: &mut Diagram, side: Color, random: &mut SmallRng) -> Option<PieceType> {
    let held = HandPiece::iter().filter(|&kind| before.held(side, kind) > 0).choose(random)?;
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
    use hasami_api::Moves;

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
                assert_eq!(before.diagram.turn(), ATTACKER);
                assert!(two_moves_lead(&before, &after), "{} to {text}", before.diagram.text());
            }
        }
    }

    fn two_moves_lead(before: &Before, after: &Diagram) -> bool {
        let mut game = before.diagram.game().unwrap();
        for m in [before.attack, before.defence] {
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            assert!(moves.contains(&m));
            game.make(m);
        }
        game.to_text().rsplit_once(' ').unwrap().0 == after.text().rsplit_once(' ').unwrap().0
    }

    #[test]
    fn checks_that_are_taken_back_are_checks() {
        let mut random = SmallRng::seed_from_u64(4);
        for text in &POSITIONS[..2] {
            let after = Diagram::parse(text).unwrap();
            let found: Vec<_> = (0..20).filter_map(|_| check_before(&after, &mut random)).collect();
            assert!(found.len() > 15, "{text}: {}", found.len());
            for before in found {
                assert!(two_moves_lead(&before, &after), "{} to {text}", before.diagram.text());
                let mut game = before.diagram.game().unwrap();
                game.make(before.attack);
                assert!(game.in_check());
            }
        }
        let no_attack = Diagram::parse("lnsgk1snl/1r4gb1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1").unwrap();
        assert!(check_before(&no_attack, &mut random).is_none());
    }

    #[test]
    fn what_was_taken_stands_there_again() {
        let mut random = SmallRng::seed_from_u64(5);
        let after = Diagram::parse(POSITIONS[0]).unwrap();
        let before: Vec<_> =
            (0..60).filter_map(|_| two_plies_before(&after, &mut random)).map(|found| found.diagram).collect();
        let men = |diagram: &Diagram| diagram.squares(ATTACKER).chain(diagram.squares(DEFENDER)).count();
        assert!(before.iter().any(|diagram| men(diagram) > men(&after)));
        assert!(before.iter().any(|diagram| men(diagram) < men(&after)));
    }
}
