//! Workers that are deaf, dead, or tell nonsense. The game goes on without them.

use super::core::Manager;
use super::roster::limits::{GRACE, SILENCE};
use super::roster::{Availability, RosterMember, TaskKind};
use hasami_api::Game;
use hasami_tree::NodeId;
use hasami_tree::event::{Action, Time, WorkerId};
use hasami_words::Message;
use std::time::Duration;

/// The pause before the first revival; each further one is four times as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// A worker that fails so often in a row is set aside.
pub(super) const MOST_FAILURES: u32 = 5;
/// So many impossible reports end a worker's task; as many again set it aside.
const MOST_LIES: u32 = 8;
/// So many and nothing else lose it its place, if somebody waits for one.
const FEW_LIES: u32 = 3;
const LONG_REST: Duration = Duration::from_millis(1000);
/// How long a worker without a sensible answer gets no work.
pub(super) const REST: Duration = Duration::from_millis(100);

impl<G: Game> Manager<G> {
    /// `for_good`: it cannot be started at all.
    pub(super) fn on_lost(&mut self, now: Time, worker: WorkerId, why: &Message, for_good: bool) {
        let roster = &self.assignment.roster;
        let was_there = roster.get(worker).is_some_and(|member| member.availability != Availability::Away);
        let had_job = self.take_out(now, worker);
        let is_expected = |member: &RosterMember| member.record().revive_at.is_some();
        if !had_job && !was_there && self.assignment.roster.get(worker).is_some_and(is_expected) {
            return;
        }
        self.note_death(now, worker, was_there, why, for_good);
    }

    /// The worker is away from now on, and its task is open to others; gives whether it had one.
    pub(super) fn take_out(&mut self, now: Time, worker: WorkerId) -> bool {
        let destination = self.assignment.roster.destination(worker);
        let job = self.assignment.roster.lose(worker);
        // Nobody is on the way there any more.
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

    /// `was_there`: it had come up. Of who is set aside that alone is told.
    fn note_death(&mut self, now: Time, worker: WorkerId, was_there: bool, why: &Message, for_good: bool) {
        let member = self.assignment.roster.member_or_new(worker);
        if member.retired {
            return;
        }
        let record = member.record_mut();
        record.deaths += 1;
        if for_good || record.deaths >= MOST_FAILURES {
            return self.assignment.set_aside(worker, why.clone());
        }
        let pause = FIRST_PAUSE * 4u32.pow(record.deaths - 1);
        record.revive_at = Some(now + pause);
        self.assignment.roster.look_again_at(now + pause, worker);
        let name = self.assignment.name_of(worker);
        let what = if was_there { "is lost" } else { "has not come up" };
        // For who reads the log: the GUI hears of it from the driver and from the pool of the cluster.
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
            // Another one knows better.
            _ if is_all && self.assignment.roster.has_ready(now) => {
                self.assignment.cancel(now, worker);
                self.assignment.roster.rest(now, worker, LONG_REST);
            }
            _ => {}
        }
    }

    /// Deadlines of single workers that have come.
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

    /// A worker that says nothing gets longer and longer rests, and is set aside at last.
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

    /// A worker neither counts its nodes nor keeps its limit of them: it is told to end, and what it has found must do.
    fn on_overdue(&mut self, now: Time, worker: WorkerId, node: NodeId) {
        const WHY: &str = "does not keep limits of nodes, and does not count them";
        self.assignment.cancel(now, worker);
        if let Some(search) = self.phase.search_mut().filter(|search| search.request.is_exact_at(node)) {
            return search.end_exact();
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
