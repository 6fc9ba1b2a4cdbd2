//! Time management: turns the parameters of `go` into a time plan, and decides during the search whether to stop now or
//! when to check again.
//!
//! All times are relative to the arrival of `go` or, after a ponder hit, to the arrival of `ponderhit`.

mod pace;
mod signs;

#[cfg(test)]
mod tests;

pub use pace::Pace;
pub use signs::Signs;

use hasami_api::Side;
use hasami_protocol::{Clock, Go, MateLimit, Settings};
use std::time::Duration;

/// Times are capped at this value, so that no sum overflows.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);
/// While the best move is in doubt, the search may take up to this multiple of the move's share of the clock.
const STRETCH: u32 = 4;
/// The time until the next time control is divided among at most this many moves.
const MOST_MOVES: u32 = 50;
/// If the time must last until the end of the game, this many future increments are divided among the moves along with
/// the time on the clock.
const INCREMENTS: u32 = 49;
/// Ply at which the number of shares is halfway between its values at the beginning and at the end of a game.
const HALFWAY: u32 = 21;
/// A forced move gets the usual search time divided by this number, which is enough to find the expected reply.
const FORCED_SHARE: u32 = 20;

/// The state of the game that the time plan depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    pub side: Side,
    /// Number of plies played so far.
    pub ply: u32,
    /// Number of moves to divide the time on the clock among, at the beginning of a game and late in a game.
    pub shares: [u32; 2],
}

/// A time plan, which determines when to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// No time limit: the search ends on `stop`, `ponderhit`, or a limit of depth or nodes.
    Unlimited,
    /// The search uses the whole time unless the move is decided or forced. `Fixed` is used for `movetime`, for `go
    /// mate` with a time, and in byoyomi, where unused time is lost.
    Fixed(Duration),
    /// The search takes about `soft`, longer while the best move is in doubt, but never more than `hard`. The answer
    /// may be delayed by `pace`.
    Managed { soft: Duration, hard: Duration, pace: Pace },
}

/// Whether to stop the search now or to continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Answer now.
    Stop,
    /// Continue, and check again at this time, or earlier if the signs at the root change.
    CheckAt(Duration),
    /// Time does not limit the search.
    GoOn,
}

impl Plan {
    /// Returns the time plan for a new `go`.
    pub fn new(go: &Go, settings: &Settings, at: Standing) -> Self {
        if go.infinite || go.ponder { Self::Unlimited } else { Self::timed(go, &go.clock, settings, at) }
    }

    /// Returns the time plan after the ponder hit for this `go ponder`. In the early-ponder protocol, `clock` is sent
    /// with the ponder hit and replaces the clock of `go`.
    pub fn on_ponder_hit(go: &Go, clock: Option<Clock>, settings: &Settings, at: Standing) -> Self {
        if go.infinite { Self::Unlimited } else { Self::timed(go, &clock.unwrap_or(go.clock), settings, at) }
    }

    fn timed(go: &Go, clock: &Clock, settings: &Settings, at: Standing) -> Self {
        let fixed = match go.mate {
            Some(MateLimit::Time(limit)) => Some(limit),
            Some(MateLimit::Infinite) => return Self::Unlimited,
            Some(MateLimit::Moves(_)) | None => go.move_time,
        };
        match (fixed, SideClock::new(clock, at.side)) {
            (Some(limit), _) => Self::Fixed(safe(limit.min(LONGEST), settings.overhead)),
            (None, Some(side_clock)) => side_clock.plan(settings, at),
            (None, None) => Self::Unlimited,
        }
    }

    /// The time by which an answer must be sent; `None` without a time limit.
    pub fn hard(&self) -> Option<Duration> {
        match *self {
            Self::Unlimited => None,
            Self::Fixed(limit) => Some(limit),
            Self::Managed { hard, .. } => Some(hard),
        }
    }

    /// The approximate search time that the clock allows; `None` if the clock does not limit the search.
    pub fn aim(&self) -> Option<Duration> {
        match *self {
            Self::Unlimited => None,
            Self::Fixed(limit) => Some(limit),
            Self::Managed { soft, .. } => Some(soft),
        }
    }

    /// Decides whether to stop a search that has lasted for `elapsed` and whose root shows these `signs`.
    pub fn step(&self, elapsed: Duration, signs: &Signs) -> Step {
        match *self {
            Self::Unlimited => Step::GoOn,
            _ if signs.is_final() => Step::Stop,
            Self::Fixed(limit) if signs.settled || signs.forced => until(limit / FORCED_SHARE, elapsed),
            Self::Fixed(limit) => until(limit, elapsed),
            Self::Managed { soft, hard, .. } if signs.forced || signs.settled => {
                until(hard.min(soft / FORCED_SHARE), elapsed)
            }
            Self::Managed { soft, hard, pace } => managed((soft, hard, pace), elapsed, signs),
        }
    }
}

fn until(limit: Duration, elapsed: Duration) -> Step {
    if elapsed >= limit { Step::Stop } else { Step::CheckAt(limit) }
}

/// The desired duration of the search. Only half of the time spent on the root before the clock ran (while pondering,
/// or in a kept tree) is subtracted, because other replies were also searched.
fn wanted(soft: Duration, hard: Duration, elapsed: Duration, signs: &Signs) -> Duration {
    soft.mul_f64(signs.doubt(elapsed)).saturating_sub(signs.carried / 2).min(hard)
}

fn managed((soft, hard, pace): (Duration, Duration, Pace), elapsed: Duration, signs: &Signs) -> Step {
    let wanted = pace.stretch(wanted(soft, hard, elapsed, signs)).min(hard);
    if elapsed >= wanted && (signs.known || elapsed >= hard) {
        return Step::Stop;
    }
    // The signs at the root change with time even if no worker reports anything, so long waits are interrupted by
    // checks.
    let next_check = elapsed + (soft / 8).max(Duration::from_millis(5));
    // After more than the desired time, the search is waiting for a worker's first report, which triggers a check.
    let next = if elapsed < wanted { wanted.min(next_check) } else { next_check };
    Step::CheckAt(next.min(hard))
}

/// Subtracts the overhead from `time`, but leaves at least a quarter of `time` for the search.
fn safe(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 4)
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug)]
struct SideClock {
    time: Duration,
    increment: Duration,
    byoyomi: Duration,
    moves_to_go: Option<u32>,
}

impl SideClock {
    /// Returns `None` if the GUI has sent no clock. If the GUI has sent only the opponent's time, that time is used.
    fn new(clock: &Clock, side: Side) -> Option<Self> {
        if clock.is_empty() {
            return None;
        }
        let timed_side =
            if clock.time_of(side).is_none() && clock.time_of(side.other()).is_some() { side.other() } else { side };
        let short = |time: Duration| time.min(LONGEST);
        let (time, increment) =
            (short(clock.time_of(timed_side).unwrap_or_default()), short(clock.increment_of(timed_side)));
        // If the increment is added before each move, a running clock never shows less than the increment, so a smaller
        // time does not include the increment yet.
        let is_due = clock.adds_first && time < increment;
        Some(Self {
            time: if is_due { time + increment } else { time },
            increment,
            byoyomi: short(clock.byoyomi),
            moves_to_go: clock.moves_to_go.filter(|&moves| moves > 0),
        })
    }

    fn plan(&self, settings: &Settings, at: Standing) -> Plan {
        // Main time of at most half a byoyomi period is used up at once, because saving it is not worthwhile.
        if !self.byoyomi.is_zero() && self.time <= self.byoyomi / 2 {
            return Plan::Fixed(self.last_moment(settings));
        }
        let overhead = if self.byoyomi.is_zero() { settings.overhead } else { settings.overhead_last };
        let ceiling = safe(self.time + self.byoyomi, overhead);
        let (moves, increments) = match self.moves_to_go {
            Some(moves) => (moves.min(MOST_MOVES), moves.min(MOST_MOVES) - 1),
            // Without increment and byoyomi, the time on the clock must last even for a long game.
            None if self.increment.is_zero() && self.byoyomi.is_zero() => (shares(at) * 3 / 2, 0),
            None => (shares(at), INCREMENTS),
        };
        // Some time is set aside for the overhead of the next few moves.
        let later = (settings.overhead * moves.min(8)).min(self.time / 4);
        let share = (self.time - later + self.increment * increments) / moves;
        // When little time is left, most of the share would be future increments, so the share is reduced.
        let share = share.min(self.time / moves.min(5) + self.increment * 3 / 4);
        let slowly = |time: Duration| time * settings.slow_mover / 100;
        let hard = match moves {
            1 => ceiling,
            _ => slowly(share * STRETCH + self.byoyomi).min(ceiling.mul_f64(0.8).max(safe(self.byoyomi, overhead))),
        };
        // If the clock charges whole seconds, the search may use up the last second that it has begun.
        let (pace, soft) = (Pace::of(settings), slowly(share + self.byoyomi).min(hard));
        Plan::Managed { soft, hard: pace.stretch(hard).min(ceiling), pace }
    }

    /// Returns the latest time to answer within a byoyomi period. At most a quarter of a short period is kept for the
    /// overhead, because games with short periods are not played over a network.
    fn last_moment(&self, settings: &Settings) -> Duration {
        let time = self.time + self.byoyomi;
        safe(time, settings.overhead_last.min(settings.overhead.max(time / 4)))
    }
}

/// The number of moves among which the time until the end of the game is divided.
fn shares(at: Standing) -> u32 {
    let [first, late] = at.shares;
    late + first.saturating_sub(late) * HALFWAY / (HALFWAY + at.ply)
}
