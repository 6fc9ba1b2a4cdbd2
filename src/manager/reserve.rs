//! The in-process worker that takes over where nobody searches: there is no worker, or none that does anything useful.

use super::core::{Manager, Phase};
use super::early::HASTY;
use super::faults::SILENCE;
use super::member::{Job, Member};
use super::think::Think;
use crate::event::{Action, Profile, Time, WorkerId};
use hasami_api::{Game, Report};
use std::time::Duration;

/// A search without a single worker calls for a reserve after this long at the start, when the first may still be
/// coming up, earlier if the clock wants a move before; later at once. So does one among whose workers there is a fault
/// and nobody who searches.
const LONELY: Duration = Duration::from_millis(3000);
/// A task that has lasted so long and still tells something is a search, however few its nodes are.
const LONG: Duration = Duration::from_millis(250);
/// In a search shorter than this nobody can be expected to say anything.
const BRIEF: Duration = Duration::from_millis(20);
/// Who is at work without a fault gets so long at least to say something, or a moment of a busy system looks like one.
const MOMENT: Duration = Duration::from_millis(150);
/// After so much time of moves in a row to which no worker has contributed, the next one is begun with a reserve.
const WASTED: Duration = Duration::from_millis(250);

impl<G: Game> Manager<G> {
    /// Calls for an in-process worker when a search has nobody.
    pub(super) fn call_reserve(&mut self, now: Time) {
        let players = self.crew.players();
        let Phase::Thinking(think) = &mut self.phase else { return };
        think.reserve_at = None;
        if players > 0 || self.reserve_called {
            think.lonely_since = None;
            return self.relieve(now);
        }
        // Before the first player has come up there is still somebody to wait for, if not for ever.
        let is_new = !self.crew.has_met_players;
        let due = *think.lonely_since.get_or_insert(now) + think.patience();
        if is_new && due > now {
            think.reserve_at = Some(due);
            return;
        }
        self.add_reserve(if is_new { "no worker has come up yet" } else { "no worker is left" });
    }

    /// Calls for an in-process worker when all that are there are children, and do nothing useful.
    fn relieve(&mut self, now: Time) {
        let Phase::Thinking(think) = &mut self.phase else { return };
        if think.is_served || self.reserve_called || self.crew.has_threads() {
            return;
        }
        let due = match self.wasted {
            wasted if wasted >= WASTED => now,
            _ if think.has_faults => {
                let is_busy =
                    |member: &Member| member.record().failures == 0 && member.job().is_some_and(|job| job.lies == 0);
                let least =
                    if self.crew.members.values().any(|member| is_busy(member)) { MOMENT } else { Duration::ZERO };
                think.began + think.patience().max(least)
            }
            _ => think.began + SILENCE,
        };
        if due > now {
            think.reserve_at = Some(due);
        } else if !self.is_heard() {
            self.wasted = Duration::ZERO;
            self.add_reserve("no worker does anything useful");
        }
    }

    /// Whoever comes later is welcome.
    pub(super) fn add_reserve(&mut self, why: &str) {
        self.reserve_called = true;
        let why = self.vacancy.as_deref().unwrap_or(why);
        self.message(format!("warning: {why}; an in-process worker takes over"));
        self.out.push(Action::AddReserve);
    }

    /// The reserve has come up: where nobody has searched yet it gets the place of those who have said nothing.
    pub(super) fn make_room(&mut self, now: Time) {
        if matches!(&self.phase, Phase::Thinking(think) if !think.is_served) {
            let is_mute =
                |profile: &Profile, job: &Job| !profile.can_vary && !job.believed && job.work.node().is_some();
            let jobs = self.crew.members.iter().filter_map(|(&id, member)| Some((id, &member.profile, member.job()?)));
            let mute: Vec<WorkerId> = jobs.filter(|(_, p, job)| is_mute(p, job)).map(|(id, ..)| id).collect();
            mute.into_iter().for_each(|worker| self.cancel(now, worker));
        }
    }

    /// Some worker is at a task of which it has told something.
    fn is_heard(&self) -> bool {
        self.crew.busy().any(|(_, job)| job.cancelled.is_none() && job.believed)
    }

    /// A report that can be true: its worker searches, if it has done more than glance.
    pub(super) fn note_report(&mut self, now: Time, worker: WorkerId, report: &Report) {
        let Some(job) = self.crew.get_mut(worker).and_then(|member| member.job_mut()) else { return };
        job.believed = true;
        let is_search = job.nodes >= HASTY.1 || report.depth >= HASTY.0 || now.saturating_sub(job.started) >= LONG;
        if is_search && !report.pv.is_empty() {
            self.note_service();
        }
    }

    /// A worker does what it was asked for.
    pub(super) fn note_service(&mut self) {
        self.wasted = Duration::ZERO;
        if let Phase::Thinking(think) = &mut self.phase {
            think.is_served = true;
        }
    }

    pub(super) fn note_fault(&mut self) {
        if let Phase::Thinking(think) = &mut self.phase {
            think.has_faults = true;
        }
    }

    /// The search ends. Time counts as wasted in which there was something to find, and nobody looked for it.
    pub(super) fn note_waste(&mut self, now: Time, think: &Think) {
        let node = self.tree.node(self.tree.searched(think.focus));
        let is_plain = node.legal <= 1 || node.value.is_some_and(|value| value.score.is_decisive());
        let time = now.saturating_sub(think.began);
        if !think.is_served && !is_plain && time >= BRIEF && !self.is_heard() {
            self.wasted += time;
        }
    }
}

impl Think {
    /// However short the move is, most of its time is searched.
    fn patience(&self) -> Duration {
        self.plan.aim().map_or(LONELY, |aim| LONELY.min(aim / 3))
    }
}
