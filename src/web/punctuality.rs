//! Checks whether moves are answered within the time that the GUI gives for them.

use hasami_api::Side;
use hasami_protocol::{Clock, Go};
use std::time::Duration;

/// Counts moves and late moves, by this program's own clock: delays before it reads its input and after it writes its
/// output are not included.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Punctuality {
    /// Number of moves with a time limit.
    pub moves: u64,
    /// Number of moves that were answered after their time limit.
    pub late: u64,
    /// The time limit of the current move; `None` if it is unlimited.
    given: Option<Duration>,
    /// The clock of the last search.
    clock: Clock,
}

impl Punctuality {
    pub fn begin(&mut self, go: &Go, side: Side) {
        let is_timed = !go.infinite && !go.ponder && go.mate.is_none();
        self.given = go.move_time.or_else(|| given(&go.clock, side)).filter(|_| is_timed);
        self.clock = go.clock;
    }

    /// Starts the time of the pondered move. `clock` replaces the clock of the search.
    pub fn ponder_hit(&mut self, clock: Option<Clock>, side: Side) {
        self.given = given(&clock.unwrap_or(self.clock), side);
    }

    /// Counts a move that was answered after `took`.
    pub fn answered(&mut self, took: Duration) {
        if let Some(given) = self.given.take() {
            self.moves += 1;
            self.late += u64::from(took > given);
        }
    }
}

/// The time until the flag falls.
fn given(clock: &Clock, side: Side) -> Option<Duration> {
    let first = if clock.adds_first { clock.increment_of(side) } else { Duration::ZERO };
    let left = clock.time_of(side).map(|time| time + first);
    match left {
        Some(left) => Some(left + clock.byoyomi),
        None => Some(clock.byoyomi).filter(|byoyomi| !byoyomi.is_zero()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn counts(go: &Go, took: Duration) -> (u64, u64) {
        let mut moves = Punctuality::default();
        moves.begin(go, Side::Second);
        moves.answered(took);
        moves.answered(ms(1_000_000));
        (moves.moves, moves.late)
    }

    #[test]
    fn a_move_is_late_after_its_time_limit() {
        let fixed = Go { move_time: Some(ms(1_000)), ..Go::default() };
        assert_eq!((counts(&fixed, ms(1_000)), counts(&fixed, ms(1_001))), ((1, 0), (1, 1)));
        let clock = Clock { time: [Some(ms(9_000)), Some(ms(100))], byoyomi: ms(500), ..Clock::default() };
        let timed = Go { clock, ..Go::default() };
        assert_eq!((counts(&timed, ms(600)), counts(&timed, ms(601))), ((1, 0), (1, 1)));
        let adds_first = Clock { increment: [ms(0), ms(50)], adds_first: true, ..clock };
        assert_eq!(counts(&Go { clock: adds_first, ..Go::default() }, ms(650)), (1, 0));
    }

    #[test]
    fn a_search_without_a_time_limit_is_never_late() {
        let clock = Clock { time: [Some(ms(1)), Some(ms(1))], ..Clock::default() };
        for go in [
            Go { infinite: true, clock, ..Go::default() },
            Go { ponder: true, clock, ..Go::default() },
            Go { depth: Some(9), ..Go::default() },
        ] {
            assert_eq!(counts(&go, ms(60_000)), (0, 0), "{go:?}");
        }
    }

    #[test]
    fn a_ponder_hit_starts_the_time() {
        let clock = Clock { time: [Some(ms(100)), None], ..Clock::default() };
        let mut moves = Punctuality::default();
        moves.begin(&Go { ponder: true, clock, ..Go::default() }, Side::First);
        moves.ponder_hit(None, Side::First);
        moves.answered(ms(101));
        assert_eq!((moves.moves, moves.late), (1, 1));
        moves.ponder_hit(Some(Clock { time: [Some(ms(200)), None], ..clock }), Side::First);
        moves.answered(ms(200));
        assert_eq!((moves.moves, moves.late), (2, 1));
    }
}
