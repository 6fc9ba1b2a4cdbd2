//! Packs shogi positions into 40 bytes, in YaneuraOu's format ("PackedSfenValue", PSV).
//!
//! | bytes | content |
//! | --- | --- |
//! | 32 | the position as a Huffman code: side to move, kings, pieces on the board and in hand ("PackedSfen") |
//! | 2 | score for the side to move, centipawns |
//! | 2 | the move played, 0 if unknown |
//! | 2 | plies since the beginning of the game |
//! | 1 | result for the side to move: 1, 0, -1 |
//! | 1 | unused by others; here 1 if the result is unknown |

use crate::label::Label;
use crate::sample::Sample;
use hasami_api::Game;
use hasami_shogi::Shogi;
use once_cell::sync::Lazy;
use rsshogi::board::{PackedSfen, Position};

/// Size of a packed position, in bytes.
pub const BYTES: usize = 40;

const UNKNOWN: u8 = 1;

/// Number of elements for pieces in hand. `HANDS` lists, for each kind (pawn, lance, knight, silver, bishop, rook,
/// gold), its first element and the number of its elements per side.
const IN_HAND: u16 = 76;
const HANDS: [(u16, u16); 7] = [(0, 18), (18, 4), (22, 4), (26, 4), (30, 2), (32, 2), (34, 4)];
const MOST_PIECES: u32 = 40;
/// Number of squares that have a code: all squares except those of the kings, which are stored separately.
const CODED: u16 = 79;
const KING: u16 = 7;
const GOLD: u16 = 6;

/// For each kind of piece, in the order of [`HANDS`], its code (lowest bit first) and the number of bits.
const CODES: [(u8, u8); 7] =
    [(0b01, 2), (0b0011, 4), (0b1011, 4), (0b0111, 4), (0b01_1111, 6), (0b11_1111, 6), (0b0_1111, 5)];

/// Codes of pieces that are neither on the board nor in hand.
const BOXED: [(u8, u8); 7] =
    [(0b10, 2), (0b1001, 4), (0b1101, 4), (0b1011, 4), (0b10_1111, 6), (0b11_1111, 6), (0b1_1011, 5)];

/// An entry of a lookup table: describes the code at the beginning of the eight bits that index the entry.
#[derive(Clone, Copy, Default)]
struct Prefix {
    /// Length of the code in bits; 0 if the bits do not begin with a code.
    bits: u8,
    /// Kind and colour of the piece; `None` for an empty square or a piece that is not in the game.
    piece: Option<(u16, bool)>,
}

type Prefixes = [Prefix; 256];

fn enter(prefixes: &mut Prefixes, code: u8, bits: u8, piece: Option<(u16, bool)>) {
    for rest in 0..1u16 << (8 - bits) {
        prefixes[usize::from(u16::from(code) | rest << bits)] = Prefix { bits, piece };
    }
}

/// Codes of pieces on the board: the kind, whether it is promoted (except for gold), and the colour.
static BOARD: Lazy<Prefixes> = Lazy::new(|| {
    let mut prefixes = [Prefix::default(); 256];
    enter(&mut prefixes, 0, 1, None);
    for (kind, &(code, bits)) in (0u16..).zip(&CODES) {
        let forms = if kind == GOLD { 1 } else { 2 };
        for (promoted, white) in (0..forms).flat_map(|promoted| [(promoted, false), (promoted, true)]) {
            let tail = if kind == GOLD { u8::from(white) } else { promoted | u8::from(white) << 1 };
            let kind = kind + 8 * u16::from(promoted);
            enter(&mut prefixes, code | tail << bits, bits + forms, Some((kind, white)));
        }
    }
    prefixes
});

/// Codes of pieces in hand: those of unpromoted pieces on the board, without the first bit.
static HAND: Lazy<Prefixes> = Lazy::new(|| {
    let mut prefixes = [Prefix::default(); 256];
    for (kind, (&(code, bits), &(boxed, boxed_bits))) in (0u16..).zip(CODES.iter().zip(&BOXED)) {
        let promotion = u8::from(kind != GOLD);
        for white in [false, true] {
            let tail = u8::from(white) << (bits - 1 + promotion);
            enter(&mut prefixes, code >> 1 | tail, bits + promotion, Some((kind, white)));
        }
        enter(&mut prefixes, boxed, boxed_bits + promotion, None);
    }
    prefixes
});

/// A stream of 256 bits, followed by zeros. The lowest bit of the first byte comes first.
struct Bits {
    words: [u64; 6],
    at: usize,
}

impl Bits {
    #[inline]
    fn peek(&self) -> u64 {
        let (word, bit) = (self.at / 64, self.at % 64);
        // The left shift takes two steps, because a shift by 64 bits is not allowed.
        self.words[word] >> bit | self.words[word + 1] << 1 << (63 - bit)
    }

    #[inline]
    fn take(&mut self, count: usize) -> u64 {
        let value = self.peek() & ((1 << count) - 1);
        self.at += count;
        value
    }

    /// Skips at most `most` zero bits and returns their number, or `None` at the end of the stream.
    #[inline]
    fn skip_zeros(&mut self, most: u16) -> Option<u16> {
        let zeros = (self.peek().trailing_zeros() as u16).min(most);
        self.at += usize::from(zeros);
        (self.at <= 256).then_some(zeros)
    }

    /// Reads a code. Returns `None` if the bits are not a code or the stream has ended.
    #[inline]
    fn prefix(&mut self, prefixes: &Prefixes) -> Option<Option<(u16, bool)>> {
        let prefix = prefixes[(self.peek() & 255) as usize];
        self.at += usize::from(prefix.bits);
        (prefix.bits > 0 && self.at <= 256).then_some(prefix.piece)
    }
}

/// Packs a position. Returns `None` if the position lacks a king or has fewer pieces than a full set.
pub fn pack(game: &Shogi, label: &Label) -> Option<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    bytes[..32].copy_from_slice(game.position().try_to_packed_sfen().ok()?.as_bytes());
    bytes[32..34].copy_from_slice(&label.score.to_le_bytes());
    bytes[34..36].copy_from_slice(&label.best.to_le_bytes());
    bytes[36..38].copy_from_slice(&label.ply.to_le_bytes());
    match label.outcome.half_points(game.side()) {
        Some(half_points) => bytes[38] = half_points.wrapping_sub(1),
        None => bytes[39] = UNKNOWN,
    }
    Some(bytes)
}

/// Unpacks a position into `sample`. Returns false if the bytes are invalid.
#[inline]
pub fn read(bytes: &[u8; BYTES], sample: &mut Sample) -> bool {
    read_position(bytes, sample).is_some()
}

#[inline]
fn read_position(bytes: &[u8; BYTES], sample: &mut Sample) -> Option<()> {
    let mut bits = Bits { words: [0; 6], at: 0 };
    for (word, eight) in bits.words.iter_mut().zip(bytes[..32].as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*eight);
    }
    sample.clear();
    let white_moves = bits.take(1) == 1;
    let kings = [bits.take(7) as u16, bits.take(7) as u16];
    if kings.iter().any(|&king| king > 80) || kings[0] == kings[1] {
        return None;
    }
    // The elements are computed as Black and as White see them, and reordered so that the side to move comes first.
    let mut push = |pair: [u16; 2]| sample.push(if white_moves { [pair[1], pair[0]] } else { pair });
    let on_board = |kind: u16, white: bool, square: u16| {
        let theirs = u16::from(white);
        [IN_HAND + 81 * (2 * kind + theirs) + square, IN_HAND + 81 * (2 * kind + 1 - theirs) + (80 - square)]
    };
    push(on_board(KING, false, kings[0]));
    push(on_board(KING, true, kings[1]));
    let mut pieces = 2;
    // Each square without a king has a code. The code of an empty square is a single zero bit, and there are often many
    // in a row.
    let (low, high) = (kings[0].min(kings[1]), kings[0].max(kings[1]));
    let mut place = bits.skip_zeros(CODED)?;
    while place < CODED {
        if let Some((kind, white)) = bits.prefix(&BOARD)? {
            let square = place + u16::from(place >= low);
            push(on_board(kind, white, square + u16::from(square >= high)));
            pieces += 1;
        }
        place += 1;
        place += bits.skip_zeros(CODED - place)?;
    }
    let mut held = [[0; 7]; 2];
    while bits.at < 256 {
        if let Some((kind, white)) = bits.prefix(&HAND)? {
            let count = &mut held[usize::from(white)][usize::from(kind)];
            let (first, most) = HANDS[usize::from(kind)];
            if *count == most {
                return None;
            }
            let (own, theirs) = (first + *count, first + *count + IN_HAND / 2);
            push(if white { [theirs, own] } else { [own, theirs] });
            *count += 1;
        }
    }
    let in_hands: u16 = held.iter().flatten().sum();
    let points = bytes[38] as i8;
    if pieces + u32::from(in_hands) > MOST_PIECES || (bytes[39] != UNKNOWN && !(-1..=1).contains(&points)) {
        return None;
    }
    let seen = [kings[0] as u8, 80 - kings[1] as u8];
    sample.kings = if white_moves { [seen[1], seen[0]] } else { seen };
    sample.pieces = pieces;
    sample.score = i16::from_le_bytes([bytes[32], bytes[33]]);
    sample.result = (bytes[39] != UNKNOWN).then(|| f32::from(points) / 2.0 + 0.5);
    Some(())
}

/// Returns the position as SFEN with a move number, and whether White is to move; `None` if the bytes are invalid.
pub fn to_text(bytes: &[u8; BYTES]) -> Option<(String, bool)> {
    let packed = PackedSfen::from_bytes(bytes[..32].try_into().expect("32 bytes"));
    let text = Position::sfen_unpack(&packed).ok()?;
    // The SFEN that rsshogi unpacks has no valid move number.
    let fields: Vec<_> = text.split(' ').take(3).collect();
    let ply = u16::from_le_bytes([bytes[36], bytes[37]]);
    Some((format!("{} {}", fields.join(" "), u32::from(ply) + 1), fields.get(1) == Some(&"w")))
}
