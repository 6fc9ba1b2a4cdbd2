//! Checks whether engines kept their limits in a finished game. Only the record is used, so that games of this machine
//! and of others are treated alike.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::control::TimeControl;
use super::faults::FaultKind;
use hasami_api::{Ending, GameRecord, Line, PlayedMove, ScoreKind, Side};
use hasami_catalog::GameRules;
use hasami_protocol::client::{keeps_depth, keeps_nodes};
use hasami_words::text::counted;
use std::time::Duration;

/// Smallest number of moves for a verdict. An engine that ignores its limit exceeds it in most moves of a game.
const LEAST_MOVES: usize = 4;
/// A loss on time by less than this is more likely due to the machine than to the engine.
const CLOSE: Duration = Duration::from_millis(50);

/// The limits of the players in one game.
pub struct GameLimits<'a> {
    record: &'a GameRecord,
    /// The side that makes the first move of the record.
    first: Side,
    /// The factor of all times on the machine that played the game.
    scale: f64,
}

impl<'a> GameLimits<'a> {
    /// The limits for a record; `None` if the record does not begin with a valid position.
    pub fn of(catalog: &dyn GameRules, record: &'a GameRecord, scale: f64) -> Option<Self> {
        let start = Line { start: record.start.clone(), moves: Vec::new() };
        let first = catalog.referee(&start).ok()?.side();
        Some(Self { record, first, scale })
    }

    /// A player's violations of its limits that did not lose the game.
    pub fn faults(&self, side: Side, control: &TimeControl) -> Vec<(FaultKind, String)> {
        let ignored = self.ignored_limit(side, control).map(|text| (FaultKind::IgnoredLimit, text));
        self.overruns(side, control).into_iter().chain(ignored).collect()
    }

    /// A remark if the player lost the game on time by a small amount.
    pub fn close_loss(&self, side: Side, control: &TimeControl) -> Option<String> {
        let GameRecord { ending, overrun, outcome, .. } = self.record;
        let is_lost = *ending == Ending::TimeLoss && outcome.half_points(side) == Some(0);
        let overrun = overrun.filter(|by| is_lost && *by < control.margin() + CLOSE)?;
        let margin = ((overrun + CLOSE).as_millis() as u64).next_multiple_of(10);
        Some(format!(
            "lost a game on time by {} ms, which a busy machine may cost; timemargin={margin} would forgive it",
            overrun.as_millis()
        ))
    }

    /// The moves of the player, without book moves.
    fn moves(&self, side: Side) -> impl Iterator<Item = &'a PlayedMove> {
        let parity = usize::from(self.first != side);
        self.record.moves.iter().skip(parity).step_by(2).filter(|played| !played.book)
    }

    /// The number of moves that overran their time within the margin, and the longest overrun.
    fn overruns(&self, side: Side, control: &TimeControl) -> Option<(FaultKind, String)> {
        let scaled = |time: Duration| time.mul_f64(self.scale);
        let mut left = scaled(control.main + control.increment);
        let mut found = Vec::new();
        for played in self.moves(side) {
            let allowance = match control.move_time {
                Some(time) => Some(scaled(time)),
                None => control.has_clock().then(|| left + scaled(control.byoyomi)),
            };
            left = played.left.unwrap_or_default();
            // Engines are given whole milliseconds.
            let used = played.time.map(|used| Duration::from_millis(used.as_millis() as u64));
            found.extend(allowance.zip(used).and_then(|(allowance, used)| used.checked_sub(allowance)));
        }
        found.retain(|overrun| !overrun.is_zero());
        let longest_ms = found.iter().max()?.as_millis() as u32;
        let count = found.len() as u32;
        Some((
            FaultKind::Overruns { count, longest_ms },
            format!("{} overran the time limit, by at most {longest_ms} ms", counted(count, "move")),
        ))
    }

    /// The limit that the player ignored. `None` with a clock, because a clock may end a search early.
    fn ignored_limit(&self, side: Side, control: &TimeControl) -> Option<String> {
        if control.is_timed() {
            return None;
        }
        // A search that has found a mate may end early.
        let is_open =
            |played: &&PlayedMove| !played.score.is_some_and(|score| matches!(score.kind(), ScoreKind::Mate(_)));
        let moves = self.moves(side).filter(is_open);
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
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_api::{Outcome, Score};

    fn control(words: &[(&str, u64)]) -> TimeControl {
        let mut control = TimeControl::default();
        for &(word, value) in words {
            match word {
                "nodes" => control.nodes = Some(value),
                "depth" => control.depth = Some(value as u16),
                "movetime" => control.move_time = Some(Duration::from_millis(value)),
                "main" => control.main = Duration::from_millis(value),
                _ => control.margin = Some(Duration::from_millis(value)),
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

    fn faults(record: &GameRecord, control: &TimeControl, scale: f64) -> Vec<(FaultKind, String)> {
        let limits = GameLimits::of(hasami_games::GAMES.first(), record, scale).unwrap();
        let faults = limits.faults(Side::Second, control);
        assert_eq!(faults, limits.faults(Side::First, control), "the book move belongs to neither player");
        faults.into_iter().map(|(kind, text)| (kind, text.to_string())).collect()
    }

    #[test]
    fn an_engine_that_answers_after_few_nodes_ignores_its_limit() {
        let nodes = |nodes: u64| record(10, move |at| PlayedMove { nodes: Some(nodes + at as u64), ..played() });
        let limit = control(&[("nodes", 1_000)]);
        let text = "searched 10 nodes where the limit is 1000 nodes (the median of 10 moves)";
        assert_eq!(faults(&nodes(5), &limit, 1.0), [(FaultKind::IgnoredLimit, text.to_owned())]);
        for kept in [250, 1_000, 4_096, 10_900] {
            assert_eq!(faults(&nodes(kept), &limit, 1.0), [], "{kept}");
        }
        assert_eq!(faults(&nodes(1_000_000), &limit, 1.0).len(), 1);
        assert_eq!(
            faults(&nodes(5), &control(&[("nodes", 1_000), ("movetime", 10)]), 1.0),
            [],
            "the time limit may end the search"
        );
        let depth = |depth| record(10, move |_| PlayedMove { depth: Some(depth), ..played() });
        assert_eq!(faults(&depth(2), &control(&[("depth", 20)]), 1.0).len(), 1);
        assert_eq!(faults(&depth(18), &control(&[("depth", 20)]), 1.0), []);
    }

    #[test]
    fn few_moves_and_decided_positions_say_nothing_about_a_limit() {
        let limit = control(&[("nodes", 1_000)]);
        let short = record(3, |_| PlayedMove { nodes: Some(1), ..played() });
        assert_eq!(faults(&short, &limit, 1.0), []);
        let score = Some(Score::win_in(3));
        let decided = record(9, |_| PlayedMove { nodes: Some(1), score, ..played() });
        assert_eq!(faults(&decided, &limit, 1.0), []);
        let some = record(8, |at| PlayedMove { nodes: Some(if at % 2 == 0 { 1 } else { 1_000 }), ..played() });
        assert_eq!(faults(&some, &limit, 1.0), [], "only half of the moves");
    }

    #[test]
    fn overruns_are_counted_with_the_longest() {
        let time = |millis: &'static [u64]| {
            record(millis.len(), |at| PlayedMove {
                time: Some(Duration::from_micros(millis[at] * 1_000 + 9)),
                ..played()
            })
        };
        let fixed = control(&[("movetime", 100)]);
        let found = faults(&time(&[100, 103, 99, 107]), &fixed, 1.0);
        assert_eq!(found[0].0, FaultKind::Overruns { count: 2, longest_ms: 7 });
        assert_eq!(found[0].1, "2 moves overran the time limit, by at most 7 ms");
        assert_eq!(faults(&time(&[100, 103, 199]), &fixed, 2.0), [], "a slow machine");
        let clock = control(&[("main", 1_000)]);
        let left = |millis| Some(Duration::from_millis(millis));
        let lasts = record(2, |at| PlayedMove { time: left([990, 15][at]), left: left([10, 0][at]), ..played() });
        assert_eq!(faults(&lasts, &clock, 1.0)[0].0, FaultKind::Overruns { count: 1, longest_ms: 5 });
    }

    #[test]
    fn a_game_lost_by_a_few_milliseconds_is_remarked() {
        let lost = |millis| GameRecord {
            outcome: Outcome::Win(Side::Second),
            ending: Ending::TimeLoss,
            overrun: Some(Duration::from_millis(millis)),
            ..GameRecord::default()
        };
        let close = |millis, side, control: &[_]| {
            let record = lost(millis);
            let limits = GameLimits::of(hasami_games::GAMES.first(), &record, 1.0).unwrap();
            limits.close_loss(side, &self::control(control)).map(|text| text.to_string())
        };
        let text = "lost a game on time by 3 ms, which a busy machine may cost; timemargin=60 would forgive it";
        assert_eq!(close(3, Side::First, &[("main", 1_000)]).as_deref(), Some(text));
        assert_eq!(close(3, Side::Second, &[("main", 1_000)]), None, "the winner");
        assert_eq!(close(900, Side::First, &[("main", 1_000)]), None);
        assert!(close(60, Side::First, &[("movetime", 100)]).is_some_and(|text| text.contains("timemargin=110")));
    }
}
