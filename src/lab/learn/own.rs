//! Searches the positions with this program's engine, in threads, as workers of the master tree do.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::LearnError;
use super::ranking::{RankedLine, Ranking};
use super::run::{Ear, LearningPlan, RankingNotice, RankingRequest, SearchedPosition};
use crossbeam_channel::{Receiver, Sender, unbounded};
use hasami_api::{Answer, Limits, MoveText, Searcher, Stop, Task};
use hasami_protocol::Settings;
use std::thread;
use std::time::Instant;

/// Searches all positions and passes each ranking to `hear`.
pub fn search(
    plan: &LearningPlan,
    settings: &Settings,
    questions: Vec<RankingRequest>,
    hear: &mut Ear<'_>,
) -> Result<(), LearnError> {
    hear(RankingNotice::Name(format!("hasami {}", env!("CARGO_PKG_VERSION"))))?;
    let mut make = plan.catalog.engines(&plan.catalog.with_network(settings));
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
        let outcome = answers.iter().try_for_each(|answer: Result<RankingNotice, LearnError>| hear(answer?));
        stop.stop();
        outcome
    })
}

fn work(
    mut engine: Box<dyn Searcher>,
    plan: &LearningPlan,
    asked: &Receiver<RankingRequest>,
    answer: &Sender<Result<RankingNotice, LearnError>>,
    stop: &Stop,
) {
    let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
    for RankingRequest { at, line } in asked {
        engine.new_game();
        let task = Task { line, multipv: plan.multipv, limits, ..Task::default() };
        let (mut told, mut nodes, start) = (Vec::new(), 0, Instant::now());
        let end = engine.search(&task, stop, &mut |report| {
            nodes = report.nodes;
            told.extend(RankedLine::of_report(&report));
        });
        let (ranking, used) = (Ranking::of(&told), start.elapsed());
        let heard = end.map_err(|error| LearnError::from(error.0)).map(|answer| {
            RankingNotice::Searched(SearchedPosition { at, ranking, played: best_of(answer), used, nodes })
        });
        if stop.is_stopped() || answer.send(heard).is_err() {
            return;
        }
    }
}

fn best_of(answer: Answer) -> Option<MoveText> {
    match answer {
        Answer::Best { best, .. } => best,
        Answer::Mate(_) => None,
    }
}
