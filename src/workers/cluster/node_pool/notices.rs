//! A master's notices of machines that come and go: one line for all changes within a second. Of a machine that comes and
//! goes again and again only the losses are told by which their number has doubled.

use super::super::reasons;
use super::{counted_workers, size_words};
use hasami_tree::event::Time;
use hasami_words::Message;
use std::collections::BTreeMap;
use std::time::Duration;

/// Why a slot goes that this master does not want any more.
pub const RETURNED: &str = "returned";

/// After the first change, others are waited for so long.
const TOGETHER: Duration = Duration::from_secs(1);
/// Slots of machines that are there already are told when they follow so soon: later it is shares that change.
const BEGINNING: Duration = Duration::from_secs(3);

/// See the module.
#[derive(Default)]
pub struct MembershipNotices {
    /// Before that, nothing is told: everybody is new.
    opened: Option<Time>,
    /// Worker nodes and slots, as told last.
    told: (usize, usize),
    came: Vec<String>,
    /// With how many workers, and why.
    lost: Vec<(String, usize, String)>,
    /// How often each machine has been lost.
    losses: BTreeMap<String, u32>,
    due: Option<Time>,
}

impl MembershipNotices {
    /// Changes of so many worker nodes and slots are told from now on.
    pub fn open(&mut self, now: Time, told: (usize, usize)) {
        *self = Self { opened: Some(now), told, ..Self::default() };
    }

    /// Another slot of a machine that is there.
    pub fn grew(&mut self, now: Time) {
        if self.opened.is_some_and(|opened| now < opened + BEGINNING) {
            self.due = self.due.or(Some(now + TOGETHER));
        }
    }

    pub fn came(&mut self, now: Time, name: &str) {
        // Lost for a moment is not lost.
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

    /// The line that is due, where so many worker nodes and slots are there.
    pub fn take(&mut self, now: Time, (nodes, slots): (usize, usize)) -> Option<Message> {
        self.due.take_if(|due| *due <= now)?;
        let (came, lost) = (std::mem::take(&mut self.came), std::mem::take(&mut self.lost));
        let changes = came.len() + lost.len();
        lost.iter().for_each(|(name, ..)| *self.losses.entry(name.clone()).or_default() += 1);
        let (came, lost) = self.worth_a_word(came, lost);
        let is_counted_only = came.len() + lost.len() < changes && slots > 0;
        let mut parts: Vec<Message> = Vec::new();
        match lost.as_slice() {
            [] => {}
            // Why it was to be returned has been told.
            [(name, workers, why)] if why == RETURNED => {
                parts.push(with(Message::new("machine-set-aside"), name, *workers));
            }
            [(name, workers, why)] => {
                let times = self.losses.get(name).copied().unwrap_or(1);
                let lost = Message::new("machine-is-lost").with("times", u64::from(times));
                parts.push(with(lost, name, *workers).with("why", reasons::message(why)));
            }
            many => {
                let workers = many.iter().map(|(_, workers, _)| *workers).sum();
                let lost = Message::new("machines-are-lost").with("count", many.len());
                parts.push(lost.with("workers", counted_workers(workers)));
            }
        }
        match came.as_slice() {
            [] => {}
            [name] => parts.push(Message::new("machine-has-come").with("name", name)),
            many => parts.push(Message::new("machines-have-come").with("count", many.len())),
        }
        let before = std::mem::replace(&mut self.told, (nodes, slots));
        if self.opened.is_none() || parts.is_empty() && (before == (nodes, slots) || is_counted_only) {
            return None;
        }
        parts.push(if slots == 0 { Message::new("no-worker-left") } else { size_words(slots, nodes) });
        let and = |first, second| Message::new("besides").with("first", first).with("second", second);
        Some(Message::new("of-cluster").with("news", parts.into_iter().reduce(and)?))
    }
}

fn with(message: Message, name: &str, workers: usize) -> Message {
    message.with("name", name).with("workers", counted_workers(workers))
}

impl MembershipNotices {
    /// Without the machines that have been lost so often that one more time is no news.
    fn worth_a_word(
        &self,
        mut came: Vec<String>,
        mut lost: Vec<(String, usize, String)>,
    ) -> (Vec<String>, Vec<(String, usize, String)>) {
        let is_news = |name: &String| self.losses.get(name).is_none_or(|times| times.is_power_of_two());
        came.retain(is_news);
        lost.retain(|(name, ..)| is_news(name));
        (came, lost)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const fn at(ms: u64) -> Time {
        Duration::from_millis(ms)
    }

    fn said(told: Option<Message>) -> Option<String> {
        told.map(String::from)
    }

    fn open() -> MembershipNotices {
        let mut notices = MembershipNotices::default();
        notices.open(at(0), (1, 4));
        notices
    }

    #[test]
    fn who_is_set_aside_is_not_told_of_as_lost() {
        let mut notices = MembershipNotices::default();
        notices.open(Time::ZERO, (2, 2));
        notices.lost(Time::from_secs(5), "pc1", 1, RETURNED);
        let told = notices.take(Time::from_secs(7), (1, 1)).unwrap();
        assert!(told.to_string().starts_with("cluster: pc1 is set aside with 1 worker; "), "{told}");
    }

    #[test]
    fn what_changes_within_a_second_is_one_line() {
        let mut notices = open();
        notices.came(at(0), "pc1");
        assert_eq!(notices.take(at(999), (1, 4)), None);
        assert_eq!(
            said(notices.take(at(1_000), (1, 4))).as_deref(),
            Some("cluster: pc1 has come; 4 workers on 1 machine")
        );
        assert_eq!(notices.take(at(9_000), (1, 4)), None, "once");
        notices.lost(at(9_000), "pc1", 4, "its machine was told to end");
        let told = notices.take(at(10_000), (0, 0));
        let expected = "cluster: pc1 is lost with 4 workers: its machine was told to end; no worker is left";
        assert_eq!(said(told).as_deref(), Some(expected));
        for pc in 0..100 {
            notices.lost(at(20_000 + pc), &format!("pc{pc}"), 2, "silence");
            notices.came(at(20_000 + pc), &format!("new{pc}"));
        }
        let told = notices.take(at(21_000), (100, 100));
        let expected =
            "cluster: 100 machines are lost with 200 workers; 100 machines have come; 100 workers on 100 machines";
        assert_eq!(said(told).as_deref(), Some(expected));
    }

    #[test]
    fn a_machine_that_comes_and_goes_is_counted() {
        let mut notices = open();
        let mut told = Vec::new();
        for round in 0..8 {
            notices.lost(at(round * 10_000), "pc1", 2, "silence");
            told.extend(notices.take(at(round * 10_000 + 1_000), (1, 2)).map(String::from));
            notices.came(at(round * 10_000 + 5_000), "pc1");
            told.extend(notices.take(at(round * 10_000 + 6_000), (2, 4)).map(String::from));
        }
        assert_eq!(told.len(), 8, "four losses and four returns: {told:#?}");
        assert!(told[0].starts_with("cluster: pc1 is lost with 2 workers: silence; "));
        assert!(told[6].starts_with("cluster: pc1 is lost with 2 workers (8 times so far): silence; "), "{told:#?}");
        notices.lost(at(200_000), "pc1", 2, "silence");
        assert!(notices.take(at(201_000), (0, 0)).is_some(), "nobody is left: that is told");
    }

    #[test]
    fn who_is_back_at_once_was_not_away() {
        let mut notices = open();
        notices.lost(at(0), "pc1", 4, "silence");
        notices.came(at(300), "pc1");
        assert_eq!(notices.take(at(1_000), (1, 4)), None);
        notices.came(at(2_000), "pc2");
        notices.lost(at(2_300), "pc2", 1, "silence");
        assert_eq!(notices.take(at(3_000), (1, 4)), None);
    }

    #[test]
    fn those_of_the_beginning_are_told_by_somebody_else() {
        let mut notices = MembershipNotices::default();
        notices.came(at(0), "pc1");
        notices.open(at(0), (1, 4));
        assert_eq!(notices.take(at(5_000), (1, 4)), None);
    }

    #[test]
    fn seats_that_follow_at_the_beginning_are_told() {
        let mut notices = MembershipNotices::default();
        notices.came(at(0), "pc1");
        notices.open(at(500), (1, 1));
        notices.grew(at(600));
        notices.grew(at(900));
        assert_eq!(said(notices.take(at(1_600), (1, 3))).as_deref(), Some("cluster: 3 workers on 1 machine"));
        notices.grew(at(9_000));
        assert_eq!(notices.take(at(19_000), (1, 4)), None, "shares change all the time");
    }
}
