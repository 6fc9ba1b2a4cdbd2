//! The table of positions, with one result per board and hand of the attacker.
//!
//! More pieces in hand never hurt the attacker, because the defender then lacks these pieces. A brinkmate with one hand
//! remains a brinkmate with a better hand, and a position without a brinkmate has none with a worse hand. The paper
//! compares hands only to detect loops, whereas this implementation also uses the comparison for lookups.
//!
//! The algorithm in the paper's appendix looks up brinkmates and refutations, but not the result that there is no
//! brinkmate within a depth. This implementation also looks up a result that is limited to a depth, but only in the
//! iteration that found it. With results of earlier iterations, a position that leads into a cycle would stay undecided
//! forever, because each iteration would use the previous iteration's result with two plies fewer.

use hasami_api::Hand;
use std::collections::HashMap;

/// The result for a position, which does not depend on the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KnownBrinkmate<M> {
    /// The attacker has a brinkmate of the stored number of plies; the move is stored if the attacker is to move.
    Brinkmate(u16, Option<M>),
    /// The attacker has no brinkmate. `cut` is true if an inner search that might have found a threat reached its
    /// limit.
    Refuted { cut: bool },
    /// The attacker has no brinkmate within the stored number of plies; 0 if nothing is known.
    Unknown(u16),
}

/// The moves kept for a position: for the attacker, the moves that remain after all moves have been examined; for the
/// defender, the move that was tried last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct KeptMoves<M> {
    pub(super) moves: Box<[M]>,
    /// True if an inner search for a threat reached its limit on an attacking move removed from `moves`.
    pub(super) cut: bool,
}

struct BrinkmateEntry<M> {
    hand: Hand,
    known: KnownBrinkmate<M>,
    iteration: u16,
    kept: Option<KeptMoves<M>>,
}

pub(super) struct BrinkmateTable<M> {
    boards: HashMap<u64, Vec<BrinkmateEntry<M>>>,
    iteration: u16,
    bytes: usize,
    most: usize,
}

impl<M: Copy> BrinkmateTable<M> {
    /// Creates a table that takes at most about `most` bytes.
    pub(super) fn with_bytes(most: usize) -> Self {
        Self { boards: HashMap::new(), iteration: 0, bytes: 0, most }
    }

    pub(super) fn next_iteration(&mut self) {
        self.iteration += 1;
    }

    /// Returns the best result for a position from the results stored for its hand and for other hands. Of several
    /// brinkmates, the shortest is returned.
    pub(super) fn get(&self, board: u64, hand: Hand) -> KnownBrinkmate<M> {
        let mut known = KnownBrinkmate::Unknown(0);
        for entry in self.boards.get(&board).into_iter().flatten() {
            match (entry.known, known) {
                (KnownBrinkmate::Brinkmate(plies, _), KnownBrinkmate::Brinkmate(best, _)) if plies >= best => {}
                (KnownBrinkmate::Brinkmate(..), _) if hand.covers(entry.hand) => known = entry.known,
                (KnownBrinkmate::Refuted { .. }, _) if entry.hand.covers(hand) => return entry.known,
                (KnownBrinkmate::Unknown(plies), KnownBrinkmate::Unknown(most))
                    if entry.iteration == self.iteration && plies > most && entry.hand.covers(hand) =>
                {
                    known = entry.known;
                }
                _ => {}
            }
        }
        known
    }

    /// Returns the moves kept for exactly this board and hand.
    pub(super) fn kept(&self, board: u64, hand: Hand) -> Option<&KeptMoves<M>> {
        let entry = self.boards.get(&board)?.iter().find(|entry| entry.hand == hand)?;
        entry.kept.as_ref()
    }

    /// Stores a result and the kept moves of a position; if `known` is `None`, only the kept moves change.
    pub(super) fn put(&mut self, board: u64, hand: Hand, known: Option<KnownBrinkmate<M>>, kept: Option<KeptMoves<M>>) {
        let size_of_moves = |kept: &Option<KeptMoves<M>>| kept.as_ref().map_or(0, |kept| size_of_val(&*kept.moves));
        let size = size_of::<BrinkmateEntry<M>>() + size_of_moves(&kept);
        // A full table is cleared, which costs time but does not affect correctness.
        if self.bytes + size > self.most {
            self.boards.clear();
            self.bytes = 0;
        }
        let iteration = self.iteration;
        let entries = self.boards.entry(board).or_default();
        match entries.iter_mut().find(|entry| entry.hand == hand) {
            Some(entry) => {
                let old = size_of::<BrinkmateEntry<M>>() + size_of_moves(&entry.kept);
                self.bytes = (self.bytes + size).saturating_sub(old);
                match (entry.known, known) {
                    (
                        KnownBrinkmate::Brinkmate(..),
                        Some(KnownBrinkmate::Refuted { .. } | KnownBrinkmate::Unknown(_)),
                    ) => {}
                    (KnownBrinkmate::Unknown(before), Some(KnownBrinkmate::Unknown(plies)))
                        if plies <= before && entry.iteration == iteration => {}
                    (_, Some(known)) => (entry.known, entry.iteration) = (known, iteration),
                    (_, None) => {}
                }
                entry.kept = kept;
            }
            None => {
                // The first entry of a board takes about 64 bytes more than later entries.
                self.bytes += size + if entries.is_empty() { 64 } else { 0 };
                entries.push(BrinkmateEntry {
                    hand,
                    known: known.unwrap_or(KnownBrinkmate::Unknown(0)),
                    iteration,
                    kept,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(pawns: u32) -> Hand {
        Hand::EMPTY.with(0, pawns)
    }

    fn kept(moves: &[u32]) -> Option<KeptMoves<u32>> {
        Some(KeptMoves { moves: moves.into(), cut: false })
    }

    #[test]
    fn results_for_one_hand_hold_for_others() {
        let mut table = BrinkmateTable::with_bytes(1 << 20);
        table.put(7, hand(2), Some(KnownBrinkmate::Brinkmate(5, Some(1))), None);
        table.put(7, hand(4), Some(KnownBrinkmate::Brinkmate(3, Some(2))), None);
        table.put(7, hand(0), Some(KnownBrinkmate::Refuted { cut: true }), None);
        table.put(7, hand(1), Some(KnownBrinkmate::Unknown(7)), kept(&[8, 9]));
        assert_eq!(table.get(7, hand(5)), KnownBrinkmate::Brinkmate(3, Some(2)));
        assert_eq!(table.get(7, hand(3)), KnownBrinkmate::Brinkmate(5, Some(1)));
        assert_eq!(table.get(7, hand(1)), KnownBrinkmate::Unknown(7));
        assert_eq!(table.get(7, hand(0)), KnownBrinkmate::Refuted { cut: true });
        assert_eq!(table.get(8, hand(1)), KnownBrinkmate::Unknown(0));
        assert_eq!((table.kept(7, hand(1)).cloned(), table.kept(7, hand(2))), (kept(&[8, 9]), None));
        table.put(7, hand(1), Some(KnownBrinkmate::Unknown(3)), kept(&[9]));
        assert_eq!((table.get(7, hand(1)), table.kept(7, hand(1)).cloned()), (KnownBrinkmate::Unknown(7), kept(&[9])));
        table.put(7, hand(1), None, kept(&[]));
        assert_eq!(table.get(7, hand(1)), KnownBrinkmate::Unknown(7));
        table.next_iteration();
        assert_eq!(table.get(7, hand(1)), KnownBrinkmate::Unknown(0), "a result of another iteration");
        assert_eq!(table.get(7, hand(3)), KnownBrinkmate::Brinkmate(5, Some(1)));
    }

    #[test]
    fn a_full_table_is_cleared() {
        let mut table: BrinkmateTable<u32> = BrinkmateTable::with_bytes(10_000);
        for board in 0..1_000 {
            table.put(board, hand(1), Some(KnownBrinkmate::Unknown(3)), kept(&[0; 8]));
            assert_eq!(table.get(board, hand(1)), KnownBrinkmate::Unknown(3));
        }
        assert!(table.boards.len() < 100, "{} boards in 10,000 bytes", table.boards.len());
        assert_eq!(table.get(0, hand(1)), KnownBrinkmate::Unknown(0));
    }
}
