//! UCI's `go mate N`: searches for a move while a solver determines whether there is such a mate.

use super::desk::{Desk, best, profile, texts};
use hasami_api::{Answer, Goal, Line, MateAnswer, Report, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::{Command, Effort, Go, MateLimit, Output, Settings};
use hasami_shogi::Shogi;
use hasami_tree::event::{Action, TaskEnd, WorkerEvent, WorkerId};
use std::time::Duration;

const SOLVER: WorkerId = WorkerId(9);

/// `go mate` in a position with a mate in two moves that begins with a quiet move.
fn desk(workers: u32, moves: u32) -> Desk<Chess> {
    let mut desk = Desk::new(Settings::default(), workers);
    let mut solver = profile("solver");
    solver.can_best = false;
    desk.worker(WorkerEvent::Joined { worker: SOLVER, profile: solver });
    let start = Start { text: Some("7k/8/5K2/8/8/8/8/R7 w - - 0 1".into()), ..Start::default() };
    desk.position(&Line { start, moves: Vec::new() });
    desk.go(Go { mate: Some(MateLimit::Moves(moves)), ..Go::default() });
    desk
}

fn solve(desk: &mut Desk<Chess>, answer: MateAnswer) {
    let (task, _) = desk.running.remove(&SOLVER).unwrap();
    desk.worker(WorkerEvent::Ended { worker: SOLVER, task, end: TaskEnd::Answer(Answer::Mate(answer)) });
}

#[test]
fn the_solver_is_asked_during_the_search() {
    for workers in [1, 3] {
        let desk = desk(workers, 2);
        let task = desk.task_of(9);
        assert_eq!((task.goal, task.limits.mate), (Goal::MateWithin, Some(3)));
        assert_eq!(desk.task_of(0).goal, Goal::Best);
    }
}

#[test]
fn without_such_a_mate_a_sensible_move_ends_the_search() {
    for workers in [1, 3] {
        let mut desk = desk(workers, 1);
        desk.report(0, &["a1a2"], 500, 5);
        desk.end_cancelled();
        solve(&mut desk, MateAnswer::NoMate);
        assert!(best(&desk).is_empty(), "five plies are not much");
        let root = desk.running.iter().find(|(_, (_, task))| task.line.moves.is_empty()).map(|(worker, _)| worker.0);
        desk.report(root.unwrap(), &["f6f7"], 600, 12);
        assert_eq!(best(&desk), ["f6f7"]);
    }
}

#[test]
fn the_solvers_mate_is_the_answer() {
    for workers in [1, 3] {
        let mut desk = desk(workers, 2);
        desk.report(0, &["a1a2"], 500, 8);
        desk.end_cancelled();
        solve(&mut desk, MateAnswer::Mate(texts(&["f6f7", "h8h7", "a1h1"])));
        assert_eq!(best(&desk), ["f6f7"]);
        let last = desk.infos().pop().unwrap();
        assert_eq!((last.score, last.pv.len()), (Score::win_in(3), 3));
    }
}

#[test]
fn an_undecided_question_continues_until_stop() {
    let mut desk = desk(1, 9);
    desk.report(0, &["a1a2"], 500, 20);
    solve(&mut desk, MateAnswer::Unknown);
    desk.wait(Duration::from_secs(100));
    assert!(best(&desk).is_empty());
    assert!(!desk.running.contains_key(&SOLVER), "it is not asked again");
    desk.command(Command::Stop);
    assert_eq!(best(&desk), ["a1a2"]);
}

#[test]
fn a_restarted_solver_is_asked_again_and_cancelled_after_the_answer() {
    let mut desk = desk(1, 3);
    desk.running.remove(&SOLVER);
    desk.worker(WorkerEvent::Lost { worker: SOLVER, why: "test".into(), for_good: false });
    let mut solver = profile("solver");
    solver.can_best = false;
    desk.worker(WorkerEvent::Joined { worker: SOLVER, profile: solver });
    assert_eq!(desk.task_of(9).goal, Goal::MateWithin);
    desk.command(Command::Stop);
    let cancelled = |action: &Action| matches!(action, Action::Cancel { worker: SOLVER, .. });
    assert_eq!(desk.actions.iter().filter(|action| cancelled(action)).count(), 1);
    assert_eq!(desk.best_moves().len(), 1);
}

/// A worker has found a mate in three moves in a position with a mate in two; the solver is asked for a shorter one.
fn found_a_longer_mate(settings: Settings, go: Go) -> Desk<Chess> {
    let mut desk = Desk::new(settings, 1);
    let mut solver = profile("solver");
    solver.can_best = false;
    desk.worker(WorkerEvent::Joined { worker: SOLVER, profile: solver });
    let start = Start { text: Some("7k/8/8/8/8/8/R7/1R5K w - - 0 1".into()), ..Start::default() };
    desk.position(&Line { start, moves: Vec::new() });
    desk.go(go);
    if desk.running.contains_key(&SOLVER) {
        solve(&mut desk, MateAnswer::Unknown);
    }
    desk.mate(0, &["h1h2", "h8g8", "a2a7", "g8h8", "b1b8"], 5);
    desk.end_cancelled();
    desk
}

fn last_score(desk: &mut Desk<Chess>) -> Score {
    desk.wait(Duration::from_millis(150));
    desk.infos().last().unwrap().score
}

#[test]
fn an_analysis_continues_until_the_shortest_mate() {
    let second = Go { move_time: Some(Duration::from_secs(1)), ..Go::default() };
    let infinite = Go { infinite: true, ..Go::default() };
    for (settings, go) in [(Settings::default(), infinite), (analysis(), second)] {
        let mut desk = found_a_longer_mate(settings, go.clone());
        assert_eq!(last_score(&mut desk), Score::win_in(5));
        let task = desk.task_of(9);
        assert_eq!((task.goal, task.limits.mate), (Goal::MateWithin, Some(3)));
        assert!(!desk.running.contains_key(&WorkerId(0)), "the mate is proved");
        assert!(best(&desk).is_empty(), "{go:?}");
        solve(&mut desk, MateAnswer::Mate(texts(&["a2a7", "h8g8", "b1b8"])));
        assert_eq!(last_score(&mut desk), Score::win_in(3));
        assert!(desk.running.is_empty(), "the solver's mate is the shortest");
        assert_eq!(best(&desk).is_empty(), go.infinite);
        desk.command(Command::Stop);
        assert_eq!(best(&desk), ["a2a7"]);
        desk.manager.check().unwrap();
    }
}

#[test]
fn a_shortest_mate_and_a_game_end_at_once() {
    let second = Go { move_time: Some(Duration::from_secs(1)), ..Go::default() };
    let desk = found_a_longer_mate(Settings::default(), second.clone());
    assert_eq!(best(&desk), ["h1h2"], "a game is not kept waiting");
    let mut desk = found_a_longer_mate(Settings { analyse_mode: true, ..Settings::default() }, second);
    solve(&mut desk, MateAnswer::NoMate);
    assert_eq!(best(&desk), ["h1h2"], "there is no shorter one");
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
            let mut desk = found_a_longer_mate(analysis(), go.clone());
            let limits = desk.task_of(9).limits;
            assert_eq!(limits.mate, Some(3));
            assert_eq!(limits.nodes, Some(if go.nodes.is_some() { 49_950 } else { 1_000_000 }), "{go:?}");
            assert!(best(&desk).is_empty(), "{go:?}");
            solve(&mut desk, answer);
            assert!(desk.running.is_empty(), "the shortest mate is known");
            if go.infinite {
                desk.command(Command::Stop);
            }
            assert_eq!(best(&desk), [expected.0]);
            assert_eq!(desk.infos().last().unwrap().score, Score::win_in(expected.1));
            desk.manager.check().unwrap();
        }
    }
}

#[test]
fn the_players_continue_if_the_solver_does_not_succeed() {
    for go in limited() {
        let mut desk = found_a_longer_mate(analysis(), go.clone());
        solve(&mut desk, MateAnswer::Unknown);
        assert!(best(&desk).is_empty() && !desk.running.contains_key(&SOLVER), "it is asked once");
        assert_eq!(desk.task_of(0).limits.nodes, go.nodes.map(|nodes| nodes - 100));
        desk.mate(0, &["a2a7", "h8g8", "b1b8"], 3);
        desk.end(WorkerId(0));
        desk.end_cancelled();
        desk.command(Command::Stop);
        assert_eq!(best(&desk), ["a2a7"], "{go:?}");
        assert_eq!(desk.infos().last().unwrap().score, Score::win_in(3));
        desk.manager.check().unwrap();
    }
}

#[test]
fn the_players_continue_without_a_solver_and_when_being_mated() {
    let mated = (["g8h8", "f6g6", "h8g8", "a1a8"], "6k1/8/5K2/8/8/8/8/R7 b - - 0 1", -4);
    let mating = (["h1h2", "h8g8", "a2a7", "g8h8"], "7k/8/8/8/8/8/R7/1R5K w - - 0 1", 5);
    for (pv, fen, plies) in [mated, mating] {
        let mut desk = Desk::<Chess>::new(analysis(), 1);
        desk.position(&Line { start: Start { text: Some(fen.into()), ..Start::default() }, moves: Vec::new() });
        desk.go(Go { nodes: Some(100_000), ..Go::default() });
        let score = if plies < 0 { Score::loss_in(-plies) } else { Score::win_in(plies) };
        let pv = pv.into_iter().chain((plies > 0).then_some("b1b8"));
        let report =
            Report { depth: 6, seldepth: 5, nodes: 100, pv: texts(&pv.collect::<Vec<_>>()), ..Report::new(score) };
        let task = desk.running[&WorkerId(0)].0;
        desk.worker(WorkerEvent::Report { worker: WorkerId(0), task, report });
        assert!(best(&desk).is_empty());
        desk.end_cancelled();
        assert_eq!(desk.task_of(0).limits.nodes, Some(99_900), "{fen}");
        desk.end(WorkerId(0));
        assert_eq!(desk.best_moves().len(), 1);
    }
}

#[test]
fn in_a_game_with_a_node_limit_a_mate_does_not_end_the_task() {
    let mut desk = found_a_longer_mate(Settings::default(), Go { nodes: Some(100_000), ..Go::default() });
    assert!(best(&desk).is_empty() && !desk.running.contains_key(&SOLVER));
    assert_eq!(desk.task_of(0).limits.nodes, Some(100_000), "the task continues");
    desk.end(WorkerId(0));
    assert_eq!(best(&desk), ["h1h2"]);
    desk.manager.check().unwrap();
}

#[test]
fn a_worker_that_plays_is_not_taken_from_the_search() {
    let mut desk = Desk::<Chess>::new(Settings::default(), 1);
    desk.go(Go { mate: Some(MateLimit::Moves(3)), ..Go::default() });
    assert_eq!(desk.task_of(0).goal, Goal::Best);
}

#[test]
fn a_mate_counts_where_a_side_may_declare_a_win_instead() {
    let settings = Settings::default();
    let mut desk = Desk::<Shogi>::new(settings.clone(), 1);
    let sfen = "1+R+R2K3/+P+P+P+P+P+P+P2/+B+B7/9/9/9/9/4P4/3k5 b 3G 1";
    let start = Start { text: Some(sfen.into()), rules: settings.rules };
    desk.position(&Line { start, moves: Vec::new() });
    desk.go(Go { mate: Some(MateLimit::Time(Duration::from_secs(5))), ..Go::default() });
    let mate = "G*7i 6i7i 7b6a G*7e 7a7e 7i6h G*6i 6h6i G*5i 6i5i 7e7i G*6i G*4i 5i4i 7i6i G*5i G*3i";
    let mate = texts(&mate.split(' ').collect::<Vec<_>>());
    let (task, _) = desk.running.remove(&WorkerId(0)).unwrap();
    let end = TaskEnd::Answer(Answer::Mate(MateAnswer::Mate(mate.clone())));
    desk.worker(WorkerEvent::Ended { worker: WorkerId(0), task, end });
    assert_eq!(desk.said.last(), Some(&Output::Checkmate(MateAnswer::Mate(mate))));
}

#[test]
fn a_mate_in_one_is_found_in_any_time_and_without_a_solver() {
    let mut desk = Desk::<Shogi>::new(Settings::default(), 0);
    let start = |sfen: &str| Start { text: Some(sfen.into()), ..Start::default() };
    let ask = |desk: &mut Desk<Shogi>, sfen: &str| {
        desk.position(&Line { start: start(sfen), moves: Vec::new() });
        desk.go(Go { mate: Some(MateLimit::Time(Duration::from_millis(1))), ..Go::default() });
        desk.wait(Duration::from_millis(1));
        desk.said.last().cloned().unwrap()
    };
    let mate = Output::Checkmate(MateAnswer::Mate(texts(&["G*5b"])));
    assert_eq!(ask(&mut desk, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), mate);
    assert_eq!(ask(&mut desk, "4k4/9/9/9/9/9/9/9/4K4 b G 1"), Output::Checkmate(MateAnswer::Unknown));
}

#[test]
fn the_effort_of_a_solver_is_shown_every_second_and_before_its_answer() {
    let mut desk = Desk::<Shogi>::new(Settings::default(), 1);
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b 2R 1";
    desk.position(&Line { start: Start { text: Some(sfen.into()), ..Start::default() }, moves: Vec::new() });
    desk.go(Go { mate: Some(MateLimit::Time(Duration::from_secs(60))), ..Go::default() });
    let (worker, task) = (WorkerId(0), desk.running[&WorkerId(0)].0);
    for step in 1..=25 {
        desk.wait(Duration::from_millis(100));
        let report = Report { depth: 7, nodes: 1_000 * step, ..Report::new(Score::DRAW) };
        desk.worker(WorkerEvent::Report { worker, task, report });
    }
    let efforts = |desk: &Desk<Shogi>| {
        let told =
            desk.said.iter().filter_map(|said| if let Output::Effort(effort) = said { Some(*effort) } else { None });
        told.map(|Effort { depth, nodes, nps, time }| (depth, nodes, nps, time.as_millis())).collect::<Vec<_>>()
    };
    assert_eq!(efforts(&desk), [(7, 10_000, 10_000, 1_000), (7, 20_000, 10_000, 2_000)]);
    desk.worker(WorkerEvent::Ended { worker, task, end: TaskEnd::Answer(Answer::Mate(MateAnswer::NoMate)) });
    assert_eq!(efforts(&desk).last(), Some(&(7, 25_000, 10_000, 2_500)));
    assert_eq!(desk.said.last(), Some(&Output::Checkmate(MateAnswer::NoMate)));
}

#[test]
fn a_mate_that_a_solver_found_is_shown_with_its_length_and_its_line() {
    let mut desk = Desk::<Shogi>::new(Settings::default(), 1);
    let sfen = "ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42";
    desk.position(&Line { start: Start { text: Some(sfen.into()), ..Start::default() }, moves: Vec::new() });
    desk.go(Go { mate: Some(MateLimit::Time(Duration::from_secs(60))), ..Go::default() });
    let (worker, task) = (WorkerId(0), desk.running[&WorkerId(0)].0);
    desk.worker(WorkerEvent::Report { worker, task, report: Report { nodes: 30, ..Report::new(Score::DRAW) } });
    let line = texts(&["B*5g", "4h5h", "7i6i"]);
    let answer = Answer::Mate(MateAnswer::Mate(line.clone()));
    desk.worker(WorkerEvent::Ended { worker, task, end: TaskEnd::Answer(answer) });
    let [.., Output::Info(info), Output::Checkmate(_)] = &desk.said[..] else { panic!("{:?}", desk.said) };
    assert_eq!((info.score, info.depth, info.nodes, &info.pv), (Score::win_in(3), 3, 30, &line));
}
