//! Tests the rules of the `hasami` model, by comparing searches with and without each rule.

use super::harness::{Harness, best, texts};
use hasami_api::{Answer, Goal, Line, MateAnswer, Score, Start, Task};
use hasami_chess::Chess;
use hasami_protocol::{BestMove, Command, Go, MateLimit, Settings};
use hasami_tree::event::{Action, Profile, TaskEnd, WorkerEvent, WorkerId};
use std::time::Duration;

/// Creates a manager with all rules on, and then applies the changes in `rules`.
fn harness(workers: u32, rules: &str) -> Harness<Chess> {
    Harness::new(
        Settings {
            tree_rules: format!("all=on,anticipation=off,expansion-delay=off,{rules}"),
            ponder: true,
            ..Settings::default()
        },
        workers,
    )
}

fn move_time(ms: u64) -> Go {
    Go { move_time: Some(Duration::from_millis(ms)), ..Go::default() }
}

fn infinite() -> Go {
    Go { infinite: true, ..Go::default() }
}

fn chess(fen: &str) -> Line {
    Line { start: Start { text: Some(fen.into()), ..Start::default() }, moves: Vec::new() }
}

fn variants(harness: &Harness<Chess>) -> Vec<u16> {
    let mut variants: Vec<u16> = harness.running.values().map(|(_, task)| task.variant).collect();
    variants.sort_unstable();
    variants
}

#[test]
fn all_workers_of_a_decided_node_are_freed() {
    let mut harness = harness(3, "groups=on");
    harness.position(&chess("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"));
    harness.go(infinite());
    assert_eq!(harness.running.len(), 3);
    harness.mate(1, &["a1a8"], 1);
    harness.end_cancelled();
    assert!(harness.running.is_empty());
}

#[test]
fn only_deeper_results_of_a_worker_that_has_joined_count() {
    let mut harness = harness(3, "groups=on");
    harness.go(infinite());
    harness.report(0, &["e2e4"], 30, 3);
    let root = |harness: &Harness<Chess>| harness.manager.tree().node(harness.manager.tree().root()).value.unwrap();
    harness.report(2, &["d2d4"], 10, 3);
    assert_eq!(root(&harness).score, Score::cp(30), "no deeper than what is known");
    harness.report(2, &["d2d4"], 20, 4);
    assert_eq!(
        (root(&harness).score, root(&harness).effort),
        (Score::cp(20), 4000),
        "the effort is that of one worker"
    );
    harness.manager.check().unwrap();
}

#[test]
fn no_worker_joins_another_if_groups_are_off() {
    let mut harness = harness(3, "");
    harness.go(infinite());
    harness.report(0, &["e2e4"], 30, 3);
    harness.wait(Duration::from_millis(200));
    assert_eq!(harness.running.len(), 1, "depth 3 is not enough for the tree to grow");
}

#[test]
fn a_settled_best_move_does_not_keep_the_others_from_being_searched() {
    let mut harness = harness(2, "");
    harness.settings(&Settings {
        tree_rules: "all=on,anticipation=off,expansion-delay=off".into(),
        ..Settings::default()
    });
    // The king draws by taking the rook, and loses after either of its other moves.
    harness.position(&chess("7k/8/8/8/8/8/1r6/1K6 w - - 0 1"));
    harness.go(infinite());
    harness.report(0, &["b1b2"], 0, 5);
    harness.end_cancelled();
    let worker = harness.running.keys().next().unwrap().0;
    harness.report(worker, &["b1a1"], -500, 4);
    harness.command(Command::Stop);
    harness.end_cancelled();
    assert_eq!(best(&harness), ["b1b2"]);
    harness.go(Go { depth: Some(12), ..Go::default() });
    assert!(!harness.running.is_empty(), "only the king's other moves remain");
    harness.everybody_reports(12);
    assert_eq!(best(&harness).len(), 2);
}

#[test]
fn a_group_searches_one_node_together() {
    let mut harness = harness(4, "groups=on");
    harness.go(infinite());
    assert_eq!(variants(&harness), [0, 2, 3, 4], "at once");
    harness.everybody_reports(12);
    harness.wait(Duration::from_millis(500));
    assert_eq!(harness.running.len(), 4);
    let teams: Vec<u64> = harness.running.values().map(|(_, task)| task.team).collect();
    assert!(teams[0] != 0 && teams.iter().all(|&team| team == teams[0]), "{teams:?}");
    assert!(harness.running.values().all(|(_, task)| task.line.moves.is_empty() && task.except.is_empty()));
    harness.report(2, &["d2d4"], 20, 13);
    harness.command(Command::Stop);
    assert!(
        matches!(harness.best_moves()[..], [BestMove::Move { best, .. }] if best == texts(&["d2d4"])[0]),
        "the deepest finding of any member counts"
    );
}

#[test]
fn unlike_workers_grow_the_tree() {
    let mut harness = harness(2, "groups=on");
    let profile = Profile { can_vary: false, ..Profile::thread(3) };
    harness.worker(WorkerEvent::Joined { worker: WorkerId(2), profile });
    harness.go(infinite());
    harness.everybody_reports(9);
    harness.wait(Duration::from_millis(200));
    harness.end_cancelled();
    assert!(harness.running.values().all(|(_, task)| task.team == 0));
    assert!(harness.running.values().any(|(_, task)| task.line.moves.len() == 1));
    assert_eq!(variants(&harness), [0; 3]);
}

#[test]
fn one_player_is_not_a_group() {
    let mut harness = harness(1, "groups=on");
    harness.go(infinite());
    assert_eq!(harness.task_of(0).team, 0);
}

/// Creates a manager with a player and a mate solver, in a position with a mate in two moves.
fn with_solver(rules: &str) -> Harness<Chess> {
    let mut harness = harness(1, rules);
    harness.worker(WorkerEvent::Joined { worker: WorkerId(9), profile: Profile::mate_solver() });
    harness.position(&chess("7k/8/8/8/8/8/R7/1R5K w - - 0 1"));
    harness.go(infinite());
    harness
}

fn answer(harness: &mut Harness<Chess>, mate: MateAnswer) -> Task {
    let (task, asked) = harness.running.remove(&WorkerId(9)).unwrap();
    harness.worker(WorkerEvent::Ended { worker: WorkerId(9), task, end: TaskEnd::Answer(Answer::Mate(mate)) });
    asked
}

#[test]
fn a_mate_by_a_move_outside_search_moves_is_not_used() {
    let questions = [None, Some(MateLimit::Moves(2))];
    for (mate, (other, is_reported)) in questions.into_iter().flat_map(|q| [(q, ("h1g1", false)), (q, ("b1b7", true))])
    {
        let mut harness = harness(1, "");
        harness.worker(WorkerEvent::Joined { worker: WorkerId(9), profile: Profile::mate_solver() });
        harness.position(&chess("7k/8/8/8/8/8/R7/1R5K w - - 0 1"));
        let asks = |mate| Go { search_moves: texts(&["a2a3", other]), mate, infinite: mate.is_none(), ..Go::default() };
        harness.go(asks(mate));
        harness.report(0, &["a2a3", "h8g8"], 30, 3);
        answer(&mut harness, MateAnswer::Mate(texts(&["b1b7", "h8g8", "a2a8"])));
        harness.wait(Duration::from_millis(200));
        harness.end_cancelled();
        harness.command(Command::Stop);
        harness.end_cancelled();
        let is_mate = harness.infos().iter().any(|info| info.score == Score::win_in(3));
        assert_eq!(is_mate, is_reported, "{other}, {mate:?}");
    }
}

#[test]
fn the_solver_returns_with_twice_the_nodes_after_a_rest() {
    let mut harness = with_solver("");
    harness.now += Duration::from_millis(2);
    let first = answer(&mut harness, MateAnswer::Unknown);
    assert_eq!(first.goal, Goal::Mate);
    harness.wait(Duration::from_millis(2));
    assert!(!harness.running.contains_key(&WorkerId(9)), "it rests");
    harness.wait(Duration::from_millis(10));
    let second = answer(&mut harness, MateAnswer::NoMate);
    assert_eq!(second.limits.nodes, first.limits.nodes.map(|nodes| 2 * nodes));
    harness.wait(Duration::from_secs(1));
    assert!(!harness.running.contains_key(&WorkerId(9)), "there is no mate");
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves().len(), 1);
}

#[test]
fn a_proved_mate_settles_its_node_and_frees_the_worker() {
    let mut harness = with_solver("");
    answer(&mut harness, MateAnswer::Mate(texts(&["a2a7", "h8g8", "b1b8"])));
    harness.end_cancelled();
    assert!(!harness.running.contains_key(&WorkerId(0)));
    assert_eq!(harness.infos().last().unwrap().score, Score::win_in(3));
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves().len(), 1);
}

#[test]
fn a_line_without_a_mate_settles_nothing() {
    let mut harness = with_solver("");
    answer(&mut harness, MateAnswer::Mate(texts(&["a2a7", "h8g8", "b1b7"])));
    assert!(harness.running.contains_key(&WorkerId(0)) && harness.infos().is_empty());
}

#[test]
fn the_solver_rests_where_its_rule_is_off_and_when_the_search_ends() {
    assert!(!with_solver("mate-probes=off").running.contains_key(&WorkerId(9)));
    let mut harness = with_solver("");
    harness.settings(&Settings { ponder: false, ..Settings::default() });
    harness.command(Command::Stop);
    harness.end_cancelled();
    assert!(harness.running.is_empty());
}

#[test]
fn a_report_about_another_move_is_the_value_of_that_move_s_node() {
    let mut harness =
        Harness::<Chess>::new(Settings { tree_rules: "anticipation=off".into(), ..Settings::default() }, 0);
    let profile = Profile { can_except: false, can_only: false, can_vary: false, ..Profile::thread(0) };
    for worker in [0, 1] {
        harness.worker(WorkerEvent::Joined { worker: WorkerId(worker), profile: profile.clone() });
    }
    harness.go(infinite());
    harness.wait(Duration::from_millis(200));
    harness.report(0, &["e2e4", "e7e5"], 30, 9);
    harness.end_cancelled();
    assert!(harness.task_of(1).line.moves.is_empty(), "the free worker searches the remaining moves");
    let value = |harness: &Harness<Chess>| {
        let tree = harness.manager.tree();
        tree.node(tree.child_by_text(tree.root(), texts(&["e2e4"])[0]).unwrap()).value.unwrap()
    };
    harness.report(1, &["e2e4", "c7c5"], 45, 7);
    assert_eq!(value(&harness).score, Score::cp(-30), "no deeper than what is known");
    harness.report(1, &["e2e4", "c7c5"], 45, 12);
    assert_eq!((value(&harness).score, value(&harness).depth), (Score::cp(-45), 11));
    harness.manager.check().unwrap();
}

#[test]
fn a_node_is_expanded_when_its_worker_has_searched_for_a_while() {
    let grows_after = |rules: &str, ms: u64| {
        let mut harness = harness(2, &format!("all=off,affinity=on,{rules}"));
        harness.go(move_time(1000));
        harness.report(0, &["e2e4", "e7e5", "g1f3"], 30, 9);
        harness.end_cancelled();
        // Even without further reports, the alarm wakes the manager.
        harness.wait(Duration::from_millis(ms));
        harness.end_cancelled();
        harness.manager.check().unwrap();
        harness.running.values().any(|(_, task)| task.line.moves == texts(&["e2e4"]))
    };
    assert!(grows_after("expansion-delay=off", 0));
    assert!(!grows_after("expansion-delay=0.05", 30));
    assert!(grows_after("expansion-delay=0.05", 50));
    let mut harness = harness(2, "all=off,affinity=on,expansion-delay=0.05");
    harness.go(move_time(1030));
    harness.report(0, &["e2e4", "e7e5", "g1f3"], 30, 9);
    let mut alarms =
        harness.actions.iter().filter_map(|action| if let Action::Alarm(at) = action { *at } else { None });
    let next = alarms.next_back().unwrap() - harness.now;
    assert_eq!(next, Duration::from_millis(50), "the alarm rings when the node is ripe");
    assert!(
        harness.manager.assignment.frontier.is_empty() && harness.manager.assignment.delayed.len() == 1,
        "no event looks at it before"
    );
    harness.wait(Duration::from_millis(50));
    harness.end_cancelled();
    assert!(harness.manager.assignment.delayed.is_empty());
    assert_eq!(harness.running.values().filter(|(_, task)| task.line.moves == texts(&["e2e4"])).count(), 1);
}
