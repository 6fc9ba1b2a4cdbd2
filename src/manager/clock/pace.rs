//! Delays moves for human opponents and for some tournament clocks: no move is sent before a minimum time or, if the
//! clock charges whole seconds, before the end of a second.

use hasami_protocol::Settings;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// The earliest times at which a move may be sent. By default, a move is sent as soon as it is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pace {
    /// Minimum time to spend on a move.
    least: Duration,
    /// The overhead of sending a move; `None` unless the clock rounds times up to whole seconds.
    whole_seconds: Option<Duration>,
}

impl Pace {
    pub fn of(settings: &Settings) -> Self {
        Self {
            least: settings.least_time.saturating_sub(settings.overhead),
            whole_seconds: settings.whole_seconds.then_some(settings.overhead),
        }
    }

    /// When to answer after a search that needs only `wanted`.
    pub fn stretch(self, wanted: Duration) -> Duration {
        let wanted = wanted.max(self.least);
        let Some(way) = self.whole_seconds else { return wanted };
        let seconds = (wanted + way).as_nanos().div_ceil(SECOND.as_nanos()).max(1);
        (SECOND * u32::try_from(seconds).unwrap_or(u32::MAX)).saturating_sub(way).max(wanted)
    }
}
