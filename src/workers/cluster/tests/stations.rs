//! A station among lost, late, doubled and forged words.

use super::*;
use crate::workers::cluster::fleet::SILENCE;
use crate::workers::cluster::station::{Effect, SeatState};
use crate::workers::cluster::wire::{MasterBeat, WireEnd, WireTask};

fn beat(owner: Owner, serial: u64, leaves: bool) -> Vec<u8> {
    encode(&MasterBeat {
        owner,
        serial,
        game: "chess".into(),
        name: "desk".into(),
        weight: 1,
        wants: 9,
        role: Role::Leaves,
        leaves,
    })
}

fn hear(desk: &mut Desk, bytes: &[u8]) {
    desk.station.hear(desk.now, Subject::Masters, None, bytes, &mut desk.station_out);
}

fn holders(desk: &Desk) -> Vec<Option<Owner>> {
    desk.station.states(desk.now).map(|seat| seat.holder.map(|(owner, _)| owner)).collect()
}

fn words(desk: &mut Desk) -> Vec<Say> {
    desk.take_station().iter().map(|(_, bytes)| decode::<Word>(bytes).unwrap().say).collect()
}

fn give(desk: &mut Desk, lease: Lease, what: What) {
    let bytes = order(lease, what);
    desk.station.hear(desk.now, Subject::Station(STATION), None, &bytes, &mut desk.station_out);
}

fn start_of(task: u64, moves: &[&str]) -> What {
    What::Start { task, game: 1, work: WireTask::from(&super::task(moves)) }
}

#[test]
fn a_master_that_is_silent_loses_its_seats_whatever_else_is_replayed() {
    let mut desk = Desk::seated(2);
    desk.start(100, 1, &task(&[]));
    desk.deliver();
    let lease = desk.seat(0).1;
    let (begun, old) = (desk.now, beat(OWNER, 1, false));
    while desk.now < begun + SILENCE + ms(100) {
        desk.now += ms(50);
        hear(&mut desk, &old);
        give(&mut desk, lease, What::Heard { task: 0 });
        desk.station.tick(desk.now, true, &mut desk.station_out);
    }
    let fired = desk.deeds().into_iter().filter(|effect| matches!(effect, Effect::Fire { .. })).count();
    assert_eq!((fired, holders(&desk)), (2, vec![None, None]));
    hear(&mut desk, &old);
    assert_eq!(holders(&desk), [None, None], "a replayed beat brings nobody back");
    hear(&mut desk, &beat(OWNER, 2, false));
    assert_eq!(holders(&desk), [Some(OWNER); 2]);
}

#[test]
fn a_beat_that_its_farewell_has_overtaken_brings_nobody_back() {
    let mut desk = Desk::seated(1);
    hear(&mut desk, &beat(OWNER, 7, true));
    assert_eq!(holders(&desk), [None]);
    hear(&mut desk, &beat(OWNER, 6, false));
    assert_eq!(holders(&desk), [None]);
    let next = Owner { epoch: OWNER.epoch + 1, ..OWNER };
    hear(&mut desk, &beat(next, 1, false));
    assert_eq!(holders(&desk), [Some(next)], "its next epoch is another matter");
    hear(&mut desk, &beat(OWNER, 99, false));
    assert_eq!(holders(&desk), [Some(next)]);
}

#[test]
fn the_end_of_a_task_is_told_until_it_was_heard() {
    let mut desk = Desk::seated(1);
    let lease = desk.seat(0).1;
    give(&mut desk, lease, start_of(3, &[]));
    desk.end(0, 3, best("e2e4"));
    let is_end = |say: &Say| matches!(say, Say::Ended { task: 3, .. });
    assert_eq!(words(&mut desk).iter().filter(|say| is_end(say)).count(), 1);
    // A late cancel of an older task, doubled, is answered and changes nothing.
    for _ in 0..2 {
        give(&mut desk, lease, What::Cancel { task: 2 });
        assert!(matches!(&words(&mut desk)[..], [Say::Ended { task: 2, end: WireEnd::Never, .. }]));
    }
    for _ in 0..3 {
        desk.now += ms(300);
        let next = beat(OWNER, 10 + desk.now.as_millis() as u64, false);
        hear(&mut desk, &next);
        desk.station.tick(desk.now, true, &mut desk.station_out);
        assert_eq!(words(&mut desk).iter().filter(|say| is_end(say)).count(), 1, "at {:?}", desk.now);
    }
    give(&mut desk, lease, What::Heard { task: 2 });
    give(&mut desk, lease, What::Heard { task: 3 });
    desk.now += ms(300);
    desk.station.tick(desk.now, true, &mut desk.station_out);
    assert!(!words(&mut desk).iter().any(is_end));
}

#[test]
fn a_task_is_begun_once_and_not_after_its_end() {
    let mut desk = Desk::seated(1);
    let lease = desk.seat(0).1;
    let starts = |desk: &mut Desk| desk.deeds().iter().filter(|e| matches!(e, Effect::Start { .. })).count();
    give(&mut desk, lease, What::Cancel { task: 4 });
    give(&mut desk, lease, start_of(4, &[]));
    assert_eq!(starts(&mut desk), 0, "told to end before it was told to begin");
    give(&mut desk, lease, start_of(5, &[]));
    give(&mut desk, lease, start_of(5, &[]));
    assert_eq!(starts(&mut desk), 1);
    desk.end(0, 5, best("e2e4"));
    give(&mut desk, lease, start_of(5, &[]));
    give(&mut desk, Lease(lease.0 ^ 1), start_of(6, &[]));
    assert_eq!(starts(&mut desk), 0);
    give(&mut desk, lease, start_of(6, &["bad"]));
    let failed = |say: &Say| matches!(say, Say::Ended { task: 6, end: WireEnd::Failed(_), .. });
    assert!(words(&mut desk).iter().any(failed), "a line that the rules refuse is a failure of the task");
    assert_eq!(starts(&mut desk), 0);
}

#[test]
fn a_seat_that_was_given_back_rests_longer_each_time() {
    let mut desk = Desk::seated(1);
    for pause in [1_000, 2_000, 4_000, 8_000] {
        let (_, lease) = desk.seat(0);
        give(&mut desk, lease, What::Return);
        let from = desk.now;
        desk.deeds();
        while desk.station.states(desk.now).any(|seat| seat.holder.is_none()) {
            desk.pass(ms(100));
        }
        let passed = desk.now - from;
        assert!(passed >= ms(pause) && passed <= ms(pause + 200), "{pause}: {passed:?}");
    }
    // Who has served for long has come up well.
    desk.pass(ms(60_000));
    let (_, lease) = desk.seat(0);
    give(&mut desk, lease, What::Return);
    let state = |desk: &Desk, after| desk.station.states(desk.now + ms(after)).next().unwrap();
    assert!(matches!(
        (state(&desk, 900), state(&desk, 1_000)),
        (SeatState { rests: true, .. }, SeatState { rests: false, .. })
    ));
}

#[test]
fn masters_are_bounded_and_so_are_those_who_were() {
    let mut desk = Desk::new(1);
    for round in 0..3 {
        for master in 0..400 {
            hear(&mut desk, &beat(Owner { master: round * 1_000 + master, epoch: 1 }, 1, false));
        }
        assert_eq!(desk.station.size().0, 256);
        desk.now += SILENCE;
        desk.station.tick(desk.now, true, &mut desk.station_out);
        assert_eq!(desk.station.size(), (0, 256));
    }
    assert_eq!(desk.station.refused(), 3 * 144);
}

#[test]
fn nothing_of_the_wire_is_taken_for_a_game_that_nobody_offers() {
    let mut desk = Desk::new(1);
    let bytes = |game: &str| {
        let (game, name) = (game.to_owned(), "desk\u{1b}[2J".to_owned());
        encode(&MasterBeat {
            owner: OWNER,
            serial: 1,
            game,
            name,
            weight: 0,
            wants: u32::MAX,
            role: Role::Leaves,
            leaves: false,
        })
    };
    hear(&mut desk, &bytes("../../bin/sh"));
    assert!(desk.deeds().is_empty());
    assert_eq!(holders(&desk), [None]);
}
