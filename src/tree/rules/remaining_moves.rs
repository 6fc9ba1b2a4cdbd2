//! The remaining moves ("others" in the papers) are those moves of a node that do not have their own node. In the games
//! of GPSshogi, more than half of the leaf workers searched remaining moves.

use hasami_api::MoveText;

/// Smallest share of the remaining moves if they have not been searched since the best move got its own node. The best
/// move was found by a worker that searched all moves together, and only a search of the remaining moves can show that
/// another move is better now.
const UNVERIFIED_SHARE: f64 = 0.5;

/// The share of the remaining moves that is used to assign workers, derived from that of the model.
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
