//! News of teams whose members are on several machines: what is published here is sent, and what others publish is
//! received. Each team has its own subject, so that a machine receives only the news of its own teams, however many
//! workers its masters have.

use super::names::{Owner, Subject, WorkerNodeId};
use super::seals;
use super::wire::{self, MOST_NEWS, TeamNews, WireNews};
use hasami_api::{Exchange, News};
use hasami_tree::event::Time;
use hmac_sha256::HMAC;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// News of this period are sent in one message.
pub const ROUND: Duration = Duration::from_millis(25);

/// Limit on the news of a search for a team on several machines, in bytes; scripts/experiments shows the cost of
/// smaller limits.
pub const BUDGET: u32 = 384;

/// The number of all members on other machines together; no worker has it.
pub const ELSEWHERE: u64 = u64::MAX;

/// A team, identified by the master that it works for and its number on the wire.
pub type TeamId = (Owner, u64);

/// A subject is followed for this time after the last task of its team has ended here, so that members do not leave
/// between two tasks.
const LINGER: Duration = Duration::from_secs(1);

/// Bytes before the number of a message: the version, the name of the team, and the sender.
const HEAD: usize = 17;
/// Largest number of machines whose messages to a team are tracked.
const MOST_TELLERS: usize = 16_384;

/// The members on other machines of the teams that search here.
///
/// A team's number is its secret: messages are encrypted with a key derived from it, and carry a name that does not
/// reveal it.
#[derive(Default)]
pub struct Teams {
    joined: BTreeMap<TeamId, JoinedTeam>,
    /// The subjects of the teams, and when each was last needed.
    followed: BTreeMap<Subject, Time>,
    /// Counts the messages, so that no two are encrypted with the same number.
    sent: u64,
}

struct JoinedTeam {
    place: Arc<dyn Exchange>,
    name: [u8; 8],
    key: [u8; 32],
    /// The number of the last message of each sender.
    heard: BTreeMap<WorkerNodeId, u64>,
}

impl JoinedTeam {
    fn new(team: u64, place: Arc<dyn Exchange>) -> Self {
        let mut name = [0; 8];
        name.copy_from_slice(&HMAC::mac(b"name", team.to_le_bytes())[..8]);
        Self { place, name, key: HMAC::mac(b"key", team.to_le_bytes()), heard: BTreeMap::new() }
    }

    /// The key of a sender.
    fn key_of(&self, from: WorkerNodeId) -> [u8; 32] {
        HMAC::mac(from.0.to_le_bytes(), self.key)
    }

    fn subject(&self) -> Subject {
        Subject::News(u64::from_be_bytes(self.name))
    }

    fn head(&self, from: WorkerNodeId) -> [u8; HEAD] {
        let mut head = [wire::VERSION; HEAD];
        head[1..9].copy_from_slice(&self.name);
        head[9..].copy_from_slice(&from.0.to_le_bytes());
        head
    }
}

impl Teams {
    pub fn is_empty(&self) -> bool {
        self.joined.is_empty()
    }

    /// Sets the teams that search here. `join` makes this machine a member of one. Returns the subjects to be followed
    /// from now on, and those to be unfollowed.
    pub fn set(
        &mut self,
        now: Time,
        wanted: &BTreeSet<TeamId>,
        mut join: impl FnMut(TeamId) -> Arc<dyn Exchange>,
    ) -> (Vec<Subject>, Vec<Subject>) {
        self.joined.retain(|team, _| wanted.contains(team));
        let mut begun = Vec::new();
        for &team in wanted {
            let subject = self.joined.entry(team).or_insert_with(|| JoinedTeam::new(team.1, join(team))).subject();
            if self.followed.insert(subject, now).is_none() {
                begun.push(subject);
            }
        }
        let is_over = |_: &Subject, wanted: &mut Time| now.saturating_sub(*wanted) >= LINGER;
        let ended = self.followed.extract_if(.., is_over).map(|(subject, _)| subject).collect();
        (begun, ended)
    }

    /// Returns the entries that were published here since the last call, as messages.
    pub fn gather(&mut self, from: WorkerNodeId) -> Vec<(Subject, Vec<u8>)> {
        let mut messages = Vec::new();
        let mut told = Vec::new();
        for (&(_, team), joined) in &self.joined {
            joined.place.hear(&mut told);
            for news in told.chunks(MOST_NEWS) {
                let message = TeamNews { from, team, news: news.iter().map(WireNews::from).collect() };
                self.sent += 1;
                let sealed =
                    seals::seal(&joined.key_of(from), self.sent, &joined.head(from), &wire::encode(&message)[1..]);
                messages.push((joined.subject(), sealed));
            }
            told.clear();
        }
        messages
    }

    /// Handles an incoming message.
    pub fn deliver(&mut self, bytes: &[u8], me: WorkerNodeId) -> Result<(), String> {
        let wrong = |why: &str| Err(format!("expected news of a team, found {why}"));
        let Some((head, _)) = bytes.split_first_chunk::<HEAD>().filter(|_| bytes.len() <= wire::LONGEST) else {
            return wrong("another message");
        };
        let from = WorkerNodeId(u64::from_le_bytes(*head.last_chunk().unwrap_or(&[0; 8])));
        let is_its = |team: &&mut JoinedTeam| head[0] == wire::VERSION && head[1..9] == team.name;
        // Messages of other teams and of this machine are ignored.
        let Some(team) = self.joined.values_mut().find(is_its).filter(|_| from != me) else { return Ok(()) };
        let Ok((number, message)) = seals::open(&team.key_of(from), bytes, HEAD) else {
            return wrong("what was not sealed for it");
        };
        let has_room = team.heard.len() < MOST_TELLERS || team.heard.contains_key(&from);
        if !has_room || team.heard.get(&from).is_some_and(|&newest| newest >= number) {
            return wrong("what has been told before");
        }
        let message: TeamNews = wire::decode(&[&[wire::VERSION][..], &message].concat())?;
        team.heard.insert(from, number);
        let news: Vec<News> = message.news();
        team.place.tell(0, &news);
        Ok(())
    }
}

/// The number of a team on the wire, derived from its local number and its master's secret, so that only those who were
/// given it know it.
pub fn on_wire(team: u64, secret: u64) -> u64 {
    let hash = HMAC::mac(team.to_le_bytes(), secret.to_le_bytes());
    // 0 means no team.
    let number = hash.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte));
    number.max(1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Bus;

    fn heard(place: &Arc<dyn Exchange>) -> Vec<u64> {
        let mut news = Vec::new();
        place.hear(&mut news);
        news.into_iter().map(|news| news.key).collect()
    }

    #[test]
    fn news_reach_the_other_machine_and_do_not_come_back() {
        let team = (Owner { master: 7, epoch: 1 }, 5);
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
        let messages = from.gather(WorkerNodeId(1));
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0].0, follows[0]);
        let mut forged = messages[0].1.clone();
        for place in 0..forged.len() {
            forged[place] ^= 1;
            let _ = to.deliver(&forged, WorkerNodeId(2));
            forged[place] ^= 1;
        }
        assert_eq!(heard(&b), Vec::<u64>::new(), "modified messages are rejected");
        to.deliver(&messages[0].1, WorkerNodeId(2)).unwrap();
        let why = to.deliver(&messages[0].1, WorkerNodeId(2)).unwrap_err();
        assert_eq!(why, "expected news of a team, found what has been told before");
        from.deliver(&messages[0].1, WorkerNodeId(1)).unwrap();
        assert_eq!((heard(&a), heard(&b)), (vec![], vec![42]));
        assert_eq!(to.gather(WorkerNodeId(2)), []);
        let changes = to.set(LINGER, &BTreeSet::new(), |_| unreachable!());
        assert_eq!(changes, (vec![], follows), "no member is left here");
        to.deliver(&messages[0].1, WorkerNodeId(2)).unwrap();
        assert_eq!(heard(&b), Vec::<u64>::new(), "the team is over");
    }

    #[test]
    fn a_team_is_followed_between_two_tasks() {
        let (bus, team) = (Bus::default(), (Owner { master: 7, epoch: 1 }, 5));
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

    #[test]
    fn teams_stay_apart_on_the_wire() {
        let numbers: BTreeSet<u64> = (1..10_000).map(|team| on_wire(team, 0x1234)).collect();
        assert_eq!(numbers.len(), 9_999);
        assert_ne!(on_wire(1, 1), on_wire(1, 2));
    }
}
