//! Runs games: a loop over all games in progress that sleeps until an engine has moved or is overdue. Finished games
//! are passed to a [`GameSink`]: the recorder of a match, or the connection to the machine that requested the game.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod affinity;

use super::engine_pool::EnginePool;
use super::events::MatchEvent;
use super::faults::FaultKind;
use super::game::{MatchGame, Terms};
use super::lanes::Lanes;
use super::log::Log;
use super::notices::{Notices, Silence, notices};
use super::player::{PlayerEvent, PlayerId, PlayerNotice};
use super::schedule::Pairing;
use super::search::SearchInfo;
use super::settings::{MatchError, MatchSettings};
use super::talk::{OpponentNews, OpponentRequest};
use hasami_api::{Ending, GameRecord, Line, Outcome, Side};
use hasami_protocol::client::Settled;
use hasami_words::text::At;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use time::OffsetDateTime;
use time::macros::format_description;

/// A deadline missed by more than this means that the program was suspended or the machine was asleep.
const OVERSLEPT: Duration = Duration::from_millis(500);
/// Extra time after a suspension, so that pending output of the engines can be read.
const HEARING: Duration = Duration::from_secs(1);
/// The match ends after this many consecutive failures to start an engine.
const START_FAILURES: u32 = 3;

/// Receives the events and results of games.
pub trait GameSink {
    fn see(&mut self, event: &MatchEvent<'_>);
    /// Handles the record of a finished game.
    fn finish(&mut self, pairing: Pairing, record: GameRecord) -> Result<(), MatchError>;
    /// Called when a new engine process has reported its name and its options have been set.
    fn introduce(&mut self, _engine: usize, _own_name: &str, _settled: &Settled) {}
}

struct GameSlot {
    game: MatchGame,
    players: [PlayerId; 2],
    /// Whether each side's engine is ready for the game.
    ready: [bool; 2],
    /// Whether the first move request has been sent.
    begun: bool,
    /// Index of the lane with the game's processors, if `--affinity` is set.
    lane: Option<usize>,
}

/// Runs games on the thread that created the runner.
pub struct GameRunner<'a> {
    settings: &'a MatchSettings,
    terms: Arc<Terms>,
    pool: EnginePool<'a>,
    notices: Notices,
    slots: Vec<GameSlot>,
    lanes: Option<Lanes>,
    /// The engine that received extra time because its deadline passed while this program was suspended, and the
    /// deadline.
    excused: Option<(PlayerId, Instant)>,
    /// Number of consecutive failures to start, by engine.
    failures: Vec<u32>,
    /// Notes about the engines that have already been shown.
    noted: BTreeSet<String>,
    log: Log,
}

impl<'a> GameRunner<'a> {
    /// Creates a runner. `lanes` reserves processors for each game, if `--affinity` is set.
    pub fn new(settings: &'a MatchSettings, terms: Terms, log: Log, lanes: Option<Lanes>) -> Self {
        let (notice_sender, notices) = notices();
        Self {
            terms: Arc::new(terms),
            pool: EnginePool::of_match(settings, notice_sender, log.clone()),
            notices,
            slots: Vec::new(),
            lanes,
            excused: None,
            failures: vec![0; settings.engines.len()],
            noted: BTreeSet::new(),
            settings,
            log,
        }
    }

    /// Returns the number of games in progress.
    pub fn count(&self) -> usize {
        self.slots.len()
    }

    /// Drops the games in progress and dismisses their engines.
    pub fn abandon(&mut self) {
        for slot in std::mem::take(&mut self.slots) {
            slot.players.into_iter().for_each(|id| self.pool.dismiss(id));
            if let (Some(lanes), Some(lane)) = (&mut self.lanes, slot.lane) {
                lanes.give_back(lane);
            }
        }
    }

    /// Dismisses all engines and waits until they have ended.
    pub fn close(&mut self) {
        self.pool.close();
        self.log.flush();
    }

    pub fn step(&mut self, sink: &mut dyn GameSink) -> Result<(), MatchError> {
        let deadline = self.pool.deadline();
        match (self.notices.next_unless(&self.settings.stop, deadline.map(|(at, _)| at)), deadline) {
            (Ok(notice), _) => self.hear(notice, sink),
            (Err(Silence::Late), Some((at, id))) => {
                let now = Instant::now();
                if is_our_sleep(at, now) && self.excused != Some((id, at)) {
                    self.excused = Some((id, at));
                    return match self.notices.next_unless(&self.settings.stop, Some(now + HEARING)) {
                        Ok(notice) => self.hear(notice, sink),
                        Err(_) => Ok(()),
                    };
                }
                let Some(player) = self.pool.get(id) else { return Ok(()) };
                // `info` lines may have postponed the deadline without waking this thread.
                if player.deadline().is_none_or(|at| at > now) {
                    return Ok(());
                }
                let news = player.expire(now);
                self.tell_of(id, sink);
                news.map_or(Ok(()), |news| self.react(id, news, &SearchInfo::default(), sink))
            }
            // If the match continues later, interrupted games are replayed from the start.
            (Err(Silence::Stopped), _) => Ok(()),
            _ => Err("the threads of all engines have ended".to_owned().into()),
        }
    }

    fn hear(&mut self, notice: PlayerNotice, sink: &mut dyn GameSink) -> Result<(), MatchError> {
        let Some(player) = self.pool.get(notice.from) else { return Ok(()) };
        if let PlayerEvent::Gone(why) = &notice.what {
            self.log.write("match", '*', &format!("{}: {why}", self.settings.engines[player.engine].name));
        }
        let (news, search) = player.hear(notice.what, notice.at);
        self.tell_of(notice.from, sink);
        match news {
            Some(news) => self.react(notice.from, news, &search, sink),
            None => Ok(()),
        }
    }

    /// Shows the notes and protocol violations of an engine.
    fn tell_of(&mut self, id: PlayerId, sink: &mut dyn GameSink) {
        let Some(player) = self.pool.get(id) else { return };
        let (engine, odd, notes) = (player.engine, player.talk.take_odd(), player.talk.take_notes());
        odd.iter().for_each(|text| self.fault(engine, FaultKind::Breach, text, sink));
        notes.into_iter().for_each(|note| self.note(engine, note, sink));
    }

    fn fault(&mut self, engine: usize, kind: FaultKind, text: &str, sink: &mut dyn GameSink) {
        self.log.write("match", '*', &format!("{}: {text}", self.settings.engines[engine].name));
        sink.see(&MatchEvent::Fault { engine, kind, text });
    }

    /// Returns the game and the side that an engine is playing.
    fn seat(&self, id: PlayerId) -> Option<(usize, Side)> {
        let side = |slot: &GameSlot| {
            let at = slot.players.iter().position(|player| *player == id)?;
            Some(if at == 0 { Side::First } else { Side::Second })
        };
        self.slots.iter().enumerate().find_map(|(index, slot)| Some((index, side(slot)?)))
    }

    fn react(
        &mut self,
        id: PlayerId,
        news: OpponentNews,
        search: &SearchInfo,
        sink: &mut dyn GameSink,
    ) -> Result<(), MatchError> {
        let Some((index, side)) = self.seat(id) else {
            // If an idle engine fails, no game is lost.
            if matches!(news, OpponentNews::Failed { .. }) {
                self.pool.dismiss(id);
            }
            return Ok(());
        };
        match news {
            OpponentNews::Up => {
                let engine = self.slots[index].game.engine_of(side);
                self.failures[engine] = 0;
                self.introduce(id, engine, sink);
                self.check_files(id, engine)?;
                self.announce(id, sink)
            }
            OpponentNews::Ready => self.ready(index, side, sink),
            OpponentNews::Best { best, used } => {
                let Some(protocol) = self.pool.get(id).map(|player| player.talk.client.protocol()) else {
                    return Ok(());
                };
                let over = self.slots[index].game.answer(best, used, &search.infos(protocol));
                self.tell_warnings(index, sink);
                self.after(index, over, sink)
            }
            OpponentNews::Late { used } => {
                let over = self.slots[index].game.flag(used);
                self.after(index, over, sink)
            }
            OpponentNews::Odd(text) => {
                self.fault(self.slots[index].game.engine_of(side), FaultKind::Breach, &text, sink);
                Ok(())
            }
            OpponentNews::Failed { ending, why } => self.failed((index, side), ending, why, sink),
        }
    }

    fn introduce(&mut self, id: PlayerId, engine: usize, sink: &mut dyn GameSink) {
        let Some(player) = self.pool.get(id) else { return };
        let name = &self.settings.engines[engine].name;
        self.log.write("match", '*', &format!("{name} is {}", player.talk.client.name()));
        sink.introduce(engine, player.talk.client.name(), player.talk.client.settled());
    }

    /// Ends the match if an engine of this program does not use the requested network, because the result would be
    /// useless.
    fn check_files(&mut self, id: PlayerId, engine: usize) -> Result<(), MatchError> {
        let unused = self.pool.get(id).and_then(|player| player.talk.client.unused_file().map(str::to_owned));
        let name = &self.settings.engines[engine].name;
        unused.map_or(Ok(()), |why| {
            Err(format!("the engine does not use a file of its options; it says: {why}").at(name).into())
        })
    }

    /// Shows a note about an engine only once, even if several of its processes cause the note.
    fn note(&mut self, engine: usize, note: String, sink: &mut dyn GameSink) {
        let name = self.settings.engines[engine].name.as_str();
        let note = format!("{name} {note}");
        let text = note.to_string();
        if self.noted.insert(text.clone()) {
            self.log.write("match", '*', &text);
            sink.see(&MatchEvent::Warning(&note));
        }
    }

    fn tell_warnings(&mut self, index: usize, sink: &mut dyn GameSink) {
        for (side, text) in self.slots[index].game.take_warnings() {
            self.fault(self.slots[index].game.engine_of(side), FaultKind::Breach, &text, sink);
        }
    }

    /// Sets up a game from `opening`, and takes its engines from the pool.
    pub fn begin(&mut self, pairing: Pairing, opening: &Line, sink: &mut dyn GameSink) -> Result<(), MatchError> {
        let seats = pairing.engines.map(|engine| self.settings.engines[engine].clone());
        let game = MatchGame::new(pairing, seats, opening, Arc::clone(&self.terms))?;
        let players = pairing.engines.map(|engine| self.pool.take(engine));
        let lane = self.lanes.as_mut().and_then(Lanes::take);
        self.slots.push(GameSlot { game, players, ready: [false; 2], begun: false, lane });
        players.into_iter().try_for_each(|id| self.announce(id, sink))
    }

    /// Announces a game to an engine, unless the engine is still starting.
    fn announce(&mut self, id: PlayerId, sink: &mut dyn GameSink) -> Result<(), MatchError> {
        let player = self.pool.get(id).filter(|player| player.talk.client.is_up());
        match player.and_then(|player| player.new_game()) {
            Some(news) => self.react(id, news, &SearchInfo::default(), sink),
            None => Ok(()),
        }
    }

    fn ready(&mut self, index: usize, side: Side, sink: &mut dyn GameSink) -> Result<(), MatchError> {
        let slot = &mut self.slots[index];
        slot.ready[side.index()] = true;
        if slot.ready != [true; 2] {
            return Ok(());
        }
        slot.begun = true;
        self.keep_on_lane(index, sink);
        let slot = &mut self.slots[index];
        slot.game.record().began = now();
        let pairing = slot.game.pairing;
        let over = slot.game.begin();
        sink.see(&MatchEvent::Began { pairing });
        self.after(index, over, sink)
    }

    /// After a move, requests the next one or, if the game is over, finishes the game.
    fn after(&mut self, index: usize, over: bool, sink: &mut dyn GameSink) -> Result<(), MatchError> {
        if over {
            return self.finish(index, sink);
        }
        let slot = &mut self.slots[index];
        let pairing = slot.game.pairing;
        sink.see(&MatchEvent::Moved { pairing, record: slot.game.record() });
        let (mover, hit) = (slot.game.side(), slot.game.is_hit());
        if hit {
            let question = slot.game.question();
            let id = slot.players[mover.index()];
            if let Some(news) = self.pool.get(id).and_then(|player| player.ponder_hit(question)) {
                return self.react(id, news, &SearchInfo::default(), sink);
            }
        } else {
            self.ask(index);
        }
        self.ponder(index);
        Ok(())
    }

    /// Requests a move from the side to move.
    fn ask(&mut self, index: usize) {
        let game = &mut self.slots[index].game;
        let (side, question) = (game.side().index(), game.question());
        self.put(index, side, question);
    }

    fn ponder(&mut self, index: usize) {
        let game = &mut self.slots[index].game;
        let side = game.side().other().index();
        if let Some(question) = game.ponder_question() {
            self.put(index, side, question);
        }
    }

    fn put(&mut self, index: usize, side: usize, question: OpponentRequest) {
        let id = self.slots[index].players[side];
        if let Some(player) = self.pool.get(id) {
            player.ask(question);
        }
    }

    fn failed(
        &mut self,
        (index, side): (usize, Side),
        ending: Ending,
        why: String,
        sink: &mut dyn GameSink,
    ) -> Result<(), MatchError> {
        let engine = self.slots[index].game.engine_of(side);
        let name = &self.settings.engines[engine].name;
        self.log.write("match", '*', &format!("{name}: {why}"));
        if !self.slots[index].begun {
            self.failures[engine] += 1;
            if self.failures[engine] >= START_FAILURES {
                return Err(MatchError::unusable(name, &why));
            }
            self.replace(index, side);
            return Ok(());
        }
        if self.settings.stops_on_crash {
            return Err(format!("the engine failed during a game: {why}").at(name).into());
        }
        self.slots[index].game.forfeit(side, ending, &why);
        self.finish(index, sink)
    }

    /// Replaces one side's engine process with a new one.
    fn replace(&mut self, index: usize, side: Side) {
        let engine = self.slots[index].game.engine_of(side);
        self.pool.dismiss(self.slots[index].players[side.index()]);
        let id = self.pool.start(engine);
        let slot = &mut self.slots[index];
        slot.players[side.index()] = id;
        slot.ready[side.index()] = false;
    }

    /// Passes a finished game to the sink and returns its engines to the pool.
    fn finish(&mut self, index: usize, sink: &mut dyn GameSink) -> Result<(), MatchError> {
        let mut slot = self.slots.swap_remove(index);
        if let (Some(lanes), Some(lane)) = (&mut self.lanes, slot.lane) {
            lanes.give_back(lane);
        }
        let record = slot.game.record();
        record.ended = now();
        (record.event, record.site) = (self.settings.event.clone(), self.settings.site.clone());
        let record = std::mem::take(record);
        let keep = 2 * self.settings.concurrency;
        for (id, side) in slot.players.into_iter().zip([Side::First, Side::Second]) {
            if let Some(player) = self.pool.get(id) {
                player.rest(word_of(record.outcome, side));
            }
            self.pool.give_back(id, keep);
        }
        self.log.flush();
        sink.finish(slot.game.pairing, record)
    }
}

/// Returns USI's word for the result of a game: `win`, `lose` or `draw`.
fn word_of(outcome: Outcome, side: Side) -> &'static str {
    match outcome.half_points(side) {
        Some(2) => "win",
        Some(0) => "lose",
        _ => "draw",
    }
}

/// Returns the current time in UTC, such as `2026-11-28 09:30:00`.
pub(crate) fn now() -> String {
    let format = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
    OffsetDateTime::now_utc().format(&format).unwrap_or_default()
}

/// Returns whether a deadline was missed by so much that the program must have been suspended.
fn is_our_sleep(deadline: Instant, now: Instant) -> bool {
    now.saturating_duration_since(deadline) > OVERSLEPT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_missed_by_far_is_our_own_sleep() {
        let deadline = Instant::now();
        assert!(!is_our_sleep(deadline, deadline + OVERSLEPT) && !is_our_sleep(deadline + OVERSLEPT, deadline));
        assert!(is_our_sleep(deadline, deadline + 2 * OVERSLEPT));
    }
}
