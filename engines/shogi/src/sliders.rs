//! Computes the attacks of lances, bishops and rooks.
//!
//! On a ray that runs to higher squares, the first blocker is the lowest bit of the pieces on the ray; on a ray to
//! lower squares, it is the highest bit. Finding the lowest or the highest bit takes a few instructions on any
//! processor. rsshogi reverses the words of the bitboard instead, which is cheap only in builds that require AVX2.

use rsshogi::types::{Bitboard, Color, Square};

/// Steps of file and rank that lead to squares with higher numbers. The opposite steps lead to lower numbers.
const HIGHER: [(i8, i8); 4] = [(0, 1), (1, 0), (1, -1), (1, 1)];

const FILE: usize = 0;
const RANK: usize = 1;
const DIAGONALS: [usize; 2] = [2, 3];

/// Rays from one square, indexed by the directions of [`HIGHER`].
struct Rays {
    higher: [u128; 4],
    lower: [u128; 4],
}

static RAYS: [Rays; 81] = all_rays();

const fn all_rays() -> [Rays; 81] {
    let mut all = [const { Rays { higher: [0; 4], lower: [0; 4] } }; 81];
    let mut square = 0;
    while square < 81 {
        let mut direction = 0;
        while direction < 4 {
            let (file, rank) = HIGHER[direction];
            all[square].higher[direction] = ray(square as i8, file, rank);
            all[square].lower[direction] = ray(square as i8, -file, -rank);
            direction += 1;
        }
        square += 1;
    }
    all
}

const fn ray(from: i8, file_step: i8, rank_step: i8) -> u128 {
    let (mut file, mut rank) = (from / 9 + file_step, from % 9 + rank_step);
    let mut ray = 0;
    while 0 <= file && file < 9 && 0 <= rank && rank < 9 {
        let square = file * 9 + rank;
        // The two words of a bitboard hold 63 and 18 squares.
        ray |= 1 << (if square < 63 { square } else { square + 1 });
        (file, rank) = (file + file_step, rank + rank_step);
    }
    ray
}

#[inline(always)]
const fn bits(board: Bitboard) -> u128 {
    let [low, high] = board.parts();
    low as u128 | (high as u128) << 64
}

#[inline(always)]
const fn board(bits: u128) -> Bitboard {
    Bitboard::from_parts([bits as u64, (bits >> 64) as u64])
}

#[inline(always)]
fn higher(from: Square, direction: usize, occupied: u128) -> u128 {
    let ray = RAYS[from.to_index()].higher[direction];
    let blockers = ray & occupied;
    ray & (blockers ^ blockers.wrapping_sub(1))
}

#[inline(always)]
fn lower(from: Square, direction: usize, occupied: u128) -> u128 {
    let ray = RAYS[from.to_index()].lower[direction];
    let last = 127 - (ray & occupied | 1).leading_zeros();
    ray & u128::MAX << last
}

#[inline(always)]
fn line(from: Square, direction: usize, occupied: u128) -> u128 {
    higher(from, direction, occupied) | lower(from, direction, occupied)
}

#[inline]
pub fn lance_attacks(from: Square, occupied: Bitboard, color: Color) -> Bitboard {
    let occupied = bits(occupied);
    board(if color == Color::BLACK { lower(from, FILE, occupied) } else { higher(from, FILE, occupied) })
}

#[inline]
pub fn bishop_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    let occupied = bits(occupied);
    board(line(from, DIAGONALS[0], occupied) | line(from, DIAGONALS[1], occupied))
}

#[inline]
pub fn rook_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    let occupied = bits(occupied);
    board(line(from, FILE, occupied) | line(from, RANK, occupied))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};
    use rsshogi::board::attack_tables as oracle;

    #[test]
    fn attacks_equal_those_of_rsshogi() {
        let mut random = SmallRng::seed_from_u64(8);
        for round in 0..400 {
            let mut occupied = Bitboard::from_packed_bits(random.random());
            for _ in 0..round % 4 {
                occupied &= Bitboard::from_packed_bits(random.random());
            }
            for from in Square::iter() {
                assert_eq!(bishop_attacks(from, occupied), oracle::bishop_attacks(from, occupied));
                assert_eq!(rook_attacks(from, occupied), oracle::rook_attacks(from, occupied));
                for color in [Color::BLACK, Color::WHITE] {
                    assert_eq!(lance_attacks(from, occupied, color), oracle::lance_attacks(from, occupied, color));
                }
            }
        }
    }
}
