//! Checks whether engines kept their limits in a finished game. Only the game record is read, so games from other
//! machines can be checked, too.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::control::TimeControl;
use hasami_api::{GameRecord, Line, PlayedMove, ScoreKind, Side};
use hasami_catalog::GameRules;
use hasami_protocol::client::{keeps_depth, keeps_nodes};
use hasami_words::text::counted;

/// Games with fewer moves of an engine are not judged. An engine that ignores its limit exceeds it in most moves of a
/// game.
const LEAST_MOVES: usize = 4;

/// Describes the limit on nodes or plies that a player ignored in a game; `None` with a clock, because a clock may end
/// a search early.
pub fn ignored(catalog: &dyn GameRules, record: &GameRecord, side: Side, control: &TimeControl) -> Option<String> {
    if control.is_timed() {
        return None;
    }
    let start = Line { start: record.start.clone(), moves: Vec::new() };
    let first = catalog.referee(&start).ok()?.side();
    let own = record.moves.iter().skip(usize::from(first != side)).step_by(2).filter(|played| !played.book);
    // A search may end early once it has found a mate.
    let is_open = |played: &&PlayedMove| !played.score.is_some_and(|score| matches!(score.kind(), ScoreKind::Mate(_)));
    let moves = own.filter(is_open);
    type Effort = (u64, bool);
    let (limit, unit, mut found): (u64, _, Vec<Effort>) = match (control.nodes, control.depth) {
        (Some(limit), _) => {
            let nodes = moves.filter_map(|played| played.nodes);
            (limit, "node", nodes.map(|found| (found, keeps_nodes(limit, found))).collect())
        }
        (None, Some(limit)) => {
            let depths = moves.filter_map(|played| played.depth);
            let kept = |found: u16| (found.into(), keeps_depth(limit, found));
            (limit.into(), "ply", depths.map(kept).collect())
        }
        (None, None) => return None,
    };
    let far = found.iter().filter(|(_, is_kept)| !is_kept).count();
    if found.len() < LEAST_MOVES || 2 * far <= found.len() {
        return None;
    }
    found.sort_unstable();
    let median = counted(found[found.len() / 2].0, unit);
    let (limit, moves) = (counted(limit, unit), found.len());
    Some(format!("searched {median} where the limit is {limit} (the median of {moves} moves)"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_api::Score;
    use std::time::Duration;

    fn control(words: &[(&str, u64)]) -> TimeControl {
        let mut control = TimeControl::default();
        for &(word, value) in words {
            match word {
                "nodes" => control.nodes = Some(value),
                "depth" => control.depth = Some(value as u16),
                _ => control.move_time = Some(Duration::from_millis(value)),
            }
        }
        control
    }

    /// A game in which both sides make the same moves after one book move.
    fn record(count: usize, played: impl Fn(usize) -> PlayedMove) -> GameRecord {
        let book = PlayedMove { book: true, nodes: Some(1), ..PlayedMove::new("e2e4".parse().unwrap()) };
        let moves = std::iter::once(book).chain((0..2 * count).map(|at| played(at / 2))).collect();
        GameRecord { moves, ..GameRecord::default() }
    }

    fn played() -> PlayedMove {
        PlayedMove::new("e2e4".parse().unwrap())
    }

    fn ignored(record: &GameRecord, control: &TimeControl) -> Option<String> {
        let of = |side| super::ignored(hasami_games::GAMES.first(), record, side, control);
        assert_eq!(of(Side::Second), of(Side::First), "the book move belongs to neither player");
        of(Side::First)
    }

    #[test]
    fn an_engine_that_answers_after_few_nodes_ignores_its_limit() {
        let nodes = |nodes: u64| record(10, move |at| PlayedMove { nodes: Some(nodes + at as u64), ..played() });
        let limit = control(&[("nodes", 1_000)]);
        let text = "searched 10 nodes where the limit is 1000 nodes (the median of 10 moves)";
        assert_eq!(ignored(&nodes(5), &limit), Some(text.to_owned()));
        for kept in [250, 1_000, 4_096, 10_900] {
            assert_eq!(ignored(&nodes(kept), &limit), None, "{kept}");
        }
        assert!(ignored(&nodes(1_000_000), &limit).is_some());
        assert_eq!(
            ignored(&nodes(5), &control(&[("nodes", 1_000), ("movetime", 10)])),
            None,
            "the time limit may end the search"
        );
        let depth = |depth| record(10, move |_| PlayedMove { depth: Some(depth), ..played() });
        assert!(ignored(&depth(2), &control(&[("depth", 20)])).is_some());
        assert_eq!(ignored(&depth(18), &control(&[("depth", 20)])), None);
    }

    #[test]
    fn few_moves_and_decided_positions_say_nothing_about_a_limit() {
        let limit = control(&[("nodes", 1_000)]);
        let short = record(3, |_| PlayedMove { nodes: Some(1), ..played() });
        assert_eq!(ignored(&short, &limit), None);
        let score = Some(Score::win_in(3));
        let decided = record(9, |_| PlayedMove { nodes: Some(1), score, ..played() });
        assert_eq!(ignored(&decided, &limit), None);
        let some = record(8, |at| PlayedMove { nodes: Some(if at % 2 == 0 { 1 } else { 1_000 }), ..played() });
        assert_eq!(ignored(&some, &limit), None, "only half of the moves");
    }
}
