//! `go mate`: a solver's task, answered by exactly one line.

use super::core::{Manager, Phase};
use super::crew::{Job, Work};
use crate::event::{Action, TaskId, Time};
use crate::protocol::{Go, MateLimit, Output};
use crate::tree::legal_beginning;
use hasami_api::{Game, Goal, MateAnswer, Task};
use std::time::Duration;

/// What stays of the time limit for the answer to reach the GUI.
const MARGIN: Duration = Duration::from_millis(50);

/// One `go mate` that waits for its answer.
pub(super) struct MateSearch {
    until: Option<Time>,
    task: Option<TaskId>,
    began: Time,
}

impl MateSearch {
    pub fn until(&self) -> Option<Time> {
        self.until
    }
}

impl<G: Game> Manager<G> {
    pub(super) fn begin_mate(&mut self, now: Time, go: Go) {
        self.leave_all(now);
        let until = match go.mate {
            Some(MateLimit::Time(limit)) => Some(now + limit.saturating_sub(MARGIN).max(limit / 2)),
            _ => None,
        };
        let search = MateSearch { until, task: None, began: now };
        if self.game.count_moves() == 0 {
            return self.end_mate(now, search, MateAnswer::NoMate);
        }
        self.phase = Phase::Mating(search);
        self.assign_solver(now);
    }

    /// Gives the search to a solver, once one is free.
    pub(super) fn assign_solver(&mut self, now: Time) {
        if !matches!(&self.phase, Phase::Mating(search) if search.task.is_none()) {
            return;
        }
        let Some(worker) = self.crew.ready_solver(now) else { return };
        let id = self.next_task();
        let task = Task { line: self.line.clone(), goal: Goal::Mate, multipv: 1, ..Task::default() };
        let job = Job { id, work: Work::Mate, started: now, cancelled: None, nodes: 0, reports: 0, except: Vec::new() };
        self.crew.begin(worker, job);
        self.out.push(Action::Start { worker, id, task });
        if let Phase::Mating(search) = &mut self.phase {
            search.task = Some(id);
        }
    }

    pub(super) fn on_mate_answer(&mut self, now: Time, task: TaskId, answer: MateAnswer) {
        if !matches!(&self.phase, Phase::Mating(search) if search.task == Some(task)) {
            return;
        }
        let Phase::Mating(search) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        self.end_mate(now, search, answer);
    }

    /// The solver died: another one may try.
    pub(super) fn on_solver_lost(&mut self, now: Time, task: TaskId) {
        if let Phase::Mating(search) = &mut self.phase
            && search.task == Some(task)
        {
            search.task = None;
        }
        self.assign_solver(now);
    }

    /// Says the answer. A mate line with an illegal move is no mate.
    pub(super) fn end_mate(&mut self, now: Time, search: MateSearch, answer: MateAnswer) {
        let working = self.crew.busy().find(|(_, job)| Some(job.id) == search.task).map(|(worker, _)| worker);
        if let Some(worker) = working {
            self.cancel(now, worker);
        }
        let answer = match answer {
            MateAnswer::Mate(line) if legal_beginning(&mut self.game, &line).len() < line.len().max(1) => {
                let text = format!("mate after {:?}: not a legal line", now.saturating_sub(search.began));
                self.out.push(Action::Log(log::Level::Warn, text));
                MateAnswer::Unknown
            }
            answer => answer,
        };
        self.say(Output::Checkmate(answer));
    }
}
