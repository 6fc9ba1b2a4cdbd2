//! Runs a manager, its workers and its alarm clock, without access to stdin and stdout.
//!
//! The caller (the session, `analyse`) waits for [`Driver::notices`] until [`Driver::due`] and passes the notices to
//! the driver; the driver passes its output to a callback. Only [`Driver::step`] and the functions that end workers
//! block.

mod staff;

pub use crate::WorkerNotice;
use crate::memory;
pub use crate::outside::PoolFigures;
use crate::outside::{Cluster, Join, SlotOffer};
use crate::pool::WorkerPool;
use crate::{Inbox, Renewal};
use crossbeam_channel::Receiver;
use hasami_api::Line;
use hasami_catalog::Catalog;
use hasami_nnue::Network;
use hasami_protocol::option::Rebuild;
use hasami_protocol::settings::{EndgameSettings, EvaluationSettings};
use hasami_protocol::{Command, Output, Settings};
use hasami_tree::Snapshot;
use hasami_tree::event::{Action, Arrivals, Time, WorkerEvent, WorkerId};
use hasami_tree::manage::Manage;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Receives the output of the manager.
pub type Say<'a> = &'a mut dyn FnMut(Output);

/// Time that [`Driver::end`] gives workers to end before it kills them.
const SHUTDOWN: Duration = Duration::from_millis(500);

/// Drives a manager and its workers.
pub struct Driver {
    catalog: &'static dyn Catalog,
    settings: Settings,
    manager: Box<dyn Manage>,
    /// The worker pool; `None` until workers are first needed.
    pool: Option<WorkerPool>,
    /// The workers that must be rebuilt because settings have changed.
    stale: Rebuild,
    /// Started workers that have not reported yet.
    awaited: BTreeSet<WorkerId>,
    /// Children that were asked to forget the last game and have not confirmed it yet.
    renewing: BTreeSet<WorkerId>,
    /// Threads of this program that are allocating or clearing memory, each listed once per operation.
    preparing: Vec<WorkerId>,
    /// The reasons why workers failed to start, one per worker.
    absent: Vec<String>,
    /// How many times each child engine has crashed.
    crashes: BTreeMap<WorkerId, u32>,
    inbox: Inbox,
    epoch: Instant,
    alarm: Option<Instant>,
    /// Whether the GUI has ended a game and has not sent `go` since.
    is_over: bool,
    /// The endgame table settings that were checked last.
    endgames: EndgameSettings,
    /// The evaluation settings for which [`Self::network`] was read.
    evaluation: Option<EvaluationSettings>,
    /// The evaluation network, which all threads share; `None` if the game has no networks.
    network: Option<Arc<Network>>,
    /// Returns the free memory in bytes ([`memory::left`]).
    room: fn() -> Option<u64>,
    /// The function that joins a cluster; `None` if this program cannot join clusters.
    join: Option<Join>,
}

impl Driver {
    pub fn new(catalog: &'static dyn Catalog, settings: Settings) -> Self {
        Self {
            manager: catalog.manager(&settings),
            catalog,
            settings,
            pool: None,
            stale: Rebuild::Nobody,
            awaited: BTreeSet::new(),
            renewing: BTreeSet::new(),
            preparing: Vec::new(),
            absent: Vec::new(),
            crashes: BTreeMap::new(),
            inbox: Inbox::default(),
            epoch: Instant::now(),
            alarm: None,
            is_over: false,
            endgames: EndgameSettings::default(),
            evaluation: None,
            network: None,
            room: memory::left,
            join: None,
        }
    }

    /// Lets the driver join clusters by calling `join`.
    #[must_use]
    pub fn in_clusters(mut self, join: Join) -> Self {
        self.join = Some(join);
        self
    }

    pub fn catalog(&self) -> &'static dyn Catalog {
        self.catalog
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Adopts new settings. Workers whose settings change are rebuilt before the next search, never during a search.
    pub fn configure(&mut self, settings: Settings, say: Say) {
        self.stale = self.stale.max(staff::rebuild(self.catalog.options(), &self.settings, &settings));
        self.settings = settings;
        let actions = self.manager.on_settings(self.now(), &self.settings);
        self.execute(actions, say);
    }

    /// Passes a GUI command to the manager. A position gets the optional rules that the settings select.
    pub fn command(&mut self, mut command: Command, say: Say) {
        self.staff(say);
        if let Command::Position(line) = &mut command {
            line.start.rules = self.settings.rules;
        }
        self.is_over = (self.is_over || command == Command::GameOver) && !matches!(command, Command::Go(_));
        self.tell_arrivals();
        let actions = self.manager.on_command(self.now(), command);
        self.execute(actions, say);
    }

    /// The position that the GUI set last; `None` if it was refused.
    pub fn position(&self) -> Option<&Line> {
        self.manager.position()
    }

    /// Whether all workers that search for moves have joined or failed to join, and have forgotten the last game.
    pub fn is_staffed(&self) -> bool {
        let is_there = self.awaited.is_empty() && self.renewing.is_empty();
        let is_settled = self.cluster().is_none_or(|cluster| cluster.is_settled());
        self.pool.is_some() && is_settled && is_there && !self.is_preparing()
    }

    /// Returns true if threads of this program are allocating or clearing memory, which may take several seconds.
    pub fn is_preparing(&self) -> bool {
        !self.preparing.is_empty()
    }

    /// Returns true if there is a worker that can search for moves.
    pub fn has_players(&self) -> bool {
        self.snapshot().workers() > 0
    }

    /// Returns true if there is a worker that can start to search for moves at once.
    pub fn has_ready_players(&self) -> bool {
        self.snapshot().workers() > self.renewing.len()
    }

    /// Number of started workers that have not reported yet.
    pub fn awaited(&self) -> usize {
        self.awaited.len()
    }

    /// Names of started workers that have not reported yet.
    pub fn awaited_names(&self) -> Vec<&str> {
        let all = self.pool.iter().flat_map(WorkerPool::names);
        all.filter(|(id, _)| self.awaited.contains(id)).map(|(_, name)| name).collect()
    }

    /// Returns one line for each worker that failed to start, with the reason.
    pub fn absent(&self) -> &[String] {
        &self.absent
    }

    /// Stops waiting for workers that have not reported yet. Workers that report later are still used.
    pub fn wait_no_longer(&mut self) {
        self.awaited.clear();
        self.renewing.clear();
    }

    /// Starts a thread that can search for moves, unless some worker can already do so. [`Self::is_preparing`] returns
    /// `true` until the thread is ready.
    pub fn call_fallback_worker(&mut self, say: Say) {
        if !self.has_players() && !self.is_searching() {
            let actions = self.manager.on_absence(self.now());
            self.execute(actions, say);
        }
    }

    /// Returns true until the last `go` has been answered.
    pub fn is_searching(&self) -> bool {
        self.manager.owes_answer()
    }

    /// Asks children to forget a finished game now, so that forgetting it takes no time from the next game's clock.
    pub fn begin_game_of_children(&mut self) {
        if let Some(pool) = self.pool.as_mut().filter(|_| self.is_over) {
            let renewals = pool.new_game_of_children();
            self.await_renewals(renewals);
        }
    }

    fn await_renewals(&mut self, renewals: Vec<(WorkerId, Renewal)>) {
        for (worker, renewal) in renewals {
            match renewal {
                Renewal::Promised => self.preparing.push(worker),
                Renewal::Asked => _ = self.renewing.insert(worker),
                Renewal::Done => {}
            }
        }
    }

    /// Clears the workers' hash tables, after the current search.
    pub fn clear_hash(&mut self) {
        self.direct(Action::NewGame);
    }

    /// The receiver of notices, for use in `select!`. Received notices must be passed to [`Self::notice`].
    pub fn notices(&self) -> &Receiver<WorkerNotice> {
        self.inbox.notices()
    }

    /// Returns when [`Self::tick`] must be called next.
    pub fn due(&self) -> Option<Instant> {
        [self.alarm, self.inbox.due()].into_iter().flatten().min()
    }

    pub fn notice(&mut self, notice: WorkerNotice, say: Say) {
        match notice {
            WorkerNotice::SlotOffer(offer) => self.accept_offer(offer),
            WorkerNotice::Left(worker) => self.forget(worker),
            WorkerNotice::Message(line) => say(Output::Message(line)),
            WorkerNotice::Settled => self.ring(say),
            notice => {
                if let WorkerNotice::Fresh(worker) = notice {
                    self.prepared(worker);
                    self.renewing.remove(&worker);
                }
                let events = self.inbox.open(notice, Instant::now());
                self.worker_events(events, say);
            }
        }
    }

    /// Accepts a slot of the cluster as a worker.
    fn accept_offer(&mut self, offer: SlotOffer) {
        let Some(pool) = &mut self.pool else { return };
        let name = offer.name.clone();
        let worker = pool.accept_offer(offer);
        self.manager.on_worker_added(worker, &name);
    }

    /// Removes a lost worker that will not come back.
    fn forget(&mut self, worker: WorkerId) {
        if let Some(pool) = &mut self.pool {
            pool.forget(worker);
        }
        self.manager.on_left(worker);
    }

    /// Handles the alarm and delivers delayed reports, if due. A call before [`Self::due`] has no effect.
    pub fn tick(&mut self, say: Say) {
        let now = Instant::now();
        let rings = self.alarm.is_some_and(|alarm| alarm <= now);
        // The manager gets the waiting reports before the alarm, because it may answer the GUI at the alarm.
        if rings || self.inbox.due().is_some_and(|due| due <= now) {
            let events = self.inbox.flush(now);
            self.worker_events(events, say);
        }
        if self.alarm.is_some_and(|alarm| alarm <= now) {
            self.alarm = None;
            self.ring(say);
        }
    }

    /// Waits until `limit` at most for a notice or the next tick, handles the notice, and calls [`Self::tick`].
    pub fn step(&mut self, limit: Instant, say: Say) {
        let until = self.due().map_or(limit, |due| due.min(limit));
        if let Ok(notice) = self.inbox.notices().recv_deadline(until) {
            self.notice(notice, say);
        }
        self.tick(say);
    }

    /// Returns true if workers of a cluster may join.
    pub fn is_in_cluster(&self) -> bool {
        self.cluster().is_some()
    }

    /// Statistics on this program's use of a cluster; `None` without a cluster, or while the connection's thread is
    /// updating them.
    pub fn cluster_figures(&self) -> Option<PoolFigures> {
        self.cluster()?.figures()
    }

    fn cluster(&self) -> Option<&dyn Cluster> {
        self.pool.as_ref()?.cluster.as_deref()
    }

    /// The current master tree.
    pub fn snapshot(&self) -> Snapshot {
        self.manager.snapshot(self.now())
    }

    /// Ends all workers within [`SHUTDOWN`], plus the time that the system needs to kill processes. Leaves no processes
    /// behind.
    pub fn end(&mut self) {
        if let Some(pool) = self.pool.take() {
            pool.dismiss(Instant::now() + SHUTDOWN);
        }
    }

    fn now(&self) -> Time {
        self.epoch.elapsed()
    }

    fn worker_events(&mut self, events: Vec<WorkerEvent>, say: Say) {
        for event in events {
            let worker = event.worker();
            if !self.pool.as_ref().is_some_and(|pool| pool.contains(worker)) {
                continue;
            }
            match &event {
                WorkerEvent::Joined { .. } => {
                    self.awaited.remove(&worker);
                    self.prepared(worker);
                }
                WorkerEvent::Lost { why, for_good, .. } => {
                    if !for_good {
                        self.report_crash(worker, why, say);
                    }
                    self.preparing.retain(|&id| id != worker);
                    self.renewing.remove(&worker);
                    if self.awaited.remove(&worker) {
                        self.absent.push(why.clone());
                    }
                }
                // `scripts/cluster.py latency` uses this log line to measure the time until reports arrive.
                WorkerEvent::Report { task, .. } => log::trace!("{worker}: task {} reports", task.0),
                WorkerEvent::Ended { .. } => {}
            }
            let comes = matches!(event, WorkerEvent::Joined { .. });
            let actions = self.manager.on_worker(self.now(), event);
            self.execute(actions, say);
            if comes {
                self.dismiss_fallback(worker, say);
            }
        }
    }

    /// Counts the crashes of a restarted child engine. Reports the first crash, and each one that doubles the count.
    fn report_crash(&mut self, worker: WorkerId, why: &str, say: Say) {
        let Some(name) = self.pool.as_ref().and_then(|pool| pool.child(worker)) else { return };
        let crashes = self.crashes.entry(worker).or_default();
        *crashes += 1;
        match crashes {
            1 => say(Output::Message(format!("{name} is lost and started again: {why}"))),
            _ if crashes.is_power_of_two() => {
                say(Output::Message(format!("{name} is lost, {crashes} times so far")));
            }
            _ => {}
        }
    }

    /// Makes the manager check the clock when its alarm is due or the cluster's members have had time to join.
    fn ring(&mut self, say: Say) {
        self.tell_arrivals();
        let actions = self.manager.on_alarm(self.now());
        self.execute(actions, say);
    }

    /// Tells the manager whether more workers may still join, before the manager decides whether to wait for workers.
    fn tell_arrivals(&mut self) {
        let arrivals = self.cluster().map_or(Arrivals::Over, |cluster| cluster.arrivals());
        self.manager.on_arrivals(arrivals);
    }

    /// When `worker` joins from the cluster, dismisses the thread that searched while no other worker was present.
    fn dismiss_fallback(&mut self, worker: WorkerId, say: Say) {
        let Some(fallback) = self.pool.as_mut().and_then(|pool| pool.retire_fallback(worker)) else { return };
        self.release(fallback, say);
        if let Some(pool) = &mut self.pool {
            pool.forget(fallback);
        }
    }

    /// Removes one entry of `worker` from the list of threads that are preparing memory.
    fn prepared(&mut self, worker: WorkerId) {
        if let Some(place) = self.preparing.iter().position(|&id| id == worker) {
            self.preparing.swap_remove(place);
        }
    }

    /// Carries out actions, output first and in order: the engine's clock may run until its answer is sent, and
    /// directing many workers, or workers on other machines, takes time.
    fn execute(&mut self, mut actions: Vec<Action>, say: Say) {
        actions.sort_by_key(|action| !matches!(action, Action::Say(_)));
        for action in actions {
            match action {
                Action::Say(output) => say(output),
                Action::Alarm(time) => self.alarm = time.map(|time| self.epoch + time),
                Action::Log(level, text) => log::log!(level, "{text}"),
                action => self.direct(action),
            }
        }
    }

    /// Carries out an action that concerns workers, if there is a worker pool.
    fn direct(&mut self, action: Action) {
        let Some(pool) = &mut self.pool else { return };
        match action {
            Action::Start { worker, id, task } => {
                log::trace!("{worker}: task {} begins", id.0);
                pool.start(worker, id, task);
            }
            Action::Cancel { worker, id } => pool.tell(worker, |worker| worker.cancel(id)),
            Action::NewGame => {
                let renewals = pool.new_game();
                self.await_renewals(renewals);
            }
            Action::Kill { worker } => pool.tell(worker, |worker| worker.kill()),
            Action::Revive { worker } => pool.tell(worker, |worker| worker.revive()),
            Action::AddFallback => {
                self.preparing.push(pool.add_fallback());
                pool.names().for_each(|(id, name)| self.manager.on_worker_added(id, name));
            }
            Action::Alarm(_) | Action::Say(_) | Action::Log(..) => {}
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_beyond_the_memory_is_cut_and_reported_before_the_tables_are_taken() {
        let settings = Settings { hash_mb: 1_048_576, ..Settings::default() };
        let mut driver = Driver::new(hasami_games::GAMES.first(), settings);
        driver.room = || Some(128 << 20);
        let mut said = Vec::new();
        driver.staff(&mut |output| said.push(output));
        let text =
            "warning: Hash 1048576 is too large for this machine, which has room for 32 MiB of tables: 32 are used";
        let said = said.iter().map(|output| match output {
            Output::Message(text) => text.to_string(),
            other => format!("{other:?}"),
        });
        assert_eq!(said.filter(|text| !text.starts_with("network ")).collect::<Vec<_>>(), [text]);
        let limit = Instant::now() + Duration::from_secs(60);
        while !driver.is_staffed() && Instant::now() < limit {
            driver.step(limit, &mut |_| {});
        }
        assert!(driver.has_players());
    }
}
