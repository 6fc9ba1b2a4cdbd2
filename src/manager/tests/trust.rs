//! Tests that values from untrusted machines that would change the move are withheld until they are confirmed or
//! contradicted.

use super::harness::{Harness, best, texts};
use crate::trust::records::MachineRecord;
use hasami_api::{Bound, Report, Score};
use hasami_chess::Chess;
use hasami_protocol::{Command, Go, Output, Settings};
use hasami_tree::event::{Action, MachineId, Profile, TaskId, WorkerEvent, WorkerId};
use std::time::Duration;

const LIAR: u64 = 7;

/// Worker 0 belongs to the lying machine, and worker 1 is a trusted thread. The emergency search considers e2e4 best.
fn harness(rules: &str) -> Harness<Chess> {
    let settings = Settings { tree_rules: rules.into(), ..Settings::default() };
    let mut harness = Harness::new(settings, 0).looking(&["e2e4", "e7e5"], 20, 10);
    harness.join_from(0, LIAR);
    harness.join(1);
    harness
}

fn infinite() -> Go {
    Go { infinite: true, ..Go::default() }
}

/// Ends cancelled tasks until none is left.
fn settle(harness: &mut Harness<Chess>) {
    for _ in 0..8 {
        harness.end_cancelled();
    }
}

fn root_move(harness: &mut Harness<Chess>) -> String {
    harness.command(Command::Stop);
    best(harness).pop().unwrap()
}

fn record(harness: &Harness<Chess>) -> MachineRecord {
    harness.manager.trust.records.of(MachineId(LIAR))
}

/// Returns whether this worker searches the position after h2h4.
fn is_second(harness: &Harness<Chess>, worker: u32) -> bool {
    harness.running.get(&WorkerId(worker)).is_some_and(|(_, task)| task.line.moves == texts(&["h2h4"]))
}

/// Lets the lying machine report that h2h4 is good, and checks that worker 1 verifies the report.
fn praised(rules: &str) -> Harness<Chess> {
    let mut harness = harness(rules);
    harness.go(infinite());
    harness.report(0, &["h2h4", "e7e5"], 900, 99);
    // Both tasks may have been cancelled, but only worker 1 ends its task at once.
    harness.end_cancelled_of(WorkerId(1));
    assert!(is_second(&harness, 1), "{rules}: {:?}", harness.running);
    harness
}

const RULES: [&str; 2] = ["", "groups=off,anticipation=off"];

#[test]
fn an_unconfirmed_value_does_not_change_the_move() {
    for rules in RULES {
        let mut harness = praised(rules);
        assert_eq!(root_move(&mut harness), "e2e4", "{rules}");
        assert!(harness.infos().iter().all(|info| info.score < Score::cp(100)), "{rules}: it is not shown, either");
    }
}

#[test]
fn a_value_that_another_worker_confirms_counts() {
    for rules in RULES {
        let mut harness = praised(rules);
        harness.report(1, &["e7e5"], -700, 7);
        harness.report(1, &["e7e5"], -500, 9);
        assert_eq!(record(&harness).confirmed, 1, "{rules}");
        assert_eq!(root_move(&mut harness), "h2h4", "{rules}");
    }
}

#[test]
fn a_value_that_another_worker_contradicts_does_not_count() {
    for rules in RULES {
        let mut harness = praised(rules);
        harness.report(1, &["e7e5"], 300, 12);
        harness.wait(Duration::from_millis(60));
        assert_eq!(record(&harness), MachineRecord { contradicted: 1, ..MachineRecord::default() }, "{rules}");
        settle(&mut harness);
        let root_is_elsewhere = harness.running.get(&WorkerId(0)).is_none_or(|(_, task)| !task.line.moves.is_empty());
        assert!(root_is_elsewhere, "{rules}: another worker searches the root");
        assert_eq!(root_move(&mut harness), "e2e4", "{rules}");
    }
}

#[test]
fn a_search_that_is_too_shallow_says_nothing() {
    let mut harness = praised("");
    harness.report(1, &["e7e5"], 300, 5);
    harness.wait(Duration::from_millis(60));
    assert_eq!(record(&harness), MachineRecord::default());
    assert_eq!(root_move(&mut harness), "e2e4");
}

#[test]
fn small_changes_and_unchanged_moves_are_not_checked() {
    for (line, cp) in [("h2h4", 120), ("e2e4", 900)] {
        let mut harness = harness("");
        harness.go(infinite());
        harness.report(0, &[line, "e7e5"], cp, 9);
        harness.end_cancelled_of(WorkerId(1));
        assert!(!is_second(&harness, 1), "{line} {cp}");
        assert_eq!(root_move(&mut harness), line);
    }
}

#[test]
fn a_move_that_the_emergency_search_finds_bad_is_always_checked() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 0).looking(&["e2e4", "e7e5"], 20, -300);
    harness.join_from(0, LIAR);
    harness.join(1);
    harness.go(infinite());
    harness.report(0, &["h2h4", "e7e5"], 60, 99);
    harness.end_cancelled_of(WorkerId(1));
    assert!(is_second(&harness, 1));
    harness.report(1, &["e7e5"], 280, 12);
    harness.wait(Duration::from_millis(60));
    assert_eq!(record(&harness).contradicted, 1);
    assert_eq!(root_move(&mut harness), "e2e4");
}

#[test]
fn the_checking_worker_chooses_the_move_if_all_are_bad() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 0).looking(&["e2e4", "e7e5"], 20, -900);
    harness.join_from(0, LIAR);
    harness.join(1);
    harness.go(infinite());
    harness.report(0, &["h2h4", "e7e5"], -600, 99);
    harness.end_cancelled_of(WorkerId(1));
    harness.report(1, &["d2d4"], -550, 12);
    assert_eq!(record(&harness).confirmed, 1);
    assert_eq!(root_move(&mut harness), "d2d4");
}

#[test]
fn the_claim_that_all_moves_are_bad_is_checked_at_its_node() {
    let mut harness = harness("");
    harness.go(infinite());
    harness.report(0, &["h2h4", "e7e5"], -600, 99);
    harness.end_cancelled_of(WorkerId(1));
    assert!(harness.task_of(1).line.moves.is_empty(), "the root itself");
    harness.report(1, &["d2d4"], 10, 12);
    harness.wait(Duration::from_millis(60));
    assert_eq!(record(&harness).contradicted, 1);
    assert_ne!(root_move(&mut harness), "h2h4");
}

#[test]
fn a_machine_without_others_is_believed() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 0).looking(&["e2e4", "e7e5"], 20, 10);
    harness.join_from(0, LIAR);
    harness.join_from(1, LIAR);
    harness.go(infinite());
    harness.report(0, &["h2h4", "e7e5"], 900, 20);
    assert_eq!(root_move(&mut harness), "h2h4");
}

#[test]
fn slots_of_a_third_machine_may_confirm() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 0).looking(&["e2e4", "e7e5"], 20, 10);
    harness.join_from(0, LIAR);
    harness.join_from(1, LIAR + 1);
    harness.go(infinite());
    harness.report(0, &["h2h4", "e7e5"], 900, 20);
    harness.end_cancelled_of(WorkerId(1));
    harness.report(1, &["e7e5"], -600, 9);
    assert_eq!(root_move(&mut harness), "h2h4");
}

#[test]
fn an_independent_finding_confirms_a_value() {
    let mut harness = harness("");
    harness.join(2);
    harness.go(infinite());
    harness.report(0, &["h2h4", "e7e5"], 400, 20);
    // Worker 2, which is trusted, also searches the root.
    harness.report(2, &["h2h4", "e7e5"], 380, 18);
    assert_eq!(record(&harness).confirmed, 1);
    assert_eq!(root_move(&mut harness), "h2h4");
}

#[test]
fn earlier_values_are_checked_when_the_next_search_begins() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 0).looking(&["e2e4", "e7e5"], 20, 10);
    harness.join_from(0, LIAR);
    harness.go(infinite());
    harness.report(0, &["h2h4", "e7e5"], 900, 99);
    assert_eq!(root_move(&mut harness), "h2h4", "there is no other worker");
    settle(&mut harness);
    harness.join(1);
    harness.go(infinite());
    assert_eq!(root_move(&mut harness), "e2e4");
}

#[test]
fn a_machine_that_is_contradicted_repeatedly_is_set_aside() {
    let mut harness = harness("groups=off,anticipation=off");
    for _ in 0..6 {
        harness.go(infinite());
        settle(&mut harness);
        // The machine can lie about the root only while its worker searches the root.
        let at_root = harness.running.get(&WorkerId(0)).is_some_and(|(_, task)| task.line.moves.is_empty());
        if at_root {
            harness.report(0, &["h2h4", "e7e5"], 900, 99);
            harness.end_cancelled_of(WorkerId(1));
            harness.report(1, &["e7e5"], 300, 12);
            harness.wait(Duration::from_millis(60));
        }
        harness.command(Command::Stop);
        settle(&mut harness);
        harness.command(Command::NewGame);
        settle(&mut harness);
    }
    let messages: Vec<String> = harness
        .said
        .iter()
        .filter_map(|said| match said {
            Output::Message(text) if text.to_string().contains("set aside") => Some(text.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(messages, ["warning: m7 is set aside: 4 of its values were contradicted by other workers, 0 confirmed"]);
    // A new worker of the machine that was set aside gets no work.
    harness.join_from(5, LIAR);
    harness.go(infinite());
    settle(&mut harness);
    assert!(!harness.running.contains_key(&WorkerId(0)) && !harness.running.contains_key(&WorkerId(5)));
}

/// Adds a trusted child engine, which does not support variants.
fn join_child(harness: &mut Harness<Chess>, worker: u32) {
    let profile = Profile { can_except: false, can_vary: false, ..Profile::thread(worker) };
    harness.worker(WorkerEvent::Joined { worker: WorkerId(worker), profile });
}

/// The workers at the root, with their variants.
fn at_root(harness: &Harness<Chess>) -> Vec<(u32, u16)> {
    let is_cancelled = |id: TaskId| {
        harness.actions.iter().any(|action| matches!(action, Action::Cancel { id: cancelled, .. } if *cancelled == id))
    };
    let here = harness.running.iter().filter(|(_, (id, task))| task.line.moves.is_empty() && !is_cancelled(*id));
    here.map(|(worker, (_, task))| (worker.0, task.variant)).collect()
}

/// Lets the lying machine report that all moves at the root are bad, which a child engine then verifies.
fn dismal(rules: &str) -> Harness<Chess> {
    let settings = Settings { tree_rules: rules.into(), ..Settings::default() };
    let mut harness = Harness::<Chess>::new(settings, 0).looking(&["e2e4", "e7e5"], 20, 10);
    harness.join_from(0, LIAR);
    join_child(&mut harness, 1);
    harness.go(infinite());
    harness.report(0, &["h2h4", "e7e5"], -600, 99);
    harness.end_cancelled_of(WorkerId(1));
    assert_eq!(at_root(&harness), [(0, 0), (1, 0)], "{rules}");
    harness
}

#[test]
fn a_second_search_ends_when_the_position_gets_the_same_search() {
    for rules in RULES {
        let mut harness = dismal(rules);
        // The lying machine's worker is lost, and a new child engine takes the root.
        harness.running.remove(&WorkerId(0));
        harness.worker(WorkerEvent::Lost { worker: WorkerId(0), why: "test".into(), for_good: false });
        join_child(&mut harness, 2);
        assert_eq!(at_root(&harness), [(2, 0)], "{rules}");
        harness.end_cancelled_of(WorkerId(1));
        assert_eq!(at_root(&harness), [(2, 0)], "{rules}: it does not begin again");
        // A report by the root's new worker also confirms the claim.
        harness.report(2, &["d2d4"], -550, 12);
        assert_eq!(record(&harness).confirmed, 1, "{rules}");
    }
}

#[test]
fn a_check_does_not_delay_the_answer() {
    let mut harness = harness("");
    harness.go(Go { move_time: Some(Duration::from_millis(150)), ..Go::default() });
    harness.wait(Duration::from_millis(100));
    harness.report(0, &["h2h4", "e7e5"], 900, 99);
    harness.wait(Duration::from_millis(60));
    assert_eq!(best(&harness), ["e2e4"]);
}

#[test]
fn withheld_lines_are_not_shown_with_multipv() {
    let settings = Settings { multi_pv: 2, ..Settings::default() };
    let mut harness = Harness::<Chess>::new(settings, 0).looking(&["e2e4", "e7e5"], 20, 10);
    harness.join_from(0, LIAR);
    harness.join(1);
    harness.go(infinite());
    let worker = WorkerId(0);
    let task = harness.running[&worker].0;
    for (multipv, text, cp) in [(1, "h2h4", 900), (2, "a2a3", 800)] {
        let pv = texts(&[text, "e7e5"]);
        let report = Report { depth: 99, multipv, bound: Bound::Exact, nodes: 9_000, pv, ..Report::new(Score::cp(cp)) };
        harness.worker(hasami_tree::event::WorkerEvent::Report { worker, task, report });
    }
    assert_eq!(root_move(&mut harness), "e2e4");
}
