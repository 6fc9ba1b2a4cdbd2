//! Proof and disproof pieces (Nagai 2002): the smallest hand of the attacker for which a proof holds, and the largest
//! for which a disproof holds. Both hands together always hold the same pieces for one board, so the attacker's hand
//! determines the defender's hand.

use hasami_api::Hand;

/// Returns the attacker's pieces of those kinds of which the defender has none in hand. If the defender held such a
/// piece, it could interpose it.
pub(crate) fn kept_from(attacker: Hand, defender: Hand) -> Hand {
    let kept = (0..Hand::KINDS).filter(|&kind| defender.count(kind) == 0);
    kept.fold(Hand::EMPTY, |hand, kind| hand.with(kind, attacker.count(kind)))
}

/// Returns the attacker's largest hand that contains only the kinds of pieces that the attacker already has in hand, so
/// that it allows no other drops.
pub(crate) fn without_checks(attacker: Hand, defender: Hand) -> Hand {
    (0..Hand::KINDS).fold(Hand::EMPTY, |hand, kind| match attacker.count(kind) {
        0 => hand,
        count => hand.with(kind, count + defender.count(kind)),
    })
}

/// Returns the hand after the attacker's move, given the hand before it.
pub(crate) fn after_attack(before: Hand, dropped: Option<(usize, u8)>, won: Option<usize>) -> Hand {
    match (dropped, won) {
        (Some((kind, _)), _) => before.minus_one(kind),
        (None, Some(kind)) => before.plus_one(kind),
        (None, None) => before,
    }
}

/// Returns the hand before the attacker's move, given the hand after it.
pub(crate) fn before_attack(after: Hand, dropped: Option<(usize, u8)>, won: Option<usize>) -> Hand {
    match (dropped, won) {
        (Some((kind, _)), _) => after.plus_one(kind),
        (None, Some(kind)) => after.minus_one(kind),
        (None, None) => after,
    }
}

/// Returns the largest hand of the attacker for which the defender can play this move and the disproof after it holds.
pub(crate) fn before_defence(after: Hand, attacker: Hand, defender: Hand, dropped: Option<(usize, u8)>) -> Hand {
    let total = |kind: usize| attacker.count(kind) + defender.count(kind);
    (0..Hand::KINDS).fold(Hand::EMPTY, |hand, kind| {
        let spent = u32::from(dropped.is_some_and(|(spent, _)| spent == kind));
        hand.with(kind, after.count(kind).min(total(kind) - spent))
    })
}
