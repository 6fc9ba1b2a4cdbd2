//! Packs chess positions into 32 bytes, in the format of the trainer bullet ("bulletformat").
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | bitboard of the occupied squares as the side to move sees the board, bit 0 for a1, little-endian |
//! | 16 | the pieces on these squares, 4 bits each, low bits first: 0 pawn to 5 king; 8 is added for the other side |
//! | 2 | score for the side to move, centipawns |
//! | 1 | result for the side to move: 0 loss, 1 draw, 2 win |
//! | 2 | squares of the kings, each from its own side's point of view |
//! | 3 | unused by others; here the first is 1 if the result is unknown |

use crate::label::Label;
use crate::sample::Sample;
use crate::viriformat;
use hasami_api::Game;
use hasami_chess::Chess;
use shakmaty::{Color, Position};

/// Size of a packed position, in bytes.
pub const BYTES: usize = 32;

const KING: u16 = 5;

/// Marks an unknown game result, in the first of the bytes that bullet leaves unused.
const UNKNOWN: u8 = 1;

/// Packs a position, without its castling rights and its en passant square.
pub fn pack(game: &Chess, label: &Label) -> [u8; BYTES] {
    let us = game.position().turn();
    let flip = if us == Color::Black { 56 } else { 0 };
    let mut pieces: Vec<(u8, u8, bool)> = game
        .position()
        .board()
        .into_iter()
        .map(|(square, piece)| (u8::from(square) ^ flip, piece.role as u8 - 1, piece.color != us))
        .collect();
    pieces.sort_unstable();
    let mut bytes = [0; BYTES];
    let mut occupied = 0u64;
    for (index, &(square, role, theirs)) in pieces.iter().enumerate() {
        occupied |= 1 << square;
        let code = role + 8 * u8::from(theirs);
        bytes[8 + index / 2] |= code << (4 * (index % 2));
        match (role, theirs) {
            (5, false) => bytes[27] = square,
            (5, true) => bytes[28] = square ^ 56,
            _ => {}
        }
    }
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    bytes[24..26].copy_from_slice(&label.score.to_le_bytes());
    match label.outcome.half_points(game.side()) {
        Some(points) => bytes[26] = points,
        None => (bytes[26], bytes[29]) = (1, UNKNOWN),
    }
    bytes
}

/// Unpacks a position into `sample`. Returns false if the bytes are invalid.
#[inline]
pub fn read(bytes: &[u8; BYTES], sample: &mut Sample) -> bool {
    let word = |from: usize| u64::from_le_bytes(bytes[from..from + 8].try_into().expect("eight bytes"));
    let mut occupied = word(0);
    let kings = [bytes[27], bytes[28]];
    if bytes[26] > 2 || kings.iter().any(|&king| king > 63) || occupied.count_ones() > 32 {
        return false;
    }
    sample.clear();
    sample.pieces = occupied.count_ones();
    let (mut index, mut found_kings) = (0, [0; 2]);
    while occupied != 0 {
        let square = occupied.trailing_zeros() as u16;
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let (role, theirs) = (u16::from(code & 7), u16::from(code >> 3));
        if role > 5 {
            return false;
        }
        if role == KING {
            let seen = if theirs == 0 { square } else { square ^ 56 };
            if seen != u16::from(kings[usize::from(theirs)]) {
                return false;
            }
            found_kings[usize::from(theirs)] += 1;
        }
        sample.push([64 * (2 * role + theirs) + square, 64 * (2 * role + 1 - theirs) + (square ^ 56)]);
        occupied &= occupied - 1;
        index += 1;
    }
    if found_kings != [1; 2] {
        return false;
    }
    sample.kings = kings;
    sample.score = i16::from_le_bytes([bytes[24], bytes[25]]);
    sample.result = (bytes[29] != UNKNOWN).then(|| f32::from(bytes[26]) / 2.0);
    true
}

/// Returns the position as a FEN with White to move, without castling rights and en passant square, or `None` if the
/// bytes are invalid.
pub fn to_text(bytes: &[u8; BYTES]) -> Option<String> {
    if !read(bytes, &mut Sample::default()) {
        return None;
    }
    let (board, _) = viriformat::board(bytes).ok()?;
    Some(format!("{board} w - - 0 1"))
}
