#![allow(clippy::unwrap_used)]

mod games;

use super::*;
use proptest::prelude::*;

const AT: Standing = Standing { side: Side::First, ply: 0, shares: [35, 12] };

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn clock(time: u64, increment: u64, byoyomi: u64) -> Clock {
    Clock { time: [Some(ms(time)); 2], increment: [ms(increment); 2], byoyomi: ms(byoyomi), ..Clock::default() }
}

fn plan(clock: Clock) -> Plan {
    Plan::new(&Go { clock, ..Go::default() }, &Settings::default(), AT)
}

fn soft(plan: Plan) -> Duration {
    match plan {
        Plan::Managed { soft, .. } => soft,
        other => panic!("expected a managed plan, found {other:?}"),
    }
}

#[test]
fn searches_without_a_time_limit_have_no_plan() {
    assert_eq!(Plan::new(&Go::default(), &Settings::default(), AT), Plan::Unlimited);
    for go in [
        Go { infinite: true, clock: clock(1000, 0, 0), ..Go::default() },
        Go { ponder: true, clock: clock(1000, 0, 0), ..Go::default() },
        Go { depth: Some(5), ..Go::default() },
        Go { nodes: Some(5), ..Go::default() },
        Go { mate: Some(MateLimit::Infinite), ..Go::default() },
        Go { mate: Some(MateLimit::Moves(3)), ..Go::default() },
    ] {
        let plan = Plan::new(&go, &Settings::default(), AT);
        assert_eq!(plan, Plan::Unlimited, "{go:?}");
        assert_eq!(plan.step(ms(100_000), &Signs { settled: true, known: true, ..Signs::default() }), Step::GoOn);
    }
}

#[test]
fn fixed_times_are_used_completely() {
    let open = Signs { known: true, share: Some(1.0), gap_cp: Some(900), ..Signs::default() };
    for go in [
        Go { move_time: Some(ms(1000)), ..Go::default() },
        Go { mate: Some(MateLimit::Time(ms(1000))), ..Go::default() },
    ] {
        let plan = Plan::new(&go, &Settings::default(), AT);
        assert_eq!(plan, Plan::Fixed(ms(970)));
        assert_eq!(plan.step(ms(969), &open), Step::CheckAt(ms(970)));
        assert_eq!(plan.step(ms(970), &open), Step::Stop);
    }
    let blitz = Go { move_time: Some(ms(10)), ..Go::default() };
    assert_eq!(Plan::new(&blitz, &Settings::default(), AT), Plan::Fixed(ms(10) / 4));
}

#[test]
fn no_time_is_used_when_the_move_cannot_change() {
    let known = Signs { known: true, ..Signs::default() };
    for plan in [Plan::Fixed(ms(1000)), Plan::Managed { soft: ms(1000), hard: ms(2000), pace: Pace::default() }] {
        assert_eq!(plan.step(ms(1), &Signs { settled: true, ponders: true, ..known }), Step::Stop);
        assert_eq!(plan.step(ms(1), &Signs { forced: true, ..known }), Step::Stop);
        for open in [
            Signs { forced: true, ponders: true, ..known },
            Signs { forced: true, ..Signs::default() },
            Signs { settled: true, ..Signs::default() },
        ] {
            assert_eq!(plan.step(ms(1), &open), Step::CheckAt(ms(50)), "{plan:?} {open:?}");
            assert_eq!(plan.step(ms(50), &open), Step::Stop, "{plan:?} {open:?}");
        }
    }
}

#[test]
fn byoyomi_alone_is_used_completely() {
    let only = Clock { byoyomi: ms(10_000), ..Clock::default() };
    for clock in [only, clock(0, 0, 10_000)] {
        let plan = plan(clock);
        assert_eq!(plan, Plan::Fixed(ms(10_000) - Settings::default().overhead_last));
        let clear =
            Signs { known: true, stable_for: ms(9000), gap_cp: Some(500), share: Some(1.0), ..Signs::default() };
        assert!(matches!(plan.step(ms(9800), &clear), Step::CheckAt(_)));
        assert_eq!(plan.step(ms(9880), &clear), Step::Stop);
    }
    assert!(soft(plan(clock(600_000, 0, 10_000))) > ms(20_000));
}

#[test]
fn an_increment_that_is_added_before_the_move_is_used() {
    let usi = |time| Clock { adds_first: true, ..clock(time, 2_000, 0) };
    let delay = Settings::default().overhead;
    for time in [0, 100, 1_999] {
        let plan = plan(usi(time));
        assert!(soft(plan) > ms(1_000) && plan.hard() <= Some(ms(time + 2_000) - delay), "{time}: {plan:?}");
    }
    assert_eq!(plan(Clock { time: [None; 2], ..usi(0) }), plan(usi(0)));
    // The flag must not fall if a GUI sends a time that already includes the increment.
    for time in [2_000, 2_100, 9_000] {
        assert!(plan(usi(time)).hard() <= Some(ms(time) - delay), "{time}");
    }
    assert!(plan(clock(100, 2_000, 0)).hard() < Some(ms(100)), "in UCI it comes after the move");
}

#[test]
fn the_other_side_s_clock_replaces_a_missing_one() {
    let mut one = Clock { time: [Some(ms(100)), None], ..Clock::default() };
    assert_eq!(plan(one), plan(clock(100, 0, 0)));
    one.time = [None, Some(ms(100))];
    assert_eq!(plan(one), plan(clock(100, 0, 0)));
}

#[test]
fn usual_time_controls_get_sane_shares() {
    for (time, increment, least, most) in
        [(1_000, 10, 12, 40), (10_000, 100, 220, 500), (60_000, 600, 1_300, 3_000), (3_600_000, 0, 50_000, 150_000)]
    {
        let soft = soft(plan(clock(time, increment, 0)));
        assert!(ms(least) <= soft && soft <= ms(most), "{time}+{increment}: {soft:?}");
    }
    let control = Clock { moves_to_go: Some(40), ..clock(240_000, 0, 0) };
    assert!((ms(5_000)..ms(7_000)).contains(&soft(plan(control))));
    let last = Clock { moves_to_go: Some(1), ..clock(240_000, 0, 0) };
    assert!(plan(last).hard() < Some(ms(240_000)) && soft(plan(last)) > ms(200_000));
}

#[test]
fn without_remaining_time_the_answer_is_immediate() {
    let plan = plan(clock(0, 0, 0));
    assert_eq!(plan.step(ms(0), &Signs::default()), Step::Stop);
}

#[test]
fn a_ponder_hit_starts_the_clock_and_counts_the_time_of_pondering() {
    let go = Go { ponder: true, ..Go::default() };
    let hit = Plan::on_ponder_hit(&go, Some(clock(60_000, 0, 0)), &Settings::default(), AT);
    let fresh = Signs { known: true, ..Signs::default() };
    let pondered = Signs { carried: ms(20_000), stable_for: ms(20_000), ..fresh };
    assert!(matches!(hit.step(ms(10), &fresh), Step::CheckAt(_)));
    assert_eq!(hit.step(ms(10), &pondered), Step::Stop);
    let go = Go { clock: clock(60_000, 0, 0), ..go };
    assert_eq!(Plan::on_ponder_hit(&go, None, &Settings::default(), AT), hit);
}

fn plan_with(settings: &Settings, clock: Clock) -> Plan {
    Plan::new(&Go { clock, ..Go::default() }, settings, AT)
}

/// The time at which the plan ends a search whose best move is clear.
fn answered(plan: Plan) -> Duration {
    let clear = Signs { known: true, ..Signs::default() };
    (0..200_000).map(ms).find(|&t| plan.step(t, &clear) == Step::Stop).unwrap()
}

#[test]
fn slow_mover_scales_the_time_without_flag_falls() {
    let shares = [20, 100, 300].map(|slow_mover| {
        let settings = Settings { slow_mover, ..Settings::default() };
        soft(plan_with(&settings, clock(60_000, 600, 0)))
    });
    assert_eq!(shares[1], soft(plan(clock(60_000, 600, 0))));
    assert!(shares[0].abs_diff(shares[1] / 5) < ms(2) && shares[2].abs_diff(shares[1] * 3) < ms(2), "{shares:?}");
    for slow_mover in [10, 1_000] {
        for clock in [clock(60_000, 0, 0), clock(100, 0, 0), clock(3_000, 0, 1_000), clock(500, 1_000, 0)] {
            let plan = plan_with(&Settings { slow_mover, ..Settings::default() }, clock);
            assert!(plan.hard().unwrap() < clock.time[0].unwrap() + clock.byoyomi, "{slow_mover}: {plan:?}");
        }
    }
}

#[test]
fn no_move_comes_before_the_least_time() {
    let settings = Settings { least_time: ms(2_000), ..Settings::default() };
    let quick = clock(20_000, 0, 0);
    assert!(answered(plan(quick)) < ms(1_000));
    assert_eq!(answered(plan_with(&settings, quick)), ms(2_000) - settings.overhead);
    let last = plan_with(&settings, clock(1_000, 0, 0));
    assert!(last.hard().unwrap() < ms(1_000), "the time limit takes precedence: {last:?}");
    let forced = Signs { known: true, forced: true, ..Signs::default() };
    assert_eq!(plan_with(&settings, quick).step(ms(1), &forced), Step::Stop, "a forced move is not delayed");
}

#[test]
fn whole_seconds_are_used_up_except_for_the_overhead() {
    let settings = Settings { whole_seconds: true, ..Settings::default() };
    for time in [20_000, 100_000, 300_000, 900_000] {
        let (plain, whole) = (answered(plan(clock(time, 0, 0))), answered(plan_with(&settings, clock(time, 0, 0))));
        let counted = whole + settings.overhead;
        assert_eq!(counted.as_millis() % 1_000, 0, "{time}: {whole:?}");
        assert!(plain <= whole && whole < plain + ms(1_001), "{time}: {plain:?} {whole:?}");
    }
    let short = plan_with(&settings, clock(700, 0, 0));
    assert!(short.hard().unwrap() < ms(700), "{short:?}");
}

#[test]
fn doubt_lengthens_the_search_and_clarity_shortens_it() {
    let plan = plan(clock(60_000, 0, 0));
    let usual = soft(plan);
    let stop_at = |signs: Signs| (0..100_000).map(ms).find(|&t| plan.step(t, &signs) == Step::Stop).unwrap();
    let known = Signs { known: true, ..Signs::default() };
    let falling = stop_at(Signs { drop_cp: 60, gap_cp: Some(0), share: Some(0.3), ..known });
    let clear = stop_at(Signs { gap_cp: Some(150), share: Some(0.95), stable_for: usual, ..known });
    assert!(falling > usual.mul_f64(1.6) && falling <= plan.hard().unwrap(), "{falling:?}");
    assert!(clear < usual.mul_f64(0.6), "{clear:?}");
    assert_eq!(stop_at(Signs { settled: true, ..known }), ms(0));
    assert_eq!(stop_at(Signs { forced: true, ..known }), ms(0));
    assert!(stop_at(Signs { forced: true, ponders: true, ..known }) <= usual / 10);
}

#[test]
fn a_search_without_reports_is_checked_regularly() {
    let plan = plan(clock(60_000, 0, 0));
    let (mut at, mut looks) = (ms(0), 0);
    while let Step::CheckAt(next) = plan.step(at, &Signs::default()) {
        (at, looks) = (next, looks + 1);
    }
    assert_eq!(Some(at), plan.hard());
    assert!(looks < 50, "{looks} checks in {at:?}");
}

fn any_ms() -> impl Strategy<Value = u64> {
    prop_oneof![0..50u64, 0..5_000u64, 0..10_000_000u64, Just(u64::MAX)]
}

fn any_clock() -> impl Strategy<Value = Clock> {
    let time = || proptest::option::weighted(0.8, any_ms().prop_map(ms));
    (time(), time(), any_ms(), any_ms(), proptest::option::of(0..200u32)).prop_map(|(first, second, inc, byo, togo)| {
        Clock {
            time: [first, second],
            increment: [ms(inc); 2],
            byoyomi: if inc % 2 == 0 { ms(byo) } else { Duration::ZERO },
            moves_to_go: togo,
            adds_first: false,
        }
    })
}

fn any_signs() -> impl Strategy<Value = Signs> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let share = proptest::option::of(0.0..1.0f64);
    (flags, any_ms(), -30_000..30_000i32, proptest::option::of(0..30_000i32), share, any_ms()).prop_map(
        |((known, forced, ponders, settled), stable, drop_cp, gap_cp, share, carried)| Signs {
            known,
            forced,
            ponders,
            settled,
            stable_for: ms(stable),
            drop_cp,
            gap_cp,
            share,
            carried: ms(carried),
        },
    )
}

proptest! {
    #[test]
    fn never_plans_beyond_the_clock(clock in any_clock(), ply in 0..400u32) {
        let at = Standing { ply, ..AT };
        let plan = Plan::new(&Go { clock, ..Go::default() }, &Settings::default(), at);
        if let Some(hard) = plan.hard() {
            let own = clock.time[0].or(clock.time[1]).unwrap_or_default();
            prop_assert!(hard <= own.saturating_add(clock.byoyomi), "{plan:?}");
        }
        if let Plan::Managed { soft, hard, .. } = plan {
            prop_assert!(soft <= hard, "{plan:?}");
        }
    }

    #[test]
    fn steps_lead_to_a_stop_by_the_hard_limit(clock in any_clock(), signs in any_signs(), start in any_ms()) {
        let plan = Plan::new(&Go { clock, ..Go::default() }, &Settings::default(), AT);
        if let Some(hard) = plan.hard() {
            prop_assert_eq!(plan.step(hard, &signs), Step::Stop);
            let start = ms(start);
            if let Step::CheckAt(moment) = plan.step(start, &signs) {
                prop_assert!(start < moment && moment <= hard, "{start:?} {moment:?} {plan:?}");
            }
        }
    }
}
