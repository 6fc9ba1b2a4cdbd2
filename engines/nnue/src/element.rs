//! A position as a set of *elements*: a piece of a side on a square, or the n-th piece of a kind in a hand.
//!
//! Each is named twice, once as each side sees it: its own pieces first, its own first rank at the bottom. Feature sets of
//! all networks are made of these numbers and of the kings' squares.
//!
//! | game | element |
//! | --- | --- |
//! | chess, 768 | 64 x plane + square; plane 2 x role (pawn to king) + 1 if the other side's; a1 = 0, b1 = 1, ..., h8 = 63; the second player sees the board upside down (square xor 56) |
//! | shogi, 2,344 | hands first: own pawns 0 to 17, lances, knights, silvers 4 each, bishops, rooks 2 each, golds 4, then the other side's 38; 76 + 81 x plane + square; plane 2 x kind + 1 if the other side's; 1a = 0, 1b = 1, ..., 9i = 80; the second player sees it turned around (80 - square) |

use hasami_api::Game;

/// An element as the first and as the second player see it.
pub type Pair = [u16; 2];

/// At most so many elements come or go by a move: two for a capture, two for castling.
const MOST: usize = 2;

/// A short list of elements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Few {
    pairs: [Pair; MOST],
    count: u8,
}

impl Few {
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

/// What a move changes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes {
    pub gone: Few,
    pub come: Few,
}

/// A set of elements, as one side sees them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elements([u64; Elements::WORDS]);

impl Default for Elements {
    fn default() -> Self {
        Self([0; Self::WORDS])
    }
}

impl Elements {
    /// Room for those of shogi.
    const WORDS: usize = 2_344_usize.div_ceil(64);

    #[inline]
    pub fn insert(&mut self, element: u16) {
        self.0[usize::from(element / 64)] |= 1 << (element % 64);
    }

    /// Calls `gone` for what is here and not in `other`, `come` for the reverse.
    #[inline]
    pub fn differ(&self, other: &Self, mut gone: impl FnMut(u16), mut come: impl FnMut(u16)) {
        for (word, (&mine, &its)) in self.0.iter().zip(&other.0).enumerate() {
            let mut bits = mine ^ its;
            while bits != 0 {
                let bit = bits.trailing_zeros();
                let element = (word as u32 * 64 + bit) as u16;
                if mine >> bit & 1 != 0 {
                    gone(element)
                } else {
                    come(element)
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

/// A game whose positions a network can see.
pub trait Inputs: Game {
    /// Number of elements of the game.
    #[doc(hidden)]
    const ELEMENTS: usize;

    /// Positions by which the scales of networks are compared.
    #[doc(hidden)]
    const SAMPLE: &str;

    /// Mean of the absolute values that the margins of the search are made for, in those positions.
    #[doc(hidden)]
    const USUAL_SPREAD: i32;

    /// Pieces of an even game, kings included.
    #[doc(hidden)]
    const MOST_PIECES: usize;

    /// The kings' squares, each as its own side sees it.
    #[doc(hidden)]
    fn kings(&self) -> [u8; 2];

    /// All elements, as each side sees them.
    #[doc(hidden)]
    fn elements(&self) -> [Elements; 2];

    /// What `m` changes, and the kings after it. `m` is legal here.
    #[doc(hidden)]
    fn changes(&self, m: Self::Move) -> (Changes, [u8; 2]);

    /// Pieces that the game is short of, for networks that see those as well.
    #[doc(hidden)]
    fn missing(&self) -> u8;

    /// Pieces on the board, kings included.
    #[doc(hidden)]
    fn pieces(&self) -> u32;
}
