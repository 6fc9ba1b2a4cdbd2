//! Decides the fate of every message: whether it arrives never, once or twice, and when.
//!
//! The fate is drawn from the sending time, the sender and the receiver. Therefore, the fate of a message does not
//! change if other messages are added, or if a node is removed from the scenario.

use super::Party;
use super::plan::NetworkFaults;
use hasami_toy::mix;
use hasami_tree::event::Time;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::time::Duration;

pub struct Air {
    seed: u64,
    faults: NetworkFaults,
    /// The current time, and the number of messages sent at this time, by sender and receiver.
    now: (Time, BTreeMap<(Party, Party), u64>),
    /// The time of the last arrival, for networks in which messages do not overtake each other.
    last: BTreeMap<(Party, Party), Time>,
    /// The time from which every message arrives, possibly late.
    mended: Option<Time>,
}

impl Air {
    pub fn new(faults: NetworkFaults, seed: u64) -> Self {
        Self { seed, faults, now: (Time::ZERO, BTreeMap::new()), last: BTreeMap::new(), mended: None }
    }

    pub fn mend(&mut self, now: Time) {
        self.mended.get_or_insert(now);
    }

    /// The time since which no message has been lost; `None` if messages may be lost.
    pub fn whole_since(&self, now: Time) -> Option<Time> {
        if self.mended.is_some() || self.faults.loss > 0 {
            return self.mended;
        }
        let is_over = |to: Time| to <= now;
        let begun = self.faults.cuts.iter().filter(|cut| cut.from <= now);
        begun.map(|cut| Some(cut.to).filter(|&to| is_over(to))).try_fold(Time::ZERO, |last, to| Some(last.max(to?)))
    }

    /// The times at which the message arrives: none, one or two.
    pub fn carry(&mut self, now: Time, from: Party, to: Party) -> Vec<Time> {
        if self.now.0 != now {
            self.now = (now, BTreeMap::new());
        }
        let count = self.now.1.entry((from, to)).or_default();
        *count += 1;
        let way = mix(from.code() << 32 | to.code()) ^ mix(now.as_nanos() as u64).rotate_left(17);
        let mut rng = SmallRng::seed_from_u64(mix(self.seed ^ way ^ *count));
        let (lost, doubled) = (self.happens(&mut rng, self.faults.loss), self.happens(&mut rng, self.faults.doubling));
        let times = if lost { 0 } else { 1 + usize::from(doubled) };
        let arrivals: Vec<Time> = (0..times).map(|_| self.arrival(now, (from, to), &mut rng)).collect();
        arrivals.into_iter().filter(|&at| !self.is_cut(now, from, false) && !self.is_cut(at, to, true)).collect()
    }

    fn arrival(&mut self, now: Time, way: (Party, Party), rng: &mut SmallRng) -> Time {
        let mut at = now + rng.random_range(self.faults.delay.0..=self.faults.delay.1) + Duration::from_micros(10);
        if !self.faults.reorders {
            let last = self.last.entry(way).or_default();
            at = at.max(*last);
            *last = at;
        }
        at
    }

    fn is_cut(&self, at: Time, party: Party, inwards: bool) -> bool {
        let node = if let Party::Node(index) = party { Some(index) } else { None };
        // A message that is lost because its sender is cut off counts as lost on the way from the sender.
        self.mended.is_none() && self.faults.cuts.iter().any(|cut| cut.covers(at, node, inwards))
    }

    /// Whether the node's connection to the server is blocked.
    pub fn is_jammed(&self, now: Time, node: usize) -> bool {
        let drawn = mix(self.seed ^ mix(now.as_nanos() as u64) ^ node as u64) % 1000;
        self.mended.is_none() && drawn < u64::from(self.faults.jams)
    }

    fn happens(&self, rng: &mut SmallRng, permille: u32) -> bool {
        rng.random_range(0..1000) < permille && self.mended.is_none()
    }
}
