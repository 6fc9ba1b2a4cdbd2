//! Several search groups at one position, and what most of them hold for best.

use super::desk::{Desk, best};
use crate::event::{WorkerEvent, WorkerId};
use crate::protocol::{Command, Go, Settings};
use hasami_api::{Bound, MoveText, Report, Score};
use hasami_chess::Chess;
use std::collections::BTreeSet;

fn desk(rules: &str, shared_hash: bool, workers: u32) -> Desk<Chess> {
    let settings = Settings { threads: workers, tree_rules: rules.into(), shared_hash, ..Settings::default() };
    let mut desk = Desk::new(settings, workers);
    desk.go(Go { infinite: true, ..Go::default() });
    desk
}

fn tell(desk: &mut Desk<Chess>, worker: u32, report: Report) {
    let worker = WorkerId(worker);
    let task = desk.running[&worker].0;
    desk.worker(WorkerEvent::Report { worker, task, report });
}

fn found(depth: u16, cp: i32, pv: &[&str]) -> Report {
    let pv: Vec<MoveText> = pv.iter().map(|m| m.parse().unwrap()).collect();
    let nodes = u64::from(depth) * 1_000;
    Report { depth, seldepth: depth, nodes, bound: Bound::Exact, pv, ..Report::new(Score::cp(cp)) }
}

/// The groups, each with its members.
fn groups(desk: &Desk<Chess>) -> Vec<usize> {
    let names: BTreeSet<u64> = desk.running.values().map(|(_, task)| task.team).collect();
    let count = |name: u64| desk.running.values().filter(|(_, task)| task.team == name).count();
    names.into_iter().map(count).collect()
}

#[test]
fn whoever_has_a_table_of_its_own_may_be_of_another_group() {
    assert_eq!(groups(&desk("consultation=2", false, 7)), [2, 2, 1, 1, 1]);
    assert_eq!(groups(&desk("consultation=3", false, 9)), [3; 3]);
    assert_eq!(groups(&desk("consultation=off", false, 7)), [7]);
    assert_eq!(groups(&desk("consultation=2", true, 7)), [7], "with one table they know the same");
    let numbers: Vec<u8> = desk("consultation=1", false, 3).running.values().map(|(_, task)| task.group()).collect();
    assert_eq!(numbers, [0, 1, 2]);
}

#[test]
fn all_of_them_search_the_root() {
    let desk = desk("consultation=1", false, 5);
    assert!(desk.running.values().all(|(_, task)| task.line.moves.is_empty() && task.except.is_empty()));
}

#[test]
fn what_most_groups_hold_for_best_is_played() {
    let mut desk = desk("consultation=1", false, 3);
    tell(&mut desk, 0, found(9, 30, &["e2e4", "e7e5"]));
    tell(&mut desk, 1, found(8, 20, &["d2d4", "d7d5"]));
    tell(&mut desk, 2, found(7, 10, &["d2d4", "g8f6"]));
    desk.command(Command::Stop);
    assert_eq!(best(&desk), ["d2d4"]);
    let last = desk.infos().pop().unwrap();
    assert_eq!((last.depth, last.score), (8, Score::cp(20)), "as the deepest of them says");
}

#[test]
fn a_group_may_change_its_mind() {
    let mut desk = desk("consultation=1", false, 3);
    tell(&mut desk, 0, found(9, 30, &["e2e4", "e7e5"]));
    tell(&mut desk, 1, found(8, 20, &["d2d4", "d7d5"]));
    tell(&mut desk, 2, found(7, 10, &["d2d4", "g8f6"]));
    tell(&mut desk, 1, found(9, 25, &["e2e4", "c7c5"]));
    desk.command(Command::Stop);
    assert_eq!(best(&desk), ["e2e4"]);
}

#[test]
fn members_of_a_group_have_one_vote() {
    let mut desk = desk("consultation=2", false, 5);
    let of = |desk: &Desk<Chess>, group: u8| {
        let members = desk.running.iter().filter(|(_, (_, task))| task.group() == group);
        members.map(|(worker, _)| worker.0).collect::<Vec<u32>>()
    };
    assert_eq!([of(&desk, 0).len(), of(&desk, 1).len(), of(&desk, 2).len()], [2, 2, 1]);
    for worker in of(&desk, 0) {
        tell(&mut desk, worker, found(9, 30, &["e2e4", "e7e5"]));
    }
    let others = [of(&desk, 1)[0], of(&desk, 2)[0]];
    for worker in others {
        tell(&mut desk, worker, found(8, 20, &["d2d4", "d7d5"]));
    }
    desk.command(Command::Stop);
    assert_eq!(best(&desk), ["d2d4"]);
}

#[test]
fn a_mate_counts_whoever_has_found_it() {
    let mut desk = desk("consultation=1", false, 3);
    desk.command(Command::Stop);
    desk.end_cancelled();
    let moves = "f2f3 e7e5 g2g4".split(' ').map(|m| m.parse().unwrap()).collect();
    desk.position(&hasami_api::Line { moves, ..hasami_api::Line::default() });
    desk.go(Go { infinite: true, ..Go::default() });
    tell(&mut desk, 0, found(9, 30, &["d7d5", "e2e4"]));
    tell(&mut desk, 1, found(9, 20, &["d7d5", "d2d4"]));
    tell(&mut desk, 2, Report { score: Score::win_in(1), ..found(9, 0, &["d8h4"]) });
    desk.command(Command::Stop);
    assert_eq!(best(&desk).last(), Some(&"d8h4".to_owned()));
}

/// Workers of these machines (0: a thread of ours), each a group; the emergency search holds e2e4 for best.
fn lent(machines: [u64; 3]) -> Desk<Chess> {
    let settings = Settings { tree_rules: "consultation=1".into(), ..Settings::default() };
    let mut desk = Desk::new(settings, 0).looking(&["e2e4", "e7e5"], 20, 10);
    for (worker, machine) in (0..).zip(machines) {
        if machine == 0 { desk.join(worker) } else { desk.join_from(worker, machine) }
    }
    desk.go(Go { infinite: true, ..Go::default() });
    assert_eq!(groups(&desk), [1; 3]);
    desk
}

#[test]
fn most_groups_of_one_machine_are_not_believed() {
    let mut desk = lent([7, 7, 0]);
    for worker in [0, 1] {
        desk.report(worker, &["h2h4", "e7e5"], 900, 20);
    }
    desk.command(Command::Stop);
    assert_eq!(best(&desk), ["e2e4"], "what stood before");
}

#[test]
fn small_differences_of_a_machine_are_voted_on() {
    let mut desk = lent([7, 7, 0]);
    desk.report(0, &["d2d4", "d7d5"], 30, 9);
    desk.report(1, &["d2d4", "g8f6"], 25, 9);
    desk.report(2, &["e2e4", "e7e5"], 20, 10);
    desk.command(Command::Stop);
    assert_eq!(best(&desk), ["d2d4"]);
}
