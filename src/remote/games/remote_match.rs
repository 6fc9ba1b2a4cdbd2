//! Plays a match on other machines. The local journal records the finished games, and the queue only carries games that
//! the journal lacks. A caller may be killed and restarted, and an answer that arrives twice is counted once.

use super::known_machines::KnownMachines;
pub use super::match_place::MatchPlace;
use super::queue::asking::{Asker, AskerEvent, Receipt};
use super::task::{Answer, AnswerContent, Conditions, GamesTask};
use crate::cluster::{Access, machine};
use crossbeam_channel::RecvTimeoutError;
use hasami_api::{GameRecord, Line};
use hasami_catalog::Oracle;
use hasami_matches::contradiction::{ExpectedGame, Tables};
use hasami_matches::deviations::Deviations;
use hasami_matches::events::{MatchEvent, Watcher};
use hasami_matches::read_openings;
use hasami_matches::record::stored::Stored;
use hasami_matches::recorder::{MatchRecorder, Outcomes, RecordedGame};
use hasami_matches::runner::GameSink;
use hasami_matches::schedule::{Pairing, Schedule};
use hasami_matches::settings::{MatchError, MatchSettings};
use hasami_protocol::client::SAYS;
use hasami_words::text::At;
use hasami_words::{Message, heard};
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Maximum time until a user's stop request is noticed.
const GLANCE: Duration = Duration::from_millis(300);
/// Interval at which the caller checks whether the queue holds the tasks that it should hold.
const LOOK: Duration = Duration::from_secs(10);
/// Interval at which the match's page updates the state of the queue and of the machines.
const SHOWN: Duration = Duration::from_secs(2);
/// Maximum number of events to handle before their games are written to the journal.
const AT_ONCE: usize = 128;
/// Maximum number of tasks to publish at once.
const MOST_ASKED: usize = 2_048;
/// The queue is refilled when one in `PART` of its tasks is missing. Refilling the queue more often would cost time,
/// since the search for the next tasks goes through all tasks.
const PART: usize = 16;
/// Maximum number of engine complaints to show.
const MOST_COMPLAINTS: usize = 10;
/// Number of consecutive refusals, without a game in between, after which the match ends.
const MOST_REFUSALS: u32 = 5;
/// Number of consecutive answers with games that cannot belong to the match, after which the match ends, since a
/// machine that sends one false answer may send many.
const MOST_FALSE_ANSWERS: u32 = 20;

/// The machines that play games, and the conditions for using them.
#[derive(Clone)]
pub struct Machines {
    pub access: Access,
    /// Weight of this match when machines are shared among several matches.
    pub weight: u32,
    /// The speed, in nodes per second, of a machine that needs no scaling of times.
    pub reference_speed: Option<u64>,
    /// Names of machines whose games are not wanted.
    pub without: Vec<String>,
}

/// Plays a whole match on other machines.
pub fn play(
    settings: &mut MatchSettings,
    machines: &Machines,
    watch: &mut Watcher<'_>,
) -> Result<Outcomes, MatchError> {
    settings.check()?;
    check(settings)?;
    let openings = read_openings(settings)?;
    let place = MatchPlace::new(settings, machines)?;
    let settings = &*settings;
    let mut recorder = MatchRecorder::open(settings, &openings, None, watch)?;
    let id = format!("{:016x}", recorder.id());
    let outcome = RemoteGames::open(machines, &id, place).and_then(|mut games| {
        let played = games.play(settings, &openings, &mut recorder, 0);
        // A caller that ends normally removes its tasks from the queue, while a killed caller leaves them there, so
        // that it can resume.
        games.remove();
        played
    });
    recorder.close(outcome)
}

/// Refuses settings that are meaningless on other machines.
fn check(settings: &MatchSettings) -> Result<(), MatchError> {
    let refused = |what: &str| Err(format!("{what} cannot be combined with --machines").into());
    if settings.log.is_some() {
        return refused("--log");
    }
    if settings.stops_on_crash {
        return refused("--on-crash stop");
    }
    if settings.affinity.is_some() {
        return refused("--affinity");
    }
    if settings.engines.iter().any(|spec| spec.virtual_clock || !spec.offers.is_empty()) {
        return refused("clock=virtual or --connect");
    }
    Ok(())
}

/// The games in the queue: those of one match, or of all iterations of a tuning run.
pub struct RemoteGames {
    asker: Asker,
    conditions: Conditions,
    known: KnownMachines,
    /// Engine complaints that have been reported.
    complaints: BTreeSet<String>,
    /// The options that are being tuned.
    tuned: Vec<String>,
    /// Number of consecutive refusals without a game in between.
    refusals: u32,
    false_answers: u32,
}

/// Games that have arrived but are not in the journal yet, and the receipts to acknowledge once they are.
#[derive(Default)]
struct AnsweredGames {
    games: Vec<RecordedGame>,
    receipts: Vec<Receipt>,
}

/// Games that are not in the journal yet, by the key of their task in the queue.
type Missing = BTreeMap<u64, Vec<Pairing>>;

/// The match and its missing games.
struct WantedGames<'a> {
    settings: &'a MatchSettings,
    openings: &'a [Line],
    missing: Missing,
    /// The endgame tables of the match, if this machine has them too.
    oracle: Option<Box<dyn Oracle>>,
}

impl WantedGames<'_> {
    /// Returns the games of an answer, or none if the games are already known. Returns an error if the games are not
    /// the requested ones.
    fn games_of(
        &self,
        key: u64,
        games: &[(u32, Stored)],
        recorder: &MatchRecorder<'_, '_>,
    ) -> Result<Vec<(Pairing, GameRecord)>, String> {
        let own = recorder.endings();
        let restored = self.missing.get(&key).into_iter().flatten().map(|&pairing| {
            let (_, stored) = games.iter().find(|(game, _)| *game == pairing.game)?;
            Some((pairing, stored.restore(own)?))
        });
        let games: Option<Vec<_>> = restored.collect();
        let games = games.ok_or("the games are not those that were asked for")?;
        self.contradiction(&games).map_or(Ok(games), Err)
    }

    fn tables(&self) -> Tables<'_> {
        match &self.oracle {
            Some(oracle) => Tables::Here(&**oracle),
            None if self.settings.tables.is_empty() => Tables::None,
            None => Tables::Elsewhere,
        }
    }

    /// Returns why `games` cannot belong to the match, or `None` if nothing is wrong with them.
    fn contradiction(&self, games: &[(Pairing, GameRecord)]) -> Option<String> {
        let name = |engine: usize| self.settings.engines[engine].name.as_str();
        games.iter().find_map(|(pairing, record)| {
            let game = ExpectedGame {
                catalog: self.settings.catalog,
                rules: self.settings.adjudication,
                opening: &self.openings[pairing.opening.unwrap_or(0)],
                players: pairing.engines.map(name),
                tables: self.tables(),
            };
            let why = game.contradiction(record)?;
            Some(format!("game {}: {why}", pairing.game + 1))
        })
    }
}

/// What the caller knows about the queue.
#[derive(Default)]
struct QueueState {
    /// Whether the queue has been checked at least once.
    is_known: bool,
    /// Tasks that have been published, by this process or by an earlier one.
    asked: BTreeSet<u64>,
    /// Published tasks that were not on the server at the last check.
    unseen: BTreeSet<u64>,
}

impl QueueState {
    /// Compares the tasks with the keys on the server. A task that is missing at two consecutive checks is neither on
    /// the server nor on its way to the server, so the task is published again.
    fn compare(&mut self, keys: BTreeSet<u64>, missing: &Missing) {
        if !std::mem::replace(&mut self.is_known, true) {
            self.asked = keys;
            self.asked.retain(|key| missing.contains_key(key));
            return;
        }
        let is_away = |key: &&u64| self.asked.contains(key) && !keys.contains(key);
        let away: BTreeSet<u64> = missing.keys().filter(is_away).copied().collect();
        for key in away.intersection(&self.unseen) {
            self.asked.remove(key);
        }
        self.unseen = away;
    }
}

impl RemoteGames {
    pub fn open(machines: &Machines, id: &str, place: MatchPlace) -> Result<Self, MatchError> {
        let known = KnownMachines::of(id, &place.card, Instant::now());
        let asker = Asker::open(&machines.access, id.to_owned(), place.card)?;
        Ok(Self {
            asker,
            conditions: place.conditions,
            known,
            complaints: BTreeSet::new(),
            tuned: Vec::new(),
            refusals: 0,
            false_answers: 0,
        })
    }

    /// Sets the names of the options that are being tuned. Tuning ends if a machine cannot set one of the options.
    #[must_use]
    pub fn tuning(self, tuned: Vec<String>) -> Self {
        Self { tuned, ..self }
    }

    /// Prepares the next iteration of a tuning run, in which the engines have other option values.
    pub fn set_place(&mut self, place: MatchPlace) {
        self.conditions = place.conditions;
    }

    /// Deletes this match from the queue.
    pub fn remove(&self) {
        self.asker.remove();
    }

    /// Plays all games that are missing from the journal. Task keys start at `first`.
    pub fn play(
        &mut self,
        settings: &MatchSettings,
        openings: &[Line],
        recorder: &mut MatchRecorder<'_, '_>,
        first: u64,
    ) -> Result<(), MatchError> {
        let oracle = settings.catalog.oracle(&settings.tables).ok().filter(|_| !settings.tables.is_empty());
        let mut wanted = WantedGames { settings, openings, missing: Missing::new(), oracle };
        for pairing in recorder.missing().map(|game| settings.schedule.game(game)) {
            wanted.missing.entry(first + u64::from(pairing.group)).or_default().push(pairing);
        }
        let groups = (0..settings.schedule.total()).map(|game| settings.schedule.game(game).group);
        let total = groups.collect::<BTreeSet<u32>>().len();
        let mut state = QueueState::default();
        let (mut looked, mut shown) = (None, None);
        let is_due = |at: &mut Option<Instant>, period: Duration| {
            let is_due = at.is_none_or(|at| at.elapsed() >= period);
            if is_due {
                *at = Some(Instant::now());
            }
            is_due
        };
        while !wanted.missing.is_empty() && !recorder.is_decided() && !settings.stop.load(Relaxed) {
            if is_due(&mut looked, LOOK) {
                self.asker.look();
            }
            if state.is_known {
                self.ask(&wanted, &mut state.asked);
            }
            if is_due(&mut shown, SHOWN) {
                self.known.look(Instant::now()).into_iter().for_each(|line| recorder.note(line));
                if self.known.has_heard_all(Instant::now()) {
                    self.known.strange_names().into_iter().for_each(|line| recorder.warn(line));
                }
                // `played` is limited because, by the time it is shown, short games may be over and their machines may
                // already be playing the next ones.
                let played = self.known.running().count().min(state.asked.len());
                let counts = [played, state.asked.len() - played, total - wanted.missing.len(), total];
                recorder.show_machines(&self.lines(&settings.schedule, counts));
            }
            match self.asker.events.recv_timeout(GLANCE) {
                Ok(event) => self.hear_some(event, &mut wanted, &mut state, recorder)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err("the thread of the queue has ended".to_owned().into());
                }
            }
        }
        // A short match may end before all machines have announced themselves.
        self.known.strange_names().into_iter().for_each(|line| recorder.warn(line));
        // Once the match has ended, its page shows no tasks as being played or waiting.
        recorder.show_machines(&self.lines(&settings.schedule, [0, 0, total - wanted.missing.len(), total]));
        Ok(())
    }

    /// Handles `event` and further events that have already arrived, and writes the games of all of them together,
    /// since every write waits for the disk.
    fn hear_some(
        &mut self,
        first: AskerEvent,
        wanted: &mut WantedGames<'_>,
        state: &mut QueueState,
        recorder: &mut MatchRecorder<'_, '_>,
    ) -> Result<(), MatchError> {
        let (mut news, mut heard) = (AnsweredGames::default(), Ok(()));
        let mut next = Some(first);
        for left in (0..AT_ONCE).rev() {
            let Some(event) = next.take().filter(|_| heard.is_ok()) else { break };
            heard = self.hear(event, wanted, state, recorder, &mut news);
            next = if left > 0 { self.asker.events.try_recv().ok() } else { None };
        }
        recorder.add(news.games)?;
        news.receipts.into_iter().for_each(|receipt| self.asker.done(receipt));
        heard
    }

    fn hear(
        &mut self,
        event: AskerEvent,
        wanted: &mut WantedGames<'_>,
        state: &mut QueueState,
        recorder: &mut MatchRecorder<'_, '_>,
        news: &mut AnsweredGames,
    ) -> Result<(), MatchError> {
        match event {
            AskerEvent::Answer(key, bytes, receipt) => {
                let answered = self.answer((key, &bytes), wanted, recorder, news);
                news.receipts.push(receipt);
                answered?;
                if !wanted.missing.contains_key(&key) {
                    state.asked.remove(&key);
                }
            }
            AskerEvent::Outstanding(keys) => state.compare(keys, &wanted.missing),
            AskerEvent::Lender(news) => {
                self.known.update(news, Instant::now()).into_iter().for_each(|line| recorder.note(line));
            }
            AskerEvent::Up(is_up) => {
                recorder.note(if is_up { "reconnected to the server" } else { "lost the connection to the server" });
            }
        }
        Ok(())
    }

    /// Describes the state of the queue and of the machines in lines for the match's page.
    fn lines(&self, schedule: &Schedule, [played, waiting, over, total]: [usize; 4]) -> Vec<Message> {
        std::iter::once(
            Message::new("queue-state")
                .with("repeats", u64::from(schedule.repeats))
                .with("over", over)
                .with("total", total)
                .with("played", played)
                .with("waiting", waiting),
        )
        .chain(self.known.lines())
        .collect()
    }

    /// Returns why a machine whose engines deviate by `settings` cannot take part in tuning.
    fn untunable(&self, settings: &[Deviations]) -> Option<String> {
        let is_tuned = |name: &&String| self.tuned.iter().any(|tuned| tuned.eq_ignore_ascii_case(name));
        settings.iter().find_map(|found| {
            let (unset, beyond) = (found.unset.iter().find(is_tuned), found.beyond.iter().find(is_tuned));
            let owned = found.owner.iter().map(|(name, _)| name).find(is_tuned);
            unset
                .map(|name| format!("the engine has no option {name}"))
                .or_else(|| Some(format!("the engine does not take all values of the range of {}", beyond?)))
                .or_else(|| Some(format!("the owner of the machine sets {}", owned?)))
        })
    }

    /// Keeps enough tasks in the queue that no machine has to wait.
    fn ask(&self, wanted_games: &WantedGames<'_>, asked: &mut BTreeSet<u64>) {
        let WantedGames { openings, missing, .. } = wanted_games;
        let wanted = self.known.wanted();
        let room = wanted.saturating_sub(asked.len()).min(MOST_ASKED);
        if room < wanted.div_ceil(PART).min(MOST_ASKED) || asked.len() >= missing.len() {
            return;
        }
        let next: Vec<_> = missing.iter().filter(|(key, _)| !asked.contains(key)).take(room).collect();
        let task = |games: &[Pairing]| {
            let opening = games[0].opening.unwrap_or(0);
            let task = GamesTask {
                conditions: self.conditions.clone(),
                opening: openings[opening].clone(),
                games: games.iter().map(|&pairing| Pairing { opening: None, ..pairing }).collect(),
            };
            serde_json::to_vec(&task)
        };
        let tasks: Vec<_> = next.into_iter().filter_map(|(&key, games)| Some((key, task(games).ok()?))).collect();
        asked.extend(tasks.iter().map(|(key, _)| *key));
        if !tasks.is_empty() {
            self.asker.ask(tasks);
        }
    }

    fn answer(
        &mut self,
        (key, bytes): (u64, &[u8]),
        wanted: &mut WantedGames<'_>,
        recorder: &mut MatchRecorder<'_, '_>,
        news: &mut AnsweredGames,
    ) -> Result<(), MatchError> {
        let answer: Answer = match serde_json::from_slice(bytes) {
            Ok(answer) => answer,
            Err(error) => {
                recorder.note(format!("an answer that cannot be read: {error}"));
                return Ok(());
            }
        };
        let machine = answer.machine;
        self.known.has_answered(&machine.name);
        match answer.content {
            AnswerContent::Refused(why) => {
                let why = heard(&why);
                recorder.note(format!("{} plays no games of this match: {why}", machine.name));
                self.refusals += 1;
                if self.refusals >= MOST_REFUSALS { Err(self.no_machine(why)) } else { Ok(()) }
            }
            AnswerContent::Games { games, faults, notes, settings } => {
                if let Some(why) = self.untunable(&settings) {
                    let name = &machine.name;
                    return Err(format!("{why} on {name}; leave the machine out (--without {name})").into());
                }
                let games = match wanted.games_of(key, &games, recorder) {
                    Ok(games) => games,
                    // The rejected games are played again after the next check of the queue.
                    Err(why) => {
                        recorder.add_false_answer(&machine, &why);
                        self.false_answers += 1;
                        let is_enough = self.false_answers >= MOST_FALSE_ANSWERS;
                        return if is_enough { Err(self.no_machine(why)) } else { Ok(()) };
                    }
                };
                // `games` is empty if the games are already known.
                if !games.is_empty() {
                    wanted.missing.remove(&key);
                    for (engine, kind, text) in &faults {
                        let text = &heard(text);
                        recorder.see(&MatchEvent::Fault { engine: *engine, kind: *kind, text });
                    }
                    for note in &notes {
                        self.hear_note(&machine.name, note, wanted.settings, recorder);
                    }
                    for (engine, found) in settings.into_iter().take(wanted.settings.engines.len()).enumerate() {
                        recorder.note_deviations(engine, &machine.name, found);
                    }
                    let machine = Some(Arc::new(machine));
                    let game = |(pairing, record)| RecordedGame { pairing, record, machine: machine.clone() };
                    news.games.extend(games.into_iter().map(game));
                }
                (self.refusals, self.false_answers) = (0, 0);
                Ok(())
            }
        }
    }

    /// Shows a machine's note. An engine's complaint, such as `new says: ...`, is shown as a warning, only once for all
    /// machines.
    fn hear_note(&mut self, machine: &str, note: &str, settings: &MatchSettings, recorder: &mut MatchRecorder<'_, '_>) {
        let of_engine = |name: &str| note.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        let mut rests = settings.engines.iter().filter_map(|engine| of_engine(&engine.name));
        if !rests.any(|rest| rest.starts_with(SAYS)) {
            recorder.note_once(heard(note));
        } else if self.complaints.len() < MOST_COMPLAINTS && self.complaints.insert(note.to_owned()) {
            recorder.warn(heard(note).at(machine));
        }
    }

    fn no_machine(&self, why: String) -> MatchError {
        let count = self.refusals.max(self.false_answers);
        format!("the machines have failed to play {count} times: {why}").into()
    }
}

/// The name of a match in the queue. The same file and plan on this machine always give the same name, so that
/// repeating a command resumes its match.
pub fn queue_name(path: &Path, plan: &str) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut hasher = DefaultHasher::new();
    (machine(), whole, plan).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
