//! Proof and disproof pieces (Nagai 2002): the smallest hand of the attacker for which a proof holds, and the largest
//! for which a disproof holds. For a given board, the attacker's hand determines the defender's hand, because both
//! hands together always hold the same pieces.

use hasami_api::Hand;

/// Returns the attacker's pieces of the kinds that the defender does not have in hand; if the attacker did not hold
/// these pieces, the defender could interpose them.
pub(crate) fn kept_from(attacker: Hand, defender: Hand) -> Hand {
    let kept = (0..Hand::KINDS).filter(|&kind| defender.count(kind) == 0);
    kept.fold(Hand::EMPTY, |hand, kind| hand.with(kind, attacker.count(kind)))
}

/// Returns the attacker's largest hand that consists only of kinds in the attacker's current hand, so that no other
/// drops are possible.
pub(crate) fn without_checks(attacker: Hand, defender: Hand) -> Hand {
    (0..Hand::KINDS).fold(Hand::EMPTY, |hand, kind| match attacker.count(kind) {
        0 => hand,
        count => hand.with(kind, count + defender.count(kind)),
    })
}

/// Returns the attacker's hand after an attacking move, given the hand before it.
pub(crate) fn after_attack(before: Hand, dropped: Option<(usize, u8)>, won: Option<usize>) -> Hand {
    match (dropped, won) {
        (Some((kind, _)), _) => before.minus_one(kind),
        (None, Some(kind)) => before.plus_one(kind),
        (None, None) => before,
    }
}

/// Returns the attacker's hand before an attacking move, given the hand after it.
pub(crate) fn before_attack(after: Hand, dropped: Option<(usize, u8)>, won: Option<usize>) -> Hand {
    match (dropped, won) {
        (Some((kind, _)), _) => after.plus_one(kind),
        (None, Some(kind)) => after.minus_one(kind),
        (None, None) => after,
    }
}

/// Returns the largest hand of the attacker for which the defender can make a move and the disproof after it holds.
pub(crate) fn before_defence(after: Hand, attacker: Hand, defender: Hand, dropped: Option<(usize, u8)>) -> Hand {
    let total = |kind: usize| attacker.count(kind) + defender.count(kind);
    (0..Hand::KINDS).fold(Hand::EMPTY, |hand, kind| {
        let spent = u32::from(dropped.is_some_and(|(spent, _)| spent == kind));
        hand.with(kind, after.count(kind).min(total(kind) - spent))
    })
}
