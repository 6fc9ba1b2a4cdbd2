//! Rules about workers: which worker may get which task, and when tasks must have ended.

use super::super::search::Root;
use super::{Broken, broken};
use hasami_api::{Goal, Task};
use hasami_tree::event::{Action, Profile, TaskId, Time, WorkerEvent, WorkerId};
use hasami_tree::rules::groups;
use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

/// After this time, a cancelled task must have ended, or its worker must have been killed.
const GRACE: Duration = Duration::from_secs(10);

/// Outside of a search group, at most this many workers may search a position in addition to the first one, to check
/// values that the first one has reported.
pub const MOST_UNGROUPED: usize = 3;

/// What the manager can know about a worker from events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JudgedWorker {
    Absent,
    Free,
    Busy { id: TaskId, cancelled: Option<Time> },
    Killed,
    Lost,
    Reviving,
}

#[derive(Debug, Default)]
pub struct RosterJudge {
    seats: BTreeMap<WorkerId, (JudgedWorker, Option<Profile>)>,
    used: HashSet<TaskId>,
    /// Running tasks that have not been cancelled.
    running: BTreeMap<WorkerId, Task>,
    /// The current second, and the number of tasks started in it.
    starts: (Duration, usize),
}

impl RosterJudge {
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// Records an event from a worker.
    pub fn hear(&mut self, event: &WorkerEvent) {
        match event {
            WorkerEvent::Joined { worker, profile } => {
                self.seats.insert(*worker, (JudgedWorker::Free, Some(profile.clone())));
            }
            WorkerEvent::Ended { worker, task, .. } => {
                self.forget(*worker, *task);
                let seat = self.seat(*worker);
                if matches!(*seat, JudgedWorker::Busy { id, .. } if id == *task) {
                    *seat = JudgedWorker::Free;
                }
            }
            WorkerEvent::Lost { worker, .. } => {
                self.running.remove(worker);
                *self.seat(*worker) = JudgedWorker::Lost;
            }
            WorkerEvent::Report { .. } => {}
        }
    }

    /// Records that a task has ended, if it is the worker's current task.
    fn forget(&mut self, worker: WorkerId, task: TaskId) {
        if matches!(*self.seat(worker), JudgedWorker::Busy { id, .. } if id == task) {
            self.running.remove(&worker);
        }
    }

    /// Checks that workers on the same position search with different variants, and that there are not too many of
    /// them.
    fn not_the_same(&mut self, worker: WorkerId, task: &Task) -> Result<(), Broken> {
        // The searches of untrusted machines do not count, because trusted workers may repeat them.
        let is_believed = |id: &WorkerId| {
            self.seats.get(id).and_then(|(_, profile)| profile.as_ref()).is_none_or(|profile| profile.machine.is_none())
        };
        if !is_believed(&worker) {
            self.running.insert(worker, task.clone());
            return Ok(());
        }
        let believed = || self.running.iter().filter(|(id, _)| is_believed(id)).map(|(_, task)| task);
        let alike = || believed().filter(|other| other.goal == task.goal && other.line == task.line);
        let alike = || alike().filter(|other| other.team == task.team || task.team == 0 || other.team == 0);
        let variants: Vec<u16> = alike().map(|other| other.variant).collect();
        // A search group (`team`) may continue for a while after a worker that cannot be a member has joined the
        // manager.
        let is_team = task.team != 0 || alike().any(|other| other.team != 0);
        self.running.insert(worker, task.clone());
        if variants.contains(&task.variant) {
            return broken("searched-twice", format!("{task:?}"));
        }
        let most = if is_team { groups::MOST } else { MOST_UNGROUPED };
        if variants.len() > most { broken("searched-by-many", format!("{task:?}")) } else { Ok(()) }
    }

    fn seat(&mut self, worker: WorkerId) -> &mut JudgedWorker {
        &mut self.seats.entry(worker).or_insert((JudgedWorker::Absent, None)).0
    }

    pub fn act(&mut self, now: Time, action: &Action) -> Result<(), Broken> {
        match action {
            Action::Start { worker, id, task } => self.start(now, *worker, *id, task),
            Action::Cancel { worker, id } => self.cancel(now, *worker, *id),
            Action::Kill { worker } => match self.seat(*worker) {
                seat @ (JudgedWorker::Free
                | JudgedWorker::Busy { .. }
                | JudgedWorker::Absent
                | JudgedWorker::Reviving) => {
                    *seat = JudgedWorker::Killed;
                    Ok(())
                }
                seat => broken("kill-the-dead", format!("{worker} is {seat:?}")),
            },
            Action::Revive { worker } => match self.seat(*worker) {
                seat @ JudgedWorker::Lost => {
                    *seat = JudgedWorker::Reviving;
                    Ok(())
                }
                seat => broken("revive-the-living", format!("{worker} is {seat:?}")),
            },
            Action::AddFallback => self.reserve(),
            Action::NewGame | Action::Alarm(_) | Action::Say(_) | Action::Log(..) => Ok(()),
        }
    }

    fn start(&mut self, now: Time, worker: WorkerId, id: TaskId, task: &Task) -> Result<(), Broken> {
        let workers = self.seats.len();
        let Some((seat, Some(profile))) = self.seats.get_mut(&worker) else {
            return broken("start-before-joined", worker.to_string());
        };
        match *seat {
            JudgedWorker::Free => *seat = JudgedWorker::Busy { id, cancelled: None },
            JudgedWorker::Busy { id: other, .. } => {
                return broken("two-tasks", format!("{worker}: {other:?} and {id:?}"));
            }
            other => return broken("start-before-joined", format!("{worker} is {other:?}")),
        }
        suits(profile, task)?;
        // An external mate engine may work on the same `go mate` as Hasami's own solver.
        let is_second_opinion = task.goal == Goal::Mate && !profile.is_ours();
        sound(task)?;
        if !is_second_opinion {
            self.not_the_same(worker, task)?;
        }
        if !self.used.insert(id) {
            return broken("task-id-twice", format!("{id:?}"));
        }
        self.not_too_often(now, workers)
    }

    /// Checks that the manager does not start too many tasks per second, even if workers end every task at once.
    fn not_too_often(&mut self, now: Time, workers: usize) -> Result<(), Broken> {
        let second = Duration::from_secs(now.as_secs());
        self.starts = if self.starts.0 == second { (second, self.starts.1 + 1) } else { (second, 1) };
        let most = 200 + 150 * workers;
        if self.starts.1 > most { broken("too-many-starts", format!("{most} in a second at {now:?}")) } else { Ok(()) }
    }

    fn cancel(&mut self, now: Time, worker: WorkerId, task: TaskId) -> Result<(), Broken> {
        match self.seat(worker) {
            JudgedWorker::Busy { id, cancelled } if *id == task => {
                cancelled.get_or_insert(now);
                self.running.remove(&worker);
                Ok(())
            }
            seat => broken("cancel-of-nothing", format!("{task:?} at {worker}, which is {seat:?}")),
        }
    }

    fn reserve(&self) -> Result<(), Broken> {
        let free = |(_, (seat, profile)): &(&WorkerId, &(JudgedWorker, Option<Profile>))| {
            matches!(seat, JudgedWorker::Free) && profile.as_ref().is_some_and(|profile| profile.name == "reserve")
        };
        match self.seats.iter().find(free) {
            Some((worker, _)) => broken("needless-reserve", format!("{worker} is a reserve and free")),
            None => Ok(()),
        }
    }

    /// Checks the state some seconds after `stop`: cancelled tasks must have ended and, unless the manager ponders, no
    /// task may be running.
    pub fn at_rest(&self, now: Time, ponder: bool) -> Result<(), Broken> {
        for (worker, (seat, _)) in &self.seats {
            match seat {
                JudgedWorker::Busy { cancelled: Some(at), .. } if now.saturating_sub(*at) > GRACE => {
                    return broken("deaf-worker-left-alone", format!("{worker} since {at:?}, now {now:?}"));
                }
                JudgedWorker::Busy { cancelled: None, .. } if !ponder => {
                    return broken("works-at-rest", format!("{worker} at {now:?}"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Checks that the worker is able to carry out the task.
fn suits(profile: &Profile, task: &Task) -> Result<(), Broken> {
    let able = match task.goal {
        Goal::Best => profile.can_best,
        Goal::Mate => profile.can_mate,
        Goal::MateWithin | Goal::MateByAnyMoves => profile.can_mate && !profile.can_best,
        Goal::Mated => profile.can_mate && profile.is_ours(),
    };
    let able = able && (task.only.is_empty() || profile.can_only) && (task.except.is_empty() || profile.can_except);
    let able = able && (task.variant == 0 || profile.can_vary);
    if able { Ok(()) } else { broken("beyond-its-abilities", format!("{profile:?} {task:?}")) }
}

/// Checks that the task's line and listed moves are legal, and that there is a move to search.
fn sound(task: &Task) -> Result<(), Broken> {
    match Root::new(task) {
        None => broken("illegal-task", format!("{task:?}")),
        Some(root) if !root.has_moves() => broken("empty-task", format!("{task:?}")),
        Some(root) => {
            let illegal = task.only.iter().chain(&task.except).find(|text| !root.is_legal(text));
            illegal.map_or(Ok(()), |text| broken("illegal-task", format!("{text} in {task:?}")))
        }
    }
}
