//! Tests UCI's `go mate N`: players search for a move while a solver finds out whether there is a mate in N moves.

use super::harness::{Harness, best, profile, texts};
use hasami_api::{Answer, Goal, Line, MateAnswer, Report, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::{Command, Effort, Go, MateLimit, Output, Settings};
use hasami_shogi::Shogi;
use hasami_tree::event::{Action, TaskEnd, WorkerEvent, WorkerId};
use std::time::Duration;

const SOLVER: WorkerId = WorkerId(9);

/// Sends `go mate` in a position with a mate in two moves that begins with a quiet move.
fn harness(workers: u32, moves: u32) -> Harness<Chess> {
    let mut harness = Harness::new(Settings::default(), workers);
    let mut solver = profile("solver");
    solver.can_best = false;
    harness.worker(WorkerEvent::Joined { worker: SOLVER, profile: solver });
    let start = Start { text: Some("7k/8/5K2/8/8/8/8/R7 w - - 0 1".into()), ..Start::default() };
    harness.position(&Line { start, moves: Vec::new() });
    harness.go(Go { mate: Some(MateLimit::Moves(moves)), ..Go::default() });
    harness
}

fn solve(harness: &mut Harness<Chess>, answer: MateAnswer) {
    let (task, _) = harness.running.remove(&SOLVER).unwrap();
    harness.worker(WorkerEvent::Ended { worker: SOLVER, task, end: TaskEnd::Answer(Answer::Mate(answer)) });
}

#[test]
fn the_solver_is_asked_during_the_search() {
    for workers in [1, 3] {
        let harness = harness(workers, 2);
        let task = harness.task_of(9);
        assert_eq!((task.goal, task.limits.mate), (Goal::MateWithin, Some(3)));
        assert_eq!(harness.task_of(0).goal, Goal::Best);
    }
}

#[test]
fn without_such_a_mate_a_sensible_move_ends_the_search() {
    for workers in [1, 3] {
        let mut harness = harness(workers, 1);
        harness.report(0, &["a1a2"], 500, 5);
        harness.end_cancelled();
        solve(&mut harness, MateAnswer::NoMate);
        assert!(best(&harness).is_empty(), "five plies are not much");
        let root = harness.running.iter().find(|(_, (_, task))| task.line.moves.is_empty()).map(|(worker, _)| worker.0);
        harness.report(root.unwrap(), &["f6f7"], 600, 12);
        assert_eq!(best(&harness), ["f6f7"]);
    }
}

#[test]
fn the_solvers_mate_is_the_answer() {
    for workers in [1, 3] {
        let mut harness = harness(workers, 2);
        harness.report(0, &["a1a2"], 500, 8);
        harness.end_cancelled();
        solve(&mut harness, MateAnswer::Mate(texts(&["f6f7", "h8h7", "a1h1"])));
        assert_eq!(best(&harness), ["f6f7"]);
        let last = harness.infos().pop().unwrap();
        assert_eq!((last.score, last.pv.len()), (Score::win_in(3), 3));
    }
}

#[test]
fn an_undecided_question_continues_until_stop() {
    let mut harness = harness(1, 9);
    harness.report(0, &["a1a2"], 500, 20);
    solve(&mut harness, MateAnswer::Unknown);
    harness.wait(Duration::from_secs(100));
    assert!(best(&harness).is_empty());
    assert!(!harness.running.contains_key(&SOLVER), "it is not asked again");
    harness.command(Command::Stop);
    assert_eq!(best(&harness), ["a1a2"]);
}

#[test]
fn a_restarted_solver_is_asked_again_and_cancelled_after_the_answer() {
    let mut harness = harness(1, 3);
    harness.running.remove(&SOLVER);
    harness.worker(WorkerEvent::Lost { worker: SOLVER, why: "test".into(), for_good: false });
    let mut solver = profile("solver");
    solver.can_best = false;
    harness.worker(WorkerEvent::Joined { worker: SOLVER, profile: solver });
    assert_eq!(harness.task_of(9).goal, Goal::MateWithin);
    harness.command(Command::Stop);
    let cancelled = |action: &Action| matches!(action, Action::Cancel { worker: SOLVER, .. });
    assert_eq!(harness.actions.iter().filter(|action| cancelled(action)).count(), 1);
    assert_eq!(harness.best_moves().len(), 1);
}

/// In a position with a mate in two moves, lets a worker find a mate in three, and a solver look for a shorter one.
fn found_a_longer_mate(settings: Settings, go: Go) -> Harness<Chess> {
    let mut harness = Harness::new(settings, 1);
    let mut solver = profile("solver");
    solver.can_best = false;
    harness.worker(WorkerEvent::Joined { worker: SOLVER, profile: solver });
    let start = Start { text: Some("7k/8/8/8/8/8/R7/1R5K w - - 0 1".into()), ..Start::default() };
    harness.position(&Line { start, moves: Vec::new() });
    harness.go(go);
    if harness.running.contains_key(&SOLVER) {
        solve(&mut harness, MateAnswer::Unknown);
    }
    harness.mate(0, &["h1h2", "h8g8", "a2a7", "g8h8", "b1b8"], 5);
    harness.end_cancelled();
    harness
}

fn last_score(harness: &mut Harness<Chess>) -> Score {
    harness.wait(Duration::from_millis(150));
    harness.infos().last().unwrap().score
}

#[test]
fn an_analysis_continues_until_the_shortest_mate() {
    let second = Go { move_time: Some(Duration::from_secs(1)), ..Go::default() };
    let infinite = Go { infinite: true, ..Go::default() };
    for (settings, go) in [(Settings::default(), infinite), (analysis(), second)] {
        let mut harness = found_a_longer_mate(settings, go.clone());
        assert_eq!(last_score(&mut harness), Score::win_in(5));
        let task = harness.task_of(9);
        assert_eq!((task.goal, task.limits.mate), (Goal::MateWithin, Some(3)));
        assert!(!harness.running.contains_key(&WorkerId(0)), "the mate is proved");
        assert!(best(&harness).is_empty(), "{go:?}");
        solve(&mut harness, MateAnswer::Mate(texts(&["a2a7", "h8g8", "b1b8"])));
        assert_eq!(last_score(&mut harness), Score::win_in(3));
        assert!(harness.running.is_empty(), "the solver's mate is the shortest");
        assert_eq!(best(&harness).is_empty(), go.infinite);
        harness.command(Command::Stop);
        assert_eq!(best(&harness), ["a2a7"]);
        harness.manager.check().unwrap();
    }
}

#[test]
fn a_shortest_mate_and_a_game_end_at_once() {
    let second = Go { move_time: Some(Duration::from_secs(1)), ..Go::default() };
    let harness = found_a_longer_mate(Settings::default(), second.clone());
    assert_eq!(best(&harness), ["h1h2"], "a game is not kept waiting");
    let mut harness = found_a_longer_mate(Settings { analyse_mode: true, ..Settings::default() }, second);
    solve(&mut harness, MateAnswer::NoMate);
    assert_eq!(best(&harness), ["h1h2"], "there is no shorter one");
}

fn analysis() -> Settings {
    Settings { analyse_mode: true, ..Settings::default() }
}

fn limited() -> [Go; 3] {
    let nodes = Go { nodes: Some(100_000), ..Go::default() };
    let depth = Go { depth: Some(12), ..Go::default() };
    [nodes, depth, Go { infinite: true, ..Go::default() }]
}

#[test]
fn a_limit_of_work_is_used_for_the_shortest_mate() {
    for go in limited() {
        for (answer, expected) in
            [(MateAnswer::Mate(texts(&["a2a7", "h8g8", "b1b8"])), ("a2a7", 3)), (MateAnswer::NoMate, ("h1h2", 5))]
        {
            let mut harness = found_a_longer_mate(analysis(), go.clone());
            let limits = harness.task_of(9).limits;
            assert_eq!(limits.mate, Some(3));
            assert_eq!(limits.nodes, Some(if go.nodes.is_some() { 49_950 } else { 1_000_000 }), "{go:?}");
            assert!(best(&harness).is_empty(), "{go:?}");
            solve(&mut harness, answer);
            assert!(harness.running.is_empty(), "the shortest mate is known");
            if go.infinite {
                harness.command(Command::Stop);
            }
            assert_eq!(best(&harness), [expected.0]);
            assert_eq!(harness.infos().last().unwrap().score, Score::win_in(expected.1));
            harness.manager.check().unwrap();
        }
    }
}

#[test]
fn the_players_continue_if_the_solver_does_not_succeed() {
    for go in limited() {
        let mut harness = found_a_longer_mate(analysis(), go.clone());
        solve(&mut harness, MateAnswer::Unknown);
        assert!(best(&harness).is_empty() && !harness.running.contains_key(&SOLVER), "it is asked once");
        assert_eq!(harness.task_of(0).limits.nodes, go.nodes.map(|nodes| nodes - 100));
        harness.mate(0, &["a2a7", "h8g8", "b1b8"], 3);
        harness.end(WorkerId(0));
        harness.end_cancelled();
        harness.command(Command::Stop);
        assert_eq!(best(&harness), ["a2a7"], "{go:?}");
        assert_eq!(harness.infos().last().unwrap().score, Score::win_in(3));
        harness.manager.check().unwrap();
    }
}

#[test]
fn the_players_continue_without_a_solver_and_when_being_mated() {
    let mated = (["g8h8", "f6g6", "h8g8", "a1a8"], "6k1/8/5K2/8/8/8/8/R7 b - - 0 1", -4);
    let mating = (["h1h2", "h8g8", "a2a7", "g8h8"], "7k/8/8/8/8/8/R7/1R5K w - - 0 1", 5);
    for (pv, fen, plies) in [mated, mating] {
        let mut harness = Harness::<Chess>::new(analysis(), 1);
        harness.position(&Line { start: Start { text: Some(fen.into()), ..Start::default() }, moves: Vec::new() });
        harness.go(Go { nodes: Some(100_000), ..Go::default() });
        let score = if plies < 0 { Score::loss_in(-plies) } else { Score::win_in(plies) };
        let pv = pv.into_iter().chain((plies > 0).then_some("b1b8"));
        let report =
            Report { depth: 6, seldepth: 5, nodes: 100, pv: texts(&pv.collect::<Vec<_>>()), ..Report::new(score) };
        let task = harness.running[&WorkerId(0)].0;
        harness.worker(WorkerEvent::Report { worker: WorkerId(0), task, report });
        assert!(best(&harness).is_empty());
        harness.end_cancelled();
        assert_eq!(harness.task_of(0).limits.nodes, Some(99_900), "{fen}");
        harness.end(WorkerId(0));
        assert_eq!(harness.best_moves().len(), 1);
    }
}

#[test]
fn in_a_game_with_a_node_limit_a_mate_does_not_end_the_task() {
    let mut harness = found_a_longer_mate(Settings::default(), Go { nodes: Some(100_000), ..Go::default() });
    assert!(best(&harness).is_empty() && !harness.running.contains_key(&SOLVER));
    assert_eq!(harness.task_of(0).limits.nodes, Some(100_000), "the task continues");
    harness.end(WorkerId(0));
    assert_eq!(best(&harness), ["h1h2"]);
    harness.manager.check().unwrap();
}

#[test]
fn a_worker_that_plays_is_not_taken_from_the_search() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(Go { mate: Some(MateLimit::Moves(3)), ..Go::default() });
    assert_eq!(harness.task_of(0).goal, Goal::Best);
}

#[test]
fn a_mate_counts_where_a_side_may_declare_a_win_instead() {
    let settings = Settings::default();
    let mut harness = Harness::<Shogi>::new(settings.clone(), 1);
    let sfen = "1+R+R2K3/+P+P+P+P+P+P+P2/+B+B7/9/9/9/9/4P4/3k5 b 3G 1";
    let start = Start { text: Some(sfen.into()), rules: settings.rules };
    harness.position(&Line { start, moves: Vec::new() });
    harness.go(Go { mate: Some(MateLimit::Time(Duration::from_secs(5))), ..Go::default() });
    let mate = "G*7i 6i7i 7b6a G*7e 7a7e 7i6h G*6i 6h6i G*5i 6i5i 7e7i G*6i G*4i 5i4i 7i6i G*5i G*3i";
    let mate = texts(&mate.split(' ').collect::<Vec<_>>());
    let (task, _) = harness.running.remove(&WorkerId(0)).unwrap();
    let end = TaskEnd::Answer(Answer::Mate(MateAnswer::Mate(mate.clone())));
    harness.worker(WorkerEvent::Ended { worker: WorkerId(0), task, end });
    assert_eq!(harness.said.last(), Some(&Output::Checkmate(MateAnswer::Mate(mate))));
}

#[test]
fn a_mate_in_one_is_found_in_any_time_and_without_a_solver() {
    let mut harness = Harness::<Shogi>::new(Settings::default(), 0);
    let start = |sfen: &str| Start { text: Some(sfen.into()), ..Start::default() };
    let ask = |harness: &mut Harness<Shogi>, sfen: &str| {
        harness.position(&Line { start: start(sfen), moves: Vec::new() });
        harness.go(Go { mate: Some(MateLimit::Time(Duration::from_millis(1))), ..Go::default() });
        harness.wait(Duration::from_millis(1));
        harness.said.last().cloned().unwrap()
    };
    let mate = Output::Checkmate(MateAnswer::Mate(texts(&["G*5b"])));
    assert_eq!(ask(&mut harness, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), mate);
    assert_eq!(ask(&mut harness, "4k4/9/9/9/9/9/9/9/4K4 b G 1"), Output::Checkmate(MateAnswer::Unknown));
}

#[test]
fn the_effort_of_a_solver_is_shown_every_second_and_before_its_answer() {
    let mut harness = Harness::<Shogi>::new(Settings::default(), 1);
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b 2R 1";
    harness.position(&Line { start: Start { text: Some(sfen.into()), ..Start::default() }, moves: Vec::new() });
    harness.go(Go { mate: Some(MateLimit::Time(Duration::from_secs(60))), ..Go::default() });
    let (worker, task) = (WorkerId(0), harness.running[&WorkerId(0)].0);
    for step in 1..=25 {
        harness.wait(Duration::from_millis(100));
        let report = Report { depth: 7, nodes: 1_000 * step, ..Report::new(Score::DRAW) };
        harness.worker(WorkerEvent::Report { worker, task, report });
    }
    let efforts = |harness: &Harness<Shogi>| {
        let reported =
            harness.said.iter().filter_map(|said| if let Output::Effort(effort) = said { Some(*effort) } else { None });
        reported.map(|Effort { depth, nodes, nps, time }| (depth, nodes, nps, time.as_millis())).collect::<Vec<_>>()
    };
    assert_eq!(efforts(&harness), [(7, 10_000, 10_000, 1_000), (7, 20_000, 10_000, 2_000)]);
    harness.worker(WorkerEvent::Ended { worker, task, end: TaskEnd::Answer(Answer::Mate(MateAnswer::NoMate)) });
    assert_eq!(efforts(&harness).last(), Some(&(7, 25_000, 10_000, 2_500)));
    assert_eq!(harness.said.last(), Some(&Output::Checkmate(MateAnswer::NoMate)));
}

#[test]
fn a_mate_that_a_solver_found_is_shown_with_its_length_and_its_line() {
    let mut harness = Harness::<Shogi>::new(Settings::default(), 1);
    let sfen = "ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42";
    harness.position(&Line { start: Start { text: Some(sfen.into()), ..Start::default() }, moves: Vec::new() });
    harness.go(Go { mate: Some(MateLimit::Time(Duration::from_secs(60))), ..Go::default() });
    let (worker, task) = (WorkerId(0), harness.running[&WorkerId(0)].0);
    harness.worker(WorkerEvent::Report { worker, task, report: Report { nodes: 30, ..Report::new(Score::DRAW) } });
    let line = texts(&["B*5g", "4h5h", "7i6i"]);
    let answer = Answer::Mate(MateAnswer::Mate(line.clone()));
    harness.worker(WorkerEvent::Ended { worker, task, end: TaskEnd::Answer(answer) });
    let [.., Output::Info(info), Output::Checkmate(_)] = &harness.said[..] else { panic!("{:?}", harness.said) };
    assert_eq!((info.score, info.depth, info.nodes, &info.pv), (Score::win_in(3), 3, 30, &line));
}
