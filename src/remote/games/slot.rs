//! Runs a slot's thread, which takes callers' tasks, plays one game at a time and returns the answers. The thread keeps
//! its engines while the conditions of the tasks stay the same.

use super::host::Host;
use super::running::SlotWatch;
use super::task::{Answer, AnswerContent, Conditions, EngineOrder, GamesTask};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use hasami_api::{GameRecord, Rules};
use hasami_matches::deviations::{Deviations, SetOption};
use hasami_matches::events::MatchEvent;
use hasami_matches::faults::FaultKind;
use hasami_matches::log::Log;
use hasami_matches::machine::MachineStamp;
use hasami_matches::record::stored::Stored;
use hasami_matches::runner::{GameRunner, GameSink};
use hasami_matches::schedule::Pairing;
use hasami_matches::settings::{MatchError, MatchSettings};
use hasami_matches::terms;
use hasami_protocol::client::{Settled, no_option};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// How long idle engines are kept running.
const IDLE: Duration = Duration::from_secs(10);
/// Maximum number of notes, and of faults, to send with an answer.
const MOST_NOTES: usize = 20;

pub struct SlotOrder {
    pub task: GamesTask,
    /// A flag that is set when the games are no longer wanted, shared by all orders of one match.
    pub stop: Arc<AtomicBool>,
}

/// The answer to an order; `None` if the order was stopped.
pub type SlotAnswer = Option<Answer>;

/// Serves orders until all senders of orders are gone. The current game is visible through `watch`.
pub fn serve(host: &Host, orders: &Receiver<SlotOrder>, watch: &SlotWatch, done: &dyn Fn(SlotAnswer)) {
    let mut next = orders.recv().ok();
    while let Some(order) = next.take() {
        watch.begin(&order.task);
        next = play_while_same((host, watch), order.task, &order.stop, orders, done);
    }
}

/// Plays tasks with the same engines while the conditions stay the same. Returns the first order whose conditions
/// differ.
fn play_while_same(
    (host, watch): (&Host, &SlotWatch),
    task: GamesTask,
    stop: &Arc<AtomicBool>,
    orders: &Receiver<SlotOrder>,
    done: &dyn Fn(SlotAnswer),
) -> Option<SlotOrder> {
    let conditions = task.conditions.clone();
    let settings = match host.settings(&conditions, Arc::clone(stop)) {
        Ok(settings) => settings,
        Err(why) => {
            done(Some(Answer::refusal(host.stamp(), &why)));
            return orders.recv().ok();
        }
    };
    let terms = match terms(&settings, conditions.variations) {
        Ok(terms) => terms,
        Err(why) => {
            done(Some(Answer::refusal(host.stamp(), &why)));
            return orders.recv().ok();
        }
    };
    let engines = vec![StartedEngine::default(); settings.engines.len()];
    let programs = host.programs(&conditions);
    let mut slot = Slot { host, watch, engines, programs, owner: host.owner_options(&conditions) };
    let mut runner = GameRunner::new(&settings, terms, Log::nowhere(), None);
    let mut task = task;
    loop {
        let answer = slot.play(&conditions, &settings, &mut runner, &task);
        let is_usable = matches!(&answer, Some(Answer { content: AnswerContent::Games { .. }, .. }));
        if !is_usable {
            runner.close();
        }
        done(answer);
        if !is_usable {
            return orders.recv().ok();
        }
        match orders.recv_timeout(IDLE) {
            Ok(next) if next.task.conditions == conditions && Arc::ptr_eq(&next.stop, stop) => {
                watch.begin(&next.task);
                task = next.task;
            }
            Ok(other) => {
                runner.close();
                return Some(other);
            }
            Err(RecvTimeoutError::Timeout) => {
                runner.close();
                return orders.recv().ok();
            }
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

struct Slot<'a> {
    host: &'a Host,
    watch: &'a SlotWatch,
    engines: Vec<StartedEngine>,
    /// See [`MachineStamp::programs`].
    programs: Vec<String>,
    /// Options that the owner of the machine sets, for each engine.
    owner: Vec<Vec<SetOption>>,
}

/// What an engine reported when it was started.
#[derive(Clone, Default)]
struct StartedEngine {
    own_name: String,
    settled: Settled,
}

impl Slot<'_> {
    /// Plays the games of a task. Returns `None` if the games are stopped.
    fn play(
        &mut self,
        conditions: &Conditions,
        settings: &MatchSettings,
        runner: &mut GameRunner<'_>,
        task: &GamesTask,
    ) -> SlotAnswer {
        let mut sink = Collected {
            watch: self.watch,
            engines: &mut self.engines,
            games: Vec::new(),
            faults: Vec::new(),
            notes: Vec::new(),
        };
        let played = play_games(settings, runner, task, &mut sink);
        if settings.stop.load(Relaxed) {
            return None;
        }
        let Collected { games, mut faults, notes, .. } = sink;
        faults.retain(|(engine, _, text)| !self.is_owner_s(conditions, *engine, text));
        if let Err(why) = played {
            return Some(Answer::refusal(self.host.stamp(), &why));
        }
        let machine = MachineStamp {
            scale: self.host.scale(conditions.reference_speed),
            engines: self.engines.iter().map(|engine| engine.own_name.clone()).collect(),
            programs: self.programs.clone(),
            ..self.host.stamp()
        };
        let settings = self.settings(conditions);
        Some(Answer { machine, content: AnswerContent::Games { games, faults, notes, settings } })
    }

    /// Returns true if an engine's fault is the lack of an option that only the machine's owner sets, for which the
    /// match is not to blame.
    fn is_owner_s(&self, conditions: &Conditions, engine: usize, fault: &str) -> bool {
        let asked = conditions.engines.get(engine).map_or(&[][..], |order| &order.options);
        let mut owner = self.owner.get(engine).into_iter().flatten().map(|(name, _)| name);
        owner.any(|name| *fault == no_option(name) && !asked.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)))
    }

    /// For each engine, the differences between its settings and the settings that the match requests.
    fn settings(&self, conditions: &Conditions) -> Vec<Deviations> {
        let engines = self.engines.iter().zip(&conditions.engines).zip(&self.owner);
        let found = |((started, order), owner): ((&StartedEngine, &EngineOrder), &Vec<SetOption>)| {
            Deviations::of(&started.settled).with_owner(owner, &order.options)
        };
        engines.map(found).collect()
    }
}

fn play_games(
    settings: &MatchSettings,
    runner: &mut GameRunner<'_>,
    task: &GamesTask,
    sink: &mut Collected<'_>,
) -> Result<(), MatchError> {
    let mut opening = task.opening.clone();
    let chess960 = settings.rules.chess960 || opening.start.rules.chess960;
    opening.start.rules = Rules { chess960, ..settings.rules };
    settings.catalog.check_play(&opening)?;
    for &pairing in &task.games {
        if pairing.engines.iter().any(|&engine| engine >= settings.engines.len()) {
            let why = "a game names an engine that the match does not have";
            return Err(MatchError::Failed(why.to_owned()));
        }
        runner.begin(pairing, &opening, sink)?;
        while runner.count() > 0 && !settings.stop.load(Relaxed) {
            runner.step(sink)?;
        }
    }
    Ok(())
}

struct Collected<'a> {
    watch: &'a SlotWatch,
    engines: &'a mut Vec<StartedEngine>,
    games: Vec<(u32, Stored)>,
    faults: Vec<(usize, FaultKind, String)>,
    notes: Vec<String>,
}

impl GameSink for Collected<'_> {
    fn see(&mut self, event: &MatchEvent<'_>) {
        self.watch.see(event);
        match event {
            MatchEvent::Fault { engine, kind, text } if self.faults.len() < MOST_NOTES => {
                self.faults.push((*engine, *kind, (*text).to_owned()));
            }
            MatchEvent::Note(text) | MatchEvent::Warning(text) if self.notes.len() < MOST_NOTES => {
                self.notes.push((*text).to_owned());
            }
            _ => {}
        }
    }

    fn finish(&mut self, pairing: Pairing, record: GameRecord) -> Result<(), MatchError> {
        self.games.push((pairing.game, Stored::from(&record)));
        Ok(())
    }

    fn introduce(&mut self, engine: usize, own_name: &str, settled: &Settled) {
        self.engines[engine] = StartedEngine { own_name: own_name.to_owned(), settled: settled.clone() };
    }
}
