//! Expansion delay: a node's moves get their own nodes only after its worker has searched the node for a certain share
//! of the whole search time. The moves that a search prefers at its beginning are often not the best, and workers would
//! stay at the wrong nodes, because moving costs them their warm tables. A share of 0.05 leaves more workers idle at
//! first, but costs no strength. The share used here is smaller than 0.05, for the benefit of child engines, which
//! reach depth 5 after a thousandth of the search time.

use std::time::Duration;

/// Length of the delay, as a share of the whole search time.
pub const SHARE: f64 = 0.02;
/// Longest delay, which also applies to searches without a time limit.
const LONGEST: Duration = Duration::from_millis(200);

/// How long a node is searched before it is expanded, in a search that takes about `whole`.
pub fn delay(whole: Option<Duration>, share: f64) -> Duration {
    if share == 0.0 { Duration::ZERO } else { whole.map_or(LONGEST, |whole| whole.mul_f64(share).min(LONGEST)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_is_a_share_of_the_time_up_to_a_limit() {
        let ms = Duration::from_millis;
        assert_eq!(delay(Some(ms(1000)), 0.05), ms(50));
        assert_eq!(delay(Some(ms(60_000)), 0.05), LONGEST);
        assert_eq!(delay(None, 0.05), LONGEST);
        assert_eq!((delay(None, 0.0), delay(Some(ms(100)), 0.0)), (Duration::ZERO, Duration::ZERO));
    }
}
