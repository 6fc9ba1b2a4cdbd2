//! Tests commands from the GUI, in many different orders.

use super::harness::{Harness, best, texts};
use hasami_api::{Answer, Goal, Line, MateAnswer, MoveText, Report, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::{BestMove, Clock, Command, Go, MateLimit, Output, Settings};
use hasami_tree::event::{Action, TaskEnd, WorkerEvent, WorkerId};
use hasami_tree::manage::{BookNote, Opening};
use std::time::Duration;

fn line(moves: &[&str]) -> Line {
    Line { start: Start::default(), moves: texts(moves) }
}

fn fen(text: &str) -> Line {
    Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() }
}

fn infinite() -> Go {
    Go { infinite: true, ..Go::default() }
}

fn clock(seconds: u64) -> Clock {
    let time = Some(Duration::from_secs(seconds));
    Clock { time: [time, time], ..Clock::default() }
}

fn ponder() -> Go {
    Go { ponder: true, clock: clock(60), ..Go::default() }
}

#[test]
fn stop_before_any_report_answers_with_a_legal_move() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(infinite());
    assert!(best(&harness).is_empty());
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves().len(), 1);
    let BestMove::Move { best, .. } = harness.best_moves()[0] else { panic!("a move") };
    assert_eq!(harness.infos().last().unwrap().pv[0], best);
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves().len(), 1, "stop while idle is silent");
}

#[test]
fn a_move_before_any_report_has_the_value_of_an_emergency_search() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1).glancing(&["e2e4", "e7e5"], 31);
    harness.go(Go { move_time: Some(Duration::ZERO), ..Go::default() });
    assert_eq!(harness.best_moves(), [BestMove::Move { best: texts(&["e2e4"])[0], ponder: Some(texts(&["e7e5"])[0]) }]);
    let last = harness.infos().pop().unwrap();
    assert_eq!((last.score, last.depth, last.nodes), (Score::cp(31), 3, 700));
    assert_eq!(last.pv, texts(&["e2e4", "e7e5"]));
}

/// A book that contains only the move d2d4 in the initial position.
struct OneMove;

impl Opening for OneMove {
    fn moves(&self, line: &Line) -> Vec<(MoveText, u32)> {
        if line.moves.is_empty() { vec![(texts(&["d2d4"])[0], 7)] } else { Vec::new() }
    }
}

/// The book [`OneMove`], with a note on its move.
struct Noted(BookNote);

impl Opening for Noted {
    fn moves(&self, line: &Line) -> Vec<(MoveText, u32)> {
        OneMove.moves(line)
    }

    fn note(&self, _: &Line, _: MoveText) -> BookNote {
        self.0
    }
}

#[test]
fn the_book_s_note_about_its_move_is_shown() {
    let value = Some((Score::cp(62), 18));
    let reply = |text: &str| Some(texts(&[text])[0]);
    let cases = [
        (BookNote { reply: reply("d7d5"), value }, (62, 18), vec!["d2d4", "d7d5"]),
        (BookNote { reply: None, value }, (62, 18), vec!["d2d4"]),
        (BookNote { reply: reply("g8f6"), value: None }, (12, 3), vec!["d2d4", "g8f6"]),
        (BookNote { reply: reply("e2e4"), value }, (62, 18), vec!["d2d4"]),
        (BookNote::default(), (12, 3), vec!["d2d4", "e7e6"]),
    ];
    for (note, (score, depth), pv) in cases {
        let settings = Settings { own_book: true, ..Settings::default() };
        let harness = Harness::<Chess>::new(settings, 1).reading(Box::new(Noted(note)));
        let mut harness = harness.glancing(&["d2d4", "e7e6"], 12);
        harness.go(Go { clock: clock(60), ..Go::default() });
        let info = harness.infos().pop().unwrap();
        assert_eq!((info.score, info.depth, &info.pv), (Score::cp(score), depth, &texts(&pv)), "{note:?}");
        let answered = BestMove::Move { best: info.pv[0], ponder: info.pv.get(1).copied() };
        assert_eq!(harness.best_moves(), [answered]);
    }
}

#[test]
fn a_book_move_has_its_info_line() {
    let book = || Settings { own_book: true, ..Settings::default() };
    for (multi_pv, glances) in [(1, false), (3, true)] {
        let mut harness = Harness::<Chess>::new(Settings { multi_pv, ..book() }, 1).reading(Box::new(OneMove));
        if glances {
            harness = harness.glancing(&["d2d4", "d7d5"], 12);
        }
        harness.go(Go { clock: clock(60), ..Go::default() });
        assert_eq!(best(&harness), ["d2d4"]);
        let info = harness.infos().pop().unwrap();
        let (score, pv) = if glances { (12, vec!["d2d4", "d7d5"]) } else { (0, vec!["d2d4"]) };
        assert_eq!((info.score, info.pv), (Score::cp(score), texts(&pv)));
        assert_eq!(info.multipv, glances.then_some(1));
        assert!(harness.running.is_empty());
    }
}

#[test]
fn an_emergency_search_respects_search_moves() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1).glancing(&["e2e4"], 31);
    harness.go(Go { move_time: Some(Duration::ZERO), search_moves: texts(&["a2a3"]), ..Go::default() });
    assert_eq!(best(&harness), ["a2a3"]);
}

#[test]
fn without_workers_the_answer_still_comes() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 0);
    harness.go(Go { clock: clock(1), ..Go::default() });
    for _ in 0..20 {
        harness.wait(Duration::from_millis(50));
    }
    assert_eq!(harness.best_moves().len(), 1);
}

#[test]
fn infinite_and_ponder_delay_even_a_mate() {
    for go in [infinite(), ponder()] {
        let mut harness = Harness::<Chess>::new(Settings::default(), 1);
        harness.position(&fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"));
        harness.go(go);
        harness.mate(0, &["a1a8"], 1);
        harness.wait(Duration::from_secs(100));
        assert!(best(&harness).is_empty());
        harness.command(Command::Stop);
        assert_eq!(best(&harness), ["a1a8"]);
    }
}

#[test]
fn one_legal_move_is_played_soon_and_mate_at_once() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.position(&fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"));
    harness.go(Go { clock: clock(60), ..Go::default() });
    harness.mate(0, &["a1a8"], 1);
    assert_eq!(best(&harness), ["a1a8"]);
    let last = harness.infos().last().unwrap().clone();
    assert_eq!((last.score, last.pv.len()), (Score::win_in(1), 1));
}

#[test]
fn a_fixed_time_is_not_used_up_if_the_move_cannot_change() {
    let second = Duration::from_secs(1);
    let move_time = Go { move_time: Some(second), ..Go::default() };
    let byoyomi = Go { clock: Clock { byoyomi: second, ..Clock::default() }, ..Go::default() };
    for go in [move_time, byoyomi] {
        let mut harness = Harness::<Chess>::new(Settings::default(), 2);
        harness.position(&fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"));
        harness.go(go.clone());
        harness.mate(0, &["a1a8"], 1);
        assert_eq!(best(&harness), ["a1a8"], "a mate");
        assert_eq!(answered_when_forced(Settings::default(), &go), [true, true]);
        let ponder = Settings { ponder: true, ..Settings::default() };
        assert_eq!(answered_when_forced(ponder, &go), [false, true], "the expected reply is needed");
        let analysis = Settings { analyse_mode: true, ..Settings::default() };
        assert_eq!(answered_when_forced(analysis, &go), [false, false], "its value is needed");
    }
}

/// Searches a position with one legal move. Returns whether the manager had answered right after the first report, and
/// whether it had answered 0.1 s later.
fn answered_when_forced(settings: Settings, go: &Go) -> [bool; 2] {
    let mut harness = Harness::<Chess>::new(settings, 1);
    harness.position(&fen("7k/8/8/8/8/8/r7/K1r5 w - - 0 1"));
    harness.go(go.clone());
    assert!(best(&harness).is_empty(), "it waits a moment for a score");
    harness.report(0, &["a1a2"], 0, 3);
    let first = !best(&harness).is_empty();
    harness.wait(Duration::from_millis(100));
    [first, !best(&harness).is_empty()]
}

#[test]
fn a_move_that_cannot_change_any_more_is_answered_early() {
    let minute = || Go { clock: clock(60), ..Go::default() };
    // A worker that reports the greatest depth and ends on its own has searched every line to the end of the game.
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(minute());
    harness.report(0, &["e2e4"], 0, 245);
    harness.end(WorkerId(0));
    assert_eq!(best(&harness), ["e2e4"]);
    // Of two workers, one searches the position after e2e4, and the other searches the remaining moves of the root.
    let mut harness = Harness::<Chess>::new(Settings::default(), 2);
    harness.go(minute());
    harness.report(0, &["e2e4"], 0, 9);
    harness.end_cancelled();
    for worker in [0, 1] {
        harness.report(worker, &[], 0, 245);
        harness.end(WorkerId(worker));
        harness.end_cancelled();
    }
    while best(&harness).is_empty() && harness.running.values().next().is_some() {
        let worker = *harness.running.keys().next().unwrap();
        harness.report(worker.0, &[], 0, 245);
        harness.end(worker);
        harness.end_cancelled();
    }
    assert_eq!(best(&harness).len(), 1);
    assert!(harness.now < Duration::from_secs(2));
}

#[test]
fn the_only_legal_move_does_not_use_up_a_byoyomi() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.position(&fen("7k/8/8/8/8/8/6q1/7K w - - 0 1"));
    let byoyomi = Clock { byoyomi: Duration::from_secs(10), ..Clock::default() };
    harness.go(Go { clock: byoyomi, ..Go::default() });
    harness.report(0, &[], -900, 9);
    harness.wait(Duration::from_millis(900));
    assert_eq!(harness.best_moves().len(), 1);
}

#[test]
fn a_position_without_legal_moves_is_answered_by_none() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.position(&line(&["f2f3", "e7e5", "g2g4", "d8h4"]));
    harness.go(Go { clock: clock(60), ..Go::default() });
    assert_eq!(harness.best_moves(), [BestMove::None]);
    harness.go(infinite());
    assert_eq!(harness.best_moves().len(), 1);
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves(), [BestMove::None, BestMove::None]);
}

#[test]
fn a_single_worker_gets_the_limits_itself() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(Go { nodes: Some(5000), ..Go::default() });
    assert_eq!(harness.task_of(0).limits.nodes, Some(5000));
    harness.report(0, &["e2e4"], 20, 7);
    assert!(best(&harness).is_empty());
    harness.end(WorkerId(0));
    assert_eq!(best(&harness), ["e2e4"]);
    harness.go(Go { depth: Some(3), ..Go::default() });
    assert_eq!(harness.task_of(0).limits.depth, Some(3));
    harness.report(0, &["d2d4"], 10, 3);
    harness.end(WorkerId(0));
    assert_eq!(best(&harness)[1], "d2d4", "the deeper search before does not count");
    harness.go(Go { mate: Some(MateLimit::Moves(2)), ..Go::default() });
    assert_eq!(harness.task_of(0).limits.mate, Some(3));
}

#[test]
fn only_search_moves_are_searched() {
    let mut harness = Harness::<Chess>::new(
        Settings { tree_rules: "groups=off,anticipation=off,expansion-delay=off".into(), ..Settings::default() },
        3,
    );
    harness.go(Go { search_moves: texts(&["a2a3", "h2h3", "e2e5"]), ..infinite() });
    assert_eq!(harness.task_of(0).only, texts(&["a2a3", "h2h3"]));
    harness.report(0, &["h2h3"], 0, 9);
    harness.end_cancelled();
    for (_, task) in harness.running.values().filter(|(_, task)| task.line.moves.is_empty()) {
        assert_eq!(task.only, texts(&["a2a3"]));
    }
    harness.command(Command::Stop);
    assert_eq!(best(&harness), ["h2h3"]);
}

#[test]
fn multi_pv_lines_are_in_order_and_distinct() {
    let mut harness = Harness::<Chess>::new(Settings { multi_pv: 3, ..Settings::default() }, 1);
    harness.go(infinite());
    assert_eq!(harness.task_of(0).multipv, 3);
    for (multipv, m, cp) in [(1, "e2e4", 30), (2, "d2d4", 25), (3, "c2c4", 20)] {
        harness.line_report(0, multipv, m, cp);
    }
    harness.command(Command::Stop);
    let shown: Vec<(Option<u16>, MoveText)> =
        harness.infos().iter().rev().take(3).rev().map(|info| (info.multipv, info.pv[0])).collect();
    let moves = texts(&["e2e4", "d2d4", "c2c4"]);
    assert_eq!(shown, [(Some(1), moves[0]), (Some(2), moves[1]), (Some(3), moves[2])]);
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let mut harness = Harness::<Chess>::new(Settings { ponder: true, ..Settings::default() }, 1);
    harness.position(&line(&["e2e4", "e7e5"]));
    harness.go(ponder());
    harness.report(0, &["g1f3"], 20, 9);
    harness.wait(Duration::from_secs(30));
    assert!(best(&harness).is_empty());
    harness.command(Command::PonderHit(Some(clock(10))));
    for _ in 0..100 {
        harness.wait(Duration::from_millis(100));
    }
    assert_eq!(best(&harness), ["g1f3"]);
}

fn beside_settings() -> Settings {
    Settings {
        ponder: true,
        tree_rules: "groups=off,anticipation=off,expansion-delay=off".to_owned(),
        ..Settings::default()
    }
}

/// Creates a manager with five workers after e2e4. The expected reply was e7e5, but the GUI sends `go ponder` with
/// c7c5.
fn pondering_on_another_reply(settings: &Settings) -> Harness<Chess> {
    let mut harness = Harness::<Chess>::new(settings.clone(), 5);
    harness.go(Go { clock: clock(600), ..Go::default() });
    harness.report(0, &["e2e4", "e7e5", "g1f3", "b8c6"], 20, 12);
    harness.end_cancelled();
    harness.command(Command::Stop);
    harness.end_cancelled();
    harness.position(&line(&["e2e4", "c7c5"]));
    harness.go(ponder());
    harness.end_cancelled();
    harness
}

#[test]
fn many_workers_also_ponder_on_other_replies() {
    let mut harness = pondering_on_another_reply(&beside_settings());
    let at = |harness: &Harness<Chess>, moves: &[&str]| {
        harness.running.values().filter(|(_, task)| task.line.moves.starts_with(&texts(moves))).count()
    };
    assert!(at(&harness, &["e2e4", "c7c5"]) >= 1, "a worker searches the reply of the GUI");
    assert!(at(&harness, &["e2e4", "e7e5"]) >= 1, "another one searches the reply that we expect");
    let (beside, _) =
        harness.running.iter().find(|(_, (_, task))| task.line.moves.get(1) == texts(&["e7e5"]).first()).unwrap();
    let undisturbed = harness.running[beside].0;
    let beside = *beside;
    harness.command(Command::Stop);
    assert_eq!(harness.best_moves().len(), 2, "a ponder miss is answered, too");
    harness.position(&line(&["e2e4", "e7e5"]));
    harness.go(Go { clock: clock(60), ..Go::default() });
    assert_eq!(harness.running[&beside].0, undisturbed, "the search of the actual reply continues");
}

#[test]
fn pondering_that_was_switched_off_ends_with_the_answer_to_a_miss() {
    let settings = beside_settings();
    let mut harness = pondering_on_another_reply(&settings);
    harness.settings(&Settings { ponder: false, ..settings });
    harness.command(Command::Stop);
    harness.end_cancelled();
    assert_eq!(harness.best_moves().len(), 2, "a ponder miss is answered");
    assert!(harness.running.is_empty(), "{:?}", harness.running);
}

#[test]
fn game_over_causes_one_answer_and_stops_the_workers() {
    let mut harness = Harness::<Chess>::new(Settings { ponder: true, ..Settings::default() }, 2);
    harness.go(ponder());
    harness.command(Command::Stop);
    harness.command(Command::GameOver);
    assert_eq!(harness.best_moves().len(), 1);
    harness.go(infinite());
    harness.command(Command::GameOver);
    assert_eq!(harness.best_moves().len(), 2, "game over does not suppress the answer");
    harness.end_cancelled();
    assert!(harness.running.is_empty());
}

fn checkmates(harness: &Harness<Chess>) -> Vec<MateAnswer> {
    let answer = |said: &Output| if let Output::Checkmate(answer) = said { Some(answer.clone()) } else { None };
    harness.said.iter().filter_map(answer).collect()
}

#[test]
fn go_mate_ends_with_the_first_event_after_its_time() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(Go { mate: Some(MateLimit::Time(Duration::from_millis(100))), ..Go::default() });
    harness.report(0, &["e2e4"], 10, 1);
    assert!(checkmates(&harness).is_empty());
    harness.now += Duration::from_millis(51);
    harness.report(0, &["e2e4"], 10, 2);
    assert_eq!(checkmates(&harness), [MateAnswer::Unknown], "no alarm is needed");
}

#[test]
fn go_mate_is_answered_once() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.position(&fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1"));
    harness.go(Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    assert_eq!(harness.task_of(0).goal, Goal::Mate);
    let mate = ["a2a7", "h8g8", "b1b8"];
    let (task, _) = harness.running.remove(&WorkerId(0)).unwrap();
    let end = TaskEnd::Answer(Answer::Mate(MateAnswer::Mate(texts(&mate))));
    harness.worker(WorkerEvent::Ended { worker: WorkerId(0), task, end });
    assert_eq!(checkmates(&harness), [MateAnswer::Mate(texts(&mate))]);
    harness.go(Go { mate: Some(MateLimit::Time(Duration::from_secs(1))), ..Go::default() });
    harness.wait(Duration::from_secs(1));
    assert_eq!(checkmates(&harness)[1], MateAnswer::Unknown, "the time is up");
    harness.end_cancelled();
    harness.go(Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    harness.command(Command::Stop);
    assert_eq!(checkmates(&harness).len(), 3);
    assert!(harness.best_moves().is_empty());
}

#[test]
fn settings_wait_for_the_next_search() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(infinite());
    harness.settings(&Settings { multi_pv: 4, ..Settings::default() });
    harness.report(0, &["e2e4"], 10, 8);
    assert!(harness.infos().iter().all(|info| info.multipv.is_none()));
    harness.command(Command::Stop);
    harness.end_cancelled();
    harness.go(infinite());
    assert_eq!(harness.task_of(0).multipv, 4);
}

#[test]
fn info_lines_are_few() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(infinite());
    for depth in 1..200 {
        harness.report(0, &["e2e4"], i32::from(depth), depth);
        harness.wait(Duration::from_millis(5));
    }
    assert!(harness.infos().len() <= 11, "{} lines in one second", harness.infos().len());
    assert!(harness.infos().len() >= 8);
    assert!(harness.actions.iter().any(|action| matches!(action, Action::Alarm(_))));
}

#[test]
fn the_number_of_nodes_is_updated_in_a_long_iteration() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    harness.go(infinite());
    harness.report(0, &["e2e4"], 10, 8);
    let lines = harness.infos().len();
    harness.wait(Duration::from_secs(2));
    assert_eq!(harness.infos().len(), lines, "nothing was reported since");
    let task = harness.running[&WorkerId(0)].0;
    let report = Report { depth: 8, seldepth: 8, nodes: 1 << 20, pv: texts(&["e2e4"]), ..Report::new(Score::cp(10)) };
    harness.worker(WorkerEvent::Report { worker: WorkerId(0), task, report });
    assert_eq!(harness.infos().len(), lines + 1);
    assert_eq!(harness.infos().last().unwrap().nodes, 1 << 20);
}
