//! Workers that are deaf, dead, or tell nonsense. The game goes on without them.

use super::core::Manager;
use super::member::{Job, State, Work};
use crate::event::{Action, Time, WorkerId};
use crate::tree::NodeId;
use hasami_api::Game;
use std::time::Duration;

/// How long a worker may take to end a cancelled task.
pub(super) const GRACE: Duration = Duration::from_millis(2000);
/// How long a worker may search a node without a first report.
pub(super) const SILENCE: Duration = Duration::from_millis(6000);
/// The pause before the first revival; each further one is four times as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// A worker that fails so often in a row is set aside.
pub(super) const MOST_FAILURES: u32 = 5;
/// Who has worked so long since it came up has come up well: its earlier deaths are forgotten.
pub(super) const RELIABLE: Duration = Duration::from_secs(60);
/// Who does not count its nodes gets so long for a task with a limit, and a second more for each [`SLOWEST`] nodes.
const PATIENCE: Duration = Duration::from_secs(10);
/// A tenth of the nodes a second that any engine makes which does not count them.
const SLOWEST: u64 = 100;
/// How long a mate engine may take for a look at a leaf: it is asked for two and a half seconds at most, and some overstay
/// their time.
pub(super) const LOOK: Duration = Duration::from_secs(5);
/// So many impossible reports end a worker's task; as many again set it aside.
const MOST_LIES: u32 = 8;
/// So many and nothing else lose it its place, if somebody waits for one.
const FEW_LIES: u32 = 3;
const LONG_REST: Duration = Duration::from_millis(1000);
/// How long a worker without a sensible answer gets no work.
pub(super) const REST: Duration = Duration::from_millis(100);

/// How long a task of so many nodes may take a worker that does not count them.
pub(super) fn patience(grant: u64) -> Duration {
    PATIENCE + Duration::from_secs(grant / SLOWEST)
}

/// When the worker of a job is to be looked at: it may be silent, keep no limit, or not end.
pub(super) fn deadlines(job: &Job) -> impl Iterator<Item = Time> {
    let silent = (job.work.node().is_some()).then_some(job.started + SILENCE);
    let late = job.grant.map(|grant| job.started + patience(grant));
    let deaf = job.cancelled.map(|at| at + GRACE);
    [silent, late, deaf, job.until].into_iter().flatten()
}

impl<G: Game> Manager<G> {
    /// `for_good`: it cannot be started at all.
    pub(super) fn on_lost(&mut self, now: Time, worker: WorkerId, why: &str, for_good: bool) {
        let was_there = self.crew.get(worker).is_some_and(|member| member.state != State::Away);
        let destination = self.crew.destination(worker);
        let job = self.crew.lose(worker);
        // Nobody is on the way there any more.
        if let Some(node) = destination {
            self.frontier.consider_if_stands(&self.tree, self.model.as_ref(), node);
        }
        if let Some(job) = job {
            if let Some(member) = self.crew.get_mut(worker).filter(|_| job.reports > 0) {
                member.has_worked(now.saturating_sub(job.started));
            }
            self.vacate(worker, &job);
            self.on_job_lost(now, &job);
        } else if !was_there && self.crew.get(worker).is_some_and(|member| member.record().revive_at.is_some()) {
            return;
        }
        self.note_death(now, worker, why, for_good);
    }

    /// The worker could not do its task, but lives.
    pub(super) fn on_failed(&mut self, now: Time, worker: WorkerId, job: &Job, why: &str) {
        let name = self.name_of(worker);
        self.out.push(Action::Log(log::Level::Warn, format!("{name}: {why}")));
        self.note_fault();
        self.forget_glance(now, job);
        if let Some(member) = self.crew.get_mut(worker) {
            let record = member.record_mut();
            record.failures += 1;
            if record.failures >= MOST_FAILURES { self.set_aside(worker, why) } else { self.let_rest(now, worker) }
        }
        // Only now: the task may go to another, but not back to a worker that rests or was set aside.
        self.on_job_lost(now, job);
    }

    fn on_job_lost(&mut self, now: Time, job: &Job) {
        if job.work == Work::Mate {
            self.on_solver_lost(now, job.id);
        }
    }

    fn note_death(&mut self, now: Time, worker: WorkerId, why: &str, for_good: bool) {
        let name = self.name_of(worker);
        self.out.push(Action::Log(log::Level::Warn, format!("{name} is lost: {why}")));
        let member = self.crew.member_or_new(worker);
        if member.retired {
            return;
        }
        let record = member.record_mut();
        record.deaths += 1;
        if for_good || record.deaths >= MOST_FAILURES {
            return self.set_aside(worker, why);
        }
        let pause = FIRST_PAUSE * 4u32.pow(record.deaths - 1);
        record.revive_at = Some(now + pause);
        self.crew.remind(now + pause, worker);
    }

    /// The worker plays no part any more; one clear warning says so.
    pub(super) fn set_aside(&mut self, worker: WorkerId, why: &str) {
        let name = self.name_of(worker);
        self.crew.retire(worker);
        if self.crew.get(worker).is_some_and(|member| member.state != State::Away) {
            self.kill(worker);
        }
        let text = format!("warning: {name} is set aside: {why}");
        self.out.push(Action::Log(log::Level::Warn, text.clone()));
        self.message(text);
    }

    /// Ends a worker by force, once; `Lost` follows.
    fn kill(&mut self, worker: WorkerId) {
        let Some(member) = self.crew.get_mut(worker) else { return };
        if !std::mem::replace(&mut member.killed, true) {
            self.out.push(Action::Kill { worker });
        }
    }

    pub(super) fn let_rest(&mut self, now: Time, worker: WorkerId) {
        self.let_rest_for(now, worker, REST);
    }

    pub(super) fn let_rest_for(&mut self, now: Time, worker: WorkerId, rest: Duration) {
        if let Some(member) = self.crew.get_mut(worker) {
            member.record_mut().rests_until = now + rest;
        }
        self.crew.remind(now + rest, worker);
    }

    pub(super) fn count_lie(&mut self, now: Time, worker: WorkerId, why: &str) {
        self.note_fault();
        let Some(member) = self.crew.get_mut(worker) else { return };
        member.record_mut().lies += 1;
        let is_all = member.job_mut().is_some_and(|job| {
            job.lies += 1;
            job.lies >= FEW_LIES && !job.believed
        });
        let lies = member.record().lies;
        match lies {
            1 => {
                let text = format!("{}: {why}", self.name_of(worker));
                self.out.push(Action::Log(log::Level::Warn, text));
            }
            MOST_LIES => {
                self.cancel(now, worker);
                self.let_rest(now, worker);
            }
            lies if lies >= 2 * MOST_LIES => {
                self.cancel(now, worker);
                self.set_aside(worker, why);
            }
            // Another one knows better.
            _ if is_all && self.crew.has_ready(now) => {
                self.cancel(now, worker);
                self.let_rest_for(now, worker, LONG_REST);
            }
            _ => {}
        }
    }

    /// Deadlines of single workers that have come.
    pub(super) fn look_after_workers(&mut self, now: Time) {
        while let Some((_, worker)) = self.crew.deadlines.first().copied().filter(|&(at, _)| at <= now) {
            self.crew.deadlines.pop_first();
            let Some(member) = self.crew.get_mut(worker) else { continue };
            if member.record().revive_at.is_some_and(|at| at <= now) {
                member.forgive(|record| record.revive_at = None);
                self.out.push(Action::Revive { worker });
            } else if member.job().is_some_and(|job| job.cancelled.is_some_and(|at| at + GRACE <= now)) {
                self.kill(worker);
            } else if member.overstays(now) {
                self.cancel(now, worker);
            } else if member.is_silent(now) {
                self.cancel(now, worker);
                self.on_silent(now, worker);
            } else if let Some(node) = member.is_overdue(now) {
                self.on_overdue(now, worker, node);
            }
        }
    }

    /// A worker that says nothing gets longer and longer rests, and is set aside at last.
    fn on_silent(&mut self, now: Time, worker: WorkerId) {
        let Some(member) = self.crew.get_mut(worker) else { return };
        let record = member.record_mut();
        record.silences += 1;
        if record.silences >= MOST_FAILURES {
            return self.set_aside(worker, "no report in several searches");
        }
        let rest = SILENCE * record.silences;
        self.let_rest_for(now, worker, rest);
    }

    /// A worker neither counts its nodes nor keeps its limit of them: it is told to end, and what it has found must do.
    fn on_overdue(&mut self, now: Time, worker: WorkerId, node: NodeId) {
        const WHY: &str = "does not keep limits of nodes, and does not count them";
        self.cancel(now, worker);
        if self.is_exact_at(node) {
            return self.end_exact();
        }
        let Some(member) = self.crew.get_mut(worker) else { return };
        let record = member.record_mut();
        record.overruns += 1;
        if record.overruns >= MOST_FAILURES { self.set_aside(worker, WHY) } else { self.let_rest(now, worker) }
    }

    pub(super) fn name_of(&self, worker: WorkerId) -> String {
        let profile = self.crew.get(worker).map(|member| &member.profile.name).filter(|name| !name.is_empty());
        profile.or_else(|| self.crew.names.get(&worker)).cloned().unwrap_or_else(|| worker.to_string())
    }
}
