//! Tells a master's user which machines join and leave, in one line for all changes within a second.

use super::{counted_workers, size_words};
use hasami_tree::event::Time;
use std::time::Duration;

/// The reason reported for the loss of a slot that the master gave back.
pub const RETURNED: &str = "returned";

/// How long changes are collected, counted from the first one, before all of them are reported together.
const TOGETHER: Duration = Duration::from_secs(1);
/// Time from the start of reporting during which additional slots of known machines are reported; later, the number of
/// slots changes only with the masters' shares.
const BEGINNING: Duration = Duration::from_secs(3);

/// Collects changes of membership and describes them in lines of text.
#[derive(Default)]
pub struct MembershipNotices {
    /// The time when reporting began; earlier changes are not reported.
    opened: Option<Time>,
    /// Number of worker nodes and number of slots in the last report.
    counts: (usize, usize),
    came: Vec<String>,
    /// The lost machines: name, number of lost workers, and reason.
    lost: Vec<(String, usize, String)>,
    due: Option<Time>,
}

impl MembershipNotices {
    /// Starts reporting changes. `counts` holds the present numbers of worker nodes and slots.
    pub fn open(&mut self, now: Time, counts: (usize, usize)) {
        *self = Self { opened: Some(now), counts, ..Self::default() };
    }

    /// Notes that a known machine has lent another slot.
    pub fn grew(&mut self, now: Time) {
        if self.opened.is_some_and(|opened| now < opened + BEGINNING) {
            self.due = self.due.or(Some(now + TOGETHER));
        }
    }

    pub fn came(&mut self, now: Time, name: &str) {
        // A machine that was lost only for a moment is not reported.
        match self.lost.iter().position(|(other, ..)| other == name) {
            Some(at) => drop(self.lost.swap_remove(at)),
            None => self.came.push(name.to_owned()),
        }
        self.due = self.due.or(Some(now + TOGETHER));
    }

    pub fn lost(&mut self, now: Time, name: &str, workers: usize, why: &str) {
        match self.came.iter().position(|other| other == name) {
            Some(at) => drop(self.came.swap_remove(at)),
            None => self.lost.push((name.to_owned(), workers, why.to_owned())),
        }
        self.due = self.due.or(Some(now + TOGETHER));
    }

    /// Returns the report, if one is due. `nodes` and `slots` are the present numbers of worker nodes and slots.
    pub fn take(&mut self, now: Time, (nodes, slots): (usize, usize)) -> Option<String> {
        self.due.take_if(|due| *due <= now)?;
        let (came, lost) = (std::mem::take(&mut self.came), std::mem::take(&mut self.lost));
        let mut parts: Vec<String> = Vec::new();
        match lost.as_slice() {
            [] => {}
            // The reason for giving back the slot has already been reported.
            [(name, workers, why)] if why == RETURNED => {
                parts.push(format!("{name} is set aside with {}", counted_workers(*workers)));
            }
            [(name, workers, why)] => {
                parts.push(format!("{name} is lost with {}: {why}", counted_workers(*workers)));
            }
            many => {
                let workers = many.iter().map(|(_, workers, _)| *workers).sum();
                parts.push(format!("{} machines are lost with {}", many.len(), counted_workers(workers)));
            }
        }
        match came.as_slice() {
            [] => {}
            [name] => parts.push(format!("{name} has come")),
            many => parts.push(format!("{} machines have come", many.len())),
        }
        let before = std::mem::replace(&mut self.counts, (nodes, slots));
        if self.opened.is_none() || parts.is_empty() && before == (nodes, slots) {
            return None;
        }
        parts.push(if slots == 0 { "no worker is left".to_owned() } else { size_words(slots, nodes) });
        let and = |first, second| format!("{first}; {second}");
        Some(format!("cluster: {}", parts.into_iter().reduce(and)?))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const fn at(ms: u64) -> Time {
        Duration::from_millis(ms)
    }

    fn open() -> MembershipNotices {
        let mut notices = MembershipNotices::default();
        notices.open(at(0), (1, 4));
        notices
    }

    #[test]
    fn a_machine_set_aside_is_not_reported_as_lost() {
        let mut notices = MembershipNotices::default();
        notices.open(Time::ZERO, (2, 2));
        notices.lost(Time::from_secs(5), "pc1", 1, RETURNED);
        let line = notices.take(Time::from_secs(7), (1, 1)).unwrap();
        assert!(line.to_string().starts_with("cluster: pc1 is set aside with 1 worker; "), "{line}");
    }

    #[test]
    fn changes_within_a_second_are_reported_in_one_line() {
        let mut notices = open();
        notices.came(at(0), "pc1");
        assert_eq!(notices.take(at(999), (1, 4)), None);
        assert_eq!(notices.take(at(1_000), (1, 4)).as_deref(), Some("cluster: pc1 has come; 4 workers on 1 machine"));
        assert_eq!(notices.take(at(9_000), (1, 4)), None, "reported once");
        notices.lost(at(9_000), "pc1", 4, "its hasami worker was stopped");
        let line = notices.take(at(10_000), (0, 0));
        let expected = "cluster: pc1 is lost with 4 workers: its hasami worker was stopped; no worker is left";
        assert_eq!(line.as_deref(), Some(expected));
        for pc in 0..100 {
            notices.lost(at(20_000 + pc), &format!("pc{pc}"), 2, "silence");
            notices.came(at(20_000 + pc), &format!("new{pc}"));
        }
        let line = notices.take(at(21_000), (100, 100));
        let expected =
            "cluster: 100 machines are lost with 200 workers; 100 machines have come; 100 workers on 100 machines";
        assert_eq!(line.as_deref(), Some(expected));
    }

    #[test]
    fn a_machine_that_is_back_at_once_is_not_reported() {
        let mut notices = open();
        notices.lost(at(0), "pc1", 4, "silence");
        notices.came(at(300), "pc1");
        assert_eq!(notices.take(at(1_000), (1, 4)), None);
        notices.came(at(2_000), "pc2");
        notices.lost(at(2_300), "pc2", 1, "silence");
        assert_eq!(notices.take(at(3_000), (1, 4)), None);
    }

    #[test]
    fn machines_from_before_the_opening_are_not_reported() {
        let mut notices = MembershipNotices::default();
        notices.came(at(0), "pc1");
        notices.open(at(0), (1, 4));
        assert_eq!(notices.take(at(5_000), (1, 4)), None);
    }

    #[test]
    fn slots_that_follow_shortly_after_the_opening_are_reported() {
        let mut notices = MembershipNotices::default();
        notices.came(at(0), "pc1");
        notices.open(at(500), (1, 1));
        notices.grew(at(600));
        notices.grew(at(900));
        assert_eq!(notices.take(at(1_600), (1, 3)).as_deref(), Some("cluster: 3 workers on 1 machine"));
        notices.grew(at(9_000));
        assert_eq!(notices.take(at(19_000), (1, 4)), None, "shares change all the time");
    }
}
