//! Finds the rule that forbids an illegal move.

use crate::between;
use hasami_api::Prohibition;
use rsshogi::board::Position;
use rsshogi::types::{Color, HandPiece, Move, PieceType, Square, is_promotable_square};

/// Returns the rule that the illegal move `m` breaks, or `None` if the piece cannot move that way at all.
pub fn rule(position: &Position, m: Move) -> Option<Prohibition> {
    match m.dropped_piece() {
        Some(kind) => rule_of_drop(position, kind, m.to_sq()),
        None => rule_of_board_move(position, m),
    }
}

fn rule_of_drop(position: &Position, kind: PieceType, to: Square) -> Option<Prohibition> {
    let us = position.turn();
    let is_held = HandPiece::from_piece_type(kind).is_some_and(|held| position.hand(us).count(held) > 0);
    if !is_held || !position.piece_on(to).is_empty() {
        return None;
    }
    let is_own_pawn = |square: Square| {
        let piece = position.piece_on(square);
        square.file() == to.file() && piece.piece_type() == PieceType::PAWN && piece.color() == us
    };
    if is_stuck(kind, us, to) {
        return Some(Prohibition::Stuck);
    }
    if kind == PieceType::PAWN && Square::iter().any(is_own_pawn) {
        return Some(Prohibition::TwoPawns);
    }
    let leaves_check = position.is_in_check() && !between::squares(position).contains(&to);
    if leaves_check {
        return Some(Prohibition::InCheck);
    }
    (kind == PieceType::PAWN).then_some(Prohibition::PawnMate)
}

fn rule_of_board_move(position: &Position, m: Move) -> Option<Prohibition> {
    let piece = position.piece_on(m.from_sq());
    if piece.is_empty() || piece.color() != position.turn() {
        return None;
    }
    if !m.is_promotion() && is_stuck(piece.piece_type(), piece.color(), m.to_sq()) {
        return Some(Prohibition::Stuck);
    }
    let (us, from, to) = (piece.color(), m.from_sq(), m.to_sq());
    let target = position.piece_on(to);
    let is_free = target.is_empty() || target.color() != us;
    let reaches = position.attackers_to_color_current(us, to).test(from);
    let promotes = [from, to].iter().any(|&at| is_promotable_square(us, at)) && piece.piece_type().is_promotable();
    (is_free && reaches && (!m.is_promotion() || promotes)).then_some(Prohibition::InCheck)
}

/// Returns whether a piece of `kind` on `at` could never move again.
fn is_stuck(kind: PieceType, us: Color, at: Square) -> bool {
    let rank = at.rank().raw();
    let left = if us == Color::BLACK { rank } else { 8 - rank };
    match kind {
        PieceType::PAWN | PieceType::LANCE => left < 1,
        PieceType::KNIGHT => left < 2,
        _ => false,
    }
}

/// Returns all moves of a kind of piece to a square, legal or not: from every such piece on the board, and a drop.
pub fn candidates(position: &Position, kind: PieceType, to: Square) -> Vec<Move> {
    let is_own = |square: &Square| {
        let piece = position.piece_on(*square);
        piece.piece_type() == kind && piece.color() == position.turn()
    };
    let walks = Square::iter().filter(is_own).flat_map(|from| [Move::normal(from, to), Move::promotion(from, to)]);
    let drop = HandPiece::from_piece_type(kind).map(|_| Move::drop(kind, to));
    walks.chain(drop).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::Shogi;
    use hasami_api::{Game, ParseMoveError, Prohibition, Render, Start};

    fn game(text: &str) -> Shogi {
        Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap()
    }

    #[test]
    fn the_broken_rule_is_found_in_every_notation() {
        let cases: [(&str, &[&str], Prohibition); 7] = [
            // Drops of a second pawn on file 1.
            ("4k4/9/9/9/9/9/8P/9/4K4 b P 1", &["P*1e", "１五歩打", "15歩", "+0015FU", "P*15"], Prohibition::TwoPawns),
            ("8k/6G2/7G1/9/9/9/9/9/K8 b P 1", &["P*1b", "▲１二歩"], Prohibition::PawnMate),
            ("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", &["P*1a", "L*1a", "N*1b", "１二桂打"], Prohibition::Stuck),
            ("4k4/9/9/9/9/9/9/9/4K4 w pln 1", &["P*1i", "L*1i", "N*1h", "1八桂"], Prohibition::Stuck),
            ("3k5/4P4/9/9/9/9/9/9/4K4 b - 1", &["5b5a"], Prohibition::Stuck),
            // Moves of a pinned piece, and moves that leave a check unanswered.
            ("4k4/4r4/9/9/9/9/9/4G4/4K4 b - 1", &["5h4h", "４八金", "+5848KI"], Prohibition::InCheck),
            ("4k4/4r4/9/9/9/9/9/9/4K4 b P 1", &["P*1e", "5i5h", "+0015FU"], Prohibition::InCheck),
        ];
        for (position, texts, rule) in cases {
            let game = game(position);
            for text in texts {
                let found = match game.parse_move(text) {
                    Err(ParseMoveError::Forbidden(found, rule)) if found == *text => Some(rule),
                    Err(ParseMoveError::Notation(_)) => game.forbidden(text),
                    _ => None,
                };
                assert_eq!(found, Some(rule), "{text} in {position}");
            }
        }
    }

    #[test]
    fn moves_that_no_piece_can_make_break_no_particular_rule() {
        let game = game("4k4/9/9/9/4p4/9/8P/9/4K4 b P 1");
        for text in ["G*5b", "5i5g", "P*5e", "P*5i", "5e5f", "1g1e"] {
            assert_eq!(game.parse_move(text), Err(ParseMoveError::Illegal(text.into())));
        }
        assert_eq!(game.forbidden("５二金打"), None);
    }
}
