//! The conversation with one engine, from its greeting to its end. Pure: replies and moments in, lines and news out.
//!
//! Before every search there is an `isready`, and the clock starts with the `go` after its answer. So nobody pays for a
//! slow pipe or for the opponent, and a second `bestmove` or one that came late never answers the next question.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::protocol::client::{self, ChildOption, Reply};
use crate::protocol::{BestMove, Command, Go, Protocol};
use hasami_api::{Ending, Line};
use std::time::{Duration, Instant};

/// How long an engine may be silent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// From the start of the process to its first `readyok`.
    pub start: Duration,
    /// For a new game.
    pub new_game: Duration,
    /// For any other `isready`.
    pub ping: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// Between two lines of a search without a clock.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { start: seconds(30), new_game: seconds(60), ping: seconds(30), stop: seconds(5), silence: seconds(120) }
    }
}

/// A virtual cluster's machine takes so long at most for what takes its cluster a moment.
const VIRTUAL: Duration = Duration::from_secs(24 * 3600);

impl Patience {
    /// A virtual cluster ponders, too, while its next position waits: many workers, and one machine that does all their
    /// work. Only its start is on the clock of the wall.
    pub fn with_virtual_clock(self) -> Self {
        let at_least = |time: Duration| time.max(VIRTUAL);
        let Self { start, new_game, ping, stop, silence } = self;
        Self { start, new_game: at_least(new_game), ping: at_least(ping), stop, silence: at_least(silence) }
    }
}

/// Beyond its time an engine's answer is awaited a moment longer, so that the overrun can be told.
const GRACE: Duration = Duration::from_millis(100);

/// What the engine is to be like.
#[derive(Clone, PartialEq, Debug)]
pub struct Manners {
    pub protocol: Protocol,
    pub options: Vec<(String, String)>,
    /// Options that it is given if it has them.
    pub offers: Vec<(String, String)>,
    pub ponder: bool,
    pub chess960: bool,
    pub patience: Patience,
}

/// A question to the engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    pub line: Line,
    pub go: Go,
    /// With the margin; `None`: any time.
    pub limit: Option<Duration>,
}

/// What the match needs to know.
#[derive(Clone, PartialEq, Debug)]
pub enum News {
    /// Ready for its first game.
    Up,
    /// Ready for the game announced.
    Ready,
    /// It answers, and took so long.
    Best { best: Result<BestMove, String>, used: Duration },
    /// Its time is over and it has not answered.
    Late { used: Duration },
    /// It is of no use any more.
    Failed { ending: Ending, why: String },
    /// A breach of the protocol that does no harm.
    Odd(String),
}

#[derive(Clone, PartialEq, Debug)]
enum State {
    Greeting,
    Preparing,
    Idle,
    NewGame,
    /// `isready` is out, `go` follows its answer.
    Syncing(Question),
    Thinking(Question),
    Pondering(Question),
    /// Pondering, but it has answered already.
    PonderedOut(Question, Result<BestMove, String>),
    /// Its answer is awaited and dropped, then comes this.
    Stopping(Option<Next>),
    Gone,
}

#[derive(Clone, PartialEq, Debug)]
enum Next {
    NewGame,
    Ask(Box<Question>),
}

/// See the module.
pub struct Talk {
    manners: Manners,
    state: State,
    since: Instant,
    /// `readyok`s still to come.
    owed: u32,
    /// The options that it declared.
    declared: Vec<ChildOption>,
    /// What it calls itself.
    name: String,
    /// Lines to be written.
    out: Vec<String>,
    /// Breaches of the protocol not yet told.
    odd: Vec<String>,
    /// See [`Self::declined`].
    declined: Vec<String>,
}

impl Talk {
    pub fn new(manners: Manners, now: Instant) -> Self {
        let mut talk = Self {
            manners,
            state: State::Greeting,
            since: now,
            owed: 0,
            declared: Vec::new(),
            name: String::new(),
            out: Vec::new(),
            odd: Vec::new(),
            declined: Vec::new(),
        };
        talk.say(&Command::Hello);
        talk
    }

    pub fn protocol(&self) -> Protocol {
        self.manners.protocol
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Options that were offered and that it does not have.
    pub fn declined(&self) -> &[String] {
        &self.declined
    }

    /// Lines to be written now, in one piece.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.out)
    }

    pub fn take_odd(&mut self) -> Vec<String> {
        std::mem::take(&mut self.odd)
    }

    /// Can be asked, or told of a new game.
    pub fn is_up(&self) -> bool {
        !matches!(self.state, State::Greeting | State::Preparing | State::Gone)
    }

    pub fn is_gone(&self) -> bool {
        self.state == State::Gone
    }

    /// Announces a game; [`News::Ready`] follows.
    pub fn new_game(&mut self, now: Instant) {
        if self.is_searching() {
            self.stop(Some(Next::NewGame), now);
            return;
        }
        if self.manners.protocol == Protocol::Uci {
            self.say(&Command::NewGame);
        }
        self.ping();
        self.enter(State::NewGame, now);
    }

    /// Asks for a move; [`News::Best`] or [`News::Late`] follows. With `go.ponder` nothing does until a hit.
    pub fn ask(&mut self, question: Question, now: Instant) {
        if self.is_searching() {
            self.stop(Some(Next::Ask(Box::new(question))), now);
        } else {
            self.sync(question, now);
        }
    }

    /// The move that it ponders on was played. Gives the answer if there is one already.
    pub fn ponder_hit(&mut self, mut question: Question, now: Instant) -> Option<News> {
        question.go.ponder = false;
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Pondering(_) => {
                self.say(&Command::PonderHit(None));
                self.enter(State::Thinking(question), now);
                None
            }
            State::PonderedOut(_, best) => Some(News::Best { best, used: Duration::ZERO }),
            State::Syncing(_) => {
                self.enter(State::Syncing(question), now);
                None
            }
            other => {
                self.state = other;
                self.ask(question, now);
                None
            }
        }
    }

    /// The game is over.
    pub fn rest(&mut self, result: &str, now: Instant) {
        match self.state {
            State::Pondering(_) | State::Thinking(_) => self.stop(None, now),
            State::PonderedOut(..) => self.enter(State::Idle, now),
            _ => {}
        }
        if self.manners.protocol == Protocol::Usi && self.is_up() {
            self.out.push(format!("gameover {result}"));
        }
    }

    /// Says goodbye.
    pub fn quit(&mut self) {
        self.say(&Command::Stop);
        self.say(&Command::Quit);
        self.state = State::Gone;
    }

    /// Hears one reply, spoken at `at`.
    pub fn hear(&mut self, reply: Reply, at: Instant) -> Option<News> {
        match reply {
            Reply::Name(name) => self.name = name,
            Reply::Option(option) if self.state == State::Greeting => self.declared.push(option),
            Reply::HelloOk if self.state == State::Greeting => self.prepare(at),
            Reply::ReadyOk => return self.ready(at),
            Reply::Best(best) => return self.best(Ok(best), at),
            Reply::NoAnswer(why) => return self.best(Err(why), at),
            _ => {}
        }
        None
    }

    /// Its process has ended.
    pub fn gone(&mut self, why: String) -> Option<News> {
        (std::mem::replace(&mut self.state, State::Gone) != State::Gone)
            .then_some(News::Failed { ending: Ending::Crash, why })
    }

    /// When [`Self::expire`] must be called. `heard` is when it last said anything.
    pub fn deadline(&self, heard: Instant) -> Option<Instant> {
        let patience = &self.manners.patience;
        let limit = match &self.state {
            State::Greeting | State::Preparing => patience.start,
            State::NewGame => patience.new_game,
            State::Syncing(_) => patience.ping,
            State::Stopping(_) => patience.stop,
            State::Thinking(Question { limit: Some(limit), .. }) => *limit + GRACE,
            State::Thinking(_) => return Some(self.since.max(heard) + patience.silence),
            State::Idle | State::Pondering(_) | State::PonderedOut(..) | State::Gone => return None,
        };
        Some(self.since + limit)
    }

    /// The deadline has passed.
    pub fn expire(&mut self, now: Instant) -> News {
        if let State::Thinking(Question { limit: Some(_), .. }) = &self.state {
            let used = now - self.since;
            self.stop(None, now);
            return News::Late { used };
        }
        let waited = match &self.state {
            State::Greeting => self.manners.protocol.greeting_ok(),
            State::Thinking(_) | State::Stopping(_) => "bestmove",
            _ => "readyok",
        };
        let why = format!("expected {waited} within {:.1} s, found nothing", (now - self.since).as_secs_f64());
        self.state = State::Gone;
        News::Failed { ending: Ending::Silence, why }
    }

    fn enter(&mut self, state: State, now: Instant) {
        (self.state, self.since) = (state, now);
    }

    fn say(&mut self, command: &Command) {
        self.out.extend(client::write(self.manners.protocol, command));
    }

    fn ping(&mut self) {
        self.owed += 1;
        self.say(&Command::IsReady);
    }

    /// It works on a question, and must be stopped before anything else.
    fn is_searching(&self) -> bool {
        matches!(self.state, State::Thinking(_) | State::Pondering(_) | State::Stopping(_))
    }

    fn stop(&mut self, next: Option<Next>, now: Instant) {
        if let State::Stopping(waiting) = &mut self.state {
            *waiting = next;
            return;
        }
        self.say(&Command::Stop);
        self.enter(State::Stopping(next), now);
    }

    fn sync(&mut self, question: Question, now: Instant) {
        self.say(&Command::Position(question.line.clone()));
        self.ping();
        self.enter(State::Syncing(question), now);
    }

    /// It has introduced itself: options, and the first `isready`.
    fn prepare(&mut self, now: Instant) {
        for (name, value) in self.manners.options.clone() {
            match self.declared(&name) {
                Some(option) => {
                    if let Some(expected) = option.refuses(&value) {
                        self.odd.push(format!("option {}: expected {expected}, found '{value}'", option.name));
                    }
                    self.set(option.name, &value);
                }
                // USI engines know some options without declaring them.
                None if name.starts_with("USI_") => self.set(name, &value),
                None => self.odd.push(format!("the engine has no option {name}; not set")),
            }
        }
        for (name, value) in self.manners.offers.clone() {
            match self.declared(&name) {
                Some(option) => self.set(option.name, &value),
                None => self.declined.push(name),
            }
        }
        for (name, wanted) in [
            ("UCI_Chess960", self.manners.chess960),
            ("Ponder", self.manners.ponder),
            ("USI_Ponder", self.manners.ponder),
        ] {
            if let Some(option) = self.declared(name).filter(|_| wanted) {
                self.set(option.name, "true");
            }
        }
        self.ping();
        self.state = State::Preparing;
        self.since = self.since.max(now);
    }

    /// The option as the engine writes it.
    fn declared(&self, name: &str) -> Option<ChildOption> {
        self.declared.iter().find(|declared| declared.name.eq_ignore_ascii_case(name)).cloned()
    }

    fn set(&mut self, name: String, value: &str) {
        self.say(&Command::SetOption { name, value: Some(value.to_owned()) });
    }

    fn ready(&mut self, now: Instant) -> Option<News> {
        self.owed = self.owed.saturating_sub(1);
        if self.owed > 0 {
            return None;
        }
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Preparing => Some(News::Up),
            State::NewGame => {
                if self.manners.protocol == Protocol::Usi {
                    self.say(&Command::NewGame);
                }
                Some(News::Ready)
            }
            State::Syncing(question) => {
                self.say(&Command::Go(question.go.clone()));
                let state = if question.go.ponder { State::Pondering(question) } else { State::Thinking(question) };
                // The clock starts now, not when the answer was spoken: `go` is yet to be written.
                self.enter(state, now.max(Instant::now()));
                None
            }
            other => {
                self.state = other;
                None
            }
        }
    }

    fn best(&mut self, best: Result<BestMove, String>, at: Instant) -> Option<News> {
        if self.owed > 0 {
            return Some(News::Odd("a bestmove that nobody asked for".into()));
        }
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Thinking(_) => Some(News::Best { best, used: at.saturating_duration_since(self.since) }),
            State::Pondering(question) => {
                self.state = State::PonderedOut(question, best);
                Some(News::Odd("a bestmove before ponderhit or stop".into()))
            }
            State::Stopping(next) => {
                self.since = at;
                match next {
                    Some(Next::NewGame) => self.new_game(at),
                    Some(Next::Ask(question)) => self.sync(*question, at),
                    None => {}
                }
                None
            }
            other => {
                self.state = other;
                Some(News::Odd("a bestmove that nobody asked for".into()))
            }
        }
    }
}

#[cfg(test)]
mod tests;
