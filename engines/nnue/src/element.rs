//! A position as a set of *elements*: a piece of one side on a square, or the n-th piece of a kind in one side's hand.
//!
//! Each element has one number for each side's point of view: the side's own pieces come first, and its own first rank
//! is at the bottom. All feature sets are built from the numbers of the elements and the squares of the kings.
//!
//! | game | element |
//! | --- | --- |
//! | chess, 768 | 64 x plane + square; plane: 2 x role (pawn to king), + 1 for the other side's pieces; squares: a1 = 0, b1 = 1, ..., h8 = 63; for the second player the board is flipped vertically (square xor 56) |
//! | shogi, 2,344 | hands first: own pawns 0 to 17, then lances, knights, silvers (4 each), bishops, rooks (2 each), golds (4), then the 38 of the other side; board: 76 + 81 x plane + square; plane: 2 x kind, + 1 for the other side's pieces; squares: 1a = 0, 1b = 1, ..., 9i = 80; for the second player the board is rotated (80 - square) |

use hasami_api::Game;

/// The numbers of an element from the points of view of the first and the second player.
pub type Pair = [u16; 2];

/// The most elements that one move can add, and also the most that it can remove: two, by a capture or by castling.
const MOST: usize = 2;

/// A list of at most two elements, which a move adds or removes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ElementList {
    pairs: [Pair; MOST],
    count: u8,
}

impl ElementList {
    #[inline]
    pub fn push(&mut self, pair: Pair) {
        self.pairs[usize::from(self.count)] = pair;
        self.count += 1;
    }

    #[inline]
    pub fn as_slice(&self) -> &[Pair] {
        &self.pairs[..usize::from(self.count)]
    }
}

/// The elements that a move adds and removes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes {
    pub removed: ElementList,
    pub added: ElementList,
}

/// A set of elements, numbered from the point of view of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elements([u64; Elements::WORDS]);

impl Default for Elements {
    fn default() -> Self {
        Self([0; Self::WORDS])
    }
}

impl Elements {
    /// Number of 64-bit words that hold one bit for each element of shogi, the game with the most elements.
    const WORDS: usize = 2_344_usize.div_ceil(64);

    #[inline]
    pub fn insert(&mut self, element: u16) {
        self.0[usize::from(element / 64)] |= 1 << (element % 64);
    }

    /// Calls `removed` for each element that is only in `self`, and `added` for each element that is only in `other`.
    #[inline]
    pub fn differ(&self, other: &Self, mut removed: impl FnMut(u16), mut added: impl FnMut(u16)) {
        for (word, (&mine, &its)) in self.0.iter().zip(&other.0).enumerate() {
            let mut bits = mine ^ its;
            while bits != 0 {
                let bit = bits.trailing_zeros();
                let element = (word as u32 * 64 + bit) as u16;
                if mine >> bit & 1 != 0 {
                    removed(element)
                } else {
                    added(element)
                }
                bits &= bits - 1;
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| (word * 64 + bit) as u16)
        })
    }
}

/// A game whose positions can be evaluated by a network.
pub trait Inputs: Game {
    /// Number of different elements in the game.
    const ELEMENTS: usize;

    /// Sample positions, one per line, in which the spread of a network's outputs is measured.
    const SAMPLE: &str;

    /// Mean absolute evaluation of the [`Self::SAMPLE`] positions, in centipawns, by the evaluator for which the search
    /// margins were tuned.
    const USUAL_SPREAD: i32;

    /// Number of pieces at the start of an even game, including the kings.
    const MOST_PIECES: usize;

    /// Returns the square of each king from the point of view of the king's side.
    fn kings(&self) -> [u8; 2];

    /// Returns all elements of the position, once from each side's point of view.
    fn elements(&self) -> [Elements; 2];

    /// Returns the elements that the legal move `m` adds and removes, and the squares of the kings after the move.
    fn changes(&self, m: Self::Move) -> (Changes, [u8; 2]);

    /// Number of pieces by which the position falls short of a full set, for networks with a feature for missing
    /// pieces.
    fn missing(&self) -> u8;

    /// Number of pieces on the board, including the kings.
    fn pieces(&self) -> u32;
}
