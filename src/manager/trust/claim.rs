//! One value that is held back until somebody else has looked.

use hasami_api::{Bound, MoveText, Report, Score};
use hasami_tree::event::{MachineId, Time, WorkerId};
use hasami_tree::{Finding, NodeId};
use std::time::Duration;

/// A value that would change the move at the root by more than this is held back.
pub const JUMP: i32 = 150;
/// Of a greater change so much counts.
const MOST: i32 = 600;
/// What a shallower search says confirms nothing and contradicts nothing.
const DEEP_ENOUGH: u16 = 8;
/// A search that confirms gets as long as the machine has searched, within these.
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_millis(1000);

/// The other search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecondSearch {
    Wanted,
    /// This worker was told to end its task for it.
    Called(WorkerId),
    Running(WorkerId),
}

/// See the module. Values are those of the side to move at the node.
#[derive(Debug)]
pub struct ValueClaim {
    pub number: u32,
    pub machine: MachineId,
    pub node: NodeId,
    pub finding: Finding,
    /// By what has counted so far.
    pub before: Score,
    pub second: SecondSearch,
    /// How long the machine has searched for it.
    pub age: Duration,
    rises: bool,
    /// What the other search has found last, if it was deep enough.
    found: Option<Score>,
    /// The same as it was told, about the position of the node.
    pub other: Option<Report>,
}

/// A small search of ours finds the other move bad.
pub fn is_blunder(accepted: Score, look: Score) -> bool {
    look.raw().saturating_add(JUMP) < accepted.raw()
}

/// Is it another move than the accepted one, and is its value far from that one's?
pub fn is_jump(accepted: (MoveText, Score), found: (MoveText, Score)) -> bool {
    accepted.0 != found.0 && accepted.1.raw().abs_diff(found.1.raw()) > JUMP as u32
}

impl ValueClaim {
    /// `is_ours`: whose move it is at the root moves at the node, too.
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

    /// A move is said to be good; otherwise all moves are said to be no better than this.
    pub fn is_rise(&self) -> bool {
        self.rises
    }

    /// The move that is said to be better.
    pub fn better_move(&self) -> Option<MoveText> {
        self.finding.pv.first().copied().filter(|_| self.rises)
    }

    pub fn length(&self) -> Duration {
        self.age.clamp(SHORTEST, LONGEST)
    }

    /// Another search has come to this value: it sees at least half of the change, or nothing that is far from the claim
    /// where that is no great change.
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

    /// A report about the position of the node. True: that is enough.
    pub fn hear(&mut self, report: &Report) -> bool {
        if !self.rises && report.depth >= DEEP_ENOUGH && !report.pv.is_empty() {
            self.other = Some(report.clone());
        }
        self.hear_value(report.score, report.bound, report.depth)
    }

    /// The same about the position after the move.
    pub fn hear_of_reply(&mut self, report: &Report) -> bool {
        let bound = match report.bound {
            Bound::Exact => Bound::Exact,
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        };
        self.hear_value(report.score.for_parent(), bound, report.depth)
    }

    fn hear_value(&mut self, value: Score, bound: Bound, depth: u16) -> bool {
        if depth < DEEP_ENOUGH && !value.is_decisive() {
            return false;
        }
        let confirms = self.is_confirmed_by(value);
        let open_end = if self.rises { Bound::Upper } else { Bound::Lower };
        // "At most so much" does not show that it is so much, nor "at least" that it is no more.
        let says_nothing = if confirms { bound == open_end } else { bound != Bound::Exact && bound != open_end };
        if !says_nothing {
            self.found = Some(value);
        }
        confirms && !says_nothing
    }

    /// What the other search has shown until its end; `None`: nothing.
    pub fn verdict(&self) -> Option<bool> {
        self.found.map(|value| self.is_confirmed_by(value))
    }

    pub fn found(&self) -> Option<Score> {
        self.found
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
    fn only_another_move_with_a_far_value_is_a_jump() {
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
    fn where_the_value_is_as_before_the_move_is_looked_at() {
        let claim = claim(-800, -850);
        assert!(claim.better_move().is_some());
        assert!(claim.is_confirmed_by(Score::cp(-1000)) && !claim.is_confirmed_by(Score::cp(-1001)));
    }

    #[test]
    fn a_shallow_search_and_an_open_bound_say_nothing() {
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
