//! The conversation with one engine of a match: an [`EngineClient`] with deadlines. The module performs no I/O: the
//! caller passes replies and times, and receives events and lines to send.
//!
//! The clock starts with `go`, so that the time of one player is never charged to the other. In UCI, `go` follows the
//! answer to an `isready`; in USI, where `isready` begins a game, `go` follows the position immediately.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hasami_api::{Ending, Line};
use hasami_protocol::client::{ClientEvent, EngineClient, EngineConfig, Owed, Reply, SearchId};
use hasami_protocol::{BestMove, Go};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Time limits for the answers of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Patience {
    /// Time limit from the start of the process to the first `readyok`, or between two lines of output while the engine
    /// starts.
    pub start: Duration,
    /// Time limit for preparing a new game.
    pub new_game: Duration,
    /// Time limit for the answer to the `isready` between `position` and `go` (UCI).
    pub ping: Duration,
    /// Time limit from `stop` to `bestmove`.
    pub stop: Duration,
    /// Time limit between two lines of output during a search without a clock.
    pub silence: Duration,
    /// Time limit for a whole search without a clock, even if the engine prints lines.
    pub search: Duration,
}

/// Default of [`Patience::search`]: a search by nodes or depth that takes longer counts as endless.
pub const LONGEST_SEARCH: Duration = Duration::from_secs(3600);

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        let long = seconds(120);
        Self { start: long, new_game: long, ping: long, stop: seconds(5), silence: long, search: LONGEST_SEARCH }
    }
}

/// Lower bound of all time limits in a virtual cluster, where little virtual time may take long in real time.
const VIRTUAL: Duration = Duration::from_secs(24 * 3600);

impl Patience {
    /// Returns the limits for a virtual cluster, where one machine works for many workers, and an engine may have to
    /// wait even when it ponders. The limits `start` and `stop` remain unchanged.
    pub fn with_virtual_clock(self) -> Self {
        let at_least = |time: Duration| time.max(VIRTUAL);
        let Self { start, new_game, ping, stop, silence, search } = self;
        let [new_game, ping, silence, search] = [new_game, ping, silence, search].map(at_least);
        Self { start, new_game, ping, stop, silence, search }
    }
}

/// Maximum time for loading, even if the engine keeps reporting that it is loading.
const LOADING: Duration = Duration::from_secs(600);

/// Extra time to wait for a late answer, so that the exact overrun can be reported.
const GRACE: Duration = Duration::from_millis(100);

/// If an engine has not answered the greeting after this time, it may speak the other protocol.
const SHY: Duration = Duration::from_secs(2);

/// If a starting engine prints nothing for this long, a note says so.
const SILENCE: Duration = Duration::from_secs(10);

#[derive(Clone, PartialEq, Debug)]
pub struct OpponentRequest {
    pub line: Line,
    pub go: Go,
    /// Time limit including the margin; `None` if the time is unlimited.
    pub limit: Option<Duration>,
}

/// An event that the match must handle.
#[derive(Clone, PartialEq, Debug)]
pub enum OpponentNews {
    /// The engine is ready for its first game.
    Up,
    /// The engine is ready for the game that was announced.
    Ready,
    /// The engine has answered after the time `used`.
    Best { best: Result<BestMove, String>, used: Duration },
    /// The engine's time ran out before it answered.
    Late { used: Duration },
    /// The engine can no longer be used.
    Failed { ending: Ending, why: String },
    /// A harmless violation of the protocol.
    Odd(String),
}

/// What the engine has been asked to do, and how far it is.
#[derive(Clone, PartialEq, Debug)]
enum Asked {
    Nothing,
    /// A search has been requested, but `go` cannot be sent yet.
    Waiting(SearchId, OpponentRequest),
    Thinking(SearchId, OpponentRequest),
    /// The engine ended a ponder search before the opponent moved.
    PonderedOut(Result<BestMove, String>),
}

pub struct OpponentClient {
    pub client: EngineClient,
    patience: Patience,
    asked: Asked,
    /// Time at which the engine began to owe an answer.
    since: Instant,
    owed: Option<Owed>,
    /// Violations of the protocol that have not been reported yet.
    odd: Vec<String>,
    /// Notes that have not been reported yet.
    notes: Vec<String>,
    /// Whether a note about a slow start of the engine has been shown.
    is_silence_reported: bool,
}

impl OpponentClient {
    pub fn new(config: EngineConfig, patience: Patience, now: Instant) -> Self {
        let client = EngineClient::new(config);
        let owed = client.owes();
        Self {
            client,
            patience,
            asked: Asked::Nothing,
            since: now,
            owed,
            odd: Vec::new(),
            notes: Vec::new(),
            is_silence_reported: false,
        }
    }

    /// Removes and returns the harmless violations of the protocol.
    pub fn take_odd(&mut self) -> Vec<String> {
        let mut odd = std::mem::take(&mut self.odd);
        odd.extend(self.client.take_faults());
        odd
    }

    /// Removes and returns the notes for the person who runs the match.
    pub fn take_notes(&mut self) -> Vec<String> {
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(self.client.take_notes());
        notes
    }

    /// Announces a game to the engine; [`OpponentNews::Ready`] is returned at once or follows as an event.
    pub fn new_game(&mut self, now: Instant) -> Option<OpponentNews> {
        self.asked = Asked::Nothing;
        let is_ready = self.client.new_game();
        self.watch(now);
        is_ready.then_some(OpponentNews::Ready)
    }

    /// Requests a move. [`OpponentNews::Best`] or [`OpponentNews::Late`] follows; with `go.ponder`, no event follows
    /// before a ponder hit.
    pub fn ask(&mut self, question: OpponentRequest, now: Instant) {
        let id = self.client.search(&question.line, question.go.clone());
        self.asked = Asked::Waiting(id, question);
        self.watch(now);
    }

    /// Handles a ponder hit: the opponent has played the expected move. Returns the engine's answer if it has already
    /// arrived.
    pub fn ponder_hit(&mut self, mut question: OpponentRequest, now: Instant) -> Option<OpponentNews> {
        question.go.ponder = false;
        match std::mem::replace(&mut self.asked, Asked::Nothing) {
            Asked::PonderedOut(best) => return Some(OpponentNews::Best { best, used: Duration::ZERO }),
            Asked::Thinking(id, _) if self.client.ponder_hit() => {
                self.asked = Asked::Thinking(id, question);
                self.since = now;
            }
            Asked::Waiting(id, _) if self.client.replace_go(question.go.clone()) => {
                self.asked = Asked::Waiting(id, question);
            }
            _ => self.ask(question, now),
        }
        None
    }

    /// Informs the engine that the game is over.
    pub fn rest(&mut self, result: &str, now: Instant) {
        self.asked = Asked::Nothing;
        self.client.game_over(result);
        self.watch(now);
    }

    /// Asks the engine to quit.
    pub fn quit(&mut self) {
        self.client.quit();
        self.leave();
    }

    /// Handles a reply that was received at the time `at`. `has_printed_lines` states that the engine has already
    /// printed lines of this search.
    pub fn hear(&mut self, reply: Reply, has_printed_lines: bool, at: Instant) -> Option<OpponentNews> {
        if has_printed_lines {
            self.client.note_printed_lines();
        }
        let news = match self.client.hear(reply) {
            ClientEvent::Up => Some(OpponentNews::Up),
            ClientEvent::NewGame => Some(OpponentNews::Ready),
            ClientEvent::Answer(id, reply) => self.answer(id, reply, at),
            ClientEvent::Refused(why) => {
                self.leave();
                return Some(OpponentNews::Failed { ending: Ending::Silence, why });
            }
            ClientEvent::Stray => Some(OpponentNews::Odd("a bestmove that nobody asked for".to_owned())),
            ClientEvent::Info(..) | ClientEvent::Nothing => None,
        };
        self.watch(at);
        news
    }

    /// Handles the end of the engine process.
    pub fn gone(&mut self, why: String) -> Option<OpponentNews> {
        let news = (!self.client.is_gone())
            .then(|| OpponentNews::Failed { ending: Ending::Crash, why: self.with_complaint(why) });
        self.leave();
        news
    }

    /// Returns the time at which [`Self::expire`] must be called. `heard` is the time of the last output.
    pub fn deadline(&self, heard: Instant) -> Option<Instant> {
        let patience = &self.patience;
        let talking = self.since.max(heard);
        Some(match self.owed? {
            // Even an empty line shows that the engine is alive while it loads.
            Owed::Greeting if self.tells_waiting() && !self.client.is_greeted_otherwise() => talking + SHY,
            Owed::Greeting | Owed::FirstReady if self.tells_waiting() => talking + SILENCE,
            Owed::Greeting | Owed::FirstReady => (talking + patience.start).min(self.since + LOADING),
            Owed::NewGame => (talking + patience.new_game).min(self.since + LOADING.max(patience.new_game)),
            Owed::Barrier => self.since + patience.ping,
            Owed::AnswerToStop(_) => self.since + patience.stop,
            Owed::Answer(id) => match &self.asked {
                Asked::Thinking(asked, question) if *asked == id => match question.limit {
                    Some(limit) => self.since + limit + GRACE,
                    None if question.go.ponder => return None,
                    None => (talking + patience.silence).min(self.since + patience.search),
                },
                _ => return None,
            },
        })
    }

    /// Returns whether a note about a slow start is still to be shown before the engine counts as failed.
    fn tells_waiting(&self) -> bool {
        !self.is_silence_reported && self.patience.start > SILENCE
    }

    /// Returns the answer that a starting engine still owes.
    fn awaited(&self) -> &'static str {
        if self.owed == Some(Owed::Greeting) { self.client.protocol().greeting_ok() } else { "readyok" }
    }

    /// Handles an expired deadline: adds a note, or reports that the engine failed.
    pub fn expire(&mut self, now: Instant) -> Option<OpponentNews> {
        if !matches!(self.owed, Some(Owed::Greeting | Owed::FirstReady)) || !self.tells_waiting() {
            return Some(self.give_up(now));
        }
        if self.owed == Some(Owed::Greeting) && self.client.greet_otherwise() && now < self.since + SILENCE {
            return None;
        }
        self.is_silence_reported = true;
        let (silence, awaited) = (SILENCE.as_secs(), self.awaited());
        let (seconds, millis) = (self.patience.start.as_secs_f64(), self.patience.start.as_millis());
        self.notes.push(format!(
            "has not said {awaited} for {silence} s; it is given up after {seconds} s (--startup-ms {millis})"
        ));
        None
    }

    /// Returns whether a search without a clock has exceeded [`Patience::search`].
    fn is_endless(&self, now: Instant) -> bool {
        let is_unlimited = matches!(&self.asked, Asked::Thinking(_, question) if question.limit.is_none());
        is_unlimited && matches!(self.owed, Some(Owed::Answer(_))) && now >= self.since + self.patience.search
    }

    fn give_up(&mut self, now: Instant) -> OpponentNews {
        if let (Some(Owed::Answer(_)), Asked::Thinking(_, OpponentRequest { limit: Some(_), .. })) =
            (self.owed, &self.asked)
        {
            let used = now - self.since;
            self.asked = Asked::Nothing;
            self.client.stop();
            self.watch(now);
            return OpponentNews::Late { used };
        }
        let Patience { start, new_game, ping, stop, silence, search } = self.patience;
        // `option` is the option of `hasami match` that sets the limit.
        let (waited, limit, option) = match self.owed {
            Some(Owed::Greeting | Owed::FirstReady) | None => (self.awaited(), start, "--startup-ms"),
            Some(Owed::NewGame) => ("readyok", new_game, "--ucinewgame-ms"),
            Some(Owed::Barrier) => ("readyok", ping, "--ping-ms"),
            Some(Owed::AnswerToStop(_)) => ("bestmove", stop, "the smaller of 5000 and --ping-ms:"),
            Some(Owed::Answer(_)) if self.is_endless(now) => ("bestmove", search, "search-ms"),
            Some(Owed::Answer(_)) => ("bestmove", silence, "silence-ms"),
        };
        let waited_for = (now - self.since).as_secs_f64();
        let (seconds, millis) = (limit.as_secs_f64(), limit.as_millis());
        let why = self.with_complaint(format!(
            "no {waited} within {seconds} s ({option} {millis}); given up after {waited_for:.1} s"
        ));
        self.leave();
        OpponentNews::Failed { ending: Ending::Silence, why }
    }

    fn leave(&mut self) {
        self.client.leave();
        self.owed = None;
    }

    fn with_complaint(&self, why: String) -> String {
        match self.client.complaint() {
            Some(text) if !self.client.is_up() => format!("{why}; it said: {text}"),
            _ => why,
        }
    }

    /// If the engine now owes a different answer, restarts the time limit.
    fn watch(&mut self, now: Instant) {
        let owed = self.client.owes();
        if std::mem::replace(&mut self.owed, owed) == owed {
            return;
        }
        self.is_silence_reported = false;
        // The limit for the first `readyok` includes the greeting.
        if owed != Some(Owed::FirstReady) {
            self.since = now;
        }
        if let (Some(Owed::Answer(id)), Asked::Waiting(asked, _)) = (owed, &self.asked)
            && *asked == id
            && let Asked::Waiting(_, question) = std::mem::replace(&mut self.asked, Asked::Nothing)
        {
            self.asked = Asked::Thinking(id, question);
            // The clock starts now and not when the last answer arrived, because `go` is written only now.
            self.since = now.max(Instant::now());
        }
    }

    fn answer(&mut self, id: SearchId, reply: Reply, at: Instant) -> Option<OpponentNews> {
        let question = match std::mem::replace(&mut self.asked, Asked::Nothing) {
            Asked::Thinking(asked, question) if asked == id => question,
            // The reply belongs to a search whose result is no longer needed.
            other => {
                self.asked = other;
                return None;
            }
        };
        let best = match reply {
            Reply::Best(best) => Ok(best),
            Reply::NoAnswer(why) => Err(why),
            _ => Err("the answer is checkmate, not bestmove".into()),
        };
        if question.go.ponder {
            self.asked = Asked::PonderedOut(best);
            return Some(OpponentNews::Odd("a bestmove before ponderhit or stop".to_owned()));
        }
        Some(OpponentNews::Best { best, used: at.saturating_duration_since(self.since) })
    }
}

#[cfg(test)]
mod tests;
