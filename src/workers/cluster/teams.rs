//! News of teams whose members are on several machines: what is told here goes out, and what others tell comes in.

use super::names::{Owner, Subject, WorkerNodeId};
use super::wire::{self, MOST_NEWS, TeamNews, WireNews};
use hasami_api::{Exchange, News};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// News of so much time go out in one message.
pub const ROUND: Duration = Duration::from_millis(25);

/// Bytes that a search may tell a group on several machines; scripts/experiments says what less costs.
pub const BUDGET: u32 = 384;

/// The number that stands for all members elsewhere; no worker has it.
pub const ELSEWHERE: u64 = u64::MAX;

/// A team, by the master that it works for and its number on the wire.
pub type TeamId = (Owner, u64);

/// The places of everybody elsewhere in the teams that search here.
#[derive(Default)]
pub struct Teams(BTreeMap<TeamId, Arc<dyn Exchange>>);

impl Teams {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those teams and no others search here now. `join` takes a place in one.
    pub fn set(&mut self, wanted: &BTreeSet<TeamId>, mut join: impl FnMut(TeamId) -> Arc<dyn Exchange>) {
        self.0.retain(|team, _| wanted.contains(team));
        for &team in wanted {
            self.0.entry(team).or_insert_with(|| join(team));
        }
    }

    /// Entries told here since the last time, as messages.
    pub fn gather(&self, from: WorkerNodeId) -> Vec<(Subject, Vec<u8>)> {
        let mut messages = Vec::new();
        let mut told = Vec::new();
        for (&(owner, team), place) in &self.0 {
            place.hear(&mut told);
            for news in told.chunks(MOST_NEWS) {
                let message = TeamNews { from, team, news: news.iter().map(WireNews::from).collect() };
                messages.push((Subject::News(owner.master), wire::encode(&message)));
            }
            told.clear();
        }
        messages
    }

    /// A message has come.
    pub fn deliver(&self, bytes: &[u8], me: WorkerNodeId) -> Result<(), String> {
        let message: TeamNews = wire::decode(bytes)?;
        let is_its = |team: &TeamId| team.1 == message.team && message.from != me;
        if let Some((_, place)) = self.0.iter().find(|(team, _)| is_its(team)) {
            let news: Vec<News> = message.news();
            place.tell(0, &news);
        }
        Ok(())
    }
}

/// The number of a team on the wire: only those who were given it know it.
pub fn on_wire(team: u64, secret: u64) -> u64 {
    // A bijection for each secret (finalizer of SplitMix64), so that teams stay apart; 0 is no team.
    let mut mixed = team.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ secret;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)).max(1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::workers::Bus;

    fn heard(place: &Arc<dyn Exchange>) -> Vec<u64> {
        let mut news = Vec::new();
        place.hear(&mut news);
        news.into_iter().map(|news| news.key).collect()
    }

    #[test]
    fn news_cross_from_one_machine_to_the_other_and_do_not_come_back() {
        let team = (Owner { master: 7, epoch: 1 }, 5);
        let (here, there) = (Bus::default(), Bus::default());
        let (a, b) = (here.join(5, 1), there.join(5, 1));
        let (mut from, mut to) = (Teams::default(), Teams::default());
        from.set(&[team].into(), |(_, team)| here.join(team, ELSEWHERE));
        to.set(&[team].into(), |(_, team)| there.join(team, ELSEWHERE));
        a.tell(1, &[News { key: 42, word: 3 }]);
        let messages = from.gather(WorkerNodeId(1));
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0].0, Subject::News(7));
        to.deliver(&messages[0].1, WorkerNodeId(2)).unwrap();
        from.deliver(&messages[0].1, WorkerNodeId(1)).unwrap();
        assert_eq!((heard(&a), heard(&b)), (vec![], vec![42]));
        assert_eq!(to.gather(WorkerNodeId(2)), []);
        to.set(&BTreeSet::new(), |_| unreachable!());
        to.deliver(&messages[0].1, WorkerNodeId(2)).unwrap();
        assert_eq!(heard(&b), Vec::<u64>::new(), "the team is over");
    }

    #[test]
    fn teams_stay_apart_on_the_wire() {
        let numbers: BTreeSet<u64> = (1..10_000).map(|team| on_wire(team, 0x1234)).collect();
        assert_eq!(numbers.len(), 9_999);
        assert_ne!(on_wire(1, 1), on_wire(1, 2));
    }
}
