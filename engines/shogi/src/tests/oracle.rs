//! Generates legal moves with an independent implementation, the crate shunsai.

use crate::Shogi;
use hasami_api::Game;
use shunsai::shogi_core::{Color, Hand, PartialPosition, Piece, PieceKind, Square, ToUsi};

const KINDS: &str = "PLNSGBRK";
const BASE: [PieceKind; 8] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::King,
];

/// Converts the position to shunsai's type.
pub fn position(game: &Shogi) -> shunsai::Position {
    let text = game.to_text();
    let fields: Vec<&str> = text.split(' ').collect();
    let mut partial = PartialPosition::empty();
    place(&mut partial, fields[0]);
    partial.side_to_move_set(if fields[1] == "b" { Color::Black } else { Color::White });
    fill_hands(&mut partial, fields[2]);
    shunsai::Position::new(partial)
}

/// Returns the legal moves in USI notation, sorted.
pub fn legal_moves(position: &shunsai::Position) -> Vec<String> {
    let mut moves: Vec<String> = position.legal_moves().into_iter().map(|m| m.to_usi_owned()).collect();
    moves.sort();
    moves
}

fn place(partial: &mut PartialPosition, board: &str) {
    for (rank, row) in (1..).zip(board.split('/')) {
        let (mut file, mut promoted) = (9, false);
        for c in row.chars() {
            if let Some(empty) = c.to_digit(10) {
                file -= empty as u8;
            } else if c == '+' {
                promoted = true;
            } else {
                let piece = Piece::new(kind(c), color(c));
                let piece = if promoted { piece.promote().unwrap() } else { piece };
                partial.piece_set(Square::new(file, rank).unwrap(), Some(piece));
                (file, promoted) = (file.wrapping_sub(1), false);
            }
        }
    }
}

fn fill_hands(partial: &mut PartialPosition, hands: &str) {
    let mut count = 0;
    for c in hands.chars().filter(|&c| c != '-') {
        if let Some(digit) = c.to_digit(10) {
            count = count * 10 + digit;
            continue;
        }
        for _ in 0..count.max(1) {
            let hand: &mut Hand = partial.hand_of_a_player_mut(color(c));
            *hand = hand.added(kind(c)).unwrap();
        }
        count = 0;
    }
}

fn kind(c: char) -> PieceKind {
    BASE[KINDS.find(c.to_ascii_uppercase()).unwrap()]
}

fn color(c: char) -> Color {
    if c.is_ascii_uppercase() { Color::Black } else { Color::White }
}
