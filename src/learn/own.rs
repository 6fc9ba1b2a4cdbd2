//! The engine of this program, on threads: what a worker of the master tree says about the positions.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::LearnError;
use super::ranking::{Ranking, Told};
use super::run::{Ear, Heard, Plan, Question};
use crate::protocol::Settings;
use crossbeam_channel::{Receiver, Sender, unbounded};
use hasami_api::{Limits, Searcher, Stop, Task};
use std::thread;

/// Searches all questions; tells `hear` each ranking as it comes.
pub fn search(
    plan: &Plan,
    settings: &Settings,
    questions: Vec<Question>,
    hear: &mut Ear<'_>,
) -> Result<(), LearnError> {
    hear(Heard::Name(format!("hasami {}", env!("CARGO_PKG_VERSION"))))?;
    let mut make = plan.catalog.engines(settings);
    let (ask, asked) = unbounded();
    questions.into_iter().for_each(|question| _ = ask.send(question));
    drop(ask);
    let (answer, answers) = unbounded();
    let stop = Stop::new();
    thread::scope(|scope| {
        for _ in 0..plan.concurrency {
            let (engine, asked, answer, stop) = (make(), asked.clone(), answer.clone(), &stop);
            scope.spawn(move || work(engine, plan, &asked, &answer, stop));
        }
        drop(answer);
        let outcome = answers.iter().try_for_each(|answer: Result<Heard, LearnError>| hear(answer?));
        stop.stop();
        outcome
    })
}

fn work(
    mut engine: Box<dyn Searcher>,
    plan: &Plan,
    asked: &Receiver<Question>,
    answer: &Sender<Result<Heard, LearnError>>,
    stop: &Stop,
) {
    let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
    for Question { at, line } in asked {
        engine.new_game();
        let task = Task { line, multipv: plan.multipv, limits, ..Task::default() };
        let mut told = Vec::new();
        let end = engine.search(&task, stop, &mut |report| told.extend(Told::of_report(&report)));
        let heard =
            end.map_err(|error| LearnError(error.0)).map(|_| Heard::Ranking { at, ranking: Ranking::of(&told) });
        if stop.is_stopped() || answer.send(heard).is_err() {
            return;
        }
    }
}
