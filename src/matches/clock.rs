//! The clock of one player in one game. The caller measures the time of each move.

use super::control::TimeControl;
use hasami_api::Side;
use hasami_protocol::{Clock, Go, Protocol};
use std::time::Duration;

/// How much longer than its limit a move took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overrun(pub Duration);

/// A player's clock. UCI adds an increment in advance, including before the first move (as in fastchess and cutechess).
/// USI sends the time without the increment and adds it at the start of the turn (as in YaneuraOu and cshogi). The
/// conventions of UCI and USI give players the same time.
#[derive(Clone, PartialEq, Debug)]
pub struct GameClock {
    control: TimeControl,
    /// Main time left, including the increment for the next move.
    left: Duration,
    /// Number of moves until the main time is added again.
    moves_left: u32,
}

impl GameClock {
    pub fn new(control: &TimeControl) -> Self {
        let left = control.main + control.increment;
        Self { left, moves_left: control.moves, control: control.clone() }
    }

    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Returns the time available for the next move, without the margin; `None` if the time is unlimited.
    pub fn allowance(&self) -> Option<Duration> {
        if let Some(time) = self.control.move_time {
            return Some(time);
        }
        self.control.has_clock().then(|| self.left + self.control.byoyomi)
    }

    /// Records that a move took `used`.
    pub fn spend(&mut self, used: Duration) -> Result<(), Overrun> {
        let Some(allowance) = self.allowance() else { return Ok(()) };
        // Engines receive whole milliseconds, so a fraction of a millisecond never loses a game.
        let used = Duration::from_millis(used.as_millis() as u64);
        if used > allowance + self.control.margin() {
            return Err(Overrun(used - allowance));
        }
        if self.control.has_clock() {
            self.left = self.left.saturating_sub(used) + self.control.increment;
            self.count_move();
        }
        Ok(())
    }

    fn count_move(&mut self) {
        if self.control.moves == 0 {
            return;
        }
        self.moves_left -= 1;
        if self.moves_left == 0 {
            self.moves_left = self.control.moves;
            self.left += self.control.main;
        }
    }

    /// Time left between moves; `None` without a clock.
    pub fn left(&self) -> Option<Duration> {
        self.control.has_clock().then_some(self.left)
    }

    /// Returns the time left in the convention of `protocol`.
    fn left_in(&self, protocol: Protocol) -> Option<Duration> {
        self.left().map(|left| match protocol {
            Protocol::Uci => left,
            Protocol::Usi => left.saturating_sub(self.control.increment),
        })
    }
}

/// Returns the `go` command for `mover` with the clocks of both sides.
pub fn go(clocks: &[GameClock; 2], mover: Side, protocol: Protocol) -> Go {
    let own = &clocks[mover.index()];
    let mut go =
        Go { move_time: own.control.move_time, nodes: own.control.nodes, depth: own.control.depth, ..Go::default() };
    if own.control.has_clock() {
        go.clock = Clock {
            time: [clocks[0].left_in(protocol), clocks[1].left_in(protocol)],
            increment: [clocks[0].control.increment, clocks[1].control.increment],
            adds_first: false,
            byoyomi: own.control.byoyomi,
            moves_to_go: (own.control.moves > 0).then_some(own.moves_left),
        }
        .sent_by(protocol);
    }
    go
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_protocol::{Command, client};

    fn clock(text: &str) -> GameClock {
        let mut control = TimeControl::default();
        control.set_clock(text).unwrap();
        GameClock::new(&control)
    }

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn line(clocks: &[GameClock; 2], mover: Side, protocol: Protocol) -> String {
        client::write(protocol, &Command::Go(go(clocks, mover, protocol))).unwrap()
    }

    #[test]
    fn increments_are_counted_in_advance_in_uci_and_at_the_turn_in_usi() {
        let mut clocks = [clock("10+0.5"), clock("5+0.25")];
        assert_eq!(line(&clocks, Side::First, Protocol::Uci), "go wtime 10500 btime 5250 winc 500 binc 250");
        assert_eq!(line(&clocks, Side::First, Protocol::Usi), "go btime 10000 wtime 5000 binc 500 winc 250");
        clocks[0].spend(ms(1_500)).unwrap();
        assert_eq!(line(&clocks, Side::Second, Protocol::Uci), "go wtime 9500 btime 5250 winc 500 binc 250");
        // The time left is 10 s plus an increment of 0.5 s at the start of the turn, minus 1.5 s used.
        assert_eq!(line(&clocks, Side::First, Protocol::Usi), "go btime 9000 wtime 5000 binc 500 winc 250");
        assert_eq!(clocks[0].allowance(), Some(ms(9_500)));
    }

    #[test]
    fn byoyomi_begins_when_the_main_time_is_used_up() {
        let mut clock = clock("2");
        clock.control.byoyomi = ms(1_000);
        clock.spend(ms(1_500)).unwrap();
        assert_eq!(clock.allowance(), Some(ms(1_500)));
        clock.spend(ms(1_400)).unwrap();
        let clocks = [clock.clone(), clock.clone()];
        assert_eq!(line(&clocks, Side::First, Protocol::Usi), "go btime 0 wtime 0 byoyomi 1000");
        clock.spend(ms(1_000)).unwrap();
        assert_eq!(clock.spend(ms(1_002)), Err(Overrun(ms(2))));
    }

    #[test]
    fn the_main_time_is_added_again_after_its_moves() {
        let mut clock = clock("2/10");
        clock.spend(ms(4_000)).unwrap();
        let clocks = [clock.clone(), clock.clone()];
        assert_eq!(line(&clocks, Side::First, Protocol::Uci), "go wtime 6000 btime 6000 movestogo 1");
        clock.spend(ms(6_000)).unwrap();
        assert_eq!((clock.left(), clock.moves_left), (Some(ms(10_000)), 2));
    }

    #[test]
    fn a_margin_is_tolerated_but_not_added_to_the_clock() {
        let mut clock = clock("1");
        clock.control.margin = Some(ms(50));
        clock.spend(ms(1_050)).unwrap();
        assert_eq!(clock.left(), Some(Duration::ZERO));
        assert_eq!(clock.spend(ms(51)), Err(Overrun(ms(51))));
    }

    #[test]
    fn limits_without_a_clock_never_run_out() {
        let control = TimeControl { nodes: Some(500), depth: Some(7), ..TimeControl::default() };
        let mut clock = GameClock::new(&control);
        assert_eq!((clock.allowance(), clock.spend(ms(1_000_000))), (None, Ok(())));
        assert_eq!(line(&[clock.clone(), clock], Side::Second, Protocol::Uci), "go depth 7 nodes 500");
        let control = TimeControl { move_time: Some(ms(100)), ..TimeControl::default() };
        let mut clock = GameClock::new(&control);
        assert_eq!([100, 150, 151].map(|used| clock.spend(ms(used))), [Ok(()), Ok(()), Err(Overrun(ms(51)))]);
        clock.control.margin = Some(Duration::ZERO);
        assert!(clock.spend(ms(100)).is_ok() && clock.spend(ms(101)).is_err());
        assert_eq!(clock.left(), None);
    }
}
