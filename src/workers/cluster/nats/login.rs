//! A login that the server refuses: it may have expired, or its renewal is on its way. It is tried again, and told again
//! after pauses that grow.

use std::time::{Duration, Instant};

const FIRST: Duration = Duration::from_secs(5);
const LONGEST: Duration = Duration::from_secs(300);

/// Since when, and when that is told again.
#[derive(Default)]
pub struct RefusedLogin(Option<Refused>);

struct Refused {
    since: Instant,
    next: Instant,
    pause: Duration,
}

impl RefusedLogin {
    /// It is refused now: for how long it has been, and whether it is time to tell it.
    pub fn note(&mut self, now: Instant) -> (Duration, bool) {
        let refused = self.0.get_or_insert(Refused { since: now, next: now, pause: FIRST });
        let is_told = now >= refused.next;
        if is_told {
            refused.next = now + refused.pause;
            refused.pause = (2 * refused.pause).min(LONGEST);
        }
        (now - refused.since, is_told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_again_after_pauses_that_grow() {
        let (mut refused, begun) = (RefusedLogin::default(), Instant::now());
        let told: Vec<u64> = (0..2_000).filter(|&second| refused.note(begun + Duration::from_secs(second)).1).collect();
        assert_eq!(told, [0, 5, 15, 35, 75, 155, 315, 615, 915, 1_215, 1_515, 1_815]);
        let hour = Duration::from_secs(3_600);
        assert_eq!(refused.note(begun + hour).0, hour);
    }
}
