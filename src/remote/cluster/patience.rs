//! Determines how long a peer may be silent before it is considered lost. Busy machines and busy networks respond late,
//! so the time limit follows the observed times between messages, as the retransmission timer of TCP follows round-trip
//! times (RFC 6298).

use hasami_tree::event::Time;
use std::collections::BTreeMap;
use std::time::Duration;

/// Lower bound of the time after which a silent peer is considered lost.
pub const SILENCE: Duration = Duration::from_millis(1_500);
/// Interval at which masters and worker nodes send heartbeats.
pub const ROUND: Duration = Duration::from_millis(300);
/// Weights of a new sample in the mean time between messages, in a rising deviation, and in a falling deviation. The
/// deviation falls more slowly than it rises, since load comes in bursts.
const MEAN: f64 = 1.0 / 8.0;
const RISE: f64 = 1.0 / 4.0;
const FALL: f64 = 1.0 / 32.0;
/// Number of deviations by which the limit exceeds the mean.
const DEVIATIONS: f64 = 4.0;
/// A gap between messages counts as at most this multiple of the limit, so that the limit grows step by step, as TCP's
/// timeout does.
const BACKOFF: f64 = 2.0;
/// Upper bound of the limit, as a multiple of [`SILENCE`].
const MOST: u32 = 3;

/// The observed times between messages of each peer.
pub struct Patience<K> {
    peers: BTreeMap<K, Peer>,
    /// The most peers to track; if there are more, the peer with the lowest key is forgotten.
    most: usize,
}

struct Peer {
    heard: Time,
    /// The time when the current round began, and the longest gap between messages in the round. Messages come in
    /// bursts, so each round gives only one sample.
    round: (Time, Duration),
    /// Mean and deviation in seconds.
    mean: f64,
    deviation: f64,
}

impl Peer {
    fn limit(&self) -> Duration {
        Duration::from_secs_f64(self.mean + DEVIATIONS * self.deviation).clamp(SILENCE, MOST * SILENCE)
    }

    fn observe(&mut self, silence: Duration) {
        let distance = (silence.as_secs_f64() - self.mean).abs();
        let share = if distance > self.deviation { RISE } else { FALL };
        self.deviation += share * (distance - self.deviation);
        self.mean += MEAN * (silence.as_secs_f64() - self.mean);
    }
}

impl<K: Copy + Ord> Patience<K> {
    /// Creates a tracker that remembers at most `most` peers.
    pub const fn new(most: usize) -> Self {
        Self { peers: BTreeMap::new(), most }
    }

    /// Notes a message from a peer.
    pub fn hear(&mut self, peer: K, now: Time) {
        if self.peers.len() >= self.most && !self.peers.contains_key(&peer) {
            self.peers.pop_first();
        }
        let new = || Peer { heard: now, round: (now, Duration::ZERO), mean: ROUND.as_secs_f64(), deviation: 0.0 };
        let known = self.peers.entry(peer).or_insert_with(new);
        let most = known.limit().mul_f64(BACKOFF);
        let silence = now.saturating_sub(known.heard).min(most);
        known.heard = known.heard.max(now);
        known.round.1 = known.round.1.max(silence);
        if now.saturating_sub(known.round.0) >= ROUND {
            let longest = std::mem::take(&mut known.round.1);
            known.round.0 = now;
            known.observe(longest);
        }
    }

    /// Returns the time after which a silent peer is considered lost.
    pub fn limit(&self, peer: K) -> Duration {
        self.peers.get(&peer).map_or(SILENCE, Peer::limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    /// Returns the limit after each of `silences`, gaps between messages in milliseconds.
    fn limits(silences: impl IntoIterator<Item = u64>) -> Vec<Duration> {
        let mut patience = Patience::new(2);
        let mut now = Time::from_secs(5);
        patience.hear(1, now);
        let after = |silence| {
            now += ms(silence);
            patience.hear(1, now);
            patience.limit(1)
        };
        silences.into_iter().map(after).collect()
    }

    #[test]
    fn a_punctual_peer_is_lost_after_the_least_silence() {
        assert!(limits([300; 100]).into_iter().all(|limit| limit == SILENCE));
        assert!(
            limits([20; 1_000]).into_iter().all(|limit| limit == SILENCE),
            "reports between the beats change nothing"
        );
    }

    #[test]
    fn a_busy_machine_gets_a_longer_limit_until_it_is_punctual_again() {
        // On an overloaded machine, most heartbeats come late.
        let busy = [300, 900, 1_200, 400, 1_400, 700, 1_450, 300, 1_600, 500, 1_700];
        let found = limits(busy);
        let survives = busy.iter().zip([SILENCE].iter().chain(&found)).all(|(&silence, &limit)| ms(silence) < limit);
        assert!(survives, "{found:?}");
        assert!(found.last().is_some_and(|&limit| limit > ms(2_000)), "{found:?}");
        let calm = limits(busy.into_iter().chain([300; 120]));
        assert_eq!(calm.last(), Some(&SILENCE));
        let between = limits(busy.into_iter().chain([20; 60]));
        assert!(between.last().is_some_and(|&limit| limit > ms(1_800)), "a second of reports does not: {between:?}");
    }

    #[test]
    fn a_peer_that_returns_after_a_loss_gets_more_time_step_by_step() {
        let found = limits([300, 300, 20_000, 20_000, 20_000]);
        assert!(found[2] > ms(2_000) && found[2] < ms(4_000), "{found:?}");
        assert!(found[3] > found[2] && found[4] == MOST * SILENCE, "{found:?}");
    }

    #[test]
    fn each_peer_has_its_own_limit_and_old_peers_are_forgotten() {
        let mut patience = Patience::new(2);
        for (peer, gap) in [(1, 2_000), (2, 300), (3, 300)] {
            patience.hear(peer, Time::ZERO);
            patience.hear(peer, ms(gap));
            patience.hear(peer, ms(2 * gap));
            assert_eq!(patience.limit(peer) > SILENCE, gap == 2_000, "{peer}");
        }
        assert_eq!(patience.limit(1), SILENCE, "forgotten");
    }
}
