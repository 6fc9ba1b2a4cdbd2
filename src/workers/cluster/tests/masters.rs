//! A master among lost, late, doubled and forged words.

use super::*;
use crate::workers::cluster::fleet::{Effect, SILENCE};
use crate::workers::cluster::wire::{Card, Roll, Seen, WireEnd};

fn orders(desk: &mut Desk) -> Vec<String> {
    let said = desk.take_master();
    said.iter().filter_map(|(_, bytes)| Some(shown(&decode::<Order>(bytes).ok()?.what))).collect()
}

fn lost(effects: &[Effect]) -> Vec<WorkerId> {
    let mut lost: Vec<WorkerId> =
        effects.iter().filter_map(|e| if let Effect::Lost { worker, .. } = e { Some(*worker) } else { None }).collect();
    lost.sort();
    lost
}

#[test]
fn an_order_without_an_effect_is_given_again() {
    let mut desk = Desk::seated(1);
    desk.start(100, 1, &task(&[]));
    assert_eq!(orders(&mut desk), ["start 1"]);
    for (pass, expected) in [(200, vec![]), (70, vec!["start 1"]), (200, vec![]), (70, vec!["start 1"])] {
        desk.now += ms(pass);
        desk.fleet.tick(desk.now, &mut desk.fleet_out);
        assert_eq!(orders(&mut desk), expected, "at {:?}", desk.now);
    }
    let (_, lease) = desk.seat(0);
    let seats = vec![Seen { lease, task: 1, is_known: true }];
    desk.tell_master(Subject::Master(OWNER.master), &word(50, Say::Beat { name: "lab".into(), seats }));
    desk.now += ms(600);
    desk.fleet.tick(desk.now, &mut desk.fleet_out);
    assert!(orders(&mut desk).is_empty(), "the station is known to have it");
    desk.cancel(100, 1);
    desk.now += ms(300);
    desk.fleet.tick(desk.now, &mut desk.fleet_out);
    assert_eq!(orders(&mut desk), ["cancel 1", "cancel 1"]);
}

#[test]
fn who_is_silent_is_lost_and_replayed_words_are_silence() {
    let mut desk = Desk::seated(2);
    desk.fleet.open_bulletin(desk.now);
    desk.pass(ms(600));
    desk.station.tick(desk.now + ms(300), true, &mut desk.station_out);
    let replayed = desk.take_station();
    assert!(!replayed.is_empty());
    let hear = |desk: &mut Desk| replayed.iter().for_each(|(to, bytes)| desk.tell_master(*to, bytes));
    hear(&mut desk);
    desk.news();
    let heard = desk.now;
    while desk.now < heard + SILENCE + ms(100) {
        desk.now += ms(50);
        hear(&mut desk);
        desk.fleet.tick(desk.now, &mut desk.fleet_out);
    }
    let news = desk.news();
    assert_eq!(lost(&news), [100, 101].map(WorkerId));
    desk.fleet.tick(desk.now + ms(1_000), &mut desk.fleet_out);
    let news = desk.news();
    let tells =
        |effect: &Effect| matches!(effect, Effect::Tell(text) if text.starts_with("cluster: lab is lost with 2"));
    assert!(news.iter().any(tells), "{news:?}");
    assert_eq!(desk.fleet.size(), (0, 0));
}

#[test]
fn a_machine_that_is_back_is_not_among_the_lost() {
    let mut desk = Desk::seated(1);
    let roll = |desk: &mut Desk| {
        let asker = Some(Subject::Reply(1));
        desk.fleet.hear(desk.now, Subject::Roll, asker, &encode(&Roll), &mut desk.fleet_out);
        let (_, card) = desk.take_master().into_iter().find(|(to, _)| *to == Subject::Reply(1)).unwrap();
        let Card::Master { lost, .. } = decode::<Card>(&card).unwrap() else { panic!("expected a master's card") };
        lost.into_iter().map(|lost| lost.name).collect::<Vec<_>>()
    };
    desk.now += SILENCE + ms(100);
    desk.fleet.tick(desk.now, &mut desk.fleet_out);
    assert_eq!((desk.fleet.size(), roll(&mut desk)), ((0, 0), vec!["lab".to_owned()]));
    // It has begun anew.
    let profile = (&Profile::thread(0)).into();
    let joined = Say::Joined { lease: Lease(5), name: "lab/1".into(), profile };
    desk.tell_master(Subject::Master(OWNER.master), &word(500, joined));
    assert_eq!((desk.fleet.size(), roll(&mut desk)), ((1, 1), vec![]));
}

#[test]
fn a_station_whose_seats_others_have_says_so() {
    let mut desk = Desk::new(1);
    let mut other = master(Owner { master: 5, ..OWNER });
    let mut beats = Vec::new();
    other.tick(desk.now, &mut beats);
    for effect in beats {
        if let Effect::Publish { to, bytes } = effect {
            desk.tell_station(to, &bytes);
        }
    }
    desk.take_station();
    let mut states = Vec::new();
    for _ in 0..40 {
        desk.pass(ms(100));
        let holder = desk.station.states(desk.now).next().unwrap().holder.map(|(owner, _)| owner);
        states.push((holder == Some(OWNER), desk.fleet.busy()));
        other.tick(desk.now, &mut Vec::new());
        let mut beats = Vec::new();
        other.hurry();
        other.tick(desk.now, &mut beats);
        for effect in beats {
            if let Effect::Publish { to: to @ Subject::Masters, bytes } = effect {
                desk.tell_station(to, &bytes);
            }
        }
    }
    let others: Vec<_> = states.iter().filter(|(is_ours, _)| !is_ours).collect();
    // Who has the only seat is drawn; whoever has it, the other is told.
    assert!(others.iter().skip(4).all(|(_, busy)| *busy == 1), "{states:?}");
    assert_eq!(desk.fleet.size(), (0, 0));
}

#[test]
fn words_of_leases_that_nobody_gave_change_nothing() {
    let mut desk = Desk::seated(2);
    desk.start(100, 1, &task(&[]));
    desk.deliver();
    desk.news();
    let lease = Lease(77);
    let seats = vec![Seen { lease, task: 1, is_known: true }];
    let forged = [
        Say::Beat { name: "forged".into(), seats },
        Say::Beat { name: "forged".into(), seats: Vec::new() },
        Say::Left { lease, why: String::new() },
        Say::Reports { lease, task: 1, reports: vec![(&report(9, "a2a3")).into()] },
        Say::Ended { lease, task: 1, reports: Vec::new(), end: WireEnd::NoMate },
    ];
    for say in forged {
        desk.tell_master(Subject::Master(OWNER.master), &word(u64::MAX, say));
    }
    desk.take_master();
    assert_eq!((desk.news(), desk.fleet.size()), (Vec::new(), (1, 2)));
    // And the station is heard as before.
    desk.end(0, 1, best("e2e4"));
    desk.deliver();
    assert_eq!(desk.news(), [Effect::Ended { worker: WorkerId(100), task: TaskId(1), end: best("e2e4") }]);
}

#[test]
fn a_seat_that_left_does_not_come_again_by_an_old_word() {
    let mut desk = Desk::new(1);
    desk.look(true);
    desk.deliver();
    desk.worker(WorkerEvent::Joined { worker: WorkerId(0), profile: Profile::thread(0) });
    let joined = desk.take_station();
    joined.iter().for_each(|(to, bytes)| desk.tell_master(*to, bytes));
    desk.deliver();
    desk.worker(WorkerEvent::Lost { worker: WorkerId(0), why: "crash".into(), for_good: false });
    desk.deliver();
    assert_eq!(lost(&desk.news()), [WorkerId(100)]);
    joined.iter().for_each(|(to, bytes)| desk.tell_master(*to, bytes));
    assert_eq!(orders(&mut desk), ["return"], "or the station would offer it for ever");
    assert_eq!((desk.news(), desk.fleet.size()), (Vec::new(), (0, 0)));
}

#[test]
fn a_seat_that_the_master_has_forgotten_is_given_back() {
    // The first `Return` is lost; then the station itself, for the master only.
    for forget in [
        |desk: &mut Desk| desk.fleet.give_up(WorkerId(100), &mut desk.fleet_out),
        |desk: &mut Desk| {
            desk.fleet.tick(desk.now + ms(5_000), &mut desk.fleet_out);
        },
    ] {
        let mut desk = Desk::seated(1);
        desk.pass(ms(400));
        forget(&mut desk);
        desk.news();
        assert_eq!(desk.fleet.size(), (0, 0));
        desk.said.clear();
        desk.pass(ms(400));
        assert!(desk.said.iter().any(|said| said == "master: return"), "{:?}", desk.said);
        assert!(desk.station.states(desk.now).all(|seat| seat.rests && seat.holder.is_none()));
    }
}

#[test]
fn an_end_that_makes_no_sense_is_a_failure() {
    for end in [WireEnd::NoMate, WireEnd::Best { best: "much too long".into(), ponder: String::new() }] {
        let mut desk = Desk::seated(1);
        desk.start(100, 1, &task(&[]));
        desk.deliver();
        desk.news();
        let (_, lease) = desk.seat(0);
        let say = Say::Ended { lease, task: 1, reports: Vec::new(), end };
        desk.tell_master(Subject::Master(OWNER.master), &word(90, say.clone()));
        assert_eq!(orders(&mut desk), ["heard 1"]);
        let news = desk.news();
        assert!(
            matches!(&news[..], [Effect::Ended { end: End::Failed(why), .. }] if why.contains("expected")),
            "{news:?}"
        );
        desk.tell_master(Subject::Master(OWNER.master), &word(90, say));
        assert_eq!(orders(&mut desk), ["heard 1"], "an end is told until it was heard");
        assert!(desk.news().is_empty(), "and happens once");
    }
}

#[test]
fn late_reports_are_older_than_what_is_known() {
    let mut desk = Desk::seated(1);
    desk.start(100, 1, &task(&[]));
    desk.deliver();
    desk.news();
    let (_, lease) = desk.seat(0);
    for (serial, depth) in [(60, 5), (59, 4), (60, 5), (61, 6)] {
        let reports = vec![(&report(depth, "e2e4")).into()];
        desk.tell_master(Subject::Master(OWNER.master), &word(serial, Say::Reports { lease, task: 1, reports }));
    }
    let depths: Vec<u16> = desk
        .news()
        .iter()
        .flat_map(|e| if let Effect::Reports { reports, .. } = e { reports.clone() } else { Vec::new() })
        .map(|report| report.depth)
        .collect();
    assert_eq!(depths, [5, 6]);
}

#[test]
fn nothing_grows_beyond_its_bounds() {
    let mut desk = Desk::new(1);
    for station in 0..6_000 {
        let profile = (&Profile::thread(0)).into();
        let say = Say::Joined { lease: Lease(station), name: "x".repeat(500), profile };
        let bytes = encode(&Word { epoch: OWNER.epoch, station: StationId(station), serial: 1, say });
        desk.tell_master(Subject::Master(OWNER.master), &bytes);
        desk.news();
    }
    assert_eq!(desk.fleet.size(), (4_096, 4_096));
    assert_eq!(desk.fleet.refused(), 6_000 - 4_096);
    desk.fleet.tick(desk.now + SILENCE, &mut desk.fleet_out);
    assert_eq!(desk.fleet.size(), (0, 0));
}

#[test]
fn what_is_for_others_is_not_heard() {
    let mut desk = Desk::seated(1);
    let lease = desk.seat(0).1;
    let left = |epoch| encode(&Word { epoch, station: STATION, serial: 99, say: Say::Left { lease, why: "x".into() } });
    desk.tell_master(Subject::Master(OWNER.master + 1), &left(OWNER.epoch));
    desk.tell_master(Subject::Station(STATION), &left(OWNER.epoch));
    desk.tell_master(Subject::Master(OWNER.master), &left(OWNER.epoch + 1));
    assert_eq!((desk.news(), desk.fleet.size()), (Vec::new(), (1, 1)));
    desk.tell_master(Subject::Master(OWNER.master), &left(OWNER.epoch));
    assert_eq!(lost(&desk.news()), [WorkerId(100)]);
}
