//! Sets of squares that several terms of the evaluation need.

use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

pub const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
pub const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// The two long diagonals, which are the only diagonals with two central squares.
pub const LONG_DIAGONALS: Bitboard = Bitboard(0x8142_2418_1824_4281);

#[inline]
pub fn forward(color: Color, set: Bitboard) -> Bitboard {
    color.fold_wb(Bitboard(set.0 << 8), Bitboard(set.0 >> 8))
}

#[inline]
pub fn backward(color: Color, set: Bitboard) -> Bitboard {
    forward(color.other(), set)
}

/// The squares to the left and right of each square of the set.
#[inline]
pub fn beside(set: Bitboard) -> Bitboard {
    Bitboard((set.0 & !A_FILE) >> 1 | (set.0 & !H_FILE) << 1)
}

#[inline]
pub fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    beside(forward(color, pawns))
}

/// The set and all squares in front of it, as `color` moves.
#[inline]
pub fn fill_forward(color: Color, set: Bitboard) -> Bitboard {
    let mut bits = set.0;
    for shift in [8, 16, 32] {
        bits |= color.fold_wb(bits << shift, bits >> shift);
    }
    Bitboard(bits)
}

/// All squares of the files of the set.
#[inline]
pub fn fill_files(set: Bitboard) -> Bitboard {
    fill_forward(Color::White, set) | fill_forward(Color::Black, set)
}

/// Squares in front of `square` on its file and on the neighbouring ones.
#[inline]
pub fn passed_span(color: Color, square: Square) -> Bitboard {
    let front = fill_forward(color, forward(color, Bitboard::from_square(square)));
    front | beside(front)
}

/// The rank of a square as seen by `color`; 0 is the first rank.
#[inline]
pub fn relative_rank(color: Color, square: Square) -> usize {
    usize::from(u8::from(square.rank()) ^ color.fold_wb(0, 7))
}

/// All squares of a rank as seen by `color`; 0 is the first rank.
#[inline]
pub fn rank(color: Color, number: u32) -> Bitboard {
    Bitboard::from_rank(Rank::new(color.fold_wb(number, 7 - number)))
}

/// Distance of a file from the edge: 0 for the outer files, 3 for the central files.
#[inline]
pub fn folded_file(square: Square) -> usize {
    let file = usize::from(u8::from(square.file()));
    file.min(7 - file)
}

/// The 3x3 squares around the king, shifted to lie within the board, and one more rank in front of these squares.
#[inline]
pub fn king_zone(color: Color, king: Square) -> Bitboard {
    let file = u32::from(king.file()).clamp(1, 6);
    let rank = u32::from(king.rank()).clamp(1, 6);
    let centre = Square::from_coords(File::new(file), Rank::new(rank));
    let ring = attacks::king_attacks(centre).with(centre);
    ring | forward(color, attacks::king_attacks(king))
}

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = 0x8080_8080_8080_8080;
