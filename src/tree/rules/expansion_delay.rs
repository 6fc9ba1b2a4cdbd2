//! Expansion delay: a node's moves get workers of their own only when its worker has searched it for a part of the time that the
//! whole search has. The best moves of a search that has hardly begun often are not the best, and a worker keeps its
//! node, because moving costs its warm table. Five hundredths of the time leave more workers idle at first and lose nothing by it; this is
//! less, for children that are at depth 5 after a thousandth of the time.

use std::time::Duration;

/// The part of the search's time.
pub const SHARE: f64 = 0.02;
/// Nobody waits longer than this, and so long where the time has no end.
const LONGEST: Duration = Duration::from_millis(200);

/// How long a node is searched before it grows, in a search of about `whole`.
pub fn patience(whole: Option<Duration>, share: f64) -> Duration {
    if share == 0.0 { Duration::ZERO } else { whole.map_or(LONGEST, |whole| whole.mul_f64(share).min(LONGEST)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_time_and_never_long() {
        let ms = Duration::from_millis;
        assert_eq!(patience(Some(ms(1000)), 0.05), ms(50));
        assert_eq!(patience(Some(ms(60_000)), 0.05), LONGEST);
        assert_eq!(patience(None, 0.05), LONGEST);
        assert_eq!((patience(None, 0.0), patience(Some(ms(100)), 0.0)), (Duration::ZERO, Duration::ZERO));
    }
}
