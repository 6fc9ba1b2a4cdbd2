//! The feature sets of chess networks.

use super::{FeatureSet, UNSEEN};
use crate::chess;

const KING_PLANE: usize = 10;

/// HalfKP of Stockfish 12 and 13: 641 rows per king square, of which the first is unused. For the second player, the
/// board is rotated rather than flipped.
pub fn half_kp() -> FeatureSet {
    let turned = |side: usize, square: usize| if side == 1 { square ^ 7 } else { square };
    FeatureSet::new(
        ("HalfKP", 41_024),
        chess::ELEMENTS,
        move |side, square| (641 * turned(side, square) as u32, false),
        move |side, _, element| match element / 64 {
            plane if plane >= KING_PLANE => UNSEEN,
            plane => (1 + 64 * plane + turned(side, element % 64)) as u16,
        },
        chess::SQUARES,
    )
}

/// HalfKAv2_hm of Stockfish 15 to 17: 32 buckets of 704 rows, with the board mirrored so that the king stands on files
/// e to h.
pub fn half_ka_v2_hm() -> FeatureSet {
    FeatureSet::new(
        ("HalfKAv2_hm", 22_528),
        chess::ELEMENTS,
        |_, square| {
            let mirrored = square % 8 < 4;
            let seen = if mirrored { square ^ 7 } else { square };
            let bucket = 4 * (7 - seen / 8) + (7 - seen % 8);
            (704 * bucket as u32, mirrored)
        },
        |_, mirrored, element| {
            let square = if mirrored { (element % 64) ^ 7 } else { element % 64 };
            (64 * (element / 64).min(KING_PLANE) + square) as u16
        },
        chess::SQUARES,
    )
}

/// The feature set of Hasami's own format: all twelve kinds of pieces, with the board mirrored so that the king stands
/// on files a to d, and with the king's squares grouped into buckets.
pub fn own(buckets: &[u8; 64]) -> FeatureSet {
    let count = usize::from(buckets.iter().copied().max().unwrap_or(0)) + 1;
    FeatureSet::new(
        ("768", 768 * count),
        chess::ELEMENTS,
        |_, square| {
            let mirrored = square % 8 >= 4;
            let seen = if mirrored { square ^ 7 } else { square };
            (768 * u32::from(buckets[seen]), mirrored)
        },
        |_, mirrored, element| if mirrored { element ^ 7 } else { element } as u16,
        chess::SQUARES,
    )
}
