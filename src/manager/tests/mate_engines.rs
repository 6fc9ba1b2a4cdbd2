//! External mate engines in addition to our own solver: which of their answers to `go mate` count.

use super::desk::{Desk, texts};
use hasami_api::{Answer, Goal, Line, MateAnswer, Report, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::{Go, MateLimit, Output, Settings};
use hasami_tree::event::{MachineId, Profile, TaskEnd, WorkerEvent, WorkerId};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const OURS: WorkerId = WorkerId(7);
const ENGINE: WorkerId = WorkerId(8);
/// A slot of another machine that claims to be a solver like ours.
const SLOT: WorkerId = WorkerId(9);

fn join(desk: &mut Desk<Chess>, worker: WorkerId) {
    let engine = Profile { name: "engine".into(), can_except: false, can_vary: false, ..Profile::mate_solver() };
    let profile = match worker {
        OURS => Profile::mate_solver(),
        SLOT => Profile { machine: Some(MachineId(5)), ..Profile::mate_solver() },
        _ => engine,
    };
    desk.worker(WorkerEvent::Joined { worker, profile });
}

/// `go mate` with these solvers in a position with a mate in two moves.
fn asked(solvers: &[WorkerId]) -> Desk<Chess> {
    asked_at("7k/8/5K2/8/8/8/8/R7 w - - 0 1", solvers)
}

fn asked_at(position: &str, solvers: &[WorkerId]) -> Desk<Chess> {
    let mut desk = Desk::new(Settings::default(), 0);
    solvers.iter().for_each(|&worker| join(&mut desk, worker));
    let start = Start { text: Some(position.into()), ..Start::default() };
    desk.position(&Line { start, moves: Vec::new() });
    desk.go(Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    desk
}

fn answer(desk: &mut Desk<Chess>, worker: WorkerId, answer: MateAnswer) {
    let (task, _) = desk.running.remove(&worker).unwrap();
    desk.worker(WorkerEvent::Ended { worker, task, end: TaskEnd::Answer(Answer::Mate(answer)) });
}

/// The number of nodes of the probe that the worker has begun.
fn look_of(desk: &mut Desk<Chess>, worker: WorkerId) -> Option<u64> {
    desk.wait(Duration::from_secs(30));
    let (_, task) = desk.running.get(&worker)?;
    assert_eq!(task.goal, Goal::Mate);
    task.limits.nodes
}

/// The goals and nodes of the probes by our solver, which disproves mates by checks, and does not decide about others.
fn looks_of_ours(settings: Settings, go: Go) -> Vec<(Goal, u64)> {
    let mut desk = Desk::<Chess>::new(settings, 1);
    desk.manager = desk.manager.with_quiet_mates(true);
    join(&mut desk, OURS);
    desk.go(go);
    let mut looks = Vec::new();
    for _ in 0..100 {
        desk.wait(Duration::from_secs(1));
        let Some((_, task)) = desk.running.get(&OURS) else { continue };
        let goal = task.goal;
        looks.push((goal, task.limits.nodes.unwrap()));
        answer(&mut desk, OURS, if goal == Goal::Mate { MateAnswer::NoMate } else { MateAnswer::Unknown });
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
    let mut desk = Desk::<Chess>::new(Settings { analyse_mode: true, ..Settings::default() }, 1);
    desk.manager = desk.manager.with_quiet_mates(true);
    join(&mut desk, OURS);
    let start = Start { text: Some("7k/8/5K2/8/8/8/8/R7 w - - 0 1".into()), ..Start::default() };
    desk.position(&Line { start, moves: Vec::new() });
    desk.go(Go { move_time: Some(Duration::from_secs(3_000)), ..Go::default() });
    desk.report(0, &["a1a2"], 500, 9);
    answer(&mut desk, OURS, MateAnswer::NoMate);
    desk.wait(Duration::from_secs(1));
    answer(&mut desk, OURS, mate());
    desk.wait(Duration::from_secs(1));
    let last = desk.infos().pop().unwrap();
    assert_eq!((last.score, last.pv), (Score::win_in(3), texts(&["f6f7", "h8h7", "a1h1"])));
}

#[test]
fn a_side_in_check_that_does_not_mate_may_be_mated_itself() {
    let in_check = "7k/8/6K1/8/8/8/8/7R b - - 0 1";
    let escape = "7k/8/5K2/8/8/8/8/7R b - - 0 1";
    let mated = MateAnswer::Mate(texts(&["h8g8", "h1h2", "g8f8", "h2h8"]));
    for (position, said_last) in [(in_check, mated), (escape, MateAnswer::NoMate), (escape, MateAnswer::Unknown)] {
        let mut desk = asked_at(position, &[OURS]);
        assert_eq!(desk.task_of(OURS.0).goal, Goal::Mate);
        answer(&mut desk, OURS, MateAnswer::NoMate);
        assert_eq!((said(&desk), desk.task_of(OURS.0).goal), (Vec::new(), Goal::Mated));
        let (worker, task) = (OURS, desk.running[&OURS].0);
        let report = Report { nodes: 50, pv: texts(&["h1h2"]), ..Report::new(Score::win_in(1)) };
        desk.worker(WorkerEvent::Report { worker, task, report });
        answer(&mut desk, OURS, said_last.clone());
        assert_eq!(said(&desk), std::slice::from_ref(&said_last));
        let scores: Vec<Score> = desk.infos().iter().map(|info| info.score).collect();
        let is_mated = matches!(said_last, MateAnswer::Mate(_));
        assert_eq!(scores, if is_mated { vec![Score::loss_in(4)] } else { Vec::new() });
    }
    let mut desk = asked(&[OURS]);
    answer(&mut desk, OURS, MateAnswer::NoMate);
    assert_eq!(said(&desk), [MateAnswer::NoMate], "a side that is not in check is asked about once");
}

/// A search of one leaf, which the engine probes.
#[test]
fn an_engine_is_not_asked_the_same_question_twice() {
    let mut desk = Desk::<Chess>::new(Settings::default(), 1);
    join(&mut desk, ENGINE);
    desk.go(Go { infinite: true, ..Go::default() });
    let mut asked = Vec::new();
    while let Some(nodes) = look_of(&mut desk, ENGINE) {
        asked.push(nodes);
        answer(&mut desk, ENGINE, MateAnswer::Unknown);
    }
    assert!(asked.len() > 4 && asked.windows(2).all(|pair| pair[1] == 2 * pair[0]), "{asked:?}");
}

#[test]
fn a_denial_by_an_engine_does_not_end_the_probes_of_our_solver() {
    let mut desk = Desk::<Chess>::new(Settings::default(), 1);
    join(&mut desk, ENGINE);
    desk.go(Go { infinite: true, ..Go::default() });
    assert!(look_of(&mut desk, ENGINE).is_some());
    answer(&mut desk, ENGINE, MateAnswer::NoMate);
    assert_eq!(look_of(&mut desk, ENGINE), None);
    join(&mut desk, OURS);
    assert_eq!(look_of(&mut desk, OURS), Some(1_000));
    answer(&mut desk, OURS, MateAnswer::NoMate);
    assert_eq!(look_of(&mut desk, OURS), None);
}

fn said(desk: &Desk<Chess>) -> Vec<MateAnswer> {
    let checkmate = |output: &Output| if let Output::Checkmate(answer) = output { Some(answer.clone()) } else { None };
    desk.said.iter().filter_map(checkmate).collect()
}

fn mate() -> MateAnswer {
    MateAnswer::Mate(texts(&["f6f7", "h8h7", "a1h1"]))
}

#[test]
fn the_first_mate_that_can_be_played_out_is_the_answer() {
    for first in [OURS, ENGINE] {
        let mut desk = asked(&[OURS, ENGINE]);
        answer(&mut desk, first, mate());
        assert_eq!(said(&desk), [mate()]);
    }
}

#[test]
fn only_proved_mates_of_an_untrusted_machine_count() {
    const TWO_ROOKS: &str = "8/7k/R7/8/8/8/8/1R5K w - - 0 1";
    let by_checks = || MateAnswer::Mate(texts(&["b1b7", "h7h8", "a6a8"]));
    let mut desk = asked_at(TWO_ROOKS, &[SLOT]);
    answer(&mut desk, SLOT, by_checks());
    assert_eq!(said(&desk), [by_checks()]);
    // The first line needs help by the king, though other checks mate in time. The second one is forced, but does not
    // begin with a check.
    let helped = MateAnswer::Mate(texts(&["a6a7", "h7h8", "b1b8"]));
    let quiet = MateAnswer::Mate(texts(&["h1h2", "h7g7", "b1b7", "g7f8", "a6a8"]));
    for lie in [helped, quiet, MateAnswer::NoMate] {
        let mut desk = asked_at(TWO_ROOKS, &[SLOT, OURS]);
        answer(&mut desk, SLOT, lie.clone());
        assert_eq!(said(&desk), []);
        answer(&mut desk, OURS, by_checks());
        assert_eq!(said(&desk), [by_checks()]);
        let mut desk = asked_at(TWO_ROOKS, &[SLOT]);
        answer(&mut desk, SLOT, lie);
        assert_eq!(said(&desk), [MateAnswer::Unknown]);
    }
}

#[test]
fn a_long_mate_of_a_machine_is_proved_by_a_search_within_the_time() {
    // The mate needs help by the king, so the result of the search decides.
    let helped = || MateAnswer::Mate(texts(&["a6a7", "h7h8", "b1b8"]));
    for (limit, expected) in [(MateLimit::Infinite, 500_000), (MateLimit::Time(Duration::from_millis(550)), 100_000)] {
        for is_mate in [true, false] {
            let asked = Arc::new(Mutex::new(Vec::new()));
            let mut desk = Desk::<Chess>::new(Settings::default(), 0);
            let heard = Arc::clone(&asked);
            desk.manager = desk.manager.with_mate_proof(Box::new(move |_, line, nodes| {
                heard.lock().unwrap().push((line.len(), nodes));
                is_mate
            }));
            join(&mut desk, SLOT);
            let start = Start { text: Some("8/7k/R7/8/8/8/8/1R5K w - - 0 1".into()), ..Start::default() };
            desk.position(&Line { start, moves: Vec::new() });
            desk.go(Go { mate: Some(limit), ..Go::default() });
            answer(&mut desk, SLOT, helped());
            assert_eq!(*asked.lock().unwrap(), [(3, expected)]);
            assert_eq!(said(&desk), [if is_mate { helped() } else { MateAnswer::Unknown }]);
        }
    }
}

#[test]
fn no_other_answer_of_an_engine_ends_the_question() {
    let illegal = MateAnswer::Mate(texts(&["f6f8"]));
    let no_mate = MateAnswer::Mate(texts(&["a1h1"]));
    for nonsense in [MateAnswer::NoMate, MateAnswer::Unknown, illegal, no_mate] {
        let mut desk = asked(&[OURS, ENGINE]);
        answer(&mut desk, ENGINE, nonsense);
        assert_eq!(said(&desk), []);
        answer(&mut desk, OURS, mate());
        assert_eq!(said(&desk), [mate()]);
    }
}

#[test]
fn only_our_own_solver_can_answer_that_there_is_no_mate() {
    let mut desk = asked(&[OURS, ENGINE]);
    answer(&mut desk, OURS, MateAnswer::NoMate);
    assert_eq!(said(&desk), [MateAnswer::NoMate]);
    let mut desk = asked(&[OURS, ENGINE]);
    answer(&mut desk, ENGINE, MateAnswer::NoMate);
    answer(&mut desk, OURS, MateAnswer::Unknown);
    assert_eq!(said(&desk), [MateAnswer::Unknown]);
    let names_it =
        |output: &Output| matches!(output, Output::Message(text) if text.to_string().starts_with("engine says"));
    assert!(desk.said.iter().any(names_it), "{:?}", desk.said);
}

/// The solver was told to end its last task and has not done so yet.
#[test]
fn the_answer_waits_for_our_own_solver_if_it_is_busy() {
    let mut desk = asked(&[OURS, ENGINE]);
    answer(&mut desk, ENGINE, MateAnswer::Unknown);
    desk.command(hasami_protocol::Command::Stop);
    assert_eq!(said(&desk), [MateAnswer::Unknown], "stopped");
    desk.go(Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    answer(&mut desk, ENGINE, MateAnswer::Unknown);
    assert_eq!(said(&desk).len(), 1, "our own has not been asked yet");
    answer(&mut desk, OURS, MateAnswer::Unknown);
    answer(&mut desk, OURS, mate());
    assert_eq!(said(&desk), [MateAnswer::Unknown, mate()]);
}

/// The engine supports no limit on the length, and a denial would be believed.
#[test]
fn only_our_own_solver_is_asked_for_a_shorter_mate() {
    let mut desk = Desk::<Chess>::new(Settings::default(), 1);
    [ENGINE, OURS].into_iter().for_each(|worker| join(&mut desk, worker));
    let start = Start { text: Some("7k/8/5K2/8/8/8/8/R7 w - - 0 1".into()), ..Start::default() };
    desk.position(&Line { start, moves: Vec::new() });
    desk.go(Go { mate: Some(MateLimit::Moves(2)), ..Go::default() });
    assert_eq!(desk.task_of(OURS.0).goal, Goal::MateWithin);
    assert!(!desk.running.contains_key(&ENGINE));
}

/// Our own solver reports its lines, given with their numbers.
fn tell(desk: &mut Desk<Chess>, places: &[(u16, &[&str])]) {
    let task = desk.running[&OURS].0;
    for &(multipv, moves) in places {
        let is_mate = moves.len() % 2 == 1;
        let score = if is_mate { Score::win_in(moves.len() as i32) } else { Score::DRAW };
        let report = Report { multipv, nodes: 500, pv: texts(moves), ..Report::new(score) };
        desk.worker(WorkerEvent::Report { worker: OURS, task, report });
    }
}

fn with_lines(position: &str) -> Desk<Chess> {
    let mut desk = Desk::new(Settings { multi_pv: 3, ..Settings::default() }, 0);
    join(&mut desk, OURS);
    let start = Start { text: Some(position.into()), ..Start::default() };
    desk.position(&Line { start, moves: Vec::new() });
    desk.go(Go { mate: Some(MateLimit::Infinite), ..Go::default() });
    assert_eq!(desk.task_of(OURS.0).multipv, 3);
    desk
}

#[test]
fn with_multipv_other_mates_are_shown_and_stop_keeps_the_first_one() {
    let two_mates = "7k/R7/8/8/8/8/8/1R5K w - - 0 1";
    let best: &[&str] = &["b1b8"];
    let mut desk = with_lines(two_mates);
    tell(&mut desk, &[(1, best), (2, &["h1h2", "h8g8", "b1b8"])]);
    answer(&mut desk, OURS, MateAnswer::Mate(texts(best)));
    let shown: Vec<_> = desk.infos().iter().map(|info| (info.multipv, info.pv.len())).collect();
    assert_eq!(shown, [(Some(1), 1), (Some(2), 3)]);
    assert_eq!(said(&desk), [MateAnswer::Mate(texts(best))]);
    let mut desk = with_lines(two_mates);
    tell(&mut desk, &[(1, best)]);
    desk.command(hasami_protocol::Command::Stop);
    assert_eq!(said(&desk), [MateAnswer::Mate(texts(best))], "it looks for others");
}

#[test]
fn the_shortest_of_the_mates_is_the_answer_and_comes_first() {
    let (long, short): (&[&str], &[&str]) = (&["h1h2", "h8g8", "b1b8"], &["b1b8"]);
    let answered = [MateAnswer::Mate(texts(long)), MateAnswer::Unknown];
    for found in answered {
        let mut desk = with_lines("7k/R7/8/8/8/8/8/1R5K w - - 0 1");
        tell(&mut desk, &[(1, long), (2, short)]);
        answer(&mut desk, OURS, found);
        let shown: Vec<_> = desk.infos().iter().map(|info| (info.multipv, info.pv.len())).collect();
        assert_eq!(shown, [(Some(1), 1), (Some(2), 3)]);
        assert_eq!(said(&desk), [MateAnswer::Mate(texts(short))]);
    }
}

#[test]
fn answers_to_checks_are_shown_if_there_is_no_mate() {
    let mut desk = with_lines("7k/8/8/8/8/8/8/1R5K w - - 0 1");
    tell(&mut desk, &[(2, &["b1b8", "h8g7"])]);
    answer(&mut desk, OURS, MateAnswer::NoMate);
    let is_told =
        |output: &Output| matches!(output, Output::Message(text) if *text == "no mate: b1b8 is answered by h8g7");
    assert!(desk.said.iter().any(is_told), "{:?}", desk.said);
    assert_eq!(said(&desk), [MateAnswer::NoMate]);
}
