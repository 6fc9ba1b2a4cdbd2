//! Tests external mate engines alongside Hasami's own solver.

use super::harness::{Harness, texts};
use hasami_api::{Answer, Goal, Line, MateAnswer, Report, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::{Go, MateLimit, Output, Settings};
use hasami_tree::event::{MachineId, Profile, TaskEnd, WorkerEvent, WorkerId};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const OURS: WorkerId = WorkerId(7);
const ENGINE: WorkerId = WorkerId(8);
/// A worker of an untrusted machine with the same abilities as Hasami's own solver.
const SLOT: WorkerId = WorkerId(9);

fn join(harness: &mut Harness<Chess>, worker: WorkerId) {
    let engine = Profile { name: "engine".into(), can_except: false, can_vary: false, ..Profile::mate_solver() };
    let profile = match worker {
        OURS => Profile::mate_solver(),
        SLOT => Profile { machine: Some(MachineId(5)), ..Profile::mate_solver() },
        _ => engine,
    };
    harness.worker(WorkerEvent::Joined { worker, profile });
}

/// Sends `go mate` to these solvers in a position with a mate in two moves.
fn asked(solvers: &[WorkerId]) -> Harness<Chess> {
    asked_at("7k/8/5K2/8/8/8/8/R7 w - - 0 1", solvers)
}

fn asked_at(position: &str, solvers: &[WorkerId]) -> Harness<Chess> {
    let mut harness = Harness::new(Settings::default(), 0);
    solvers.iter().for_each(|&worker| join(&mut harness, worker));
    let start = Start { text: Some(position.into()), ..Start::default() };
    harness.position(&Line { start, moves: Vec::new() });
    harness.go(Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    harness
}

fn answer(harness: &mut Harness<Chess>, worker: WorkerId, answer: MateAnswer) {
    let (task, _) = harness.running.remove(&worker).unwrap();
    harness.worker(WorkerEvent::Ended { worker, task, end: TaskEnd::Answer(Answer::Mate(answer)) });
}

/// Waits, and returns the node limit of the probe that the worker has begun, if any.
fn look_of(harness: &mut Harness<Chess>, worker: WorkerId) -> Option<u64> {
    harness.wait(Duration::from_secs(30));
    let (_, task) = harness.running.get(&worker)?;
    assert_eq!(task.goal, Goal::Mate);
    task.limits.nodes
}

/// Returns the goals and node limits of probes by Hasami's own solver, which can disprove only mates by checks.
fn looks_of_ours(settings: Settings, go: Go) -> Vec<(Goal, u64)> {
    let mut harness = Harness::<Chess>::new(settings, 1);
    harness.manager = harness.manager.with_quiet_mates(true);
    join(&mut harness, OURS);
    harness.go(go);
    let mut looks = Vec::new();
    for _ in 0..100 {
        harness.wait(Duration::from_secs(1));
        let Some((_, task)) = harness.running.get(&OURS) else { continue };
        let goal = task.goal;
        looks.push((goal, task.limits.nodes.unwrap()));
        answer(&mut harness, OURS, if goal == Goal::Mate { MateAnswer::NoMate } else { MateAnswer::Unknown });
    }
    looks
}

#[test]
fn in_an_analysis_our_solver_also_looks_for_mates_by_any_moves() {
    let game = Go { move_time: Some(Duration::from_secs(3_000)), ..Go::default() };
    let infinite = Go { infinite: true, ..Go::default() };
    let analysis = Settings { analyse_mode: true, ..Settings::default() };
    assert_eq!(looks_of_ours(Settings::default(), game.clone()), [(Goal::Mate, 1_000)]);
    for (settings, go) in [(Settings::default(), infinite), (analysis, game)] {
        let looks = looks_of_ours(settings, go);
        assert_eq!(looks[0], (Goal::Mate, 1_000));
        let quiet: Vec<_> = (0..10).map(|double| (Goal::MateByAnyMoves, 1_000 << double)).collect();
        assert_eq!(looks[1..], quiet);
    }
}

#[test]
fn a_mate_that_begins_with_a_quiet_move_ends_the_analysis() {
    let mut harness = Harness::<Chess>::new(Settings { analyse_mode: true, ..Settings::default() }, 1);
    harness.manager = harness.manager.with_quiet_mates(true);
    join(&mut harness, OURS);
    let start = Start { text: Some("7k/8/5K2/8/8/8/8/R7 w - - 0 1".into()), ..Start::default() };
    harness.position(&Line { start, moves: Vec::new() });
    harness.go(Go { move_time: Some(Duration::from_secs(3_000)), ..Go::default() });
    harness.report(0, &["a1a2"], 500, 9);
    answer(&mut harness, OURS, MateAnswer::NoMate);
    harness.wait(Duration::from_secs(1));
    answer(&mut harness, OURS, mate());
    harness.wait(Duration::from_secs(1));
    let last = harness.infos().pop().unwrap();
    assert_eq!((last.score, last.pv), (Score::win_in(3), texts(&["f6f7", "h8h7", "a1h1"])));
}

#[test]
fn a_side_in_check_that_does_not_mate_may_be_mated_itself() {
    let in_check = "7k/8/6K1/8/8/8/8/7R b - - 0 1";
    let escape = "7k/8/5K2/8/8/8/8/7R b - - 0 1";
    let mated = MateAnswer::Mate(texts(&["h8g8", "h1h2", "g8f8", "h2h8"]));
    for (position, said_last) in [(in_check, mated), (escape, MateAnswer::NoMate), (escape, MateAnswer::Unknown)] {
        let mut harness = asked_at(position, &[OURS]);
        assert_eq!(harness.task_of(OURS.0).goal, Goal::Mate);
        answer(&mut harness, OURS, MateAnswer::NoMate);
        assert_eq!((said(&harness), harness.task_of(OURS.0).goal), (Vec::new(), Goal::Mated));
        let (worker, task) = (OURS, harness.running[&OURS].0);
        let report = Report { nodes: 50, pv: texts(&["h1h2"]), ..Report::new(Score::win_in(1)) };
        harness.worker(WorkerEvent::Report { worker, task, report });
        answer(&mut harness, OURS, said_last.clone());
        assert_eq!(said(&harness), std::slice::from_ref(&said_last));
        let scores: Vec<Score> = harness.infos().iter().map(|info| info.score).collect();
        let is_mated = matches!(said_last, MateAnswer::Mate(_));
        assert_eq!(scores, if is_mated { vec![Score::loss_in(4)] } else { Vec::new() });
    }
    let mut harness = asked(&[OURS]);
    answer(&mut harness, OURS, MateAnswer::NoMate);
    assert_eq!(said(&harness), [MateAnswer::NoMate], "a side that is not in check is asked about once");
}

/// The engine probes the only leaf of the tree repeatedly, with twice the node limit each time.
#[test]
fn an_engine_is_not_asked_the_same_question_twice() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    join(&mut harness, ENGINE);
    harness.go(Go { infinite: true, ..Go::default() });
    let mut asked = Vec::new();
    while let Some(nodes) = look_of(&mut harness, ENGINE) {
        asked.push(nodes);
        answer(&mut harness, ENGINE, MateAnswer::Unknown);
    }
    assert!(asked.len() > 4 && asked.windows(2).all(|pair| pair[1] == 2 * pair[0]), "{asked:?}");
}

#[test]
fn a_denial_by_an_engine_does_not_end_the_probes_of_our_solver() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    join(&mut harness, ENGINE);
    harness.go(Go { infinite: true, ..Go::default() });
    assert!(look_of(&mut harness, ENGINE).is_some());
    answer(&mut harness, ENGINE, MateAnswer::NoMate);
    assert_eq!(look_of(&mut harness, ENGINE), None);
    join(&mut harness, OURS);
    assert_eq!(look_of(&mut harness, OURS), Some(1_000));
    answer(&mut harness, OURS, MateAnswer::NoMate);
    assert_eq!(look_of(&mut harness, OURS), None);
}

fn said(harness: &Harness<Chess>) -> Vec<MateAnswer> {
    let checkmate = |output: &Output| if let Output::Checkmate(answer) = output { Some(answer.clone()) } else { None };
    harness.said.iter().filter_map(checkmate).collect()
}

fn mate() -> MateAnswer {
    MateAnswer::Mate(texts(&["f6f7", "h8h7", "a1h1"]))
}

#[test]
fn the_first_mate_that_can_be_played_out_is_the_answer() {
    for first in [OURS, ENGINE] {
        let mut harness = asked(&[OURS, ENGINE]);
        answer(&mut harness, first, mate());
        assert_eq!(said(&harness), [mate()]);
    }
}

#[test]
fn only_proved_mates_of_an_untrusted_machine_count() {
    const TWO_ROOKS: &str = "8/7k/R7/8/8/8/8/1R5K w - - 0 1";
    let by_checks = || MateAnswer::Mate(texts(&["b1b7", "h7h8", "a6a8"]));
    let mut harness = asked_at(TWO_ROOKS, &[SLOT]);
    answer(&mut harness, SLOT, by_checks());
    assert_eq!(said(&harness), [by_checks()]);
    // `helped` mates only if the king cooperates, although other checks force mate in time. `quiet` forces mate, but
    // does not begin with a check.
    let helped = MateAnswer::Mate(texts(&["a6a7", "h7h8", "b1b8"]));
    let quiet = MateAnswer::Mate(texts(&["h1h2", "h7g7", "b1b7", "g7f8", "a6a8"]));
    for lie in [helped, quiet, MateAnswer::NoMate] {
        let mut harness = asked_at(TWO_ROOKS, &[SLOT, OURS]);
        answer(&mut harness, SLOT, lie.clone());
        assert_eq!(said(&harness), []);
        answer(&mut harness, OURS, by_checks());
        assert_eq!(said(&harness), [by_checks()]);
        let mut harness = asked_at(TWO_ROOKS, &[SLOT]);
        answer(&mut harness, SLOT, lie);
        assert_eq!(said(&harness), [MateAnswer::Unknown]);
    }
}

#[test]
fn a_long_mate_of_a_machine_is_proved_by_a_search_within_the_time() {
    // `helped` mates only if the king cooperates, so its acceptance depends on the result of `mate_proof`.
    let helped = || MateAnswer::Mate(texts(&["a6a7", "h7h8", "b1b8"]));
    for (limit, expected) in [(MateLimit::Infinite, 500_000), (MateLimit::Time(Duration::from_millis(550)), 100_000)] {
        for is_mate in [true, false] {
            let asked = Arc::new(Mutex::new(Vec::new()));
            let mut harness = Harness::<Chess>::new(Settings::default(), 0);
            let heard = Arc::clone(&asked);
            harness.manager.mate_proof = Some(Box::new(move |_, line, nodes| {
                heard.lock().unwrap().push((line.len(), nodes));
                is_mate
            }));
            join(&mut harness, SLOT);
            let start = Start { text: Some("8/7k/R7/8/8/8/8/1R5K w - - 0 1".into()), ..Start::default() };
            harness.position(&Line { start, moves: Vec::new() });
            harness.go(Go { mate: Some(limit), ..Go::default() });
            answer(&mut harness, SLOT, helped());
            assert_eq!(*asked.lock().unwrap(), [(3, expected)]);
            assert_eq!(said(&harness), [if is_mate { helped() } else { MateAnswer::Unknown }]);
        }
    }
}

#[test]
fn no_other_answer_of_an_engine_ends_the_question() {
    let illegal = MateAnswer::Mate(texts(&["f6f8"]));
    let no_mate = MateAnswer::Mate(texts(&["a1h1"]));
    for nonsense in [MateAnswer::NoMate, MateAnswer::Unknown, illegal, no_mate] {
        let mut harness = asked(&[OURS, ENGINE]);
        answer(&mut harness, ENGINE, nonsense);
        assert_eq!(said(&harness), []);
        answer(&mut harness, OURS, mate());
        assert_eq!(said(&harness), [mate()]);
    }
}

#[test]
fn only_our_own_solver_can_answer_that_there_is_no_mate() {
    let mut harness = asked(&[OURS, ENGINE]);
    answer(&mut harness, OURS, MateAnswer::NoMate);
    assert_eq!(said(&harness), [MateAnswer::NoMate]);
    let mut harness = asked(&[OURS, ENGINE]);
    answer(&mut harness, ENGINE, MateAnswer::NoMate);
    answer(&mut harness, OURS, MateAnswer::Unknown);
    assert_eq!(said(&harness), [MateAnswer::Unknown]);
    let names_it =
        |output: &Output| matches!(output, Output::Message(text) if text.to_string().starts_with("engine says"));
    assert!(harness.said.iter().any(names_it), "{:?}", harness.said);
}

/// Hasami's own solver is still ending its previous task when the next `go mate` arrives.
#[test]
fn the_answer_waits_for_our_own_solver_if_it_is_busy() {
    let mut harness = asked(&[OURS, ENGINE]);
    answer(&mut harness, ENGINE, MateAnswer::Unknown);
    harness.command(hasami_protocol::Command::Stop);
    assert_eq!(said(&harness), [MateAnswer::Unknown], "stopped");
    harness.go(Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    answer(&mut harness, ENGINE, MateAnswer::Unknown);
    assert_eq!(said(&harness).len(), 1, "our own has not been asked yet");
    answer(&mut harness, OURS, MateAnswer::Unknown);
    answer(&mut harness, OURS, mate());
    assert_eq!(said(&harness), [MateAnswer::Unknown, mate()]);
}

/// A mate engine cannot limit the length of a mate, but would be believed if it answered that there is none.
#[test]
fn only_our_own_solver_is_asked_for_a_shorter_mate() {
    let mut harness = Harness::<Chess>::new(Settings::default(), 1);
    [ENGINE, OURS].into_iter().for_each(|worker| join(&mut harness, worker));
    let start = Start { text: Some("7k/8/5K2/8/8/8/8/R7 w - - 0 1".into()), ..Start::default() };
    harness.position(&Line { start, moves: Vec::new() });
    harness.go(Go { mate: Some(MateLimit::Moves(2)), ..Go::default() });
    assert_eq!(harness.task_of(OURS.0).goal, Goal::MateWithin);
    assert!(!harness.running.contains_key(&ENGINE));
}

/// Lets Hasami's own solver report lines, given as (MultiPV number, moves).
fn tell(harness: &mut Harness<Chess>, places: &[(u16, &[&str])]) {
    let task = harness.running[&OURS].0;
    for &(multipv, moves) in places {
        let is_mate = moves.len() % 2 == 1;
        let score = if is_mate { Score::win_in(moves.len() as i32) } else { Score::DRAW };
        let report = Report { multipv, nodes: 500, pv: texts(moves), ..Report::new(score) };
        harness.worker(WorkerEvent::Report { worker: OURS, task, report });
    }
}

fn with_lines(position: &str) -> Harness<Chess> {
    let mut harness = Harness::new(Settings { multi_pv: 3, ..Settings::default() }, 0);
    join(&mut harness, OURS);
    let start = Start { text: Some(position.into()), ..Start::default() };
    harness.position(&Line { start, moves: Vec::new() });
    harness.go(Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    assert_eq!(harness.task_of(OURS.0).multipv, 3);
    harness
}

#[test]
fn with_multipv_other_mates_are_shown_and_stop_keeps_the_first_one() {
    let two_mates = "7k/R7/8/8/8/8/8/1R5K w - - 0 1";
    let best: &[&str] = &["b1b8"];
    let mut harness = with_lines(two_mates);
    tell(&mut harness, &[(1, best), (2, &["h1h2", "h8g8", "b1b8"])]);
    answer(&mut harness, OURS, MateAnswer::Mate(texts(best)));
    let shown: Vec<_> = harness.infos().iter().map(|info| (info.multipv, info.pv.len())).collect();
    assert_eq!(shown, [(Some(1), 1), (Some(2), 3)]);
    assert_eq!(said(&harness), [MateAnswer::Mate(texts(best))]);
    let mut harness = with_lines(two_mates);
    tell(&mut harness, &[(1, best)]);
    harness.command(hasami_protocol::Command::Stop);
    assert_eq!(said(&harness), [MateAnswer::Mate(texts(best))], "it looks for others");
}

#[test]
fn the_shortest_of_the_mates_is_the_answer_and_comes_first() {
    let (long, short): (&[&str], &[&str]) = (&["h1h2", "h8g8", "b1b8"], &["b1b8"]);
    let answered = [MateAnswer::Mate(texts(long)), MateAnswer::Unknown];
    for found in answered {
        let mut harness = with_lines("7k/R7/8/8/8/8/8/1R5K w - - 0 1");
        tell(&mut harness, &[(1, long), (2, short)]);
        answer(&mut harness, OURS, found);
        let shown: Vec<_> = harness.infos().iter().map(|info| (info.multipv, info.pv.len())).collect();
        assert_eq!(shown, [(Some(1), 1), (Some(2), 3)]);
        assert_eq!(said(&harness), [MateAnswer::Mate(texts(short))]);
    }
}

#[test]
fn answers_to_checks_are_shown_if_there_is_no_mate() {
    let mut harness = with_lines("7k/8/8/8/8/8/8/1R5K w - - 0 1");
    tell(&mut harness, &[(2, &["b1b8", "h8g7"])]);
    answer(&mut harness, OURS, MateAnswer::NoMate);
    let is_reported =
        |output: &Output| matches!(output, Output::Message(text) if *text == "no mate: b1b8 is answered by h8g7");
    assert!(harness.said.iter().any(is_reported), "{:?}", harness.said);
    assert_eq!(said(&harness), [MateAnswer::NoMate]);
}
