//! Tests a worker node that receives lost, late, duplicated and forged messages.

use super::*;
use crate::cluster::wire::VERSION;
use crate::cluster::worker_node::NodeEffect;
use crate::cluster::worker_node::states::SlotState;

fn beat(serial: u64, leaves: bool) -> Vec<u8> {
    encode(&MasterBeat { serial, leaves, ..identity().beat })
}

fn hear(pair: &mut Pair, bytes: &[u8]) {
    pair.node.hear(pair.now, (OWNER, Subject::Masters), bytes, &mut pair.node_out);
}

fn holders(pair: &Pair) -> Vec<Option<Member>> {
    pair.node.states(pair.now).map(|slot| slot.holder.map(|(owner, _)| owner)).collect()
}

fn words(pair: &mut Pair) -> Vec<NodeEvent> {
    pair.take_node().iter().map(|(_, bytes)| decode::<NodeMessage>(bytes).unwrap().say).collect()
}

fn give(pair: &mut Pair, lease: Lease, what: OrderKind) {
    let bytes = order(lease, what);
    pair.node.hear(pair.now, (OWNER, Subject::Member(NODE)), &bytes, &mut pair.node_out);
}

fn start_of(task: u64, moves: &[&str]) -> OrderKind {
    OrderKind::Start { task: TaskId(task), game: 1, work: Box::new(super::task(moves)) }
}

#[test]
fn a_silent_master_loses_its_slots_despite_replayed_messages() {
    let mut pair = Pair::with_slots(2);
    pair.start(100, 1, &task(&[]));
    pair.deliver();
    let lease = pair.slot(0).1;
    let (begun, old) = (pair.now, beat(1, false));
    while pair.now < begun + SILENCE + ms(100) {
        pair.now += ms(50);
        hear(&mut pair, &old);
        give(&mut pair, lease, OrderKind::Heard { task: TaskId(0) });
        pair.node.tick(pair.now, true, &mut pair.node_out);
    }
    let ended =
        pair.worker_effects().into_iter().filter(|effect| matches!(effect, NodeEffect::EndWorker { .. })).count();
    assert_eq!((ended, holders(&pair)), (2, vec![None, None]));
    hear(&mut pair, &old);
    assert_eq!(holders(&pair), [None, None], "a replayed beat does not bring it back");
    hear(&mut pair, &beat(2, false));
    assert_eq!(holders(&pair), [Some(OWNER); 2]);
}

#[test]
fn a_late_beat_does_not_bring_back_a_master_that_has_ended() {
    let mut pair = Pair::with_slots(1);
    hear(&mut pair, &beat(7, true));
    assert_eq!(holders(&pair), [None]);
    hear(&mut pair, &beat(6, false));
    assert_eq!(holders(&pair), [None]);
}

#[test]
fn the_end_of_a_task_is_repeated_until_it_is_confirmed() {
    let mut pair = Pair::with_slots(1);
    let lease = pair.slot(0).1;
    give(&mut pair, lease, start_of(3, &[]));
    pair.end(0, 3, best("e2e4"));
    let is_end = |say: &NodeEvent| matches!(say, NodeEvent::Ended { task: TaskId(3), .. });
    assert_eq!(words(&mut pair).iter().filter(|say| is_end(say)).count(), 1);
    // A late or duplicated cancellation of an older task is answered, but changes nothing.
    for _ in 0..2 {
        give(&mut pair, lease, OrderKind::Cancel { task: TaskId(2) });
        assert!(matches!(&words(&mut pair)[..], [NodeEvent::Ended { task: TaskId(2), end: None, .. }]));
    }
    for _ in 0..3 {
        pair.now += ms(300);
        let next = beat(10 + pair.now.as_millis() as u64, false);
        hear(&mut pair, &next);
        pair.node.tick(pair.now, true, &mut pair.node_out);
        assert_eq!(words(&mut pair).iter().filter(|say| is_end(say)).count(), 1, "at {:?}", pair.now);
    }
    give(&mut pair, lease, OrderKind::Heard { task: TaskId(2) });
    give(&mut pair, lease, OrderKind::Heard { task: TaskId(3) });
    pair.now += ms(300);
    pair.node.tick(pair.now, true, &mut pair.node_out);
    assert!(!words(&mut pair).iter().any(is_end));
}

#[test]
fn a_task_is_started_once_and_not_after_its_end() {
    let mut pair = Pair::with_slots(1);
    let lease = pair.slot(0).1;
    let starts =
        |pair: &mut Pair| pair.worker_effects().iter().filter(|e| matches!(e, NodeEffect::Start { .. })).count();
    give(&mut pair, lease, OrderKind::Cancel { task: TaskId(4) });
    give(&mut pair, lease, start_of(4, &[]));
    assert_eq!(starts(&mut pair), 0, "cancelled before it was started");
    give(&mut pair, lease, start_of(5, &[]));
    give(&mut pair, lease, start_of(5, &[]));
    assert_eq!(starts(&mut pair), 1);
    pair.end(0, 5, best("e2e4"));
    give(&mut pair, lease, start_of(5, &[]));
    give(&mut pair, Lease(lease.0 ^ 1), start_of(6, &[]));
    assert_eq!(starts(&mut pair), 0);
    give(&mut pair, lease, start_of(6, &["bad"]));
    let failed =
        |say: &NodeEvent| matches!(say, NodeEvent::Ended { task: TaskId(6), end: Some(TaskEnd::Failed(_)), .. });
    assert!(words(&mut pair).iter().any(failed), "a line that the rules refuse is a failure of the task");
    assert_eq!(starts(&mut pair), 0);
}

#[test]
fn a_returned_slot_rests_longer_each_time() {
    let mut pair = Pair::with_slots(1);
    for pause in [1_000, 2_000, 4_000, 8_000] {
        let (_, lease) = pair.slot(0);
        give(&mut pair, lease, OrderKind::Return);
        let from = pair.now;
        pair.worker_effects();
        while pair.node.states(pair.now).any(|slot| slot.holder.is_none()) {
            pair.pass(ms(100));
        }
        let passed = pair.now - from;
        assert!(passed >= ms(pause) && passed <= ms(pause + 200), "{pause}: {passed:?}");
    }
    // A slot whose worker has been in use for a minute counts as reliable again.
    pair.pass(ms(60_000));
    let (_, lease) = pair.slot(0);
    give(&mut pair, lease, OrderKind::Return);
    let state = |pair: &Pair, after| pair.node.states(pair.now + ms(after)).next().unwrap();
    assert!(matches!(
        (state(&pair, 900), state(&pair, 1_000)),
        (SlotState { rests: true, .. }, SlotState { rests: false, .. })
    ));
}

#[test]
fn the_number_of_present_and_past_masters_is_limited() {
    let mut pair = Pair::new(1);
    for round in 0..3 {
        for master in 0..400 {
            let from = (member(round * 1_000 + master), Subject::Masters);
            pair.node.hear(pair.now, from, &beat(1, false), &mut pair.node_out);
        }
        assert_eq!(pair.node.size().0, 256);
        pair.now += SILENCE;
        pair.node.tick(pair.now, true, &mut pair.node_out);
        assert_eq!(pair.node.size(), (0, 256));
    }
}

#[test]
fn a_master_of_an_unknown_game_gets_no_slots() {
    let mut pair = Pair::new(1);
    let bytes = |game: &str| {
        let (game, name) = (game.to_owned(), "desk\u{1b}[2J".to_owned());
        encode(&MasterBeat { serial: 1, game, name, weight: 0, wants: u32::MAX, ..identity().beat })
    };
    hear(&mut pair, &bytes("../../bin/sh"));
    assert!(pair.worker_effects().is_empty());
    assert_eq!(holders(&pair), [None]);
}

#[test]
fn a_master_of_another_version_is_reported_once() {
    let mut pair = Pair::new(1);
    let other = |version| [vec![version], beat(1, false)[1..].to_vec()].concat();
    (0..3).for_each(|_| hear(&mut pair, &other(VERSION + 1)));
    let notes_of = |pair: &mut Pair| -> Vec<String> {
        let notes = pair.worker_effects().into_iter();
        notes
            .filter_map(|effect| if let NodeEffect::Note(line) = effect { Some(line.to_string()) } else { None })
            .collect()
    };
    let sent = format!("a master sends messages of version {}", VERSION + 1);
    assert_eq!(
        notes_of(&mut pair),
        [format!("{sent}, this program those of version {VERSION}: update the older program")]
    );
    (0..=255).for_each(|version| hear(&mut pair, &other(version)));
    assert!(notes_of(&mut pair).len() <= 4 + 1, "plus the note of the master with our version");
    assert!(holders(&pair)[0].is_some());
}

#[test]
fn a_master_knows_at_once_of_slots_that_are_being_started() {
    let mut pair = Pair::new(2);
    pair.pool.tick(pair.now, &mut pair.pool_out);
    pair.deliver();
    assert_eq!((pair.pool.coming(), pair.pool.size()), (1, (0, 0)), "its workers are being started: {:?}", pair.said);
    pair.pass(SILENCE);
    assert_eq!(pair.pool.coming(), 1, "the announcement is repeated while they start");
    for effect in pair.worker_effects() {
        if let NodeEffect::StartWorker { worker, .. } = effect {
            pair.worker(WorkerEvent::Joined { worker, profile: Profile::thread(0) });
        }
    }
    pair.deliver();
    assert_eq!((pair.pool.coming(), pair.pool.size()), (0, (1, 2)));
}

#[test]
fn a_node_that_falls_silent_is_no_longer_expected() {
    let mut pair = Pair::new(1);
    pair.pool.tick(pair.now, &mut pair.pool_out);
    pair.deliver();
    for _ in 0..40 {
        pair.now += ms(50);
        pair.pool.tick(pair.now, &mut pair.pool_out);
    }
    assert_eq!(pair.pool.coming(), 0);
}
