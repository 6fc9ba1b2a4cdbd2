//! Table entries for the question whether there is a mate within a number of plies. All entries of one key, whatever
//! the number of plies and the hand, lie in one cluster. A mate within some plies is also a mate within more plies, and
//! if there is no mate within some plies, there is none within fewer.

use super::table::MateTable;
use super::value::{INFINITE, ProofNumbers};
use hasami_api::Hand;

/// Flag added to the plies in a note: the entry holds for the stored hand only.
const EXACT: i16 = 1 << 14;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownWithin {
    Nothing,
    Open {
        pn: u32,
        dn: u32,
    },
    /// There is a mate within `plies` plies, for `hand` and, if the answer is general, for all hands that cover it.
    Yes {
        hand: Hand,
        is_general: bool,
        plies: usize,
    },
    /// There is no mate within `plies` plies, for `hand` and, if the answer is general, for all hands that it covers.
    No {
        hand: Hand,
        is_general: bool,
        plies: usize,
    },
}

const fn plies_of(value: &ProofNumbers) -> i16 {
    value.note & !EXACT
}

const fn is_general(value: &ProofNumbers) -> bool {
    value.note & EXACT == 0
}

impl MateTable {
    /// Returns the answer to the question whether there is a mate within `plies` plies, which must be less than 2^14.
    pub(crate) fn get_within(&self, key: u64, hand: Hand, plies: usize) -> KnownWithin {
        let plies = plies as i16;
        let (mut pn, mut dn, mut known) = (1, 1, false);
        let mut found = KnownWithin::Nothing;
        self.look_through(key, |value| {
            let (own, is_general) = (plies_of(value), is_general(value));
            let is_same = value.hand == hand;
            let (more, less) = (hand.covers(value.hand), value.hand.covers(hand));
            if value.is_proved() {
                if own <= plies && (is_same || is_general && more) {
                    found = KnownWithin::Yes { hand: value.hand, is_general, plies: own as usize };
                }
            } else if value.is_disproved() {
                if own >= plies && (is_same || is_general && less) {
                    found = KnownWithin::No { hand: value.hand, is_general, plies: own as usize };
                }
            } else if is_same {
                // A mate within fewer plies is no easier to prove, and a mate within more plies is no easier to refute.
                if own >= plies {
                    pn = pn.max(value.pn);
                }
                if own <= plies {
                    dn = dn.max(value.dn);
                }
                known = true;
            }
        });
        match found {
            KnownWithin::Nothing if known => KnownWithin::Open { pn, dn },
            found => found,
        }
    }

    /// Stores the answer to the question whether there is a mate within `plies` plies. `hand` is the hand of the
    /// position; a decided answer contains the hand for which it holds.
    pub(crate) fn put_within(&self, key: u64, hand: Hand, plies: usize, known: KnownWithin, work: u32) {
        let plies = plies as i16;
        let note = |is_general| if is_general { plies } else { plies | EXACT };
        let value = match known {
            KnownWithin::Nothing => return,
            KnownWithin::Open { pn, dn } => ProofNumbers { note: plies, ..ProofNumbers::open(pn, dn, hand) },
            KnownWithin::Yes { hand, is_general, .. } => {
                ProofNumbers { pn: 0, dn: INFINITE, hand, note: note(is_general) }
            }
            KnownWithin::No { hand, is_general, .. } => {
                ProofNumbers { pn: INFINITE, dn: 0, hand, note: note(is_general) }
            }
        };
        self.replace(key, value, work, |old| says_no_more(old, &value));
    }
}

/// Returns true if the new value contains all information of the old one.
fn says_no_more(old: &ProofNumbers, new: &ProofNumbers) -> bool {
    let (before, after) = (plies_of(old), plies_of(new));
    let is_same = old.hand == new.hand;
    let is_open = !old.is_decided();
    let replaces_exact = is_same && (is_open || !is_general(old));
    if new.is_proved() {
        !old.is_disproved()
            && before >= after
            && if is_general(new) { old.hand.covers(new.hand) } else { replaces_exact }
    } else if new.is_disproved() {
        !old.is_proved() && before <= after && if is_general(new) { new.hand.covers(old.hand) } else { replaces_exact }
    } else {
        is_open && is_same && before == after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(pawns: u32) -> Hand {
        Hand::EMPTY.with(0, pawns)
    }

    const YES: fn(u32, bool) -> KnownWithin =
        |pawns, is_general| KnownWithin::Yes { hand: hand(pawns), is_general, plies: 9 };
    const NO: fn(u32, bool) -> KnownWithin =
        |pawns, is_general| KnownWithin::No { hand: hand(pawns), is_general, plies: 5 };

    #[test]
    fn a_mate_holds_for_more_plies_and_its_absence_for_fewer() {
        let table = MateTable::for_nodes(1_000, 1 << 20);
        table.put_within(7, hand(2), 9, YES(2, true), 1);
        table.put_within(7, hand(2), 5, NO(2, true), 1);
        let found = [3, 5, 7, 9, 11].map(|plies| table.get_within(7, hand(2), plies));
        assert_eq!(found, [NO(2, true), NO(2, true), KnownWithin::Nothing, YES(2, true), YES(2, true)]);
        assert_eq!(table.get_within(7, hand(3), 9), YES(2, true), "more in hand");
        assert_eq!(table.get_within(7, hand(1), 9), KnownWithin::Nothing);
        assert_eq!(table.get_within(7, hand(1), 5), NO(2, true), "less in hand");
        assert_eq!(table.get_within(7, hand(3), 5), KnownWithin::Nothing);
        assert_eq!(table.get_within(8, hand(2), 9), KnownWithin::Nothing);
    }

    #[test]
    fn answers_that_are_not_general_hold_for_their_hand_only() {
        let table = MateTable::for_nodes(1_000, 1 << 20);
        table.put_within(7, hand(2), 9, YES(2, false), 1);
        table.put_within(7, hand(2), 5, NO(2, false), 1);
        assert_eq!(
            [1, 2, 3].map(|pawns| table.get_within(7, hand(pawns), 9)),
            [KnownWithin::Nothing, YES(2, false), KnownWithin::Nothing]
        );
        assert_eq!(table.get_within(7, hand(2), 11), YES(2, false));
        assert_eq!(table.get_within(7, hand(1), 3), KnownWithin::Nothing);
    }

    #[test]
    fn open_numbers_bound_those_of_other_plies() {
        let table = MateTable::for_nodes(1_000, 1 << 20);
        table.put_within(7, hand(2), 7, KnownWithin::Open { pn: 5, dn: 3 }, 1);
        let found = [5, 7, 9].map(|plies| table.get_within(7, hand(2), plies));
        let open = |pn, dn| KnownWithin::Open { pn, dn };
        assert_eq!(found, [open(5, 1), open(5, 3), open(1, 3)]);
        table.put_within(7, hand(2), 9, YES(2, true), 1);
        assert_eq!(table.get_within(7, hand(2), 9), YES(2, true));
    }
}
