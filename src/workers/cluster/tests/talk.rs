//! A conversation, word by word.

use super::*;
use crate::workers::cluster::station::Effect::{Cancel, Fire, Hire, NewGame, Note, Start};

/// What has been said since the last time.
fn said(desk: &mut Desk) -> Vec<String> {
    std::mem::take(&mut desk.said)
}

#[test]
fn a_seat_is_lent_and_searches() {
    let mut desk = Desk::new(1);
    desk.look(true);
    desk.deliver();
    assert_eq!(said(&mut desk), ["master: beat"]);
    let hired = WorkerId(0);
    let note = Note("desk (chess) is here: 1 of 1 seats".into());
    assert_eq!(
        desk.deeds(),
        [note, Hire { worker: hired, seat: 0, owner: OWNER, game: "chess".into(), role: Role::Leaves }]
    );

    desk.now = ms(40);
    desk.worker(WorkerEvent::Joined { worker: hired, profile: Profile::thread(0) });
    desk.deliver();
    assert_eq!(said(&mut desk), ["station: joined lab", "master: heard 0"]);
    let profile = Profile { name: "lab".into(), ..Profile::thread(0) };
    assert_eq!(desk.news(), [fleet::Effect::Joined { worker: WorkerId(100), profile }]);

    let work = task(&["e2e4", "e7e5"]);
    desk.start(100, 7, &work);
    desk.deliver();
    assert_eq!(said(&mut desk), ["master: start 7"]);
    assert_eq!(desk.deeds(), [Start { worker: hired, id: TaskId(7), task: work.clone() }]);

    for depth in 1..4 {
        desk.worker(WorkerEvent::Report { worker: hired, task: TaskId(7), report: report(depth, "g1f3") });
    }
    assert_eq!(desk.station.due(), Time::ZERO, "the first report is told at once");
    desk.station.tick(desk.now, true, &mut desk.station_out);
    desk.deliver();
    assert_eq!(said(&mut desk), ["station: 1 reports of 7"], "newest wins");
    let reports = vec![report(3, "g1f3")];
    assert_eq!(desk.news(), [fleet::Effect::Reports { worker: WorkerId(100), task: TaskId(7), reports }]);

    desk.cancel(100, 7);
    desk.cancel(100, 7);
    desk.deliver();
    assert_eq!(said(&mut desk), ["master: cancel 7"]);
    assert_eq!(desk.deeds(), [Cancel { worker: hired, id: TaskId(7) }]);
    desk.end(0, 7, best("g1f3"));
    desk.deliver();
    assert_eq!(said(&mut desk), ["station: ended 7 with 0 reports", "master: heard 7"]);
    let end = best("g1f3");
    assert_eq!(desk.news(), [fleet::Effect::Ended { worker: WorkerId(100), task: TaskId(7), end }]);

    desk.fleet.new_game();
    desk.start(100, 8, &work);
    desk.deliver();
    assert_eq!(desk.deeds(), [NewGame { worker: hired }, Start { worker: hired, id: TaskId(8), task: work }]);
    said(&mut desk);
    desk.now = ms(100);
    desk.station.tick(desk.now, true, &mut desk.station_out);
    desk.deliver();
    assert_eq!(said(&mut desk), ["station: beat [8]"]);

    desk.fleet.give_up(WorkerId(100), &mut desk.fleet_out);
    desk.deliver();
    assert_eq!(said(&mut desk), ["master: return"]);
    assert_eq!(desk.deeds(), [Fire { worker: hired }]);
    assert_eq!(desk.news(), [fleet::Effect::Lost { worker: WorkerId(100), why: "returned".into() }]);
}

#[test]
fn a_master_that_ends_says_so_and_its_seats_are_free_at_once() {
    let mut desk = Desk::seated(2);
    desk.fleet.end(&mut desk.fleet_out);
    desk.deliver();
    let fired = desk.deeds().into_iter().filter(|effect| matches!(effect, Fire { .. })).count();
    assert_eq!(fired, 2);
    assert!(desk.station.states(desk.now).all(|seat| seat.holder.is_none()));
}

#[test]
fn a_station_that_ends_says_so_and_its_workers_are_lost_at_once() {
    let mut desk = Desk::seated(2);
    desk.station.end(&mut desk.station_out);
    desk.deliver();
    let why = "its machine was told to end".to_owned();
    let lost = |worker| fleet::Effect::Lost { worker: WorkerId(worker), why: why.clone() };
    assert_eq!(desk.news(), [lost(100), lost(101)]);
    assert_eq!(desk.fleet.size(), (0, 0));
}

#[test]
fn reports_wait_where_the_way_is_blocked_and_the_newest_goes() {
    let mut desk = Desk::seated(1);
    desk.start(100, 1, &task(&[]));
    desk.deliver();
    let (worker, _) = desk.seat(0);
    for depth in 1..9 {
        desk.worker(WorkerEvent::Report { worker, task: TaskId(1), report: report(depth, "e2e4") });
        desk.now += ms(20);
        desk.station.tick(desk.now, false, &mut desk.station_out);
    }
    desk.deeds();
    desk.station.tick(desk.now, true, &mut desk.station_out);
    desk.deliver();
    let told = |effect| if let fleet::Effect::Reports { reports, .. } = effect { Some(reports) } else { None };
    assert_eq!(desk.news().into_iter().find_map(told), Some(vec![report(8, "e2e4")]));
}

#[test]
fn the_roll_is_answered_by_both() {
    use crate::workers::cluster::wire::{Card, Roll};
    let mut desk = Desk::seated(2);
    let reply = Subject::Reply(9);
    let roll = encode(&Roll);
    desk.fleet.hear(desk.now, Subject::Roll, Some(reply), &roll, &mut desk.fleet_out);
    desk.station.hear(desk.now, Subject::Roll, Some(reply), &roll, &mut desk.station_out);
    let cards: Vec<Card> =
        [desk.take_master(), desk.take_station()].concat().iter().map(|(_, bytes)| decode(bytes).unwrap()).collect();
    let [Card::Master { seats: 2, game, .. }, Card::Station { seats, .. }] = &cards[..] else { panic!("{cards:?}") };
    assert_eq!((game.as_str(), seats.len()), ("chess", 2));
    assert_eq!(seats[0].owner, Some(("desk".into(), "chess".into())));
    desk.station.hear(desk.now, Subject::Roll, Some(Subject::Masters), &roll, &mut desk.station_out);
    desk.station.hear(desk.now, Subject::Roll, None, &roll, &mut desk.station_out);
    assert!(desk.take_station().is_empty(), "an answer goes to who asks, and to nobody else");
    assert_eq!(desk.station.refused(), 2);
}
