//! The match: one loop over all games. It sleeps until an engine has moved or is overdue.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::engine_pool::EnginePool;
use super::events::{MatchEvent, Watcher};
use super::game::{GameSide, MatchGame, Terms};
use super::journal::MatchJournal;
use super::log::Log;
use super::notices::{Notices, Silence, notices};
use super::player::{PlayerEvent, PlayerId, PlayerNotice};
use super::record::{self, Files};
use super::scores::{FinishedGame, Scores};
use super::search::SearchInfo;
use super::settings::{MatchError, MatchSettings, OnCrash, RESTARTS};
use super::stats::{Sprt, SprtVerdict};
use super::summary::{self, Faults};
use super::talk::{OpponentNews, OpponentRequest};
use super::{chart, report, setup};
use hasami_api::{Ending, Line, Outcome, Side};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// An engine that fails to start so often in a row ends the match.
const START_FAILURES: u32 = 3;
/// The summary and the picture on the disk are so old at most, while games end.
const PUBLISHED: Duration = Duration::from_secs(10);

/// How a match ended.
pub struct Outcomes {
    pub scores: Scores,
    /// Faults of each engine that did not end a game.
    pub faults: Faults,
    /// The verdict of the SPRT, if there is one.
    pub verdict: Option<SprtVerdict>,
}

/// A game with its engines.
struct RunningGame {
    game: MatchGame,
    players: [PlayerId; 2],
    /// Has heard of the game.
    ready: [bool; 2],
    /// The first question has been asked.
    begun: bool,
    restarts: u32,
}

/// Plays the match to its end.
pub fn play(settings: &mut MatchSettings, watch: &mut Watcher<'_>) -> Result<Outcomes, MatchError> {
    settings.check()?;
    let openings = setup::read_openings(settings)?;
    let mut run = Run::open(settings, openings, watch)?;
    let outcome = run.play();
    run.hall.close();
    run.log.flush();
    if let Err(error) = outcome {
        // Nothing was played, so nothing takes the earlier journal's place.
        let is_empty = run.scores.games().is_empty();
        return Err(if is_empty { run.journal.withdraw().err().map_or(error, Into::into) } else { error });
    }
    run.publish()?;
    let verdict = run.verdict();
    Ok(Outcomes { scores: run.scores, faults: run.faults, verdict })
}

struct Run<'a, 'w> {
    settings: &'a MatchSettings,
    names: Vec<String>,
    terms: Arc<Terms>,
    openings: Vec<Line>,
    hall: EnginePool,
    notices: Notices,
    slots: Vec<RunningGame>,
    waiting: VecDeque<u32>,
    journal: MatchJournal,
    files: Files,
    scores: Scores,
    faults: Faults,
    /// Failures to start in a row, by engine.
    failures: Vec<u32>,
    /// Notes about the engines, once a process.
    noted: BTreeSet<String>,
    log: Log,
    /// When the summary and the picture were last written.
    published: Instant,
    watch: &'a mut Watcher<'w>,
}

impl<'a, 'w> Run<'a, 'w> {
    fn open(settings: &'a MatchSettings, openings: Vec<Line>, watch: &'a mut Watcher<'w>) -> Result<Self, MatchError> {
        let log = match &settings.log {
            None => Log::nowhere(),
            Some(path) => Log::create(path).map_err(|e| MatchError(format!("--log {}: {e}", path.display())))?,
        };
        // What cannot be had is found out before an earlier journal makes room.
        let terms = Arc::new(setup::terms(settings)?);
        Files::open(settings.catalog, &settings.records, &setup::lengths(settings)).map_err(MatchError)?;
        let (journal, header, games) = setup::open_journal(settings, watch)?;
        let mut files = Files::open(settings.catalog, &settings.records, &header.lengths).map_err(MatchError)?;
        let mut scores = Scores::new(settings.pairs());
        let total = settings.schedule.total();
        let mut done = BTreeSet::new();
        for (game, mut record) in games {
            if game >= total {
                return Err(MatchError(format!("journal: expected at most {total} games, found game {}", game + 1)));
            }
            done.insert(game);
            (record.event, record.site) = (settings.event.clone(), settings.site.clone());
            let pairing = settings.schedule.game(game);
            scores.add(FinishedGame { pairing, outcome: record.outcome, ending: record.ending });
            watch(&MatchEvent::Earlier { pairing, record: &record }, &scores);
            files.add(game, &record).map_err(MatchError)?;
        }
        let (teller, notices) = notices();
        let run = Self {
            names: settings.engines.iter().map(|spec| spec.name.clone()).collect(),
            terms,
            hall: EnginePool::new(settings, teller, log.clone()),
            waiting: (0..total).filter(|game| !done.contains(game)).collect(),
            slots: Vec::new(),
            faults: vec![0; settings.engines.len()],
            failures: vec![0; settings.engines.len()],
            noted: BTreeSet::new(),
            settings,
            openings,
            notices,
            journal,
            files,
            scores,
            log,
            published: Instant::now(),
            watch,
        };
        (run.watch)(&MatchEvent::Opened { done: done.len() as u32, total }, &run.scores);
        Ok(run)
    }

    fn play(&mut self) -> Result<(), MatchError> {
        loop {
            if self.is_decided() || self.settings.stop.load(Relaxed) {
                return Ok(());
            }
            while self.slots.len() < self.settings.concurrency
                && let Some(game) = self.waiting.pop_front()
            {
                self.begin(game)?;
            }
            if self.slots.is_empty() {
                return Ok(());
            }
            self.step()?;
        }
    }

    /// Waits for one thing to happen, and reacts to it.
    fn step(&mut self) -> Result<(), MatchError> {
        let deadline = self.hall.deadline();
        match (self.notices.next_unless(&self.settings.stop, deadline.map(|(at, _)| at)), deadline) {
            (Ok(notice), _) => self.hear(notice),
            (Err(Silence::Late), Some((_, id))) => {
                let Some(player) = self.hall.get(id) else { return Ok(()) };
                let now = Instant::now();
                // Lines of a search wake nobody; they may have put the deadline off.
                if player.deadline().is_none_or(|at| at > now) {
                    return Ok(());
                }
                let news = player.expire(now);
                self.react(id, news, &SearchInfo::default())
            }
            // The games under way are played anew when the match goes on.
            (Err(Silence::Stopped), _) => Ok(()),
            _ => Err(MatchError("expected engines, found that all their threads have ended".into())),
        }
    }

    fn hear(&mut self, notice: PlayerNotice) -> Result<(), MatchError> {
        let Some(player) = self.hall.get(notice.from) else { return Ok(()) };
        if let PlayerEvent::Gone(why) = &notice.what {
            self.log.write("match", '*', &format!("{}: {why}", self.settings.engines[player.engine].name));
        }
        let (news, search) = player.hear(notice.what, notice.at);
        let (engine, odd, notes) = (player.engine, player.take_odd(), player.take_notes());
        odd.iter().for_each(|text| self.fault(engine, text));
        notes.iter().for_each(|text| self.note(engine, text));
        match news {
            Some(news) => self.react(notice.from, news, &search),
            None => Ok(()),
        }
    }

    fn fault(&mut self, engine: usize, text: &str) {
        self.faults[engine] += 1;
        self.log.write("match", '*', &format!("{}: {text}", self.names[engine]));
        (self.watch)(&MatchEvent::Fault { engine, text }, &self.scores);
    }

    /// The slot and the side of an engine that plays.
    fn seat(&self, id: PlayerId) -> Option<(usize, Side)> {
        let side = |slot: &RunningGame| {
            let at = slot.players.iter().position(|player| *player == id)?;
            Some(if at == 0 { Side::First } else { Side::Second })
        };
        self.slots.iter().enumerate().find_map(|(index, slot)| Some((index, side(slot)?)))
    }

    fn react(&mut self, id: PlayerId, news: OpponentNews, search: &SearchInfo) -> Result<(), MatchError> {
        let Some((index, side)) = self.seat(id) else {
            // An idle engine that ends is not missed.
            if matches!(news, OpponentNews::Failed { .. }) {
                self.hall.dismiss(id);
            }
            return Ok(());
        };
        match news {
            OpponentNews::Up => {
                let engine = self.slots[index].game.engine_of(side);
                self.failures[engine] = 0;
                self.introduce(id, engine);
                self.announce(id)
            }
            OpponentNews::Ready => self.ready(index, side),
            OpponentNews::Best { best, used } => {
                let Some(protocol) = self.hall.get(id).map(|player| player.protocol()) else { return Ok(()) };
                let over = self.slots[index].game.answer(best, used, &search.infos(protocol));
                self.tell_warnings(index);
                self.after(index, over)
            }
            OpponentNews::Late { used } => {
                let over = self.slots[index].game.flag(used);
                self.after(index, over)
            }
            OpponentNews::Odd(text) => {
                self.fault(self.slots[index].game.engine_of(side), &text);
                Ok(())
            }
            OpponentNews::Failed { ending, why } => self.failed(index, side, ending, &why),
        }
    }

    fn introduce(&mut self, id: PlayerId, engine: usize) {
        let Some(player) = self.hall.get(id) else { return };
        self.log.write("match", '*', &format!("{} is {}", self.names[engine], player.own_name()));
    }

    /// Notes about an engine, once for all its processes.
    fn note(&mut self, engine: usize, note: &str) {
        let text = format!("{} {note}", self.names[engine]);
        if self.noted.insert(text.clone()) {
            self.log.write("match", '*', &text);
            (self.watch)(&MatchEvent::Note(&text), &self.scores);
        }
    }

    fn tell_warnings(&mut self, index: usize) {
        for (side, text) in self.slots[index].game.take_warnings() {
            self.fault(self.slots[index].game.engine_of(side), &text);
        }
    }

    /// Takes a game from the schedule and seats its engines.
    fn begin(&mut self, number: u32) -> Result<(), MatchError> {
        let pairing = self.settings.schedule.game(number);
        let opening = &self.openings[pairing.opening.unwrap_or(0)];
        let seats = pairing.engines.map(|engine| self.seat_for(engine));
        let game = MatchGame::new(pairing, seats, opening, Arc::clone(&self.terms)).map_err(MatchError)?;
        let players = pairing.engines.map(|engine| self.hall.take(engine));
        self.slots.push(RunningGame { game, players, ready: [false; 2], begun: false, restarts: 0 });
        players.into_iter().try_for_each(|id| self.announce(id))
    }

    fn seat_for(&self, engine: usize) -> GameSide {
        let spec = &self.settings.engines[engine];
        GameSide {
            name: spec.name.clone(),
            protocol: spec.protocol.unwrap_or(self.settings.catalog.dialect().protocol()),
            control: spec.control.clone(),
            ponder: spec.ponder,
            virtual_clock: spec.virtual_clock,
        }
    }

    /// Tells an engine of its game, unless it is still coming up.
    fn announce(&mut self, id: PlayerId) -> Result<(), MatchError> {
        let player = self.hall.get(id).filter(|player| player.is_up());
        match player.and_then(|player| player.new_game()) {
            Some(news) => self.react(id, news, &SearchInfo::default()),
            None => Ok(()),
        }
    }

    fn ready(&mut self, index: usize, side: Side) -> Result<(), MatchError> {
        let slot = &mut self.slots[index];
        slot.ready[side.index()] = true;
        if slot.begun {
            // It came back into a game that goes on.
            if slot.game.side() == side {
                self.ask(index);
            }
            return Ok(());
        }
        if slot.ready != [true; 2] {
            return Ok(());
        }
        slot.begun = true;
        slot.game.record().began = now();
        let pairing = slot.game.pairing;
        let over = slot.game.begin();
        (self.watch)(&MatchEvent::Began { pairing }, &self.scores);
        self.after(index, over)
    }

    /// A move has been made, or the game is over.
    fn after(&mut self, index: usize, over: bool) -> Result<(), MatchError> {
        if over {
            return self.finish(index);
        }
        let slot = &mut self.slots[index];
        let pairing = slot.game.pairing;
        (self.watch)(&MatchEvent::Moved { pairing, record: slot.game.record() }, &self.scores);
        let (mover, hit) = (slot.game.side(), slot.game.is_hit());
        if hit {
            let question = slot.game.question();
            let id = slot.players[mover.index()];
            if let Some(news) = self.hall.get(id).and_then(|player| player.ponder_hit(question)) {
                return self.react(id, news, &SearchInfo::default());
            }
        } else {
            self.ask(index);
        }
        self.ponder(index);
        Ok(())
    }

    /// Asks the side to move, if it is there.
    fn ask(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let side = slot.game.side().index();
        if slot.ready[side] {
            let question = slot.game.question();
            self.put(index, side, question);
        }
    }

    fn ponder(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let side = slot.game.side().other().index();
        if let Some(question) = slot.game.ponder_question().filter(|_| slot.ready[side]) {
            self.put(index, side, question);
        }
    }

    fn put(&mut self, index: usize, side: usize, question: OpponentRequest) {
        let id = self.slots[index].players[side];
        if let Some(player) = self.hall.get(id) {
            player.ask(question);
        }
    }

    /// An engine of a game is of no use any more.
    fn failed(&mut self, index: usize, side: Side, ending: Ending, why: &str) -> Result<(), MatchError> {
        let engine = self.slots[index].game.engine_of(side);
        let name = &self.names[engine];
        self.log.write("match", '*', &format!("{name}: {why}"));
        if !self.slots[index].begun {
            self.failures[engine] += 1;
            if self.failures[engine] >= START_FAILURES {
                let kind = if self.settings.engines[engine].virtual_clock {
                    "an engine that starts and knows the command 'virtual', as hasami does"
                } else {
                    "an engine that starts"
                };
                return Err(MatchError(format!("{name}: expected {kind}, found: {why}")));
            }
            self.replace(index, side);
            return Ok(());
        }
        match self.settings.on_crash {
            OnCrash::Stop => Err(MatchError(format!("{name}: expected an engine that plays on, found: {why}"))),
            OnCrash::Restart if self.slots[index].restarts < RESTARTS => {
                self.slots[index].restarts += 1;
                self.fault(engine, &format!("{why}; started again"));
                self.replace(index, side);
                Ok(())
            }
            OnCrash::Restart | OnCrash::Forfeit => {
                self.slots[index].game.forfeit(side, ending, why);
                self.finish(index)
            }
        }
    }

    /// Seats a new process of the same engine.
    fn replace(&mut self, index: usize, side: Side) {
        let engine = self.slots[index].game.engine_of(side);
        self.hall.dismiss(self.slots[index].players[side.index()]);
        let id = self.hall.start(engine);
        let slot = &mut self.slots[index];
        slot.players[side.index()] = id;
        slot.ready[side.index()] = false;
    }

    /// Records a finished game: the journal first, everything else can be made from it.
    fn finish(&mut self, index: usize) -> Result<(), MatchError> {
        let mut slot = self.slots.swap_remove(index);
        let record = slot.game.record();
        record.ended = now();
        (record.event, record.site) = (self.settings.event.clone(), self.settings.site.clone());
        let record = std::mem::take(record);
        let keep = 2 * self.settings.concurrency;
        for (id, side) in slot.players.into_iter().zip([Side::First, Side::Second]) {
            if let Some(player) = self.hall.get(id) {
                player.rest(word_of(record.outcome, side));
            }
            self.hall.give_back(id, keep);
        }
        let pairing = slot.game.pairing;
        self.journal.add(pairing.game, &record).map_err(|error| MatchError(error.to_string()))?;
        self.files.add(pairing.game, &record).map_err(MatchError)?;
        self.scores.add(FinishedGame { pairing, outcome: record.outcome, ending: record.ending });
        self.log.flush();
        (self.watch)(&MatchEvent::Finished { pairing, record: &record }, &self.scores);
        if self.published.elapsed() >= PUBLISHED { self.publish() } else { Ok(()) }
    }

    fn verdict(&self) -> Option<SprtVerdict> {
        let sprt = self.settings.sprt.as_ref()?;
        Some(sprt.verdict(sprt.llr(&self.scores.between(0, 1), self.scores.has_pairs())))
    }

    fn is_decided(&self) -> bool {
        self.verdict().is_some_and(|verdict| verdict != SprtVerdict::GoOn)
    }

    /// Writes the summary and the picture.
    fn publish(&mut self) -> Result<(), MatchError> {
        self.published = Instant::now();
        let sprt = self.settings.sprt.as_ref();
        if let Some(path) = &self.settings.json {
            let value = summary::summary(&self.settings.plan(), &self.names, &self.scores, sprt, &self.faults);
            let text = format!("{value:#}\n");
            record::replace(path, &text).map_err(|error| MatchError(format!("--json {}: {error}", path.display())))?;
        }
        if let Some(path) = &self.settings.svg {
            let text = chart::draw(&self.names, &self.scores, sprt) + "\n";
            record::replace(path, &text).map_err(|error| MatchError(format!("--svg {}: {error}", path.display())))?;
        }
        Ok(())
    }
}

/// The word with which USI tells an engine the end.
fn word_of(outcome: Outcome, side: Side) -> &'static str {
    match outcome.half_points(side) {
        Some(2) => "win",
        Some(0) => "lose",
        _ => "draw",
    }
}

/// UTC, to the second.
fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// The figures of a match, for the end and for every so many games.
pub fn results(names: &[String], sprt: Option<&Sprt>, scores: &Scores) -> Vec<String> {
    report::block(names, scores, sprt)
}

/// One short line of them.
pub fn short_results(names: &[String], sprt: Option<&Sprt>, scores: &Scores) -> String {
    report::short(names, scores, sprt)
}
