//! Tests a master that receives lost, late, duplicated and forged messages.

use super::*;
use crate::cluster::node_pool::PoolEffect;
use crate::cluster::wire::{DiscoveryReply, DiscoveryRequest, SlotReport};

const NO_MATE: TaskEnd = TaskEnd::Answer(Answer::Mate(MateAnswer::NoMate));

fn orders(pair: &mut Pair) -> Vec<String> {
    let said = pair.take_master();
    said.iter().filter_map(|(_, bytes)| Some(shown(&decode::<MasterOrder>(bytes).ok()?.what))).collect()
}

fn lost(effects: &[PoolEffect]) -> Vec<WorkerId> {
    let mut lost: Vec<WorkerId> = effects
        .iter()
        .filter_map(|e| if let PoolEffect::Lost { worker, .. } = e { Some(*worker) } else { None })
        .collect();
    lost.sort();
    lost
}

#[test]
fn an_order_without_an_effect_is_repeated() {
    let mut pair = Pair::with_slots(1);
    pair.start(100, 1, &task(&[]));
    assert_eq!(orders(&mut pair), ["start 1"]);
    for (pass, expected) in [(200, vec![]), (70, vec!["start 1"]), (200, vec![]), (70, vec!["start 1"])] {
        pair.now += ms(pass);
        pair.pool.tick(pair.now, &mut pair.pool_out);
        assert_eq!(orders(&mut pair), expected, "at {:?}", pair.now);
    }
    let (_, lease) = pair.slot(0);
    let slots = vec![SlotReport { lease, task: TaskId(1), is_known: true }];
    pair.tell_master(Subject::Member(OWNER), &word(50, NodeEvent::Beat { name: "lab".into(), slots }));
    pair.now += ms(600);
    pair.pool.tick(pair.now, &mut pair.pool_out);
    assert!(orders(&mut pair).is_empty(), "the node is known to have it");
    pair.cancel(100, 1);
    pair.now += ms(300);
    pair.pool.tick(pair.now, &mut pair.pool_out);
    assert_eq!(orders(&mut pair), ["cancel 1", "cancel 1"]);
}

#[test]
fn a_silent_node_is_lost_and_replayed_messages_do_not_count() {
    let mut pair = Pair::with_slots(2);
    pair.pool.begin_notices(pair.now);
    pair.pass(ms(600));
    pair.node.tick(pair.now + ms(300), true, &mut pair.node_out);
    let replayed = pair.take_node();
    assert!(!replayed.is_empty());
    let hear = |pair: &mut Pair| replayed.iter().for_each(|(to, bytes)| pair.tell_master(*to, bytes));
    hear(&mut pair);
    pair.news();
    let heard = pair.now;
    while pair.now < heard + SILENCE + ms(100) {
        pair.now += ms(50);
        hear(&mut pair);
        pair.pool.tick(pair.now, &mut pair.pool_out);
    }
    let news = pair.news();
    assert_eq!(lost(&news), [100, 101].map(WorkerId));
    pair.pool.tick(pair.now + ms(1_000), &mut pair.pool_out);
    let news = pair.news();
    let tells = |effect: &PoolEffect| matches!(effect, PoolEffect::Tell(text) if text.to_string().starts_with("cluster: lab is lost with 2"));
    assert!(news.iter().any(tells), "{news:?}");
    assert_eq!(pair.pool.size(), (0, 0));
}

#[test]
fn a_machine_that_is_back_is_not_listed_as_lost() {
    let mut pair = Pair::with_slots(1);
    let roll = |pair: &mut Pair| {
        let question = (member(1), Subject::Discovery);
        pair.pool.hear(pair.now, question, &encode(&DiscoveryRequest), &mut pair.pool_out);
        let (_, card) = pair.take_master().into_iter().find(|(to, _)| *to == Subject::Member(member(1))).unwrap();
        let DiscoveryReply::Master { lost, .. } = decode::<DiscoveryReply>(&card).unwrap() else {
            panic!("expected a master's card")
        };
        lost.into_iter().map(|lost| lost.name).collect::<Vec<_>>()
    };
    pair.now += SILENCE + ms(100);
    pair.pool.tick(pair.now, &mut pair.pool_out);
    assert_eq!((pair.pool.size(), roll(&mut pair)), ((0, 0), vec!["lab".to_owned()]));
    // The worker node `lab` has restarted.
    let profile = Profile { name: "lab/1".into(), ..Profile::thread(0) };
    let joined = NodeEvent::Joined { lease: Lease(5), profile };
    pair.tell_master(Subject::Member(OWNER), &word(500, joined));
    assert_eq!((pair.pool.size(), roll(&mut pair)), ((1, 1), vec![]));
}

#[test]
fn messages_with_invalid_leases_have_no_effect() {
    let mut pair = Pair::with_slots(2);
    pair.start(100, 1, &task(&[]));
    pair.deliver();
    pair.news();
    let lease = Lease(77);
    let slots = vec![SlotReport { lease, task: TaskId(1), is_known: true }];
    let forged = [
        NodeEvent::Beat { name: "forged".into(), slots },
        NodeEvent::Beat { name: "forged".into(), slots: Vec::new() },
        NodeEvent::Left { lease, why: String::new() },
        NodeEvent::Reports { lease, task: TaskId(1), reports: vec![report(9, "a2a3")] },
        NodeEvent::Ended { lease, task: TaskId(1), reports: Vec::new(), end: Some(NO_MATE) },
    ];
    for say in forged {
        pair.tell_master(Subject::Member(OWNER), &word(u64::MAX, say));
    }
    pair.take_master();
    assert_eq!((pair.news(), pair.pool.size()), (Vec::new(), (1, 2)));
    // After the forged messages, genuine messages from the worker node are still accepted.
    pair.end(0, 1, best("e2e4"));
    pair.deliver();
    assert_eq!(pair.news(), [PoolEffect::Ended { worker: WorkerId(100), task: TaskId(1), end: best("e2e4") }]);
}

#[test]
fn an_old_message_does_not_bring_a_slot_back() {
    let mut pair = Pair::new(1);
    pair.look(true);
    pair.deliver();
    pair.worker(WorkerEvent::Joined { worker: WorkerId(0), profile: Profile::thread(0) });
    let joined = pair.take_node();
    joined.iter().for_each(|(to, bytes)| pair.tell_master(*to, bytes));
    pair.deliver();
    pair.worker(WorkerEvent::Lost { worker: WorkerId(0), why: "crash".into(), for_good: false });
    pair.deliver();
    assert_eq!(lost(&pair.news()), [WorkerId(100)]);
    joined.iter().for_each(|(to, bytes)| pair.tell_master(*to, bytes));
    assert_eq!(orders(&mut pair), ["forgotten"], "or the node would offer it forever");
    assert_eq!((pair.news(), pair.pool.size()), (Vec::new(), (0, 0)));
}

#[test]
fn a_slot_unknown_to_the_master_is_given_back() {
    // The first `Return` message is lost.
    let mut pair = Pair::with_slots(1);
    pair.pass(ms(400));
    pair.pool.give_up(WorkerId(100), &mut pair.pool_out);
    pair.news();
    assert_eq!(pair.pool.size(), (0, 0));
    pair.said.clear();
    pair.pass(ms(400));
    assert!(pair.said.iter().any(|said| said == "master: return"), "{:?}", pair.said);
    assert!(pair.node.states(pair.now).all(|slot| slot.rests && slot.holder.is_none()));
}

#[test]
fn a_slot_that_only_the_master_has_lost_is_lent_again_at_once() {
    let mut pair = Pair::with_slots(1);
    pair.pass(ms(400));
    pair.pool.tick(pair.now + ms(5_000), &mut pair.pool_out);
    pair.news();
    assert_eq!(pair.pool.size(), (0, 0));
    let (_, old) = pair.slot(0);
    pair.said.clear();
    pair.pass(ms(400));
    assert!(pair.said.iter().any(|said| said == "master: forgotten"), "{:?}", pair.said);
    let (worker, lease) = pair.slot(0);
    assert_ne!(lease, old);
    pair.worker(WorkerEvent::Joined { worker, profile: Profile::thread(0) });
    pair.deliver();
    assert_eq!(pair.pool.size(), (1, 1));
}

#[test]
fn an_invalid_result_is_a_failure() {
    let mut pair = Pair::with_slots(1);
    pair.start(100, 1, &task(&[]));
    pair.deliver();
    pair.news();
    let (_, lease) = pair.slot(0);
    let say = NodeEvent::Ended { lease, task: TaskId(1), reports: Vec::new(), end: Some(NO_MATE) };
    pair.tell_master(Subject::Member(OWNER), &word(90, say.clone()));
    assert_eq!(orders(&mut pair), ["heard 1"]);
    let news = pair.news();
    assert!(
        matches!(&news[..], [PoolEffect::Ended { end: TaskEnd::Failed(why), .. }] if why.contains("does not fit the task")),
        "{news:?}"
    );
    pair.tell_master(Subject::Member(OWNER), &word(90, say));
    assert_eq!(orders(&mut pair), ["heard 1"], "an end is repeated until it is confirmed");
    assert!(pair.news().is_empty(), "and has an effect once");
}

#[test]
fn late_reports_are_ignored() {
    let mut pair = Pair::with_slots(1);
    pair.start(100, 1, &task(&[]));
    pair.deliver();
    pair.news();
    let (_, lease) = pair.slot(0);
    for (serial, depth) in [(60, 5), (59, 4), (60, 5), (61, 6)] {
        let reports = vec![report(depth, "e2e4")];
        pair.tell_master(Subject::Member(OWNER), &word(serial, NodeEvent::Reports { lease, task: TaskId(1), reports }));
    }
    let depths: Vec<u16> = pair
        .news()
        .iter()
        .flat_map(|e| if let PoolEffect::Reports { reports, .. } = e { reports.clone() } else { Vec::new() })
        .map(|report| report.depth)
        .collect();
    assert_eq!(depths, [5, 6]);
}

#[test]
fn the_number_of_nodes_and_slots_is_limited() {
    let mut pair = Pair::new(1);
    for node in 0..18_000 {
        let profile = Profile { name: "x".repeat(500), ..Profile::thread(0) };
        let say = NodeEvent::Joined { lease: Lease(node), profile };
        let from = (member(node), Subject::Member(OWNER));
        pair.pool.hear(pair.now, from, &word(1, say), &mut pair.pool_out);
        pair.news();
    }
    assert_eq!(pair.pool.size(), (16_384, 16_384));
    pair.pool.tick(pair.now + SILENCE, &mut pair.pool_out);
    assert_eq!(pair.pool.size(), (0, 0));
}

#[test]
fn messages_for_others_are_ignored() {
    let mut pair = Pair::with_slots(1);
    let lease = pair.slot(0).1;
    let left = word(99, NodeEvent::Left { lease, why: "x".into() });
    pair.tell_master(Subject::Member(member(OWNER.number + 1)), &left);
    pair.tell_master(Subject::Member(NODE), &left);
    assert_eq!((pair.news(), pair.pool.size()), (Vec::new(), (1, 1)));
    pair.tell_master(Subject::Member(OWNER), &left);
    assert_eq!(lost(&pair.news()), [WorkerId(100)]);
}

#[test]
fn a_lease_in_a_message_of_another_user_has_no_effect() {
    let mut pair = Pair::with_slots(1);
    pair.start(100, 1, &task(&[]));
    pair.deliver();
    pair.news();
    let lease = pair.slot(0).1;
    // A member draws its own number, but its user is determined by the login.
    let stranger = Member { user: User::named("cellar"), ..NODE };
    assert_ne!(stranger.machine(), NODE.machine());
    let slots = vec![SlotReport { lease, task: TaskId(0), is_known: true }];
    for say in [
        NodeEvent::Beat { name: "cellar".into(), slots },
        NodeEvent::Left { lease, why: String::new() },
        NodeEvent::Reports { lease, task: TaskId(1), reports: vec![report(9, "a2a3")] },
        NodeEvent::Ended { lease, task: TaskId(1), reports: Vec::new(), end: Some(NO_MATE) },
    ] {
        let subject = (stranger, Subject::Member(OWNER));
        pair.pool.hear(pair.now, subject, &word(u64::MAX, say), &mut pair.pool_out);
    }
    let heard = pair.take_master();
    assert!(heard.iter().all(|(to, _)| *to != Subject::Member(NODE)), "the machine learns nothing of it: {heard:?}");
    let master = (Member { user: User::named("cellar"), ..OWNER }, Subject::Member(NODE));
    pair.node.hear(pair.now, master, &order(lease, OrderKind::Return), &mut pair.node_out);
    assert_eq!((pair.news(), pair.pool.size(), pair.slot(0).1), (Vec::new(), (1, 1), lease));
    pair.end(0, 1, best("e2e4"));
    pair.deliver();
    assert_eq!(pair.news(), [PoolEffect::Ended { worker: WorkerId(100), task: TaskId(1), end: best("e2e4") }]);
}
