//! Tests the conversation between a master and a worker node, message by message.

use super::*;
use crate::cluster::worker_node::NodeEffect::{Cancel, EndWorker, NewGame, Note, Start, StartWorker};

/// Returns the messages that were sent since the last call.
fn said(pair: &mut Pair) -> Vec<String> {
    std::mem::take(&mut pair.said)
}

#[test]
fn a_slot_is_lent_and_searches() {
    let mut pair = Pair::new(1);
    pair.look(true);
    pair.deliver();
    assert_eq!(said(&mut pair), ["master: beat", "node: beat [0]"], "it announces its slot at once");
    let started = WorkerId(0);
    let note = Note("desk (chess) is here: 1 of 1 slot".to_owned());
    assert_eq!(
        pair.worker_effects(),
        [
            note,
            StartWorker {
                worker: started,
                slot: 0,
                owner: OWNER,
                game: "chess".into(),
                role: SlotRole::Leaves,
                network: None
            }
        ]
    );

    pair.now = ms(40);
    pair.worker(WorkerEvent::Joined { worker: started, profile: Profile::thread(0) });
    pair.deliver();
    assert_eq!(said(&mut pair), ["node: joined lab", "master: heard 0"]);
    let profile = Profile { name: "lab".into(), machine: Some(NODE.machine()), ..Profile::thread(0) };
    assert_eq!(pair.news(), [node_pool::PoolEffect::Joined { worker: WorkerId(100), profile }]);

    let work = task(&["e2e4", "e7e5"]);
    pair.start(100, 7, &work);
    pair.deliver();
    assert_eq!(said(&mut pair), ["master: start 7"]);
    assert_eq!(pair.worker_effects(), [Start { worker: started, id: TaskId(7), task: work.clone() }]);

    for depth in 1..4 {
        pair.worker(WorkerEvent::Report { worker: started, task: TaskId(7), report: report(depth, "g1f3") });
    }
    assert_eq!(pair.node.due(), Time::ZERO, "the first report is sent at once");
    pair.node.tick(pair.now, true, &mut pair.node_out);
    pair.deliver();
    assert_eq!(said(&mut pair), ["node: 1 reports of 7"], "only the newest is sent");
    let reports = vec![report(3, "g1f3")];
    assert_eq!(pair.news(), [node_pool::PoolEffect::Reports { worker: WorkerId(100), task: TaskId(7), reports }]);

    pair.cancel(100, 7);
    pair.cancel(100, 7);
    pair.deliver();
    assert_eq!(said(&mut pair), ["master: cancel 7"]);
    assert_eq!(pair.worker_effects(), [Cancel { worker: started, id: TaskId(7) }]);
    pair.end(0, 7, best("g1f3"));
    pair.deliver();
    assert_eq!(said(&mut pair), ["node: ended 7 with 0 reports", "master: heard 7"]);
    let end = best("g1f3");
    assert_eq!(pair.news(), [node_pool::PoolEffect::Ended { worker: WorkerId(100), task: TaskId(7), end }]);

    pair.pool.new_game();
    pair.start(100, 8, &work);
    pair.deliver();
    assert_eq!(
        pair.worker_effects(),
        [NewGame { worker: started }, Start { worker: started, id: TaskId(8), task: work }]
    );
    said(&mut pair);
    pair.now = ms(300);
    pair.node.tick(pair.now, true, &mut pair.node_out);
    pair.deliver();
    assert_eq!(said(&mut pair), ["node: beat [8]"]);

    pair.pool.give_up(WorkerId(100), &mut pair.pool_out);
    pair.deliver();
    assert_eq!(said(&mut pair), ["master: return"]);
    assert_eq!(pair.worker_effects(), [EndWorker { worker: started }]);
    assert_eq!(pair.news(), [node_pool::PoolEffect::Lost { worker: WorkerId(100), why: "returned".into() }]);
}

#[test]
fn slots_of_a_master_that_ends_are_free_at_once() {
    let mut pair = Pair::with_slots(2);
    pair.pool.end(&mut pair.pool_out);
    pair.deliver();
    let ended = pair.worker_effects().into_iter().filter(|effect| matches!(effect, EndWorker { .. })).count();
    assert_eq!(ended, 2);
    assert!(pair.node.states(pair.now).all(|slot| slot.holder.is_none()));
}

#[test]
fn workers_of_a_node_that_ends_are_lost_at_once() {
    let mut pair = Pair::with_slots(2);
    pair.node.end(&mut pair.node_out);
    pair.deliver();
    let why = "its hasami worker was stopped".to_owned();
    let lost = |worker| node_pool::PoolEffect::Lost { worker: WorkerId(worker), why: why.clone() };
    assert_eq!(pair.news(), [lost(100), lost(101)]);
    assert_eq!(pair.pool.size(), (0, 0));
}

#[test]
fn reports_wait_while_sending_is_blocked_and_only_the_newest_is_sent() {
    let mut pair = Pair::with_slots(1);
    pair.start(100, 1, &task(&[]));
    pair.deliver();
    let (worker, _) = pair.slot(0);
    for depth in 1..9 {
        pair.worker(WorkerEvent::Report { worker, task: TaskId(1), report: report(depth, "e2e4") });
        pair.now += ms(20);
        pair.node.tick(pair.now, false, &mut pair.node_out);
    }
    pair.worker_effects();
    pair.node.tick(pair.now, true, &mut pair.node_out);
    pair.deliver();
    let reports_of =
        |effect| if let node_pool::PoolEffect::Reports { reports, .. } = effect { Some(reports) } else { None };
    assert_eq!(pair.news().into_iter().find_map(reports_of), Some(vec![report(8, "e2e4")]));
}

#[test]
fn master_and_node_answer_requests_for_the_members() {
    use crate::cluster::wire::{DiscoveryReply, DiscoveryRequest};
    let mut pair = Pair::with_slots(2);
    let (asker, roll) = ((member(9), Subject::Discovery), encode(&DiscoveryRequest));
    pair.pool.hear(pair.now, asker, &roll, &mut pair.pool_out);
    pair.node.hear(pair.now, asker, &roll, &mut pair.node_out);
    let answers = [pair.take_master(), pair.take_node()].concat();
    assert!(answers.iter().all(|(to, _)| *to == Subject::Member(member(9))), "only the asker is answered");
    let cards: Vec<DiscoveryReply> = answers.iter().map(|(_, bytes)| decode(bytes).unwrap()).collect();
    let [DiscoveryReply::Master { slots: 2, game, .. }, DiscoveryReply::WorkerNode { slots, .. }] = &cards[..] else {
        panic!("{cards:?}")
    };
    assert_eq!((game.as_str(), slots.len()), ("chess", 2));
    assert_eq!(slots[0].owner, Some(("desk".into(), "chess".into())));
    pair.node.hear(pair.now, asker, &[&roll[..], &[1]].concat(), &mut pair.node_out);
    assert!(pair.take_node().is_empty(), "another message is no question");
    // A client with another message version gets an answer, so that it learns about the difference.
    pair.node.hear(pair.now, asker, &[9], &mut pair.node_out);
    assert_eq!(pair.take_node().len(), 1);
    for _ in 0..1_000 {
        pair.node.hear(pair.now, asker, &roll, &mut pair.node_out);
        pair.pool.hear(pair.now, asker, &roll, &mut pair.pool_out);
    }
    let answered = (pair.take_node().len(), pair.take_master().len());
    assert!(answered.0 < 25 && answered.1 < 25, "the number of answers is limited: {answered:?}");
}
