//! The fallback worker: a thread of Hasami that takes over if there is no worker, or no worker does anything useful.

use super::assign::{Assignment, Outbox};
use super::core::{Manager, Phase};
use super::go::MoveSearch;
use super::roster::{AssignedTask, RosterMember, limits::SILENCE};
use hasami_api::{Game, Report};
use hasami_tree::event::{Action, Arrivals, Profile, Time, WorkerId};
use std::time::Duration;

/// Longest wait for the first worker before the fallback worker is called; shorter if the clock demands it. If all
/// workers are lost later in the game, the fallback worker is called at once.
const LONELY: Duration = Duration::from_millis(3000);
/// Longest wait for the first worker if another machine has announced workers.
const LONELY_BUT_EXPECTING: Duration = Duration::from_millis(8000);
/// A worker that has reached neither this depth (in plies) nor this number of nodes counts as having hardly searched.
pub(super) const HASTY: (u16, u64) = (20, 1_000);
/// A task that has lasted this long and still reports something counts as a search, even if it has searched few nodes.
const LONG: Duration = Duration::from_millis(250);
/// No report can be expected from a search shorter than this.
const BRIEF: Duration = Duration::from_millis(20);
/// Minimum time that a worker without faults gets for its first report, to allow for short delays on a busy system.
const MOMENT: Duration = Duration::from_millis(150);
/// If no worker has contributed to the latest moves, and these took at least this long in total, the next search starts
/// with the fallback worker.
const WASTED: Duration = Duration::from_millis(250);

/// State of the fallback worker between searches.
#[derive(Default)]
pub(super) struct Fallback {
    /// True if the fallback worker was called and has not joined yet.
    pub called: bool,
    pub arrivals: Arrivals,
    /// Total time of the most recent moves in a row that no worker contributed to.
    wasted: Time,
}

/// Tracks whether the workers are really searching for the answer to a `go`.
#[derive(Default)]
pub(super) struct SearchService {
    /// Start of the current period without a connected worker.
    lonely_since: Option<Time>,
    /// Time at which the fallback worker is called if nothing changes.
    pub wake_at: Option<Time>,
    /// True if any worker has searched long enough or deep enough to be useful.
    is_served: bool,
    /// True if any worker has failed or made an impossible report.
    has_faults: bool,
}

impl SearchService {
    pub fn note_fault(&mut self) {
        self.has_faults = true;
    }
}

impl Fallback {
    /// Calls the fallback worker, and reports the reason `why`.
    pub fn call(&mut self, why: &'static str, out: &mut Outbox) {
        self.called = true;
        out.message(format!("warning: {why}; an in-process worker takes over"));
        out.push(Action::AddFallback);
    }

    /// Records the end of a search. If no worker searched a position that needed a search, the time counts as wasted.
    pub fn note_end<G: Game>(&mut self, now: Time, search: &MoveSearch, assignment: &Assignment<G>) {
        let node = assignment.tree.node(assignment.tree.searched(search.request.focus));
        let is_plain = node.legal <= 1 || node.value.is_some_and(|value| value.score.is_decisive());
        let time = now.saturating_sub(search.request.began);
        if !search.service.is_served && !is_plain && time >= BRIEF && !is_anybody_heard(assignment) {
            self.wasted += time;
        }
    }
}

impl<G: Game> Manager<G> {
    /// Calls the fallback worker if a search has no workers, or if none of its workers does anything useful.
    pub(super) fn call_fallback_worker(&mut self, now: Time) {
        let Phase::Thinking(search) = &mut self.phase else { return };
        search.service.wake_at = None;
        let due = if self.assignment.roster.players() > 0 || self.fallback.called {
            search.service.lonely_since = None;
            self.fallback.due_among_workers(now, search, &self.assignment)
        } else {
            self.fallback.due_alone(now, search, &self.assignment)
        };
        let Some((due, why)) = due else { return };
        if due > now {
            search.service.wake_at = Some(due);
        } else if self.assignment.roster.players() == 0 {
            self.fallback.call(why, &mut self.assignment.out);
        } else if !is_anybody_heard(&self.assignment) {
            self.fallback.wasted = Duration::ZERO;
            self.fallback.call(why, &mut self.assignment.out);
        }
    }

    /// Makes room for the fallback worker, which has just joined: if no worker has really searched yet, cancels tasks
    /// without a plausible report.
    pub(super) fn make_room_for_fallback(&mut self, now: Time) {
        if self.phase.search().is_some_and(|search| !search.service.is_served) {
            let is_mute =
                |profile: &Profile, job: &AssignedTask| !profile.can_vary && !job.believed && job.work.node().is_some();
            let members = self.assignment.roster.members.iter();
            let jobs = members.filter_map(|(&id, member)| Some((id, &member.profile, member.job()?)));
            let mute: Vec<WorkerId> = jobs.filter(|(_, p, job)| is_mute(p, job)).map(|(id, ..)| id).collect();
            mute.into_iter().for_each(|worker| self.assignment.cancel(now, worker));
        }
    }

    /// Records a plausible report. The reporting worker counts as searching if its task has lasted at least [`LONG`] or
    /// gone beyond [`HASTY`].
    pub(super) fn note_report(&mut self, now: Time, worker: WorkerId, report: &Report) {
        let Some(job) = self.assignment.roster.get_mut(worker).and_then(|member| member.job_mut()) else { return };
        job.believed = true;
        let is_search = job.nodes >= HASTY.1 || report.depth >= HASTY.0 || now.saturating_sub(job.started) >= LONG;
        if is_search && !report.pv.is_empty() {
            self.note_service();
        }
    }

    /// Records that a worker is really searching.
    pub(super) fn note_service(&mut self) {
        self.fallback.wasted = Duration::ZERO;
        if let Some(search) = self.phase.search_mut() {
            search.service.is_served = true;
        }
    }
}

impl Fallback {
    /// When to call the fallback worker if no worker is connected, and the reason to give to the GUI.
    fn due_alone<G: Game>(
        &self,
        now: Time,
        search: &mut MoveSearch,
        at: &Assignment<G>,
    ) -> Option<(Time, &'static str)> {
        let since = *search.service.lonely_since.get_or_insert(now);
        // The manager waits for workers only if no player has ever joined.
        let is_new = !at.roster.has_met_players;
        let waiting = search.waiting_time(self.arrivals);
        Some(if is_new { (since + waiting, "no worker has come up yet") } else { (now, "no worker is left") })
    }

    /// When to call the fallback worker if all workers are child engines and none does anything useful, and the reason
    /// to give to the GUI; `None` if the fallback worker is not needed.
    fn due_among_workers<G: Game>(
        &self,
        now: Time,
        search: &MoveSearch,
        at: &Assignment<G>,
    ) -> Option<(Time, &'static str)> {
        // Workers that can join each other run our own engine, on this or another machine, and need no fallback worker.
        if search.service.is_served || self.called || at.roster.abilities.variants > 0 {
            return None;
        }
        let began = search.request.began;
        let due = match self.wasted {
            wasted if wasted >= WASTED => now,
            _ if search.service.has_faults => {
                let is_busy = |member: &RosterMember| {
                    member.record().failures == 0 && member.job().is_some_and(|job| job.lies == 0)
                };
                let is_any_busy = at.roster.members.values().any(|member| is_busy(member));
                began + search.waiting_time(Arrivals::Over).max(if is_any_busy { MOMENT } else { Duration::ZERO })
            }
            _ => began + SILENCE,
        };
        Some((due, "no worker does anything useful"))
    }
}

/// Returns whether some worker is running a task and has made a plausible report on it.
fn is_anybody_heard<G: Game>(assignment: &Assignment<G>) -> bool {
    assignment.roster.busy().any(|(_, job)| job.cancelled.is_none() && job.believed)
}

impl MoveSearch {
    /// How long to wait for workers: at most a share of the move's time, and a larger share if workers are likely to
    /// come.
    fn waiting_time(&self, arrivals: Arrivals) -> Duration {
        let aim = self.request.plan.aim();
        let within = |longest: Duration, share: f64| aim.map_or(longest, |aim| longest.min(aim.mul_f64(share)));
        match arrivals {
            Arrivals::Over => within(LONELY, 1.0 / 3.0),
            Arrivals::Unknown => within(LONELY, 2.0 / 3.0),
            Arrivals::Expected => within(LONELY_BUT_EXPECTING, 0.9),
        }
    }
}
