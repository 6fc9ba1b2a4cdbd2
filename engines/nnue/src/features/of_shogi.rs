//! The feature sets of shogi networks.

use super::{FeatureSet, UNSEEN};
use crate::shogi::{self, HANDS, IN_HAND};

/// One more than YaneuraOu's last piece number (`fe_end`) in sets without kings, with both kings, and with both kings
/// on one plane.
const END: u16 = 1_548;
const KINGS_END: u16 = 1_710;
const ONE_KING_END: u16 = 1_629;

/// For each kind in hand (pawn, lance, knight, silver, bishop, rook, gold), the first piece number of the perspective's
/// own side and of the other side.
const HAND_NUMBERS: [[u16; 2]; 7] = [[1, 20], [39, 44], [49, 54], [59, 64], [79, 82], [85, 88], [69, 74]];

/// For each kind on the board, the first piece number of the perspective's own side; the other side's numbers are 81
/// higher. The kinds are pawn, lance, knight, silver, bishop, rook, gold, king, then the promoted pieces. Promoted
/// pawns, lances, knights and silvers count as golds.
const BOARD_NUMBERS: [u16; 14] = [90, 252, 414, 576, 900, 1224, 738, 1548, 738, 738, 738, 738, 1062, 1386];

/// Converts an element to a piece number of YaneuraOu (`BonaPiece`).
fn number(element: usize, mirrored: bool) -> u16 {
    let element = element as u16;
    if element < IN_HAND {
        let (theirs, place) = (usize::from(element >= IN_HAND / 2), element % (IN_HAND / 2));
        let kind = (0..7).find(|&kind| (HANDS[kind].0..HANDS[kind].0 + HANDS[kind].1).contains(&place));
        return kind.map_or(UNSEEN, |kind| HAND_NUMBERS[kind][theirs] + place - HANDS[kind].0);
    }
    let (plane, square) = ((element - IN_HAND) / 81, usize::from((element - IN_HAND) % 81));
    let square = if mirrored { mirror(square) } else { square };
    BOARD_NUMBERS[usize::from(plane / 2)] + 81 * (plane % 2) + square as u16
}

/// Mirrors a square: file 1 becomes file 9.
const fn mirror(square: usize) -> usize {
    9 * (8 - square / 9) + square % 9
}

/// Mirrors the king's square to files 1 to 5 if necessary, and returns whether the board must be mirrored.
const fn folded(square: usize) -> (usize, bool) {
    if square >= 45 { (mirror(square), true) } else { (square, false) }
}

const fn plain(square: usize) -> (usize, bool) {
    (square, false)
}

fn set(
    name: (&'static str, usize),
    per_king: u16,
    fold: fn(usize) -> (usize, bool),
    place: impl Fn(u16) -> u16,
) -> FeatureSet {
    let king = |_, square| {
        let (seen, mirrored) = fold(square);
        (u32::from(per_king) * seen as u32, mirrored)
    };
    let place = |_, mirrored, element| place(number(element, mirrored));
    FeatureSet::new(name, shogi::ELEMENTS, king, place, shogi::SQUARES).seeing_missing()
}

const fn without_kings(number: u16) -> u16 {
    if number >= END { UNSEEN } else { number }
}

const fn kings_in_one_plane(number: u16) -> u16 {
    if number >= ONE_KING_END { number - 81 } else { number }
}

pub fn half_kp() -> FeatureSet {
    set(("HalfKP", 125_388), END, plain, without_kings)
}

pub fn half_kp_vm() -> FeatureSet {
    set(("HalfKP_vm", 69_660), END, folded, without_kings)
}

/// K+P: separate features for kings and for pieces, not for pairs of a king and a piece.
pub fn k_p() -> FeatureSet {
    set(("K+P", 1_710), 0, plain, |number| number)
}

pub fn half_ka1() -> FeatureSet {
    set(("HalfKA1", 138_510), KINGS_END, plain, |number| number)
}

pub fn half_ka_hm1() -> FeatureSet {
    set(("HalfKA_hm1", 76_950), KINGS_END, folded, |number| number)
}

pub fn half_ka2() -> FeatureSet {
    set(("HalfKA2", 131_949), ONE_KING_END, plain, kings_in_one_plane)
}

pub fn half_ka_hm2() -> FeatureSet {
    set(("HalfKA_hm2", 73_305), ONE_KING_END, folded, kings_in_one_plane)
}

/// All feature sets that other shogi programs use.
pub const ALL: [fn() -> FeatureSet; 7] = [half_kp, half_kp_vm, k_p, half_ka1, half_ka_hm1, half_ka2, half_ka_hm2];

/// The feature set of Hasami's own format: all fourteen kinds of pieces and both hands, with the board mirrored so that
/// the king stands on files 1 to 5, and with the king's squares grouped into buckets.
pub fn own(buckets: &[u8; 81]) -> FeatureSet {
    let count = usize::from(buckets.iter().copied().max().unwrap_or(0)) + 1;
    FeatureSet::new(
        ("2344", shogi::ELEMENTS * count),
        shogi::ELEMENTS,
        |_, square| {
            let (seen, mirrored) = folded(square);
            (shogi::ELEMENTS as u32 * u32::from(buckets[seen]), mirrored)
        },
        |_, mirrored, element| {
            let in_hand = usize::from(IN_HAND);
            if element < in_hand || !mirrored {
                return element as u16;
            }
            let (plane, square) = ((element - in_hand) / 81, (element - in_hand) % 81);
            (in_hand + 81 * plane + mirror(square)) as u16
        },
        shogi::SQUARES,
    )
}
