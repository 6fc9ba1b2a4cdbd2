//! Polyglot's `.bin` format: entries of 16 bytes, sorted by key. Each entry consists of big-endian numbers: key (8
//! bytes), move (2), weight (2), learning data (4).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::BookError;
use super::Pages;
use hasami_api::Game;
use hasami_protocol::settings::BookChoice;

struct PolyglotEntry {
    key: u64,
    code: u16,
    weight: u16,
}

/// A Polyglot book in memory.
pub(super) struct Polyglot<G> {
    /// The entries of the book, sorted by key, then by decreasing weight.
    entries: Vec<PolyglotEntry>,
    /// Polyglot's hash of a position.
    key: fn(&G) -> u64,
}

impl PolyglotEntry {
    const SIZE: usize = 16;

    fn read(bytes: &[u8; Self::SIZE]) -> Self {
        let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, w0, w1, ..] = *bytes;
        Self {
            key: u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            code: u16::from_be_bytes([m0, m1]),
            weight: u16::from_be_bytes([w0, w1]),
        }
    }

    /// The move in UCI notation, except that castling is written as king takes rook, which the parser of chess moves
    /// accepts. From the lowest bit, `code` holds the target's file and rank, the origin's file and rank (3 bits each),
    /// and the promotion piece (0 for none).
    fn text(&self) -> String {
        let square = |shift: u16| {
            let file = b'a' + (self.code >> shift & 7) as u8;
            let rank = b'1' + (self.code >> (shift + 3) & 7) as u8;
            [char::from(file), char::from(rank)]
        };
        let promotion = ["", "n", "b", "r", "q"].get(usize::from(self.code >> 12 & 7)).copied().unwrap_or_default();
        square(6).into_iter().chain(square(0)).chain(promotion.chars()).collect()
    }
}

impl<G> Polyglot<G> {
    pub fn read(bytes: &[u8], key: fn(&G) -> u64) -> Result<Self, BookError> {
        let (chunks, rest) = bytes.as_chunks::<{ PolyglotEntry::SIZE }>();
        if !rest.is_empty() || chunks.is_empty() {
            return Err(BookError::Polyglot(bytes.len()));
        }
        let mut entries: Vec<_> = chunks.iter().map(PolyglotEntry::read).collect();
        // Some books are not sorted, for example because someone merged two books.
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight)));
        Ok(Self { entries, key })
    }
}

impl<G: Game> Pages<G> for Polyglot<G> {
    fn moves(&self, game: &G, _: &BookChoice) -> Vec<(G::Move, u32)> {
        let key = (self.key)(game);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let here = self.entries.get(first..).unwrap_or_default().iter().take_while(|entry| entry.key == key);
        // Moves with weight 0 must not be played.
        here.filter(|entry| entry.weight > 0)
            .filter_map(|entry| Some((game.parse_move(&entry.text()).ok()?, entry.weight.into())))
            .collect()
    }
}
