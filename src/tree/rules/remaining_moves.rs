//! The remaining moves ("others" in the papers) of a node are the moves that do not have their own node. In the games
//! of GPSshogi, more than half of the leaf workers searched remaining moves.

use hasami_api::MoveText;

/// Minimum share of the remaining moves while they have not been searched since the best move got its own node. Only a
/// search of the remaining moves can show that one of them has become the best move.
const UNVERIFIED_SHARE: f64 = 0.5;

/// The share of the remaining moves for the assignment of workers, derived from their share in the model.
pub fn share_of_remaining(model: f64, is_known: bool) -> f64 {
    if is_known { model.max(0.0) } else { model.max(UNVERIFIED_SHARE) }
}

/// Returns whether an answer about the remaining moves is useless, because it names a move with its own node.
pub fn is_refused(first: Option<MoveText>, with_nodes: &[MoveText]) -> bool {
    first.is_some_and(|first| with_nodes.contains(&first))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn unverified_remaining_moves_get_a_minimum_share() {
        assert_eq!(share_of_remaining(0.1, true), 0.1);
        assert_eq!(share_of_remaining(0.1, false), UNVERIFIED_SHARE);
        assert_eq!(share_of_remaining(0.7, false), 0.7);
    }

    #[test]
    fn an_answer_about_a_move_with_a_node_is_refused() {
        let text = |text: &str| text.parse::<MoveText>().unwrap();
        assert!(is_refused(Some(text("e2e4")), &[text("d2d4"), text("e2e4")]));
        assert!(!is_refused(Some(text("c2c4")), &[text("d2d4")]));
        assert!(!is_refused(None, &[text("d2d4")]));
    }
}
