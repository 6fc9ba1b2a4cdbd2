//! A value that is withheld until another worker has checked it.

use hasami_api::{Bound, MoveText, Report, Score};
use hasami_tree::event::{MachineId, Time, WorkerId};
use hasami_tree::{Finding, NodeId};
use std::time::Duration;

/// A value is withheld if it would change the move at the root and differs by more than this many centipawns.
pub const JUMP: i32 = 150;
/// Changes of a value are capped at this number of centipawns.
const MOST: i32 = 600;
/// A value confirms or contradicts a claim only if it decides the game or comes from at least this depth in plies.
const DEEP_ENOUGH: u16 = 8;
/// Checking a value takes as long as the machine took to find it, but at least [`SHORTEST`] and at most [`LONGEST`].
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_millis(1000);

/// The state of the second search, by another worker, that checks a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecondSearch {
    Wanted,
    /// The worker was told to end its task so that it can run the second search.
    Called(WorkerId),
    Running(WorkerId),
}

/// A withheld value. All scores are from the point of view of the side to move at the node.
#[derive(Debug)]
pub struct ValueClaim {
    pub number: u32,
    pub machine: MachineId,
    pub node: NodeId,
    pub finding: Finding,
    /// The value that was accepted before the claim.
    pub before: Score,
    pub second: SecondSearch,
    /// How long the machine took to find the claimed value.
    pub age: Duration,
    /// True if the machine claims that a certain move is good, rather than that all moves are bad.
    pub rises: bool,
    /// The last conclusive value from another worker: deep enough, and no bound that leaves the verdict open.
    pub found: Option<Score>,
    /// If the claim is that no move is better: another worker's last report on the node's position.
    pub other: Option<Report>,
}

/// Returns whether a move is bad: `look`, its value in the emergency search, is far below the accepted value.
pub fn is_blunder(accepted: Score, look: Score) -> bool {
    look.raw().saturating_add(JUMP) < accepted.raw()
}

/// Returns whether the moves differ, and their values differ by more than [`JUMP`].
pub fn is_jump(accepted: (MoveText, Score), found: (MoveText, Score)) -> bool {
    accepted.0 != found.0 && accepted.1.raw().abs_diff(found.1.raw()) > JUMP as u32
}

impl ValueClaim {
    /// Creates a claim. `is_ours` says whether the same side is to move at the node and at the root.
    pub fn new(
        number: u32,
        (machine, node): (MachineId, NodeId),
        finding: Finding,
        (before, is_ours): (Score, bool),
        age: Time,
    ) -> Self {
        let change = finding.score.raw().saturating_sub(before.raw());
        let rises = if change.abs() > JUMP { change > 0 } else { is_ours };
        Self {
            number,
            machine,
            node,
            finding,
            before,
            second: SecondSearch::Wanted,
            age,
            rises,
            found: None,
            other: None,
        }
    }

    /// The move that is claimed to be good; `None` if the claim is that no move is good.
    pub fn better_move(&self) -> Option<MoveText> {
        self.finding.pv.first().copied().filter(|_| self.rises)
    }

    pub fn length(&self) -> Duration {
        self.age.clamp(SHORTEST, LONGEST)
    }

    /// Returns whether this value from another worker confirms the claim. To confirm a claim, a value must show at
    /// least half of the claimed change or, if that change is small, be close to the claimed value.
    pub fn is_confirmed_by(&self, value: Score) -> bool {
        let (before, said) = (self.before.raw(), self.finding.score.raw());
        let change = said.saturating_sub(before);
        let least = match change.abs() > JUMP {
            true => before + change.clamp(-MOST, MOST) / 2,
            false if self.rises => said - JUMP,
            false => said + JUMP,
        };
        if self.rises { value.raw() >= least } else { value.raw() <= least }
    }

    /// Handles another worker's report on the node's position. Returns whether the report confirms the claim.
    pub fn hear(&mut self, report: &Report) -> bool {
        if !self.rises && report.depth >= DEEP_ENOUGH && !report.pv.is_empty() {
            self.other = Some(report.clone());
        }
        self.hear_value(report.score, report.bound, report.depth)
    }

    /// Handles a report on the position after the claimed move. Returns whether the report confirms the claim.
    pub fn hear_of_reply(&mut self, report: &Report) -> bool {
        self.hear_value(report.score.for_parent(), report.bound.flipped(), report.depth)
    }

    fn hear_value(&mut self, value: Score, bound: Bound, depth: u16) -> bool {
        if depth < DEEP_ENOUGH && !value.is_decisive() {
            return false;
        }
        let confirms = self.is_confirmed_by(value);
        let open_end = if self.rises { Bound::Upper } else { Bound::Lower };
        // A bound is ignored unless all values that it allows lead to the same verdict.
        let says_nothing = if confirms { bound == open_end } else { bound != Bound::Exact && bound != open_end };
        if !says_nothing {
            self.found = Some(value);
        }
        confirms && !says_nothing
    }

    /// Returns whether the last conclusive value confirms the claim; `None` if there is no conclusive value.
    pub fn verdict(&self) -> Option<bool> {
        self.found.map(|value| self.is_confirmed_by(value))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_tree::Arena;

    fn claim(before: i32, says: i32) -> ValueClaim {
        let report = Report { depth: 99, pv: vec!["a1".parse().unwrap()], ..Report::new(Score::cp(says)) };
        let node = Arena::default().insert(());
        ValueClaim::new(1, (MachineId(7), node), Finding::from_report(&report), (Score::cp(before), true), Time::ZERO)
    }

    #[test]
    fn only_another_move_with_a_distant_value_is_a_jump() {
        let [a, b] = ["a1", "b1"].map(|text| text.parse::<MoveText>().unwrap());
        assert!(!is_jump((a, Score::cp(0)), (a, Score::cp(900))), "the move stays");
        assert!(!is_jump((a, Score::cp(0)), (b, Score::cp(JUMP))));
        assert!(is_jump((a, Score::cp(0)), (b, Score::cp(JUMP + 1))));
        assert!(is_jump((a, Score::cp(20)), (b, Score::cp(-200))), "all moves are said to be bad");
    }

    #[test]
    fn half_of_a_change_confirms_it() {
        let rise = claim(0, 200);
        assert!(rise.is_confirmed_by(Score::cp(100)) && !rise.is_confirmed_by(Score::cp(99)));
        let drop = claim(50, -150);
        assert!(drop.is_confirmed_by(Score::cp(-50)) && !drop.is_confirmed_by(Score::cp(-49)));
        assert!(claim(0, 9_000).is_confirmed_by(Score::cp(300)), "a won game is won");
        assert_eq!((rise.better_move().is_some(), drop.better_move()), (true, None));
    }

    #[test]
    fn without_a_large_change_the_value_of_the_move_is_checked() {
        let claim = claim(-800, -850);
        assert!(claim.better_move().is_some());
        assert!(claim.is_confirmed_by(Score::cp(-1000)) && !claim.is_confirmed_by(Score::cp(-1001)));
    }

    #[test]
    fn shallow_searches_and_open_bounds_say_nothing() {
        let outcome = |depth, bound, cp| {
            let mut claim = claim(0, 200);
            let report = Report { depth, bound, ..Report::new(Score::cp(cp)) };
            (claim.hear_of_reply(&report), claim.verdict())
        };
        assert_eq!(outcome(DEEP_ENOUGH, Bound::Exact, -150), (true, Some(true)));
        assert_eq!(outcome(DEEP_ENOUGH, Bound::Exact, 300), (false, Some(false)));
        assert_eq!(outcome(DEEP_ENOUGH - 1, Bound::Exact, -150), (false, None));
        assert_eq!(outcome(DEEP_ENOUGH, Bound::Upper, -150), (true, Some(true)), "the reply is worth no more");
        assert_eq!(outcome(DEEP_ENOUGH, Bound::Lower, -150), (false, None), "it may be worth more");
        assert_eq!(outcome(DEEP_ENOUGH, Bound::Lower, 300), (false, Some(false)));
        assert_eq!(outcome(DEEP_ENOUGH, Bound::Upper, 300), (false, None));
    }
}
