//! The weights of the evaluation: their groups in the data file, and where each feature stands.

use hasami_api::Group;
use rsshogi::types::Square;

/// Kinds of pieces, by [`PieceType`](rsshogi::types::PieceType); 0 stays empty.
pub const KINDS: usize = 15;
/// Differences of file and rank from -8 to 8.
pub const OFFSETS: usize = 17 * 17;
/// Steps of the opponent's attacking power in hand.
pub const POWERS: usize = 8;

/// Numbers of a group with `features` features: opening and ending.
const fn group(name: &'static str, features: usize) -> Group {
    (name, 2 * features)
}

/// The groups of the data file, in order.
pub const GROUPS: &[Group] = &[
    group("material", KINDS),
    // By kind and count in hand.
    group("hand", 8 * HAND_COUNTS),
    // By kind and square as its owner sees it.
    group("square", KINDS * 81),
    // By kind and offset from the own king, then from the enemy king, as the piece's owner sees it.
    group("own_king", KINDS * OFFSETS),
    group("enemy_king", KINDS * OFFSETS),
    // By kind of mobility and squares attacked that own men do not hold.
    group("mobility", MOBILITY_KINDS * MOBILITY_COUNTS),
    // By the number of squares beside the king and the opponent's power in hand.
    group("king.attacked", 9 * POWERS),
    group("king.undefended", 9 * POWERS),
    group("king.escapes", 9 * POWERS),
    // Beside the king, attacked twice; in the wider zone, attacked.
    group("king.attacked_twice", 9),
    group("king.zone", 26),
    // By kind of the own piece, for the side that waits and for the side to move.
    group("threat.hanging", 2 * KINDS),
    group("threat.pawn", 2 * KINDS),
    group("threat.minor", 2 * KINDS),
    // Files without an own pawn while one is in hand.
    group("pawn.open_files", 10),
    group("tempo", 1),
];

pub const HAND_COUNTS: usize = 19;
pub const MOBILITY_KINDS: usize = 8;
pub const MOBILITY_COUNTS: usize = 24;

pub const MATERIAL: usize = first("material");
pub const HAND: usize = first("hand");
pub const SQUARE: usize = first("square");
pub const OWN_KING: usize = first("own_king");
pub const ENEMY_KING: usize = first("enemy_king");
pub const MOBILITY: usize = first("mobility");
pub const KING_ATTACKED: usize = first("king.attacked");
pub const KING_UNDEFENDED: usize = first("king.undefended");
pub const KING_ESCAPES: usize = first("king.escapes");
pub const KING_ATTACKED_TWICE: usize = first("king.attacked_twice");
pub const KING_ZONE: usize = first("king.zone");
pub const HANGING: usize = first("threat.hanging");
pub const PAWN_THREAT: usize = first("threat.pawn");
pub const MINOR_THREAT: usize = first("threat.minor");
pub const OPEN_FILES: usize = first("pawn.open_files");
pub const TEMPO: usize = first("tempo");
pub const FEATURES: usize = TEMPO + 1;

/// The first feature of a group.
const fn first(name: &str) -> usize {
    let (mut i, mut offset) = (0, 0);
    while i < GROUPS.len() {
        if same(GROUPS[i].0.as_bytes(), name.as_bytes()) {
            return offset;
        }
        offset += GROUPS[i].1 / 2;
        i += 1;
    }
    panic!("no such group")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// The number of `to - from` as [`OFFSETS`] counts.
pub fn offset(from: Square, to: Square) -> usize {
    let files = to.file().raw() - from.file().raw() + 8;
    let ranks = to.rank().raw() - from.rank().raw() + 8;
    files as usize * 17 + ranks as usize
}

/// The opening's and the ending's value in one number, so that both are added at once.
pub type Pair = i32;

pub const fn pair(opening: i32, ending: i32) -> Pair {
    (ending << 16) + opening
}

pub const fn opening(pair: Pair) -> i32 {
    pair as i16 as i32
}

pub const fn ending(pair: Pair) -> i32 {
    (pair + 0x8000) >> 16
}
