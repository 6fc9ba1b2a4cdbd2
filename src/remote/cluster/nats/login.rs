//! Tracks a login that the server refuses because it has expired or has not been renewed yet. A refused login is tried
//! again, and the refusal is reported at growing intervals.

use std::time::{Duration, Instant};

const FIRST: Duration = Duration::from_secs(5);
const LONGEST: Duration = Duration::from_secs(300);

/// The time when the login was first refused, and the time of the next report.
#[derive(Default)]
pub struct RefusedLogin(Option<Refused>);

struct Refused {
    since: Instant,
    next: Instant,
    pause: Duration,
}

impl RefusedLogin {
    /// Notes a refusal. Returns how long the login has been refused, and whether to report the refusal now.
    pub fn note(&mut self, now: Instant) -> (Duration, bool) {
        let refused = self.0.get_or_insert(Refused { since: now, next: now, pause: FIRST });
        let is_due = now >= refused.next;
        if is_due {
            refused.next = now + refused.pause;
            refused.pause = (2 * refused.pause).min(LONGEST);
        }
        (now - refused.since, is_due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_login_is_reported_at_growing_intervals() {
        let (mut refused, begun) = (RefusedLogin::default(), Instant::now());
        let reported: Vec<u64> =
            (0..2_000).filter(|&second| refused.note(begun + Duration::from_secs(second)).1).collect();
        assert_eq!(reported, [0, 5, 15, 35, 75, 155, 315, 615, 915, 1_215, 1_515, 1_815]);
        let hour = Duration::from_secs(3_600);
        assert_eq!(refused.note(begun + hour).0, hour);
    }
}
