//! The conversation with one engine of a match, from its start to its end: an [`EngineClient`] with deadlines. The
//! conversation takes replies and times, and returns lines to send and events. This module does no input or output
//! itself.
//!
//! The clock starts with `go`. In UCI, `go` follows the answer to an `isready`; in USI, where `isready` begins a game,
//! it follows the position immediately. The time that one player uses is therefore never charged to the other.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hasami_api::{Ending, Line};
use hasami_protocol::client::{EngineClient, EngineConfig, Heard, Owed, Reply, SearchId};
use hasami_protocol::{BestMove, Go};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// How long an engine may take for each kind of answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Patience {
    /// Time from the start of the process to the first `readyok`, and between two lines in this phase.
    pub start: Duration,
    /// Time to prepare for a new game.
    pub new_game: Duration,
    /// Time to answer the `isready` between `position` and `go` (UCI).
    pub ping: Duration,
    /// Time from `stop` to `bestmove`.
    pub stop: Duration,
    /// Time between two lines of a search without a clock.
    pub silence: Duration,
    /// Time for a whole search without a clock, even if the engine prints lines.
    pub search: Duration,
}

/// Default of [`Patience::search`]. A search by nodes or depth may take long, but after this time it is considered
/// endless.
pub const LONGEST_SEARCH: Duration = Duration::from_secs(3600);

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        let long = seconds(120);
        Self { start: long, new_game: long, ping: long, stop: seconds(5), silence: long, search: LONGEST_SEARCH }
    }
}

/// Limit for the machine of a virtual cluster, where events that are short in virtual time may take long in real time.
const VIRTUAL: Duration = Duration::from_secs(24 * 3600);

impl Patience {
    /// The limits for a virtual cluster, in which one machine does the work of many workers. An engine may then have to
    /// wait for its position even while it ponders. Only the start is measured in real time.
    pub fn with_virtual_clock(self) -> Self {
        let at_least = |time: Duration| time.max(VIRTUAL);
        let Self { start, new_game, ping, stop, silence, search } = self;
        let [new_game, ping, silence, search] = [new_game, ping, silence, search].map(at_least);
        Self { start, new_game, ping, stop, silence, search }
    }
}

/// Longest time for loading, even if the engine keeps reporting that it is still loading.
const LOADING: Duration = Duration::from_secs(600);

/// Extra time to wait for a late answer, so that the overrun can be reported.
const GRACE: Duration = Duration::from_millis(100);

/// An engine that does not answer its greeting within this time may speak the other protocol.
const SHY: Duration = Duration::from_secs(2);

/// A note is shown if an engine is silent for this long while it starts.
const SILENCE: Duration = Duration::from_secs(10);

/// A request to the engine.
#[derive(Clone, PartialEq, Debug)]
pub struct OpponentRequest {
    pub line: Line,
    pub go: Go,
    /// Time limit including the margin; `None` for unlimited time.
    pub limit: Option<Duration>,
}

/// Events that the match must handle.
#[derive(Clone, PartialEq, Debug)]
pub enum OpponentNews {
    /// The engine is ready for its first game.
    Up,
    /// The engine is ready for the game that was announced.
    Ready,
    /// The engine has answered after `used`.
    Best { best: Result<BestMove, String>, used: Duration },
    /// The time has run out and the engine has not answered.
    Late { used: Duration },
    /// The engine cannot be used any more.
    Failed { ending: Ending, why: String },
    /// A violation of the protocol that does no harm.
    Odd(String),
}

/// The state of the request to the engine.
#[derive(Clone, PartialEq, Debug)]
enum Asked {
    Nothing,
    /// The request waits, because `go` cannot be sent yet.
    Waiting(SearchId, OpponentRequest),
    Thinking(SearchId, OpponentRequest),
    /// The engine has answered a ponder search before the ponder hit.
    PonderedOut(Result<BestMove, String>),
}

/// The conversation with one engine.
pub struct OpponentClient {
    pub client: EngineClient,
    patience: Patience,
    asked: Asked,
    /// Time at which the engine began to owe its answer.
    since: Instant,
    owed: Option<Owed>,
    /// Violations of the protocol that have not been reported yet.
    odd: Vec<String>,
    /// Notes that have not been reported yet.
    notes: Vec<String>,
    /// Whether a note about the slow start has been given.
    is_silence_told: bool,
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
            is_silence_told: false,
        }
    }

    /// Takes the violations of the protocol that did no harm.
    pub fn take_odd(&mut self) -> Vec<String> {
        let mut odd = std::mem::take(&mut self.odd);
        odd.extend(self.client.take_faults());
        odd
    }

    /// Takes the notes about the engine for the person who runs the match.
    pub fn take_notes(&mut self) -> Vec<String> {
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(self.client.take_notes());
        notes
    }

    /// Announces a game. [`OpponentNews::Ready`] is returned here or follows later.
    pub fn new_game(&mut self, now: Instant) -> Option<OpponentNews> {
        self.asked = Asked::Nothing;
        let is_ready = self.client.new_game();
        self.watch(now);
        is_ready.then_some(OpponentNews::Ready)
    }

    /// Requests a move. [`OpponentNews::Best`] or [`OpponentNews::Late`] follows; with `go.ponder`, nothing follows
    /// before a ponder hit.
    pub fn ask(&mut self, question: OpponentRequest, now: Instant) {
        let id = self.client.search(&question.line, question.go.clone());
        self.asked = Asked::Waiting(id, question);
        self.watch(now);
    }

    /// Handles a ponder hit: the expected move was played. Returns the answer if the engine has given it already.
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

    /// Handles a reply that was received at `at`. `told` means that the engine has already printed lines of this
    /// search.
    pub fn hear(&mut self, reply: Reply, told: bool, at: Instant) -> Option<OpponentNews> {
        if told {
            self.client.has_told_lines();
        }
        let news = match self.client.hear(reply) {
            Heard::Up => Some(OpponentNews::Up),
            Heard::NewGame => Some(OpponentNews::Ready),
            Heard::Answer(id, reply) => self.answer(id, reply, at),
            Heard::Refused(why) => {
                self.leave();
                return Some(OpponentNews::Failed { ending: Ending::Silence, why });
            }
            Heard::Stray => Some(OpponentNews::Odd("a bestmove that nobody asked for".to_owned())),
            Heard::Info(..) | Heard::Nothing => None,
        };
        self.watch(at);
        news
    }

    /// Handles the end of the process.
    pub fn gone(&mut self, why: String) -> Option<OpponentNews> {
        let news = (!self.client.is_gone())
            .then(|| OpponentNews::Failed { ending: Ending::Crash, why: self.with_complaint(why) });
        self.leave();
        news
    }

    /// The time at which [`Self::expire`] must be called. `heard` is the time of the last output.
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

    /// Returns whether a slow start must be noted before the engine is given up.
    fn tells_waiting(&self) -> bool {
        !self.is_silence_told && self.patience.start > SILENCE
    }

    /// The answer that a starting engine still has to give.
    fn awaited(&self) -> &'static str {
        if self.owed == Some(Owed::Greeting) { self.client.protocol().greeting_ok() } else { "readyok" }
    }

    /// Handles a deadline that has passed: adds a note, or gives the engine up.
    pub fn expire(&mut self, now: Instant) -> Option<OpponentNews> {
        if !matches!(self.owed, Some(Owed::Greeting | Owed::FirstReady)) || !self.tells_waiting() {
            return Some(self.give_up(now));
        }
        if self.owed == Some(Owed::Greeting) && self.client.greet_otherwise() && now < self.since + SILENCE {
            return None;
        }
        self.is_silence_told = true;
        let (told, awaited) = (SILENCE.as_secs(), self.awaited());
        let (seconds, millis) = (self.patience.start.as_secs_f64(), self.patience.start.as_millis());
        self.notes.push(format!(
            "has not said {awaited} for {told} s; it is given up after {seconds} s (--startup-ms {millis})"
        ));
        None
    }

    /// Returns whether a search without a clock has lasted longer than any search may.
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
        // The option of `hasami match` that sets the limit.
        let (waited, limit, option) = match self.owed {
            Some(Owed::Greeting | Owed::FirstReady) | None => (self.awaited(), start, "--startup-ms"),
            Some(Owed::NewGame) => ("readyok", new_game, "--ucinewgame-ms"),
            Some(Owed::Barrier) => ("readyok", ping, "--ping-ms"),
            Some(Owed::AnswerToStop(_)) => ("bestmove", stop, "--ping-ms"),
            Some(Owed::Answer(_)) if self.is_endless(now) => ("bestmove", search, "search-ms"),
            Some(Owed::Answer(_)) => ("bestmove", silence, "silence-ms"),
        };
        let waited_for = (now - self.since).as_secs_f64();
        let (seconds, millis) = (limit.as_secs_f64(), limit.as_millis());
        let why = self.with_complaint(format!(
            "expected {waited} within {seconds} s ({option} {millis}), found nothing after {waited_for:.1} s"
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

    /// Restarts the deadline if the engine now owes another answer.
    fn watch(&mut self, now: Instant) {
        let owed = self.client.owes();
        if std::mem::replace(&mut self.owed, owed) == owed {
            return;
        }
        self.is_silence_told = false;
        // The limit for the first `readyok` includes the greeting.
        if owed != Some(Owed::FirstReady) {
            self.since = now;
        }
        if let (Some(Owed::Answer(id)), Asked::Waiting(asked, _)) = (owed, &self.asked)
            && *asked == id
            && let Asked::Waiting(_, question) = std::mem::replace(&mut self.asked, Asked::Nothing)
        {
            self.asked = Asked::Thinking(id, question);
            // The clock starts now, and not at the arrival of the last answer, because `go` has yet to be written.
            self.since = now.max(Instant::now());
        }
    }

    fn answer(&mut self, id: SearchId, reply: Reply, at: Instant) -> Option<OpponentNews> {
        let question = match std::mem::replace(&mut self.asked, Asked::Nothing) {
            Asked::Thinking(asked, question) if asked == id => question,
            // This is the answer to a search whose result is no longer needed.
            other => {
                self.asked = other;
                return None;
            }
        };
        let best = match reply {
            Reply::Best(best) => Ok(best),
            Reply::NoAnswer(why) => Err(why),
            _ => Err("expected bestmove, found checkmate".into()),
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
