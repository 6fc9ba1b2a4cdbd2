//! How long to think: from the words of `go` to a plan, and from the state of the root to "stop now" or "look again then".
//!
//! All moments are relative to the arrival of `go` (after a ponder hit: to the arrival of `ponderhit`).

mod node_time;
mod pace;
mod signs;

#[cfg(test)]
mod games;

#[cfg(test)]
mod tests;

pub use node_time::NodeTime;
pub use pace::Pace;
pub use signs::Signs;

use hasami_api::Side;
use hasami_protocol::{Clock, Go, MateLimit, Settings};
use std::time::Duration;

/// Longer clocks are treated as this long, so that no sum overflows.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);
/// A move may take this many times its share of the clock when the root is in doubt.
const STRETCH: u32 = 4;
/// However far the game is, at least so many moves are provided for.
const MIN_MOVES: u32 = 18;
const MAX_MOVES: u32 = 50;
/// With a forced move there is nothing to find out but the answer to it.
const FORCED_SHARE: u32 = 20;

/// Inputs of the plan besides `go` and the settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    pub side: Side,
    /// Plies played so far.
    pub ply: u32,
    /// Plies of a usual game (chess about 120, shogi about 140).
    pub game_plies: u32,
}

/// When to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Time does not end this search: `stop`, a limit on depth or nodes, or `ponderhit` does.
    Unlimited,
    /// All of this is used unless the move is decided or forced (`movetime`, `go mate` with a time).
    Fixed(Duration),
    /// The same for the last moment of a byoyomi period: time not used is lost.
    Whole(Duration),
    /// About `soft`, longer while the root is in doubt, never beyond `hard`; told when the pace allows.
    Managed { soft: Duration, hard: Duration, pace: Pace },
}

/// A decision at one moment of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Answer now.
    Stop,
    /// Go on and ask again at this moment, or earlier if the signs change.
    CheckAt(Duration),
    /// Time has no say.
    GoOn,
}

impl Plan {
    /// The plan at the arrival of `go`.
    pub fn new(go: &Go, settings: &Settings, at: Standing) -> Self {
        if go.infinite || go.ponder { Self::Unlimited } else { Self::timed(go, &go.clock, settings, at) }
    }

    /// The plan at the arrival of `ponderhit` for the `go ponder` that it answers; `clock` is what an early ponder's hit
    /// brings along, and replaces that of `go`.
    pub fn on_ponder_hit(go: &Go, clock: Option<Clock>, settings: &Settings, at: Standing) -> Self {
        if go.infinite { Self::Unlimited } else { Self::timed(go, &clock.unwrap_or(go.clock), settings, at) }
    }

    fn timed(go: &Go, clock: &Clock, settings: &Settings, at: Standing) -> Self {
        let fixed = match go.mate {
            Some(MateLimit::Time(limit)) => Some(limit),
            Some(MateLimit::Infinite) => return Self::Unlimited,
            Some(MateLimit::Moves(_)) | None => go.move_time,
        };
        match (fixed, Purse::new(clock, at.side)) {
            (Some(limit), _) => Self::Fixed(safe(limit.min(LONGEST), settings.overhead)),
            (None, Some(purse)) => purse.plan(settings, at),
            (None, None) => Self::Unlimited,
        }
    }

    /// The moment by which an answer must be out; `None`: no such moment.
    pub fn hard(&self) -> Option<Duration> {
        match *self {
            Self::Unlimited => None,
            Self::Fixed(limit) | Self::Whole(limit) => Some(limit),
            Self::Managed { hard, .. } => Some(hard),
        }
    }

    /// About how long the search takes by the clock alone; `None`: it has no say.
    pub fn aim(&self) -> Option<Duration> {
        match *self {
            Self::Unlimited => None,
            Self::Fixed(limit) | Self::Whole(limit) => Some(limit),
            Self::Managed { soft, .. } => Some(soft),
        }
    }

    /// The decision `elapsed` after the start, with the root as `signs` describe it.
    pub fn step(&self, elapsed: Duration, signs: &Signs) -> Step {
        match *self {
            Self::Unlimited => Step::GoOn,
            _ if signs.is_final() => Step::Stop,
            Self::Fixed(limit) | Self::Whole(limit) if signs.settled || signs.forced => {
                until(limit / FORCED_SHARE, elapsed)
            }
            Self::Fixed(limit) | Self::Whole(limit) => until(limit, elapsed),
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

/// Effort that the root got before the clock ran (pondering, a tree kept from the last move) shortens the search, at half
/// its worth, since it was shared with other replies.
fn wanted(soft: Duration, hard: Duration, elapsed: Duration, signs: &Signs) -> Duration {
    soft.mul_f64(signs.doubt(elapsed)).saturating_sub(signs.carried / 2).min(hard)
}

fn managed((soft, hard, pace): (Duration, Duration, Pace), elapsed: Duration, signs: &Signs) -> Step {
    let wanted = pace.stretch(wanted(soft, hard, elapsed, signs)).min(hard);
    if elapsed >= wanted && (signs.known || elapsed >= hard) {
        return Step::Stop;
    }
    // Signs change with time even when nothing is reported, so a long wait is looked at in between.
    let next_check = elapsed + (soft / 8).max(Duration::from_millis(5));
    // Beyond what is wanted only the first report is missing, and it is looked at when it comes.
    let next = if elapsed < wanted { wanted.min(next_check) } else { next_check };
    Step::CheckAt(next.min(hard))
}

/// The rest of `time` after the transport took its part; a quarter of it in any case, so that something is searched.
fn safe(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 4)
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug)]
struct Purse {
    time: Duration,
    increment: Duration,
    byoyomi: Duration,
    moves_to_go: Option<u32>,
}

impl Purse {
    /// `None` if the clock says nothing. A side whose time was not sent is taken to have as much as the other.
    fn new(clock: &Clock, side: Side) -> Option<Self> {
        if clock.is_empty() {
            return None;
        }
        let told =
            if clock.time_of(side).is_none() && clock.time_of(side.other()).is_some() { side.other() } else { side };
        let short = |time: Duration| time.min(LONGEST);
        let (time, increment) = (short(clock.time_of(told).unwrap_or_default()), short(clock.increment_of(told)));
        // Where the increment comes after the move nobody ever has less than it; so a clock below it is sure to get it
        // now. Above, what is left is enough, whoever counts it how.
        let is_due = clock.adds_first && time < increment;
        Some(Self {
            time: if is_due { time + increment } else { time },
            increment,
            byoyomi: short(clock.byoyomi),
            moves_to_go: clock.moves_to_go.filter(|&moves| moves > 0),
        })
    }

    fn plan(&self, settings: &Settings, at: Standing) -> Plan {
        // Less than half a period above the byoyomi is not worth saving.
        if !self.byoyomi.is_zero() && self.time <= self.byoyomi / 2 {
            return Plan::Whole(self.last_moment(settings));
        }
        let overhead = if self.byoyomi.is_zero() { settings.overhead } else { settings.overhead_last };
        let ceiling = safe(self.time + self.byoyomi, overhead);
        let moves = self.moves_left(at);
        // The transport takes its part on later moves too: the next few are provided for.
        let later = (settings.overhead * moves.min(8)).min(self.time / 4);
        let share = (self.time - later) / moves;
        let extra = self.byoyomi + self.increment * 3 / 4;
        let slowly = |time: Duration| time * settings.slow_mover / 100;
        let hard = match moves {
            1 => ceiling,
            _ => slowly(share * STRETCH + extra).min(ceiling.mul_f64(0.8).max(safe(self.byoyomi, overhead))),
        };
        // Before a second is over that counts in any case there is nothing to save.
        let (pace, soft) = (Pace::of(settings), slowly(share + extra).min(hard));
        Plan::Managed { soft, hard: pace.stretch(hard).min(ceiling), pace }
    }

    /// The last moment of a period. Where periods are short nobody plays over a network: a quarter is enough for the way.
    fn last_moment(&self, settings: &Settings) -> Duration {
        let time = self.time + self.byoyomi;
        safe(time, settings.overhead_last.min(settings.overhead.max(time / 4)))
    }

    /// Our moves until the next time control, or until the end of the game as far as one can guess.
    fn moves_left(&self, at: Standing) -> u32 {
        let guess = (at.game_plies.saturating_sub(at.ply) / 2).clamp(MIN_MOVES, MAX_MOVES);
        self.moves_to_go.map_or(guess, |moves| moves.min(MAX_MOVES))
    }
}
