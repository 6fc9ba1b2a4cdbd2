//! Handles workers that do not respond, die, or report nonsense, so that the game continues without them.

use super::core::Manager;
use super::roster::limits::{GRACE, SILENCE};
use super::roster::{Availability, RosterMember, TaskKind};
use hasami_api::Game;
use hasami_tree::NodeId;
use hasami_tree::event::{Action, Time, WorkerId};
use std::time::Duration;

/// Pause before a dead worker is started again for the first time; each further pause is four times as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// Number of consecutive failures after which a worker is set aside.
pub(super) const MOST_FAILURES: u32 = 5;
/// After this many impossible reports, a worker's task is cancelled; after twice as many, the worker is set aside.
const MOST_LIES: u32 = 8;
/// After this many impossible reports and no plausible one, a worker's task is cancelled if another worker is free.
const FEW_LIES: u32 = 3;
const LONG_REST: Duration = Duration::from_millis(1000);
/// Pause before a worker that gave no sensible answer gets another task.
pub(super) const REST: Duration = Duration::from_millis(100);

impl<G: Game> Manager<G> {
    /// Handles a lost worker. `for_good` says whether every further attempt to start the worker would fail.
    pub(super) fn on_lost(&mut self, now: Time, worker: WorkerId, why: &str, for_good: bool) {
        let roster = &self.assignment.roster;
        let was_there = roster.get(worker).is_some_and(|member| member.availability != Availability::Away);
        let had_job = self.take_out(now, worker);
        let is_expected = |member: &RosterMember| member.record().revive_at.is_some();
        if !had_job && !was_there && self.assignment.roster.get(worker).is_some_and(is_expected) {
            return;
        }
        self.note_crash(now, worker, was_there, why, for_good);
    }

    /// Marks a lost worker as away, and frees its task for other workers. Returns whether the worker had a task.
    pub(super) fn take_out(&mut self, now: Time, worker: WorkerId) -> bool {
        let destination = self.assignment.roster.destined.get(&worker).copied();
        let job = self.assignment.roster.lose(worker);
        // The node that was reserved for the lost worker is queued again.
        if let Some(node) = destination {
            self.assignment.reopen(node);
        }
        let Some(job) = job else { return false };
        if let Some(member) = self.assignment.roster.get_mut(worker).filter(|_| job.reports > 0) {
            member.has_worked(now.saturating_sub(job.started));
        }
        self.assignment.vacate(worker, &job);
        match job.work {
            TaskKind::Mate => self.on_solver_lost(now, job.id),
            TaskKind::Confirm(claim) => self.on_second_lost(claim),
            _ => {}
        }
        true
    }

    /// Records the crash of a worker. `was_there` says whether the worker had been connected. The crash of a worker
    /// that was set aside is not reported.
    fn note_crash(&mut self, now: Time, worker: WorkerId, was_there: bool, why: &str, for_good: bool) {
        let member = self.assignment.roster.member_or_new(worker);
        if member.retired {
            return;
        }
        let record = member.record_mut();
        record.crashes += 1;
        if for_good || record.crashes >= MOST_FAILURES {
            return self.assignment.set_aside(worker, why);
        }
        let pause = FIRST_PAUSE * 4u32.pow(record.crashes - 1);
        record.revive_at = Some(now + pause);
        self.assignment.roster.look_again_at(now + pause, worker);
        let name = self.assignment.name_of(worker);
        let what = if was_there { "is lost" } else { "has not come up" };
        // The warning goes only to the log, because the driver and the cluster's pool already inform the GUI.
        self.assignment.out.warn(format!("{name} {what}: {why}"));
    }

    pub(super) fn count_lie(&mut self, now: Time, worker: WorkerId, why: &str) {
        if let Some(search) = self.phase.search_mut() {
            search.service.note_fault();
        }
        let Some(member) = self.assignment.roster.get_mut(worker) else { return };
        member.record_mut().lies += 1;
        let is_all = member.job_mut().is_some_and(|job| {
            job.lies += 1;
            job.lies >= FEW_LIES && !job.believed
        });
        let lies = member.record().lies;
        match lies {
            1 => {
                let text = format!("{}: {why}", self.assignment.name_of(worker));
                self.assignment.out.warn(text);
            }
            MOST_LIES => {
                self.assignment.cancel(now, worker);
                self.assignment.roster.rest(now, worker, REST);
            }
            lies if lies >= 2 * MOST_LIES => {
                self.assignment.cancel(now, worker);
                self.assignment.set_aside(worker, why);
            }
            // The task is cancelled, because all its reports were impossible and another worker is ready to do it.
            _ if is_all && self.assignment.roster.has_ready(now) => {
                self.assignment.cancel(now, worker);
                self.assignment.roster.rest(now, worker, LONG_REST);
            }
            _ => {}
        }
    }

    /// Acts on every worker deadline that has passed.
    pub(super) fn check_deadlines(&mut self, now: Time) {
        while let Some((_, worker)) = self.assignment.roster.deadlines.first().copied().filter(|&(at, _)| at <= now) {
            self.assignment.roster.deadlines.pop_first();
            let Some(member) = self.assignment.roster.get_mut(worker) else { continue };
            if member.record().revive_at.is_some_and(|at| at <= now) {
                member.forgive(|record| record.revive_at = None);
                self.assignment.out.push(Action::Revive { worker });
            } else if member.job().is_some_and(|job| job.cancelled.is_some_and(|at| at + GRACE <= now)) {
                self.assignment.kill(worker);
            } else if member.overstays(now) {
                let second = member.job().and_then(|job| job.work.claim());
                self.assignment.cancel(now, worker);
                if let Some(claim) = second {
                    self.on_second_ended(now, claim);
                }
            } else if member.is_silent(now) {
                self.assignment.cancel(now, worker);
                self.on_silent(now, worker);
            } else if let Some(node) = member.is_overdue(now) {
                self.on_overdue(now, worker, node);
            }
        }
    }

    /// Gives a silent worker a pause that grows each time, and finally sets it aside.
    fn on_silent(&mut self, now: Time, worker: WorkerId) {
        let Some(member) = self.assignment.roster.get_mut(worker) else { return };
        let record = member.record_mut();
        record.silences += 1;
        if record.silences >= MOST_FAILURES {
            return self.assignment.set_aside(worker, "no report in several searches");
        }
        let rest = SILENCE * record.silences;
        self.assignment.roster.rest(now, worker, rest);
    }

    /// Stops a worker that neither counts its nodes nor obeys its node limit, and accepts the worker's findings.
    fn on_overdue(&mut self, now: Time, worker: WorkerId, node: NodeId) {
        const WHY: &str = "does not keep limits of nodes, and does not count them";
        self.assignment.cancel(now, worker);
        if let Some(search) = self.phase.search_mut().filter(|search| search.request.is_exact_at(node)) {
            search.request.done = true;
            return;
        }
        let Some(member) = self.assignment.roster.get_mut(worker) else { return };
        let record = member.record_mut();
        record.overruns += 1;
        if record.overruns >= MOST_FAILURES {
            self.assignment.set_aside(worker, WHY)
        } else {
            self.assignment.roster.rest(now, worker, REST)
        }
    }
}
