//! Simulates the clock of whole games, with an overhead for every move.

use crate::clock::{Plan, Signs, Standing, Step};
use hasami_api::Side;
use hasami_protocol::{Clock, Go, Settings};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::time::Duration;

/// A time control; all times are in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Control {
    time: u64,
    increment: u64,
    byoyomi: u64,
    /// The clock gains `time` again after every period of this many moves.
    moves: Option<u32>,
}

const fn control(time: u64, increment: u64, byoyomi: u64, moves: Option<u32>) -> Control {
    Control { time, increment, byoyomi, moves }
}

/// Statistics of a simulated game.
#[derive(Debug)]
struct Played {
    used: Duration,
    longest: Duration,
    left: Duration,
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// How long the plan lets the search last if every check comes slightly late.
fn thinks(plan: Plan, rng: &mut SmallRng) -> Duration {
    let mut elapsed = Duration::ZERO;
    let born = rng.random_range(0..3000);
    loop {
        let signs = Signs {
            known: true,
            forced: born < 100,
            ponders: born % 2 == 0,
            settled: born % 40 == 0,
            stable_for: elapsed.mul_f64(rng.random()),
            drop_cp: rng.random_range(-40..60),
            gap_cp: rng.random::<bool>().then(|| rng.random_range(0..200)),
            share: Some(rng.random()),
            carried: Duration::ZERO,
        };
        match plan.step(elapsed, &signs) {
            Step::Stop => return elapsed,
            Step::CheckAt(at) => elapsed = at + Duration::from_micros(rng.random_range(0..1_000)),
            Step::GoOn => unreachable!("the clock says something"),
        }
    }
}

/// Plays `moves` moves for one side. The error names the move at which the flag fell.
fn play(control: Control, moves: u32, latency: Duration, seed: u64) -> Result<Played, String> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut left = ms(control.time);
    let mut played = Played { used: Duration::ZERO, longest: Duration::ZERO, left };
    for number in 0..moves {
        let togo = control.moves.map(|every| every - number % every);
        let clock = Clock {
            time: [Some(left); 2],
            increment: [ms(control.increment); 2],
            byoyomi: ms(control.byoyomi),
            moves_to_go: togo,
            ..Clock::default()
        };
        let at = Standing { side: Side::First, ply: 2 * number, shares: [35, 12] };
        let plan = Plan::new(&Go { clock, ..Go::default() }, &Settings::default(), at);
        let used = thinks(plan, &mut rng) + latency.mul_f64(rng.random());
        if used > left + ms(control.byoyomi) {
            return Err(format!("{control:?}, seed {seed}: move {number} took {used:?} of {left:?}, {plan:?}"));
        }
        left = left.saturating_sub(used) + ms(control.increment);
        if togo == Some(1) {
            left += ms(control.time);
        }
        played.used += used;
        played.longest = played.longest.max(used);
    }
    Ok(Played { left, ..played })
}

#[test]
fn the_flag_never_falls() {
    // The latency is up to five milliseconds in short games. In long games, the latency is just below the configured
    // overhead, to leave room for late alarms.
    let short = [control(1_000, 10, 0, None), control(100, 10, 0, None), control(10_000, 100, 0, None)];
    let long = [
        control(60_000, 600, 0, None),
        control(240_000, 0, 0, Some(40)),
        control(10_000, 0, 0, Some(40)),
        control(0, 0, 1_000, None),
        control(600_000, 0, 10_000, None),
        control(3_000, 0, 500, None),
        control(3_600_000, 0, 0, None),
    ];
    let settings = Settings::default();
    for seed in 0..60 {
        for (controls, latency) in [(&short[..], ms(5)), (&long[..], settings.overhead - ms(2))] {
            for &control in controls {
                play(control, 200, latency, seed).unwrap_or_else(|flag| panic!("{flag}"));
            }
        }
    }
}

#[test]
fn most_of_the_time_is_used_by_the_end_of_a_usual_game() {
    for control in [control(1_000, 10, 0, None), control(10_000, 100, 0, None), control(60_000, 600, 0, None)] {
        let budget = ms(control.time + 60 * control.increment);
        for seed in 0..20 {
            let played = play(control, 60, ms(1), seed).unwrap_or_else(|flag| panic!("{flag}"));
            let part = played.used.as_secs_f64() / budget.as_secs_f64();
            assert!((0.6..=0.992).contains(&part), "{control:?}, seed {seed}: used {part:.3}, {played:?}");
            assert!(played.longest < budget / 5, "{control:?}, seed {seed}: {played:?}");
        }
    }
}

#[test]
fn every_period_of_moves_is_used() {
    let control = control(240_000, 0, 0, Some(40));
    for seed in 0..20 {
        let played = play(control, 40, ms(5), seed).unwrap_or_else(|flag| panic!("{flag}"));
        assert!(played.used > ms(150_000), "seed {seed}: {played:?}");
        assert!(played.left >= ms(240_000), "seed {seed}: {played:?}");
    }
}
