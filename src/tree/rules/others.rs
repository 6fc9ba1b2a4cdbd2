//! "Others" get a worker only where they are close: in the games of GPSshogi more than half of the leaf workers sat there.

use hasami_api::{MoveText, Score};

/// Others further behind than this, in centipawns, are left alone.
const WIDEST_GAP: i32 = 80;

/// Share of others that nobody has looked at since the best move got its own node: that move was best for a worker that
/// searched it together with them, and only they can show that it no longer is.
const UNVERIFIED_SHARE: f64 = 0.5;

/// The share of others for allocation, from the model's.
pub fn share(model: f64, is_known: bool) -> f64 {
    if is_known { model.max(0.0) } else { model.max(UNVERIFIED_SHARE) }
}

/// Do others with this value deserve a worker beside a best move with that one? Unknown others are looked at once.
pub fn are_wanted(best: Option<Score>, others: Option<Score>) -> bool {
    match (best, others) {
        (Some(best), Some(others)) => best.raw().saturating_sub(others.raw()) <= WIDEST_GAP,
        _ => true,
    }
}

/// An answer about "others" that names a move with its own node says nothing about them.
pub fn is_refused(first: Option<MoveText>, with_nodes: &[MoveText]) -> bool {
    first.is_some_and(|first| with_nodes.contains(&first))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_wide_gap_needs_no_worker() {
        let best = Some(Score::cp(0));
        assert!(are_wanted(best, Some(Score::cp(-WIDEST_GAP))));
        assert!(!are_wanted(best, Some(Score::cp(-WIDEST_GAP - 1))));
        assert!(are_wanted(best, None) && are_wanted(None, None));
        assert!(!are_wanted(Some(Score::win_in(3)), Some(Score::loss_in(4))), "no overflow at the ends");
    }

    #[test]
    fn unknown_others_come_before_deeper_lines() {
        assert_eq!(share(0.1, true), 0.1);
        assert_eq!(share(0.1, false), UNVERIFIED_SHARE);
        assert_eq!(share(0.7, false), 0.7);
    }

    #[test]
    fn an_answer_about_a_move_with_a_node_is_refused() {
        let text = |text: &str| text.parse::<MoveText>().unwrap();
        assert!(is_refused(Some(text("e2e4")), &[text("d2d4"), text("e2e4")]));
        assert!(!is_refused(Some(text("c2c4")), &[text("d2d4")]));
        assert!(!is_refused(None, &[text("d2d4")]));
    }
}
