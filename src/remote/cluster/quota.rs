//! Limits how many events are accepted per second, and how many at once.

use hasami_tree::event::Time;

/// A token bucket.
pub struct Quota {
    per_second: f64,
    most: f64,
    left: f64,
    last: Time,
}

impl Quota {
    /// Accepts a burst of `most` events, and after that `per_second` events per second.
    pub const fn new(most: u32, per_second: u32) -> Self {
        Self { per_second: per_second as f64, most: most as f64, left: most as f64, last: Time::ZERO }
    }

    /// Returns true if one more event is within the quota.
    pub fn take(&mut self, now: Time) -> bool {
        let passed = now.saturating_sub(self.last).as_secs_f64();
        self.last = self.last.max(now);
        self.left = (self.left + passed * self.per_second).min(self.most);
        let is_within = self.left >= 1.0;
        if is_within {
            self.left -= 1.0;
        }
        is_within
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_accepted_and_then_a_number_per_second() {
        let mut quota = Quota::new(3, 10);
        let mut taken = |ms: u64, tries: usize| (0..tries).filter(|_| quota.take(Time::from_millis(ms))).count();
        assert_eq!(taken(0, 9), 3);
        assert_eq!((taken(250, 9), taken(250, 9)), (2, 0));
        assert_eq!(taken(60_000, 9), 3, "no more than the burst");
        assert_eq!(taken(1_000, 9), 0, "a clock that goes backwards adds nothing");
    }
}
