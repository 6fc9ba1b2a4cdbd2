//! Carries news between the searches of a search group, within one worker pool.

use crossbeam_channel::{Receiver, Sender, bounded};
use hasami_api::{Exchange, News};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most messages that may wait for a member. A member that does not read its messages misses newer messages, and
/// must find the results in them by its own search.
const CAPACITY: usize = 1024;

type Message = Arc<[News]>;

/// The members of every team, by team number.
#[derive(Clone, Default)]
pub struct Bus(Arc<Mutex<BTreeMap<u64, Vec<BusMember>>>>);

struct BusMember {
    serial: u64,
    messages: Sender<Message>,
}

/// A search's membership in its team, which ends when the `BusMailbox` is dropped.
struct BusMailbox {
    bus: Bus,
    team: u64,
    serial: u64,
    messages: Receiver<Message>,
}

impl Bus {
    /// Joins a team. `serial` must be unique among the team's members.
    pub fn join(&self, team: u64, serial: u64) -> Arc<dyn Exchange> {
        let (sender, messages) = bounded(CAPACITY);
        self.teams().entry(team).or_default().push(BusMember { serial, messages: sender });
        Arc::new(BusMailbox { bus: self.clone(), team, serial, messages })
    }

    fn teams(&self) -> MutexGuard<'_, BTreeMap<u64, Vec<BusMember>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exchange for BusMailbox {
    fn tell(&self, _nodes: u64, news: &[News]) {
        let teams = self.bus.teams();
        let others = teams.get(&self.team).into_iter().flatten().filter(|member| member.serial != self.serial);
        let mut message = None;
        for member in others {
            let message = message.get_or_insert_with(|| Message::from(news));
            let _ = member.messages.try_send(Arc::clone(message));
        }
    }

    fn hear(&self, heard: &mut Vec<News>) {
        self.messages.try_iter().for_each(|message| heard.extend_from_slice(&message));
    }
}

impl Drop for BusMailbox {
    fn drop(&mut self) {
        let mut teams = self.bus.teams();
        let Some(members) = teams.get_mut(&self.team) else { return };
        members.retain(|member| member.serial != self.serial);
        if members.is_empty() {
            teams.remove(&self.team);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(exchange: &Arc<dyn Exchange>) -> Vec<u64> {
        let mut heard = Vec::new();
        exchange.hear(&mut heard);
        heard.into_iter().map(|news| news.key).collect()
    }

    #[test]
    fn news_reach_the_others_of_the_team_once() {
        let bus = Bus::default();
        let [a, b, c] = [(7, 1), (7, 2), (8, 3)].map(|(team, serial)| bus.join(team, serial));
        a.tell(0, &[News { key: 1, word: 2 }, News { key: 3, word: 4 }]);
        b.tell(0, &[News { key: 5, word: 6 }]);
        assert_eq!((heard(&a), heard(&b), heard(&c)), (vec![5], vec![1, 3], vec![]));
        assert!(heard(&b).is_empty());
    }

    #[test]
    fn a_member_that_has_left_gets_no_messages() {
        let bus = Bus::default();
        let (a, b) = (bus.join(7, 1), bus.join(7, 2));
        drop(b);
        a.tell(0, &[News { key: 1, word: 2 }]);
        assert_eq!(bus.teams()[&7].len(), 1);
        drop(a);
        assert!(bus.teams().is_empty());
    }

    #[test]
    fn a_member_that_does_not_read_loses_news_without_blocking_others() {
        let bus = Bus::default();
        let (a, b) = (bus.join(7, 1), bus.join(7, 2));
        (0..2 * CAPACITY as u64).for_each(|key| a.tell(key, &[News { key, word: 0 }]));
        assert_eq!(heard(&b), (0..CAPACITY as u64).collect::<Vec<_>>());
    }
}
