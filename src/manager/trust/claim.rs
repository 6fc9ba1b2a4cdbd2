//! A value that is withheld until another worker has checked it.

use hasami_api::{Bound, MoveText, Report, Score};
use hasami_tree::event::{MachineId, Time, WorkerId};
use hasami_tree::{Finding, NodeId};
use std::time::Duration;

/// A value is withheld if it would change the move at the root and differs by more than this many centipawns.
pub const JUMP: i32 = 150;
/// Greater changes are treated as a change by this number of centipawns.
const MOST: i32 = 600;
/// Minimum depth in plies at which a value that does not decide the game confirms or contradicts a claim.
const DEEP_ENOUGH: u16 = 8;
/// A search that checks a value takes as long as the machine has taken to find the value, between [`SHORTEST`] and
/// [`LONGEST`].
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_millis(1000);

/// The state of the second search.
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
    /// Time that the machine has spent on the claimed value.
    pub age: Duration,
    /// Whether the claim says that a move is good, rather than that no move is better than the value.
    pub rises: bool,
    /// The last result of the second search, if it was deep enough.
    pub found: Option<Score>,
    /// The last report of the second search about the position of the node.
    pub other: Option<Report>,
}

/// Returns whether a move is bad: the value that the emergency search gives it, `look`, is far below the accepted
/// value.
pub fn is_blunder(accepted: Score, look: Score) -> bool {
    look.raw().saturating_add(JUMP) < accepted.raw()
}

/// Returns whether the found move differs from the accepted one, and its value differs much from the accepted value.
pub fn is_jump(accepted: (MoveText, Score), found: (MoveText, Score)) -> bool {
    accepted.0 != found.0 && accepted.1.raw().abs_diff(found.1.raw()) > JUMP as u32
}

impl ValueClaim {
    /// Creates a claim. `is_ours` is set if the side to move at the root is also to move at the node.
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

    /// The move that is claimed to be better.
    pub fn better_move(&self) -> Option<MoveText> {
        self.finding.pv.first().copied().filter(|_| self.rises)
    }

    pub fn length(&self) -> Duration {
        self.age.clamp(SHORTEST, LONGEST)
    }

    /// Returns whether another search with this value confirms the claim: it must show at least half of the change or,
    /// if the change is small, be close to the claim.
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

    /// Handles a report about the position of the node. Returns true if the report settles the claim.
    pub fn hear(&mut self, report: &Report) -> bool {
        if !self.rises && report.depth >= DEEP_ENOUGH && !report.pv.is_empty() {
            self.other = Some(report.clone());
        }
        self.hear_value(report.score, report.bound, report.depth)
    }

    /// Handles a report about the position after the claimed move.
    pub fn hear_of_reply(&mut self, report: &Report) -> bool {
        self.hear_value(report.score.for_parent(), report.bound.flipped(), report.depth)
    }

    fn hear_value(&mut self, value: Score, bound: Bound, depth: u16) -> bool {
        if depth < DEEP_ENOUGH && !value.is_decisive() {
            return false;
        }
        let confirms = self.is_confirmed_by(value);
        let open_end = if self.rises { Bound::Upper } else { Bound::Lower };
        // A bound counts only if all values that it allows lead to the same verdict.
        let says_nothing = if confirms { bound == open_end } else { bound != Bound::Exact && bound != open_end };
        if !says_nothing {
            self.found = Some(value);
        }
        confirms && !says_nothing
    }

    /// Returns whether the second search has confirmed the claim by its end; `None` if it has shown nothing.
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
        let told = |depth, bound, cp| {
            let mut claim = claim(0, 200);
            let report = Report { depth, bound, ..Report::new(Score::cp(cp)) };
            (claim.hear_of_reply(&report), claim.verdict())
        };
        assert_eq!(told(DEEP_ENOUGH, Bound::Exact, -150), (true, Some(true)));
        assert_eq!(told(DEEP_ENOUGH, Bound::Exact, 300), (false, Some(false)));
        assert_eq!(told(DEEP_ENOUGH - 1, Bound::Exact, -150), (false, None));
        assert_eq!(told(DEEP_ENOUGH, Bound::Upper, -150), (true, Some(true)), "the reply is worth no more");
        assert_eq!(told(DEEP_ENOUGH, Bound::Lower, -150), (false, None), "it may be worth more");
        assert_eq!(told(DEEP_ENOUGH, Bound::Lower, 300), (false, Some(false)));
        assert_eq!(told(DEEP_ENOUGH, Bound::Upper, 300), (false, None));
    }
}
