//! Time controls in the notation of the command line.

use hasami_protocol::Protocol;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Default margin for a fixed time per move: engines stop when the time is over, and their answer takes some
/// milliseconds more. Clocks have no margin by default, because engines reserve time for the delay of their answers.
const MOVE_TIME_MARGIN: Duration = Duration::from_millis(50);

/// Number of moves per side in a typical game.
const USUAL_MOVES: u32 = 40;

/// The limits of one engine; several may apply at once.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time for the whole game, or for `moves` moves if that is not 0.
    pub main: Duration,
    /// The main time is added again after this many moves; 0 means never.
    pub moves: u32,
    pub increment: Duration,
    /// Time for every move after the main time is used up, as in shogi.
    pub byoyomi: Duration,
    /// Fixed time for every move.
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u16>,
    /// Tolerated overrun; `None` for the default ([`Self::margin`]).
    pub margin: Option<Duration>,
}

impl TimeControl {
    /// Sets the clock from `[MOVES/]TIME[+INCREMENT]`; `inf` means no clock. TIME is in seconds or `minutes:seconds`.
    pub fn set_clock(&mut self, text: &str) -> Result<(), String> {
        (self.main, self.moves, self.increment) = (Duration::ZERO, 0, Duration::ZERO);
        if ["inf", "infinite", "-"].contains(&text) {
            return Ok(());
        }
        let (moves, rest) = text.split_once('/').unwrap_or(("0", text));
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let expected = || format!("expected a time control like 60+0.6, 40/300 or 1:30+1, found '{text}'");
        self.moves = moves.parse().map_err(|_| expected())?;
        self.main = clock_time(time).ok_or_else(expected)?;
        self.increment = seconds(increment).ok_or_else(expected)?;
        Ok(())
    }

    /// Returns the tolerated overrun.
    pub fn margin(&self) -> Duration {
        let usual = if self.move_time.is_some() { MOVE_TIME_MARGIN } else { Duration::ZERO };
        self.margin.unwrap_or(usual)
    }

    /// Returns whether moves have a time limit.
    pub fn is_timed(&self) -> bool {
        self.has_clock() || self.move_time.is_some()
    }

    /// Returns whether there is a clock that continues from move to move.
    pub fn has_clock(&self) -> bool {
        !(self.main + self.increment + self.byoyomi).is_zero()
    }

    /// Returns the time that the clock adds for every move; `None` without a clock.
    pub fn turn(&self) -> Option<Duration> {
        self.has_clock().then_some(self.increment + self.byoyomi)
    }

    /// Returns the average time per move of a typical game; `None` if the time is unlimited.
    pub fn pace(&self) -> Option<Duration> {
        let moves = if self.moves > 0 { self.moves } else { USUAL_MOVES };
        self.move_time.or_else(|| Some(self.main / moves + self.turn()?))
    }

    /// Multiplies times and nodes by `factor`, for time-odds matches.
    pub fn scaled(&self, factor: f64) -> Self {
        let longer = |time: Duration| Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(time);
        Self {
            main: longer(self.main),
            increment: longer(self.increment),
            byoyomi: longer(self.byoyomi),
            move_time: self.move_time.map(longer),
            nodes: self.nodes.map(|nodes| ((nodes as f64 * factor).round() as u64).max(1)),
            ..self.clone()
        }
    }

    /// Multiplies times by `factor`, including the margin, for slower and faster machines.
    pub fn for_machine(&self, factor: f64) -> Self {
        let margin = Some(self.margin().mul_f64(factor));
        Self { nodes: self.nodes, margin, ..self.scaled(factor) }
    }

    /// Returns an error if two options exclude each other.
    pub fn check(&self, protocol: Protocol) -> Result<(), String> {
        if self.has_clock() && self.move_time.is_some() {
            return Err("a clock (tc, byoyomi) and a time for every move (st, movetime) exclude each other".to_owned());
        }
        if !self.byoyomi.is_zero() && !self.increment.is_zero() {
            return Err("byoyomi and increments exclude each other".to_owned());
        }
        if !self.byoyomi.is_zero() && protocol == Protocol::Uci {
            return Err("byoyomi exists only in USI games, and this is a UCI game".to_owned());
        }
        if !self.is_timed() && self.nodes.is_none() && self.depth.is_none() {
            return Err("no limit is set; set tc, byoyomi, movetime, nodes or depth".to_owned());
        }
        Ok(())
    }
}

/// Formats limits such as `40/60+0.6`, `60+10b` (byoyomi), `0.1/move`, `10000 nodes` or `8 plies`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.has_clock() {
            let moves = if self.moves > 0 { format!("{}/", self.moves) } else { String::new() };
            let mut clock = format!("{moves}{}", self.main.as_secs_f64());
            if !self.increment.is_zero() {
                clock += &format!("+{}", self.increment.as_secs_f64());
            }
            if !self.byoyomi.is_zero() {
                clock += &format!("+{}b", self.byoyomi.as_secs_f64());
            }
            parts.push(clock);
        }
        parts.extend(self.move_time.map(|time| format!("{}/move", time.as_secs_f64())));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("{depth} plies")));
        f.write_str(if parts.is_empty() { "-".into() } else { parts.join(", ") }.as_str())
    }
}

/// Parses seconds or `minutes:seconds`.
fn clock_time(text: &str) -> Option<Duration> {
    match text.split_once(':') {
        None => seconds(text),
        Some((minutes, rest)) => Some(Duration::from_secs(minutes.parse::<u32>().ok()? as u64 * 60) + seconds(rest)?),
    }
}

/// Parses decimal seconds, at most about three years.
pub fn seconds(text: &str) -> Option<Duration> {
    let value: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(value).ok().filter(|_| value <= 1e8)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        let mut control = TimeControl::default();
        control.set_clock(text).unwrap();
        control
    }

    #[test]
    fn times_are_scaled_for_a_machine_but_nodes_are_not() {
        let mut control = TimeControl { nodes: Some(1_000), depth: Some(9), ..TimeControl::default() };
        control.set_clock("40/10+0.1").unwrap();
        assert_eq!(control.for_machine(1.0), TimeControl { margin: Some(control.margin()), ..control.clone() });
        assert_eq!(control.for_machine(1.5).to_string(), "40/15+0.15, 1000 nodes, 9 plies");
    }

    #[test]
    fn clocks_are_parsed_and_printed() {
        for text in ["60", "40/60", "60+0.6", "0.1+0.001", "40/300+2"] {
            assert_eq!(control(text).to_string(), text);
        }
        assert_eq!(control("1:30+1").main, Duration::from_secs(90));
        assert_eq!(control("inf").to_string(), "-");
        for text in ["", "x", "60+x", "a/60", "-1", "60+-1", "1e99"] {
            assert!(
                TimeControl::default().set_clock(text).unwrap_err().to_string().ends_with(&format!("found '{text}'"))
            );
        }
    }

    #[test]
    fn a_fixed_time_for_each_move_has_a_margin_and_a_clock_has_none() {
        let fixed = TimeControl { move_time: Some(Duration::from_millis(100)), ..TimeControl::default() };
        assert_eq!((fixed.margin(), control("10+0.1").margin()), (MOVE_TIME_MARGIN, Duration::ZERO));
        let own = Some(Duration::from_millis(7));
        assert_eq!(TimeControl { margin: own, ..fixed }.margin(), Duration::from_millis(7));
        assert_eq!(TimeControl { margin: own, ..control("10") }.margin(), Duration::from_millis(7));
    }

    #[test]
    fn odds_multiply_time_and_nodes() {
        let control = TimeControl { nodes: Some(1_000), ..control("10+0.1") }.scaled(2.5);
        assert_eq!(control.to_string(), "25+0.25, 2500 nodes");
    }

    #[test]
    fn contradictions_are_refused() {
        let second = Duration::from_secs(1);
        let clock = control("10");
        let cases = [
            (TimeControl::default(), "no limit is set"),
            (TimeControl { move_time: Some(second), ..clock.clone() }, "exclude each other"),
            (TimeControl { byoyomi: second, ..clock.clone() }, "UCI"),
            (TimeControl { byoyomi: second, increment: second, ..clock.clone() }, "byoyomi and increments"),
        ];
        for (control, word) in cases {
            assert!(control.check(Protocol::Uci).unwrap_err().to_string().contains(word), "{control:?}");
        }
        assert!(TimeControl { byoyomi: second, ..clock.clone() }.check(Protocol::Usi).is_ok());
        assert!(clock.check(Protocol::Uci).is_ok());
    }
}
