//! Tests workers that move on with the game, report nonsense, fall silent, or die.

use super::harness::{Harness, best, texts, walk};
use hasami_api::{Line, Report, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::{Command, Go, Output, Settings, settings::TreeModel};
use hasami_tree::event::{Action, Profile, WorkerEvent, WorkerId};
use std::time::Duration;

fn infinite() -> Go {
    Go { infinite: true, ..Go::default() }
}

fn harness(model: TreeModel, workers: u32) -> Harness<Chess> {
    let mut harness = Harness::new(
        Settings {
            tree_model: model,
            tree_rules: "groups=off,anticipation=off,expansion-delay=off".into(),
            ..Settings::default()
        },
        workers,
    );
    harness.go(infinite());
    harness
}

fn lose(harness: &mut Harness<Chess>, worker: u32) {
    harness.running.remove(&WorkerId(worker));
    harness.worker(WorkerEvent::Lost { worker: WorkerId(worker), why: "test".into(), for_good: false });
}

fn count(harness: &Harness<Chess>, wanted: impl Fn(&Action) -> bool) -> usize {
    harness.actions.iter().filter(|action| wanted(action)).count()
}

#[test]
fn a_worker_follows_its_best_move_and_a_free_one_takes_the_rest() {
    let mut harness = harness(TreeModel::Hasami, 2);
    harness.report(0, &["e2e4", "e7e5", "g1f3"], 30, 9);
    harness.end_cancelled();
    assert_eq!(harness.task_of(0).line.moves, texts(&["e2e4"]));
    assert!(harness.task_of(1).line.moves.is_empty());
    assert_eq!(harness.task_of(1).except, texts(&["e2e4"]));
}

#[test]
fn in_the_models_of_the_papers_the_worker_stays_at_its_node() {
    for model in [TreeModel::Rank, TreeModel::Gap] {
        let mut harness = harness(model, 2);
        harness.report(0, &["e2e4", "e7e5", "g1f3"], 30, 9);
        harness.end_cancelled();
        assert!(harness.task_of(0).line.moves.is_empty());
        assert_eq!(harness.task_of(0).except, texts(&["e2e4"]));
        assert_eq!(harness.task_of(1).line.moves, texts(&["e2e4"]));
    }
}

#[test]
fn every_worker_gets_a_node_along_the_reported_line() {
    let mut harness = harness(TreeModel::Hasami, 6);
    let pv = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4"];
    harness.report(0, &pv, 30, 14);
    harness.end_cancelled();
    harness.end_cancelled();
    assert_eq!(harness.running.len(), 6);
    harness.manager.check().unwrap();
}

#[test]
fn an_engine_without_exclusion_gets_a_list_of_the_remaining_moves() {
    let mut harness = harness(TreeModel::Rank, 1);
    let mut profile = super::harness::profile("uci");
    (profile.can_except, profile.can_only) = (false, false);
    harness.worker(WorkerEvent::Joined { worker: WorkerId(1), profile: profile.clone() });
    profile.can_only = true;
    harness.worker(WorkerEvent::Joined { worker: WorkerId(2), profile });
    harness.report(0, &["e2e4"], 30, 9);
    harness.end_cancelled();
    let at_root: Vec<u32> = harness
        .running
        .iter()
        .filter(|(_, (_, task))| task.line.moves.is_empty())
        .map(|(worker, _)| worker.0)
        .collect();
    assert_eq!(at_root, [0]);
    lose(&mut harness, 0);
    let (_, (_, task)) = harness.running.iter().find(|(_, (_, task))| task.line.moves.is_empty()).unwrap();
    assert_eq!((task.only.len(), task.except.len()), (19, 0), "searchmoves names all but e2e4");
}

#[test]
fn answers_about_excluded_moves_are_refused_if_nobody_can_exclude_them() {
    let mut harness = Harness::<Chess>::new(Settings { tree_model: TreeModel::Rank, ..Settings::default() }, 0);
    let mut profile = super::harness::profile("usi");
    (profile.can_except, profile.can_only) = (false, false);
    for worker in [0, 1] {
        harness.worker(WorkerEvent::Joined { worker: WorkerId(worker), profile: profile.clone() });
    }
    harness.go(infinite());
    harness.report(0, &["e2e4", "e7e5"], 30, 9);
    harness.end_cancelled();
    assert!(harness.task_of(0).line.moves.is_empty() && harness.task_of(0).except.is_empty());
    harness.report(0, &["e2e4"], 500, 12);
    let root =
        |harness: &Harness<Chess>| harness.manager.tree().node(harness.manager.tree().root()).value.unwrap().score;
    assert_eq!(root(&harness), Score::cp(30), "e2e4 has its own node");
    harness.report(0, &["d2d4"], 60, 13);
    assert_eq!(root(&harness), Score::cp(60));
}

/// Adds a worker that does not support `searchmoves`.
fn join_simple(harness: &mut Harness<Chess>, worker: u32) {
    let profile = Profile { can_only: false, ..Profile::thread(worker) };
    harness.worker(WorkerEvent::Joined { worker: WorkerId(worker), profile });
}

#[test]
fn search_moves_get_nodes_if_a_late_worker_does_not_support_them() {
    let limits = [Go { depth: Some(4), ..Go::default() }, Go { nodes: Some(3_000), ..Go::default() }, infinite()];
    for go in limits {
        let mut harness = Harness::<Chess>::new(Settings::default(), 0);
        harness.go(Go { search_moves: texts(&["a2a3"]), ..go.clone() });
        join_simple(&mut harness, 0);
        assert_eq!(harness.task_of(0).line.moves, texts(&["a2a3"]), "{go:?}");
        harness.report(0, &["e7e5"], 10, 3);
        harness.end(WorkerId(0));
        assert_eq!(best(&harness).is_empty(), go.infinite, "{go:?}");
    }
}

#[test]
fn search_moves_still_apply_after_the_last_worker_that_supports_them() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    join_simple(&mut harness, 1);
    harness.go(Go { search_moves: texts(&["a2a3", "h2h3"]), ..infinite() });
    assert_eq!(harness.task_of(0).only.len(), 2);
    lose(&mut harness, 0);
    assert_eq!(harness.task_of(1).line.moves.len(), 1);
    harness.manager.check().unwrap();
}

#[test]
fn a_lost_worker_is_restarted_with_growing_pauses_and_finally_set_aside() {
    let mut harness = harness(TreeModel::Hasami, 2);
    let mut pauses = Vec::new();
    for _ in 0..4 {
        let died = harness.now;
        harness.actions.clear();
        lose(&mut harness, 1);
        while count(&harness, |action| *action == Action::Revive { worker: WorkerId(1) }) == 0 {
            harness.wait(Duration::from_millis(50));
            assert!(harness.now - died < Duration::from_secs(60));
        }
        pauses.push(harness.now - died);
        harness.join(1);
    }
    assert!(pauses.windows(2).all(|pair| pair[1] > pair[0] * 2), "{pauses:?}");
    lose(&mut harness, 1);
    let warnings = harness.said.iter().filter(|said| matches!(said, Output::Message(_))).count();
    assert_eq!(warnings, 1);
    harness.actions.clear();
    harness.wait(Duration::from_secs(1000));
    assert_eq!(count(&harness, |action| matches!(action, Action::Revive { .. })), 0);
    assert!(harness.running.contains_key(&WorkerId(0)), "the game continues");
}

/// Lets worker 1 crash `crashes` times, each time after a task that took `time`, and returns the pauses before its
/// restarts.
fn pauses_of_one_that_works(harness: &mut Harness<Chess>, time: Duration, crashes: usize) -> Vec<Duration> {
    let mut pauses = Vec::new();
    for _ in 0..crashes {
        harness.go(infinite());
        harness.report(1, &[], 10, 4);
        harness.now += time;
        harness.command(Command::Stop);
        harness.actions.clear();
        harness.running.keys().copied().collect::<Vec<_>>().into_iter().for_each(|worker| harness.end(worker));
        let died = harness.now;
        lose(harness, 1);
        while count(harness, |action| *action == Action::Revive { worker: WorkerId(1) }) == 0 {
            harness.wait(Duration::from_millis(50));
            if harness.now - died > Duration::from_secs(60) {
                return pauses;
            }
        }
        pauses.push(harness.now - died);
        harness.join(1);
    }
    pauses
}

#[test]
fn a_worker_that_works_briefly_between_its_crashes_is_set_aside() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 0);
    harness.join(1);
    let pauses = pauses_of_one_that_works(&mut harness, Duration::from_secs(5), 9);
    assert_eq!(pauses.len(), 4, "{pauses:?}");
    assert!(pauses.windows(2).all(|pair| pair[1] > pair[0] * 2), "{pauses:?}");
    let warns = |said: &Output| matches!(said, Output::Message(text) if text.to_string().contains("w1 is set aside"));
    assert_eq!(harness.said.iter().filter(|said| warns(said)).count(), 1);
}

#[test]
fn a_worker_that_works_long_between_its_crashes_is_restarted() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 0);
    harness.join(1);
    let pauses = pauses_of_one_that_works(&mut harness, Duration::from_secs(70), 9);
    assert_eq!(pauses, vec![Duration::from_millis(200); 9]);
}

#[test]
fn a_worker_that_cannot_be_started_is_reported_at_once() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    let why = "engine: cannot start it";
    harness.worker(WorkerEvent::Lost { worker: WorkerId(5), why: why.into(), for_good: true });
    let is_reported = |said: &Output| matches!(said, Output::Message(text) if text.to_string().contains(why));
    assert_eq!(harness.said.iter().filter(|said| is_reported(said)).count(), 1);
    harness.wait(Duration::from_secs(100));
    assert_eq!(count(&harness, |action| matches!(action, Action::Revive { .. })), 0);
}

#[test]
fn the_fallback_worker_is_called_once_when_all_are_gone() {
    let mut harness = harness(TreeModel::Hasami, 2);
    lose(&mut harness, 0);
    assert_eq!(count(&harness, |action| *action == Action::AddFallback), 0, "one worker is left");
    lose(&mut harness, 1);
    assert_eq!(count(&harness, |action| *action == Action::AddFallback), 1);
    let mut solver = super::harness::profile("solver");
    solver.can_best = false;
    harness.worker(WorkerEvent::Joined { worker: WorkerId(8), profile: solver });
    harness.wait(Duration::from_millis(100));
    assert_eq!(count(&harness, |action| *action == Action::AddFallback), 1);
    harness.join(9);
    assert!(harness.running.contains_key(&WorkerId(9)));
}

#[test]
fn workers_that_died_between_searches_are_replaced_in_the_next_one() {
    let mut harness = harness(TreeModel::Hasami, 1);
    harness.command(Command::Stop);
    lose(&mut harness, 0);
    assert_eq!(count(&harness, |action| *action == Action::AddFallback), 0, "no worker is needed");
    harness.go(infinite());
    assert_eq!(count(&harness, |action| *action == Action::AddFallback), 1);
}

#[test]
fn workers_get_time_to_come_up_at_the_start() {
    let mut harness = harness(TreeModel::Hasami, 0);
    harness.wait(Duration::from_millis(2900));
    assert_eq!(count(&harness, |action| *action == Action::AddFallback), 0);
    harness.wait(Duration::from_millis(200));
    assert_eq!(count(&harness, |action| *action == Action::AddFallback), 1);
}

#[test]
fn workers_that_are_late_are_replaced_before_a_move_is_due() {
    let mut harness = Harness::<Chess>::new(Settings { threads: 0, ..Settings::default() }, 0);
    let absence = |harness: &mut Harness<Chess>| {
        let actions = hasami_tree::manage::Manage::on_absence(&mut harness.manager, harness.now);
        harness.actions.extend(actions);
        count(harness, |action| *action == Action::AddFallback)
    };
    assert_eq!((absence(&mut harness), absence(&mut harness)), (1, 1), "one is enough");
    let warns =
        |action: &Action| matches!(action, Action::Say(Output::Message(why)) if why.contains("has come up yet"));
    assert_eq!(count(&harness, warns), 1);
    harness.join(3);
    harness.join(4);
    assert_eq!(absence(&mut harness), 1, "there are workers");
    harness.go(infinite());
    assert_eq!(harness.running.len(), 2, "late workers are used");
}

#[test]
fn a_first_move_that_is_due_soon_is_searched_by_the_fallback_worker() {
    let mut harness = Harness::<Chess>::new(Settings { threads: 0, ..Settings::default() }, 0);
    harness.go(Go { move_time: Some(Duration::from_secs(1)), ..Go::default() });
    harness.wait(Duration::from_millis(300));
    assert_eq!(count(&harness, |action| *action == Action::AddFallback), 0, "a child may still be coming up");
    harness.wait(Duration::from_millis(30));
    assert_eq!(count(&harness, |action| *action == Action::AddFallback), 1);
    harness.join(1);
    assert_eq!(harness.running.len(), 1);
}

#[test]
fn a_worker_that_never_came_up_is_reported_by_name() {
    let mut harness = harness(TreeModel::Hasami, 1);
    hasami_tree::manage::Manage::on_worker_added(&mut harness.manager, WorkerId(5), "stockfish#2");
    harness.worker(WorkerEvent::Lost { worker: WorkerId(5), why: "no such file".into(), for_good: true });
    let text = "warning: stockfish#2 is set aside: no such file";
    let is_reported = |action: &Action| matches!(action, Action::Say(Output::Message(message)) if *message == text);
    assert_eq!(count(&harness, is_reported), 1);
}

#[test]
fn each_crash_is_logged_once() {
    let mut harness = harness(TreeModel::Hasami, 1);
    let mut logged = |worker: u32, for_good: bool| {
        harness.actions.clear();
        hasami_tree::manage::Manage::on_worker_added(
            &mut harness.manager,
            WorkerId(worker),
            &format!("engine{worker}"),
        );
        harness.running.remove(&WorkerId(worker));
        harness.worker(WorkerEvent::Lost { worker: WorkerId(worker), why: "no such file".into(), for_good });
        let log_text = |action: &Action| if let Action::Log(_, text) = action { Some(text.clone()) } else { None };
        harness.actions.iter().filter_map(log_text).collect::<Vec<_>>()
    };
    assert_eq!(logged(0, false), ["w0 is lost: no such file"]);
    assert_eq!(logged(5, false), ["engine5 has not come up: no such file"]);
    assert_eq!(logged(6, true), ["warning: engine6 is set aside: no such file"]);
    assert_eq!(logged(6, true), [] as [&str; 0], "it was reported before");
}

#[test]
fn a_worker_that_does_not_stop_is_killed() {
    let mut harness = harness(TreeModel::Hasami, 1);
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves().len(), 1, "the answer does not wait for it");
    harness.wait(Duration::from_secs(1));
    assert_eq!(count(&harness, |action| matches!(action, Action::Kill { .. })), 0);
    harness.wait(Duration::from_secs(2));
    assert_eq!(count(&harness, |action| *action == Action::Kill { worker: WorkerId(0) }), 1);
}

#[test]
fn deadlines_of_finished_tasks_are_removed() {
    let mut harness = harness(TreeModel::Hasami, 3);
    harness.report(0, &["e2e4", "e7e5", "g1f3"], 30, 9);
    assert!(harness.manager.assignment.roster.deadlines.len() > 3, "one worker has to end its task");
    harness.end_cancelled();
    assert_eq!(harness.manager.assignment.roster.deadlines.len(), harness.running.len());
    lose(&mut harness, 1);
    assert_eq!(harness.manager.assignment.roster.deadlines.len(), harness.running.len() + 1, "it will be restarted");
    harness.command(Command::Stop);
    harness.end_cancelled();
    assert_eq!((harness.running.len(), harness.manager.assignment.roster.deadlines.len()), (0, 1));
}

#[test]
fn a_flood_of_reports_does_not_delay_the_end_of_a_worker() {
    let mut harness = harness(TreeModel::Hasami, 1);
    harness.command(Command::Stop);
    let alarms = |harness: &Harness<Chess>| count(harness, |action| matches!(action, Action::Alarm(_)));
    harness.now += Duration::from_secs(3);
    let before = alarms(&harness);
    for depth in 1..20 {
        harness.report(0, &["e2e4"], 10, depth);
        harness.now += Duration::from_millis(1);
    }
    assert_eq!(alarms(&harness), before, "the alarm has been due for a second");
    harness.wait(Duration::ZERO);
    assert_eq!(count(&harness, |action| matches!(action, Action::Kill { .. })), 1);
}

#[test]
fn a_silent_worker_loses_its_node() {
    let mut harness = harness(TreeModel::Hasami, 1);
    harness.wait(Duration::from_secs(7));
    assert_eq!(count(&harness, |action| matches!(action, Action::Cancel { .. })), 1);
}

/// Lets a worker report a line without a node count.
fn report_without_nodes(harness: &mut Harness<Chess>, worker: u32) {
    let worker = WorkerId(worker);
    let Some((task, work)) = harness.running.get(&worker).cloned() else { return };
    let report = Report { depth: 5, pv: walk::<Chess>(&work).0, ..Report::new(Score::cp(10)) };
    harness.worker(WorkerEvent::Report { worker, task, report });
}

/// Runs `go nodes` with workers that do not count their nodes, and returns the number of seconds until `over` is true.
fn uncounted(workers: u32, over: impl Fn(&Harness<Chess>) -> bool) -> u32 {
    let mut harness = Harness::<Chess>::new(
        Settings { tree_rules: "groups=off,anticipation=off,expansion-delay=off".into(), ..Settings::default() },
        workers,
    );
    harness.go(Go { nodes: Some(2_000), ..Go::default() });
    for second in 0.. {
        if over(&harness) {
            harness.manager.check().unwrap();
            return second;
        }
        (0..workers).for_each(|worker| report_without_nodes(&mut harness, worker));
        harness.wait(Duration::from_secs(1));
        harness.end_cancelled();
        assert!(second < 500, "{:?}", harness.running);
    }
    unreachable!()
}

#[test]
fn a_worker_that_neither_counts_nodes_nor_keeps_its_limit_is_stopped() {
    assert!((20..40).contains(&uncounted(1, |harness| !best(harness).is_empty())), "it had enough time");
    let text = "is set aside: does not keep limits of nodes";
    let warns = |said: &Output| matches!(said, Output::Message(message) if message.to_string().contains(text));
    assert!(uncounted(2, |harness| harness.said.iter().any(warns)) > 50, "after several tasks");
}

#[test]
fn impossible_reports_are_dropped_and_their_workers_set_aside() {
    let mut harness = harness(TreeModel::Hasami, 2);
    harness.report(0, &["e2e5"], 30, 9);
    harness.report(0, &["xyzzy"], 30, 9);
    assert!(harness.infos().is_empty());
    harness.report(0, &["d2d4"], 30, 9);
    assert_eq!(harness.infos().len(), 1);
    harness.end_cancelled();
    for _ in 0..40 {
        if harness.running.contains_key(&WorkerId(0)) {
            harness.report(0, &["e2e5"], 30, 9);
            harness.end_cancelled();
        }
        harness.wait(Duration::from_millis(150));
    }
    assert!(!harness.running.contains_key(&WorkerId(0)));
    let warns = |said: &Output| matches!(said, Output::Message(text) if text.to_string().contains("w0 is set aside"));
    assert_eq!(harness.said.iter().filter(|said| warns(said)).count(), 1);
}

#[test]
fn late_reports_are_dropped_by_the_task_s_id() {
    let mut harness = harness(TreeModel::Hasami, 1);
    let old = harness.running[&WorkerId(0)].clone();
    harness.command(Command::Stop);
    harness.end_cancelled();
    harness.go(infinite());
    let new = harness.running.insert(WorkerId(0), old).unwrap();
    let before = harness.said.len();
    harness.report(0, &["a2a3"], 900, 30);
    assert_eq!(harness.said.len(), before);
    harness.running.insert(WorkerId(0), new);
    harness.manager.check().unwrap();
}

#[test]
fn a_mate_that_the_line_does_not_show_is_impossible() {
    let mates_shown = |moves: &[&str], plies: u16| {
        let mut harness = harness(TreeModel::Hasami, 1);
        harness.mate(0, moves, plies);
        harness.infos().iter().filter(|info| info.score == Score::win_in(plies.into())).count()
    };
    assert_eq!(mates_shown(&["a2a3"], 1), 0);
    assert_eq!(mates_shown(&["f2f3", "e7e5", "g2g4"], 3), 0);
    assert_eq!(mates_shown(&["e2e4", "f7f6", "d2d4"], 5), 1, "engines truncate their lines");
    assert_eq!(mates_shown(&["e2e4", "f7f6", "d2d4", "g7g5", "d1h5"], 5), 1);
    let tells_of = |text: &str| {
        let mut harness = harness(TreeModel::Hasami, 1);
        harness.command(Command::Stop);
        harness.end_cancelled();
        let start = Start { text: Some("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1".into()), ..Start::default() };
        harness.position(&Line { start, moves: Vec::new() });
        harness.go(infinite());
        harness.mate(0, &[text], 1);
        harness.infos().iter().any(|info| info.score == Score::win_in(1))
    };
    assert!(tells_of("f1f8"));
    assert!(!tells_of("f1f7"), "that is stalemate");
    let mut harness = harness(TreeModel::Hasami, 1);
    for _ in 0..20 {
        if harness.running.contains_key(&WorkerId(0)) {
            harness.mate(0, &["a2a3"], 1);
            harness.end_cancelled();
        }
        harness.wait(Duration::from_millis(300));
    }
    let warns = |said: &Output| matches!(said, Output::Message(text) if text.to_string().contains("w0 is set aside: claimed a mate in 1 ply, "));
    assert_eq!(harness.said.iter().filter(|said| warns(said)).count(), 1);
}
