//! Values of untrusted machines that would change the move: withheld, confirmed, contradicted.

use super::desk::{Desk, best, texts};
use hasami_api::{Bound, Report, Score};
use hasami_chess::Chess;
use hasami_protocol::{Command, Go, Output, Settings};
use hasami_tree::event::{Action, MachineId, MachineRecord, Profile, TaskId, WorkerEvent, WorkerId};
use std::time::Duration;

const LIAR: u64 = 7;

/// Worker 0 belongs to the lying machine, worker 1 is a thread of ours. The emergency search considers e2e4 best.
fn desk(rules: &str) -> Desk<Chess> {
    let settings = Settings { tree_rules: rules.into(), ..Settings::default() };
    let mut desk = Desk::new(settings, 0).looking(&["e2e4", "e7e5"], 20, 10);
    desk.join_from(0, LIAR);
    desk.join(1);
    desk
}

fn infinite() -> Go {
    Go { infinite: true, ..Go::default() }
}

/// Ends cancelled tasks until there are none.
fn settle(desk: &mut Desk<Chess>) {
    for _ in 0..8 {
        desk.end_cancelled();
    }
}

fn root_move(desk: &mut Desk<Chess>) -> String {
    desk.command(Command::Stop);
    best(desk).pop().unwrap()
}

fn record(desk: &Desk<Chess>) -> MachineRecord {
    let rated = |action: &Action| match action {
        Action::Rate { machine: MachineId(LIAR), record } => Some(*record),
        _ => None,
    };
    desk.actions.iter().rev().find_map(rated).unwrap_or_default()
}

/// Whether this worker searches the position after h2h4.
fn is_second(desk: &Desk<Chess>, worker: u32) -> bool {
    desk.running.get(&WorkerId(worker)).is_some_and(|(_, task)| task.line.moves == texts(&["h2h4"]))
}

/// The lying machine praises h2h4 at the root, and the other worker checks it.
fn praised(rules: &str) -> Desk<Chess> {
    let mut desk = desk(rules);
    desk.go(infinite());
    desk.report(0, &["h2h4", "e7e5"], 900, 99);
    // Both may have been told to end their tasks; only the thread does so at once.
    desk.end_cancelled_of(WorkerId(1));
    assert!(is_second(&desk, 1), "{rules}: {:?}", desk.running);
    desk
}

const RULES: [&str; 2] = ["", "groups=off,anticipation=off"];

#[test]
fn an_unconfirmed_value_does_not_change_the_move() {
    for rules in RULES {
        let mut desk = praised(rules);
        assert_eq!(root_move(&mut desk), "e2e4", "{rules}");
        assert!(desk.infos().iter().all(|info| info.score < Score::cp(100)), "{rules}: it is not shown, either");
    }
}

#[test]
fn a_value_that_another_worker_confirms_counts() {
    for rules in RULES {
        let mut desk = praised(rules);
        desk.report(1, &["e7e5"], -700, 7);
        desk.report(1, &["e7e5"], -500, 9);
        assert_eq!(record(&desk).confirmed, 1, "{rules}");
        assert_eq!(root_move(&mut desk), "h2h4", "{rules}");
    }
}

#[test]
fn a_value_that_another_worker_contradicts_does_not_count() {
    for rules in RULES {
        let mut desk = praised(rules);
        desk.report(1, &["e7e5"], 300, 12);
        desk.wait(Duration::from_millis(60));
        assert_eq!(record(&desk), MachineRecord { contradicted: 1, ..MachineRecord::default() }, "{rules}");
        settle(&mut desk);
        let root_is_elsewhere = desk.running.get(&WorkerId(0)).is_none_or(|(_, task)| !task.line.moves.is_empty());
        assert!(root_is_elsewhere, "{rules}: another worker searches the root");
        assert_eq!(root_move(&mut desk), "e2e4", "{rules}");
    }
}

#[test]
fn a_search_that_is_too_shallow_says_nothing() {
    let mut desk = praised("");
    desk.report(1, &["e7e5"], 300, 5);
    desk.wait(Duration::from_millis(60));
    assert_eq!(record(&desk), MachineRecord::default());
    assert_eq!(root_move(&mut desk), "e2e4");
}

#[test]
fn small_changes_and_unchanged_moves_are_not_checked() {
    for (line, cp) in [("h2h4", 120), ("e2e4", 900)] {
        let mut desk = desk("");
        desk.go(infinite());
        desk.report(0, &[line, "e7e5"], cp, 9);
        desk.end_cancelled_of(WorkerId(1));
        assert!(!is_second(&desk, 1), "{line} {cp}");
        assert_eq!(root_move(&mut desk), line);
    }
}

#[test]
fn a_move_that_the_emergency_search_finds_bad_is_always_checked() {
    let mut desk = Desk::<Chess>::new(Settings::default(), 0).looking(&["e2e4", "e7e5"], 20, -300);
    desk.join_from(0, LIAR);
    desk.join(1);
    desk.go(infinite());
    desk.report(0, &["h2h4", "e7e5"], 60, 99);
    desk.end_cancelled_of(WorkerId(1));
    assert!(is_second(&desk, 1));
    desk.report(1, &["e7e5"], 280, 12);
    desk.wait(Duration::from_millis(60));
    assert_eq!(record(&desk).contradicted, 1);
    assert_eq!(root_move(&mut desk), "e2e4");
}

#[test]
fn the_checking_worker_chooses_the_move_if_all_are_bad() {
    let mut desk = Desk::<Chess>::new(Settings::default(), 0).looking(&["e2e4", "e7e5"], 20, -900);
    desk.join_from(0, LIAR);
    desk.join(1);
    desk.go(infinite());
    desk.report(0, &["h2h4", "e7e5"], -600, 99);
    desk.end_cancelled_of(WorkerId(1));
    desk.report(1, &["d2d4"], -550, 12);
    assert_eq!(record(&desk).confirmed, 1);
    assert_eq!(root_move(&mut desk), "d2d4");
}

#[test]
fn the_claim_that_all_moves_are_bad_is_checked_at_its_node() {
    let mut desk = desk("");
    desk.go(infinite());
    desk.report(0, &["h2h4", "e7e5"], -600, 99);
    desk.end_cancelled_of(WorkerId(1));
    assert!(desk.task_of(1).line.moves.is_empty(), "the root itself");
    desk.report(1, &["d2d4"], 10, 12);
    desk.wait(Duration::from_millis(60));
    assert_eq!(record(&desk).contradicted, 1);
    assert_ne!(root_move(&mut desk), "h2h4");
}

#[test]
fn a_machine_without_others_is_believed() {
    let mut desk = Desk::<Chess>::new(Settings::default(), 0).looking(&["e2e4", "e7e5"], 20, 10);
    desk.join_from(0, LIAR);
    desk.join_from(1, LIAR);
    desk.go(infinite());
    desk.report(0, &["h2h4", "e7e5"], 900, 20);
    assert_eq!(root_move(&mut desk), "h2h4");
}

#[test]
fn slots_of_a_third_machine_may_confirm() {
    let mut desk = Desk::<Chess>::new(Settings::default(), 0).looking(&["e2e4", "e7e5"], 20, 10);
    desk.join_from(0, LIAR);
    desk.join_from(1, LIAR + 1);
    desk.go(infinite());
    desk.report(0, &["h2h4", "e7e5"], 900, 20);
    desk.end_cancelled_of(WorkerId(1));
    desk.report(1, &["e7e5"], -600, 9);
    assert_eq!(root_move(&mut desk), "h2h4");
}

#[test]
fn an_independent_finding_confirms_a_value() {
    let mut desk = desk("");
    desk.join(2);
    desk.go(infinite());
    desk.report(0, &["h2h4", "e7e5"], 400, 20);
    // The other worker searches the root, too.
    desk.report(2, &["h2h4", "e7e5"], 380, 18);
    assert_eq!(record(&desk).confirmed, 1);
    assert_eq!(root_move(&mut desk), "h2h4");
}

#[test]
fn earlier_values_are_checked_when_the_next_search_begins() {
    let mut desk = Desk::<Chess>::new(Settings::default(), 0).looking(&["e2e4", "e7e5"], 20, 10);
    desk.join_from(0, LIAR);
    desk.go(infinite());
    desk.report(0, &["h2h4", "e7e5"], 900, 99);
    assert_eq!(root_move(&mut desk), "h2h4", "there is no other worker");
    settle(&mut desk);
    desk.join(1);
    desk.go(infinite());
    assert_eq!(root_move(&mut desk), "e2e4");
}

#[test]
fn a_machine_that_is_contradicted_repeatedly_is_set_aside() {
    let mut desk = desk("groups=off,anticipation=off");
    for _ in 0..6 {
        desk.go(infinite());
        settle(&mut desk);
        // This matters only while it is at the root.
        let at_root = desk.running.get(&WorkerId(0)).is_some_and(|(_, task)| task.line.moves.is_empty());
        if at_root {
            desk.report(0, &["h2h4", "e7e5"], 900, 99);
            desk.end_cancelled_of(WorkerId(1));
            desk.report(1, &["e7e5"], 300, 12);
            desk.wait(Duration::from_millis(60));
        }
        desk.command(Command::Stop);
        settle(&mut desk);
        desk.command(Command::NewGame);
        settle(&mut desk);
    }
    let told: Vec<String> = desk
        .said
        .iter()
        .filter_map(|said| match said {
            Output::Message(text) if text.to_string().contains("set aside") => Some(text.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(told, ["warning: m7 is set aside: 4 of its values were contradicted by other workers, 0 confirmed"]);
    // Another slot of the same machine gets no work.
    desk.join_from(5, LIAR);
    desk.go(infinite());
    settle(&mut desk);
    assert!(!desk.running.contains_key(&WorkerId(0)) && !desk.running.contains_key(&WorkerId(5)));
}

/// Adds an engine of the user, which can search a position in one way only.
fn join_child(desk: &mut Desk<Chess>, worker: u32) {
    let profile = Profile { can_except: false, can_vary: false, ..Profile::thread(worker) };
    desk.worker(WorkerEvent::Joined { worker: WorkerId(worker), profile });
}

/// The workers at the root, with their variants.
fn at_root(desk: &Desk<Chess>) -> Vec<(u32, u16)> {
    let is_cancelled = |id: TaskId| {
        desk.actions.iter().any(|action| matches!(action, Action::Cancel { id: cancelled, .. } if *cancelled == id))
    };
    let here = desk.running.iter().filter(|(_, (id, task))| task.line.moves.is_empty() && !is_cancelled(*id));
    here.map(|(worker, (_, task))| (worker.0, task.variant)).collect()
}

/// The machine's slot at the root says that all moves are bad, and a child checks the root.
fn dismal(rules: &str) -> Desk<Chess> {
    let settings = Settings { tree_rules: rules.into(), ..Settings::default() };
    let mut desk = Desk::<Chess>::new(settings, 0).looking(&["e2e4", "e7e5"], 20, 10);
    desk.join_from(0, LIAR);
    join_child(&mut desk, 1);
    desk.go(infinite());
    desk.report(0, &["h2h4", "e7e5"], -600, 99);
    desk.end_cancelled_of(WorkerId(1));
    assert_eq!(at_root(&desk), [(0, 0), (1, 0)], "{rules}");
    desk
}

#[test]
fn a_second_search_ends_when_the_position_gets_the_same_search() {
    for rules in RULES {
        let mut desk = dismal(rules);
        // The slot leaves the root, and a free child takes its place.
        desk.running.remove(&WorkerId(0));
        desk.worker(WorkerEvent::Lost { worker: WorkerId(0), why: "test".into(), for_good: false });
        join_child(&mut desk, 2);
        assert_eq!(at_root(&desk), [(2, 0)], "{rules}");
        desk.end_cancelled_of(WorkerId(1));
        assert_eq!(at_root(&desk), [(2, 0)], "{rules}: it does not begin again");
        // The finding of the node's own worker is as good.
        desk.report(2, &["d2d4"], -550, 12);
        assert_eq!(record(&desk).confirmed, 1, "{rules}");
    }
}

#[test]
fn a_check_does_not_delay_the_answer() {
    let mut desk = desk("");
    desk.go(Go { move_time: Some(Duration::from_millis(150)), ..Go::default() });
    desk.wait(Duration::from_millis(100));
    desk.report(0, &["h2h4", "e7e5"], 900, 99);
    desk.wait(Duration::from_millis(60));
    assert_eq!(best(&desk), ["e2e4"]);
}

#[test]
fn withheld_lines_are_not_shown_with_multipv() {
    let settings = Settings { multi_pv: 2, ..Settings::default() };
    let mut desk = Desk::<Chess>::new(settings, 0).looking(&["e2e4", "e7e5"], 20, 10);
    desk.join_from(0, LIAR);
    desk.join(1);
    desk.go(infinite());
    let worker = WorkerId(0);
    let task = desk.running[&worker].0;
    for (multipv, text, cp) in [(1, "h2h4", 900), (2, "a2a3", 800)] {
        let pv = texts(&[text, "e7e5"]);
        let report = Report { depth: 99, multipv, bound: Bound::Exact, nodes: 9_000, pv, ..Report::new(Score::cp(cp)) };
        desk.worker(hasami_tree::event::WorkerEvent::Report { worker, task, report });
    }
    assert_eq!(root_move(&mut desk), "e2e4");
}
