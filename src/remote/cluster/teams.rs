//! Exchanges news of teams whose members are on several machines: sends the table entries published on this machine,
//! and receives those of other machines. Each team has its own subject, so that a machine receives only the news of its
//! own teams, no matter how many workers its masters have.

use super::names::{Member, Subject};
use super::transport::LinkSender;
use super::wire::{self, MOST_NEWS, TeamNews};
use hasami_api::{Exchange, News};
use hasami_tree::event::Time;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// Interval at which news is sent; everything published in one interval is sent in one message.
pub const ROUND: Duration = Duration::from_millis(25);

/// The member number that stands for all members on other machines; no worker has this number.
pub const ELSEWHERE: u64 = u64::MAX;

/// A team, identified by its master and by the number that the master has given it.
pub type TeamId = (Member, u64);

/// How long a subject is still followed after the last task of its team has ended on this machine, so that members do
/// not leave between two tasks.
const LINGER: Duration = Duration::from_secs(1);

/// The teams that search on this machine, connected to their members on other machines.
#[derive(Default)]
pub struct Teams {
    joined: BTreeMap<TeamId, Arc<dyn Exchange>>,
    /// The time when each followed team last searched on this machine.
    followed: BTreeMap<TeamId, Time>,
    /// When the next news is sent.
    next: Time,
}

impl Teams {
    /// Returns when the next news is due; `None` if no team searches on this machine.
    pub fn due(&self) -> Option<Time> {
        (!self.joined.is_empty()).then_some(self.next)
    }

    /// Follows the subjects of the teams that search on this machine (see [`Self::set`]), and sends the entries that
    /// were published on this machine. News is held back while earlier messages have not been sent.
    pub fn exchange(
        &mut self,
        now: Time,
        wanted: &BTreeSet<TeamId>,
        join: impl FnMut(TeamId) -> Arc<dyn Exchange>,
        outbox: &LinkSender,
    ) {
        let (begun, ended) = self.set(now, wanted, join);
        begun.into_iter().for_each(|subject| outbox.follow(subject));
        ended.into_iter().for_each(|subject| outbox.unfollow(subject));
        if now >= self.next && outbox.is_clear() {
            self.next = now + ROUND;
            self.gather().into_iter().for_each(|(to, bytes)| outbox.send(to, bytes));
        }
    }

    /// Sets the teams that search on this machine. The function `join` makes this machine a member of a team. Returns
    /// the subjects to follow, and the subjects to unfollow.
    fn set(
        &mut self,
        now: Time,
        wanted: &BTreeSet<TeamId>,
        mut join: impl FnMut(TeamId) -> Arc<dyn Exchange>,
    ) -> (Vec<Subject>, Vec<Subject>) {
        self.joined.retain(|team, _| wanted.contains(team));
        let mut begun = Vec::new();
        for &team in wanted {
            self.joined.entry(team).or_insert_with(|| join(team));
            if self.followed.insert(team, now).is_none() {
                begun.push(subject(team));
            }
        }
        let is_over = |_: &TeamId, wanted: &mut Time| now.saturating_sub(*wanted) >= LINGER;
        let ended = self.followed.extract_if(.., is_over).map(|(team, _)| subject(team)).collect();
        (begun, ended)
    }

    /// Returns, as messages, the entries published on this machine since the last call.
    fn gather(&mut self) -> Vec<(Subject, Vec<u8>)> {
        let (mut messages, mut news) = (Vec::new(), Vec::new());
        for (&team, exchange) in &self.joined {
            exchange.hear(&mut news);
            let bytes = |&News { key, word }: &News| [key.to_le_bytes(), word.to_le_bytes()];
            let wire = |news: &[News]| wire::encode(&TeamNews(news.iter().map(bytes).collect()));
            messages.extend(news.chunks(MOST_NEWS).map(|news| (subject(team), wire(news))));
            news.clear();
        }
        messages
    }

    /// Handles a message from another machine. Messages for teams that do not search on this machine are ignored.
    pub fn deliver(&mut self, team: TeamId, bytes: &[u8]) -> Result<(), String> {
        let Some(exchange) = self.joined.get(&team) else { return Ok(()) };
        let TeamNews(entries) = wire::decode(bytes)?;
        let entry = |entry: &[[u8; 8]; 2]| {
            let [key, word] = entry.map(u64::from_le_bytes);
            News { key, word }
        };
        exchange.tell(0, &entries.iter().take(MOST_NEWS).map(entry).collect::<Vec<_>>());
        Ok(())
    }
}

fn subject((master, team): TeamId) -> Subject {
    Subject::News(master, team)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::cluster::names::User;
    use hasami_workers::Bus;

    fn heard(place: &Arc<dyn Exchange>) -> Vec<u64> {
        let mut news = Vec::new();
        place.hear(&mut news);
        news.into_iter().map(|news| news.key).collect()
    }

    fn id() -> TeamId {
        (Member::draw(User::ANYBODY), 5)
    }

    #[test]
    fn news_reach_the_other_machine_and_do_not_come_back() {
        let team = id();
        let (here, there) = (Bus::default(), Bus::default());
        let (a, b) = (here.join(5, 1), there.join(5, 1));
        let (mut from, mut to) = (Teams::default(), Teams::default());
        let (follows, _) = from.set(Time::ZERO, &[team].into(), |(_, team)| here.join(team, ELSEWHERE));
        let followed = to.set(Time::ZERO, &[team].into(), |(_, team)| there.join(team, ELSEWHERE));
        assert_eq!(
            (&follows, &followed),
            (&followed.0, &(follows.clone(), vec![])),
            "both machines follow exactly this subject"
        );
        a.tell(1, &[News { key: 42, word: 3 }]);
        let messages = from.gather();
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0].0, follows[0]);
        let place = team;
        for other in [(team.0, 6), (Member::draw(User::ANYBODY), 5)] {
            to.deliver(other, &messages[0].1).unwrap();
        }
        assert!(to.deliver(place, &messages[0].1[..3]).is_err());
        assert_eq!(heard(&b), Vec::<u64>::new(), "news of other teams and broken messages are not accepted");
        to.deliver(place, &messages[0].1).unwrap();
        assert_eq!((heard(&a), heard(&b)), (vec![], vec![42]));
        assert_eq!(to.gather(), []);
        let changes = to.set(LINGER, &BTreeSet::new(), |_| unreachable!());
        assert_eq!(changes, (vec![], follows), "no member is left here");
        to.deliver(place, &messages[0].1).unwrap();
        assert_eq!(heard(&b), Vec::<u64>::new(), "the team is over");
    }

    #[test]
    fn a_team_is_followed_between_two_tasks() {
        let (bus, team) = (Bus::default(), id());
        let mut teams = Teams::default();
        let mut set = |ms: u64, wanted: &[TeamId]| {
            let wanted = wanted.iter().copied().collect();
            let (begun, ended) = teams.set(Time::from_millis(ms), &wanted, |(_, team)| bus.join(team, ELSEWHERE));
            (begun.len(), ended.len())
        };
        assert_eq!((set(0, &[team]), set(100, &[])), ((1, 0), (0, 0)));
        assert_eq!((set(900, &[team]), set(1_000, &[])), ((0, 0), (0, 0)));
        assert_eq!((set(1_899, &[]), set(1_900, &[]), set(9_000, &[])), ((0, 0), (0, 1), (0, 0)));
    }
}
