//! Time management: turns the parameters of `go` into a plan, and the state of the root into "stop now" or "check again
//! at this time".
//!
//! All times are relative to the arrival of `go` (after a ponder hit, to that of `ponderhit`).

mod pace;
mod signs;

#[cfg(test)]
mod tests;

pub use pace::Pace;
pub use signs::Signs;

use hasami_api::Side;
use hasami_protocol::{Clock, Go, MateLimit, Settings};
use std::time::Duration;

/// Longer times are treated as this long, so that no sum overflows.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);
/// A move may take this multiple of its share of the clock while the best move is in doubt.
const STRETCH: u32 = 4;
/// Largest number of moves among which the time until the next time control is divided.
const MOST_MOVES: u32 = 50;
/// If the time must last until the end of the game, this many increments are divided among the moves together with the
/// time on the clock.
const INCREMENTS: u32 = 49;
/// Number of plies after which the number of shares is halfway between that at the beginning and that at the end of a
/// game.
const HALFWAY: u32 = 21;
/// If the move is forced, the search takes only one part in this many of the usual time, to find the expected reply.
const FORCED_SHARE: u32 = 20;

/// The state of the game, as far as the plan depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    pub side: Side,
    /// Number of plies played so far.
    pub ply: u32,
    /// Number of moves among which the time on the clock is divided at the beginning of a game, and late in a game.
    pub shares: [u32; 2],
}

/// A plan of when to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// No time limit: the search ends by `stop`, `ponderhit`, or a limit of depth or nodes.
    Unlimited,
    /// The whole time is used unless the move is decided or forced. This plan serves `movetime`, `go mate` with a time,
    /// and a byoyomi period up to its last moment, since unused time is lost.
    Fixed(Duration),
    /// Takes about `soft`, longer while the best move is in doubt, but never more than `hard`. The pace may delay the
    /// answer.
    Managed { soft: Duration, hard: Duration, pace: Pace },
}

/// A decision that is made at some moment of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Answer now.
    Stop,
    /// Continue, and check again at this time, or earlier if the signs change.
    CheckAt(Duration),
    /// Time does not limit the search.
    GoOn,
}

impl Plan {
    /// The plan when `go` arrives.
    pub fn new(go: &Go, settings: &Settings, at: Standing) -> Self {
        if go.infinite || go.ponder { Self::Unlimited } else { Self::timed(go, &go.clock, settings, at) }
    }

    /// The plan when `ponderhit` arrives for this `go ponder`. `clock` is sent with the ponder hit in the early-ponder
    /// protocol, and replaces that of `go`.
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

    /// The approximate duration of the search by the clock alone; `None` if the clock does not limit it.
    pub fn aim(&self) -> Option<Duration> {
        match *self {
            Self::Unlimited => None,
            Self::Fixed(limit) => Some(limit),
            Self::Managed { soft, .. } => Some(soft),
        }
    }

    /// The decision at the time `elapsed` after the start, with the root in the state described by `signs`.
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

/// The wanted time. Effort that the root got before the clock ran (from pondering, or in a tree kept from the last
/// move) shortens the search by half its duration, since it was shared with other replies.
fn wanted(soft: Duration, hard: Duration, elapsed: Duration, signs: &Signs) -> Duration {
    soft.mul_f64(signs.doubt(elapsed)).saturating_sub(signs.carried / 2).min(hard)
}

fn managed((soft, hard, pace): (Duration, Duration, Pace), elapsed: Duration, signs: &Signs) -> Step {
    let wanted = pace.stretch(wanted(soft, hard, elapsed, signs)).min(hard);
    if elapsed >= wanted && (signs.known || elapsed >= hard) {
        return Step::Stop;
    }
    // The signs change with time even if no worker reports anything, so long waits are interrupted by checks.
    let next_check = elapsed + (soft / 8).max(Duration::from_millis(5));
    // After the wanted time only the first report is missing, which is handled when it arrives.
    let next = if elapsed < wanted { wanted.min(next_check) } else { next_check };
    Step::CheckAt(next.min(hard))
}

/// The part of `time` that remains after the overhead, but at least a quarter, so that something is searched.
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
    /// Returns `None` if the clock is empty. If the time of this side was not sent, the time of the other side is used.
    fn new(clock: &Clock, side: Side) -> Option<Self> {
        if clock.is_empty() {
            return None;
        }
        let told =
            if clock.time_of(side).is_none() && clock.time_of(side.other()).is_some() { side.other() } else { side };
        let short = |time: Duration| time.min(LONGEST);
        let (time, increment) = (short(clock.time_of(told).unwrap_or_default()), short(clock.increment_of(told)));
        // If the increment is added before the move, the clock never has less than the increment during a move, so a
        // clock below the increment is certain to receive the increment first. With more time on the clock, that time
        // is sufficient in either case.
        let is_due = clock.adds_first && time < increment;
        Some(Self {
            time: if is_due { time + increment } else { time },
            increment,
            byoyomi: short(clock.byoyomi),
            moves_to_go: clock.moves_to_go.filter(|&moves| moves > 0),
        })
    }

    fn plan(&self, settings: &Settings, at: Standing) -> Plan {
        // Less than half a period in addition to the byoyomi is not worth saving.
        if !self.byoyomi.is_zero() && self.time <= self.byoyomi / 2 {
            return Plan::Fixed(self.last_moment(settings));
        }
        let overhead = if self.byoyomi.is_zero() { settings.overhead } else { settings.overhead_last };
        let ceiling = safe(self.time + self.byoyomi, overhead);
        let (moves, increments) = match self.moves_to_go {
            Some(moves) => (moves.min(MOST_MOVES), moves.min(MOST_MOVES) - 1),
            // Nothing is added to this clock, so its time must suffice for a long game.
            None if self.increment.is_zero() && self.byoyomi.is_zero() => (shares(at) * 3 / 2, 0),
            None => (shares(at), INCREMENTS),
        };
        // Later moves have an overhead as well, so time is set aside for that of the next few moves.
        let later = (settings.overhead * moves.min(8)).min(self.time / 4);
        let share = (self.time - later + self.increment * increments) / moves;
        // With little time on the clock, most of the share would be increments that have not been added yet.
        let share = share.min(self.time / moves.min(5) + self.increment * 3 / 4);
        let slowly = |time: Duration| time * settings.slow_mover / 100;
        let hard = match moves {
            1 => ceiling,
            _ => slowly(share * STRETCH + self.byoyomi).min(ceiling.mul_f64(0.8).max(safe(self.byoyomi, overhead))),
        };
        // The rest of a second can be used up if the clock charges the whole second in any case.
        let (pace, soft) = (Pace::of(settings), slowly(share + self.byoyomi).min(hard));
        Plan::Managed { soft, hard: pace.stretch(hard).min(ceiling), pace }
    }

    /// Returns the latest time to answer within a byoyomi period. Games with short periods are not played over a
    /// network, so a quarter of the period is enough for the overhead.
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
