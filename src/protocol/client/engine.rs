//! The state of one engine as its driver sees it, from the greeting to the end. Children of the tree and opponents of a
//! match are driven by this one machine. Pure: replies and orders in, lines out.
//!
//! The protocols differ in what `isready` means. In UCI it is a barrier: sent between `position` and `go`, it makes
//! sure that what comes before `readyok` belongs to the past. In USI it begins a game: the YaneuraOu family sets up the
//! initial position and clears its hash there. So a USI engine gets it at its start and before each new game, never
//! within a game; one `bestmove` is awaited for each `go`, and the `info` lines of a search are what tells its answer
//! from one that an engine gives twice.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::config::{EngineConfig, Settled};
use super::{ChildOption, Reply, complaints::Complaints, refuses};
use crate::{Command, Go, Protocol};
use hasami_api::Line;
use hasami_words::Message;

/// Names one search of one engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchId(u64);

/// The meaning of a reply.
#[derive(Clone, PartialEq, Debug)]
pub enum Heard {
    /// Nothing that anybody waits for.
    Nothing,
    /// The options are set and the engine is ready.
    Up,
    /// It is ready for the new game.
    NewGame,
    /// An `info` line of this search.
    Info(SearchId, super::ChildInfo),
    /// The search has ended with [`Reply::Best`], [`Reply::Checkmate`] or [`Reply::NoAnswer`].
    Answer(SearchId, Reply),
    /// An answer that belongs to no search.
    Stray,
    /// It says that it does not understand the greeting: it speaks another protocol.
    Refused(Message),
}

/// The engine's debt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owed {
    /// `uciok` or `usiok`.
    Greeting,
    /// The first `readyok`.
    FirstReady,
    /// `readyok` for a new game.
    NewGame,
    /// `readyok` between `position` and `go`.
    Barrier,
    /// The answer of this search.
    Answer(SearchId),
    /// The same after `stop`.
    AnswerToStop(SearchId),
}

#[derive(Clone, PartialEq, Debug)]
enum State {
    Greeting,
    Preparing,
    Idle,
    /// `isready` for a new game is out.
    Renewing,
    /// The position and `isready` are out; `go` follows the answer.
    Syncing(SearchId, Go),
    Searching(Search),
    Gone,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Search {
    id: SearchId,
    stopped: bool,
    /// It has told a line.
    announced: bool,
}

/// Orders that wait for the end of a search, or for `readyok`.
#[derive(Clone, PartialEq, Debug)]
enum Next {
    NewGame,
    Search(SearchId, Line, Box<Go>),
}

/// See the module.
pub struct EngineClient {
    config: EngineConfig,
    state: State,
    next: Option<Next>,
    searches: u64,
    /// `readyok`s still to come.
    awaited: u32,
    /// Nothing was searched since the last `isready`.
    is_new: bool,
    /// The game that is not searched yet was announced (USI).
    has_begun: bool,
    declared: Vec<ChildOption>,
    /// It writes castling as king takes rook (UCI).
    chess960: bool,
    settled: Settled,
    name: String,
    out: Vec<String>,
    /// See [`Self::take_faults`].
    faults: Vec<Message>,
    /// See [`Self::take_notes`].
    notes: Vec<Message>,
    complaints: Complaints,
    last_answer: Option<Reply>,
    /// The last answer came before any line of its search.
    is_unconfirmed: bool,
    answers_twice: bool,
}

impl EngineClient {
    /// The greeting is the first line to be written.
    pub fn new(config: EngineConfig) -> Self {
        let mut client = Self {
            config,
            state: State::Greeting,
            next: None,
            searches: 0,
            awaited: 0,
            is_new: true,
            has_begun: false,
            declared: Vec::new(),
            chess960: false,
            settled: Settled::default(),
            name: String::new(),
            out: Vec::new(),
            faults: Vec::new(),
            notes: Vec::new(),
            complaints: Complaints::default(),
            last_answer: None,
            is_unconfirmed: false,
            answers_twice: false,
        };
        client.say(&Command::Hello);
        client
    }

    pub fn protocol(&self) -> Protocol {
        self.config.protocol
    }

    /// The engine's name for itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lines to be written now, in one piece.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.out)
    }

    /// Breaches of the protocol, and options of the user that the engine does not take.
    pub fn take_faults(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.faults)
    }

    /// Notes for the user: settings that were changed or left, complaints of the engine.
    pub fn take_notes(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.notes)
    }

    /// The last error that the engine has told of itself.
    pub fn complaint(&self) -> Option<&str> {
        self.complaints.last()
    }

    /// See [`Complaints::unused_file`].
    pub fn unused_file(&self) -> Option<&str> {
        self.complaints.unused_file(&self.name, &self.config.options)
    }

    /// It has introduced itself and is ready.
    pub fn is_up(&self) -> bool {
        !matches!(self.state, State::Greeting | State::Preparing | State::Gone)
    }

    pub fn is_gone(&self) -> bool {
        self.state == State::Gone
    }

    /// It is gone, or of no use any more: nothing is written or heard from now on.
    pub fn leave(&mut self) {
        self.state = State::Gone;
        self.next = None;
    }

    pub fn owes(&self) -> Option<Owed> {
        Some(match &self.state {
            State::Greeting => Owed::Greeting,
            State::Preparing => Owed::FirstReady,
            State::Renewing => Owed::NewGame,
            State::Syncing(..) => Owed::Barrier,
            State::Searching(search) if search.stopped => Owed::AnswerToStop(search.id),
            State::Searching(search) => Owed::Answer(search.id),
            State::Idle | State::Gone => return None,
        })
    }

    /// The search that the engine works on; an earlier one may have to end before another begins.
    pub fn searching(&self) -> Option<SearchId> {
        if let State::Searching(search) = &self.state { Some(search.id) } else { None }
    }

    /// All options that the engine declares.
    pub fn options(&self) -> &[ChildOption] {
        &self.declared
    }

    /// What became of the user's options; known when it is up.
    pub fn settled(&self) -> &Settled {
        &self.settled
    }

    /// The option as the engine writes it.
    pub fn declared(&self, name: &str) -> Option<&ChildOption> {
        self.declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option that the engine has declared; gives whether it has.
    pub fn set_option(&mut self, name: &str, value: &str) -> bool {
        let Some(name) = self.declared(name).map(|option| option.name.clone()) else { return false };
        self.set(name, value);
        true
    }

    /// Begins a game, after the search that runs. `true`: the engine is ready for it at once, else [`Heard::NewGame`]
    /// follows.
    pub fn new_game(&mut self) -> bool {
        match self.state {
            State::Idle if self.is_new && self.protocol() == Protocol::Usi => {
                self.begin_game();
                true
            }
            State::Idle => {
                self.renew();
                false
            }
            State::Syncing(..) => {
                // `readyok` is still awaited, and belongs to the past.
                self.renew();
                false
            }
            _ => {
                self.stop();
                self.next = Some(Next::NewGame);
                false
            }
        }
    }

    /// Begins a search, after the one that runs and after the `readyok` that is owed.
    pub fn search(&mut self, line: &Line, go: Go) -> SearchId {
        self.searches += 1;
        let id = SearchId(self.searches);
        match self.state {
            State::Idle | State::Syncing(..) => self.begin(id, line, go),
            _ => {
                self.stop();
                self.next = Some(Next::Search(id, line.clone(), Box::new(go)));
            }
        }
        id
    }

    /// Tells the engine to end its search; its answer follows. A search that has not begun is forgotten.
    pub fn stop(&mut self) {
        self.next = None;
        match &mut self.state {
            State::Searching(Search { stopped: true, .. }) => {}
            State::Searching(search) => {
                search.stopped = true;
                self.say(&Command::Stop);
            }
            State::Syncing(..) => self.state = State::Idle,
            _ => {}
        }
    }

    /// The move that is pondered on was played. `false`: the engine does not ponder on anything.
    pub fn ponder_hit(&mut self) -> bool {
        match &mut self.state {
            State::Searching(search) if !search.stopped => {
                self.say(&Command::PonderHit(None));
                true
            }
            _ => false,
        }
    }

    /// The search that was asked for last becomes this one, if its `go` is not written yet.
    pub fn replace_go(&mut self, new: Go) -> bool {
        match (&mut self.state, &mut self.next) {
            (State::Syncing(_, go), _) => {
                *go = new;
                true
            }
            (_, Some(Next::Search(_, _, go))) => {
                **go = new;
                true
            }
            _ => false,
        }
    }

    /// The game is over, with a word like `win` where the protocol has one.
    pub fn game_over(&mut self, result: &str) {
        self.stop();
        if self.protocol() == Protocol::Usi && self.is_up() {
            self.out.push(format!("gameover {result}"));
        }
    }

    /// Says goodbye.
    pub fn quit(&mut self) {
        self.say(&Command::Stop);
        self.say(&Command::Quit);
        self.leave();
    }

    /// The search that runs has told lines, which were not handed to [`Self::hear`].
    pub fn has_told_lines(&mut self) {
        if let State::Searching(search) = &mut self.state {
            search.announced = true;
        }
    }

    /// Hears one reply.
    pub fn hear(&mut self, reply: Reply) -> Heard {
        match reply {
            _ if self.is_gone() => {}
            Reply::Name(name) => self.name = name,
            Reply::Option(option) if self.state == State::Greeting => self.declared.push(option),
            Reply::HelloOk if self.state == State::Greeting => self.prepare(),
            Reply::ReadyOk => return self.ready(),
            Reply::Info(info) => return self.info(info),
            Reply::Message(text) if self.state == State::Greeting && refuses(&text, self.protocol().greeting()) => {
                return Heard::Refused(self.refusal(text));
            }
            Reply::Message(text) => self.complain(&text),
            answer @ (Reply::Best(_) | Reply::Checkmate(_) | Reply::NoAnswer(_)) => return self.answer(answer),
            _ => {}
        }
        Heard::Nothing
    }

    fn say(&mut self, command: &Command) {
        self.out.extend(super::write(self.config.protocol, command));
    }

    fn set(&mut self, name: String, value: &str) {
        self.say(&Command::SetOption { name, value: Some(value.to_owned()) });
    }

    fn await_ready(&mut self) {
        self.awaited += 1;
        (self.is_new, self.has_begun) = (true, false);
        self.say(&Command::IsReady);
    }

    /// The engine has introduced itself: its options, and the first `isready`.
    fn prepare(&mut self) {
        let plan = self.config.plan(&self.declared);
        plan.set.into_iter().for_each(|(name, value)| self.set(name, &value));
        self.settled = plan.settled;
        self.faults.extend(plan.faults);
        self.notes.extend(plan.notes);
        if self.config.protocol == Protocol::Uci && self.config.begins_game() {
            self.say(&Command::NewGame);
        }
        self.await_ready();
        self.state = State::Preparing;
    }

    /// Once for each game. Where each search is announced as one, that is enough.
    fn begin_game(&mut self) {
        if !self.config.announces_searches() && !std::mem::replace(&mut self.has_begun, true) {
            self.say(&Command::NewGame);
        }
    }

    fn renew(&mut self) {
        if self.protocol() == Protocol::Uci {
            self.say(&Command::NewGame);
        }
        self.await_ready();
        self.state = State::Renewing;
    }

    fn begin(&mut self, id: SearchId, line: &Line, go: Go) {
        if self.config.announces_searches() {
            self.say(&Command::NewGame);
        }
        self.keep_variant(line.start.rules.chess960);
        self.say(&Command::Position(line.clone()));
        match self.protocol() {
            Protocol::Usi => self.go(id, &go),
            Protocol::Uci => {
                self.await_ready();
                if self.config.waits_for_barrier() {
                    self.state = State::Syncing(id, go);
                } else {
                    self.go(id, &go);
                }
            }
        }
    }

    /// The variant belongs to the position: that of the last game says nothing about the next one.
    fn keep_variant(&mut self, chess960: bool) {
        const OPTION: &str = "UCI_Chess960";
        if self.protocol() == Protocol::Usi || std::mem::replace(&mut self.chess960, chess960) == chess960 {
            return;
        }
        if !self.set_option(OPTION, if chess960 { "true" } else { "false" }) && chess960 {
            self.faults.push(super::config::no_option(OPTION));
        }
    }

    fn go(&mut self, id: SearchId, go: &Go) {
        self.say(&Command::Go(go.clone()));
        self.state = State::Searching(Search { id, stopped: false, announced: false });
        (self.is_new, self.is_unconfirmed) = (false, false);
    }

    fn ready(&mut self) -> Heard {
        self.awaited = self.awaited.saturating_sub(1);
        if self.awaited > 0 {
            return Heard::Nothing;
        }
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Preparing => {
                if self.protocol() == Protocol::Usi && self.config.begins_game() {
                    self.begin_game();
                }
                self.go_on();
                Heard::Up
            }
            State::Renewing => {
                if self.protocol() == Protocol::Usi {
                    self.begin_game();
                }
                self.go_on();
                Heard::NewGame
            }
            State::Syncing(id, go) => {
                self.go(id, &go);
                Heard::Nothing
            }
            other => {
                self.state = other;
                Heard::Nothing
            }
        }
    }

    /// Items that have waited.
    fn go_on(&mut self) {
        match self.next.take() {
            Some(Next::NewGame) => _ = self.new_game(),
            Some(Next::Search(id, line, go)) => self.begin(id, &line, *go),
            None => {}
        }
    }

    fn info(&mut self, info: super::ChildInfo) -> Heard {
        if self.awaited > 0 || info.score.is_none() {
            return Heard::Nothing;
        }
        match &mut self.state {
            State::Searching(search) => {
                search.announced = true;
                Heard::Info(search.id, info)
            }
            // It works on the search that its last answer seemed to end, so that answer was an earlier one's.
            State::Idle if std::mem::take(&mut self.is_unconfirmed) => {
                self.answers_twice = true;
                self.searches += 1;
                let id = SearchId(self.searches);
                self.state = State::Searching(Search { id, stopped: false, announced: true });
                self.stop();
                Heard::Nothing
            }
            _ => Heard::Nothing,
        }
    }

    fn answer(&mut self, answer: Reply) -> Heard {
        let State::Searching(search) = self.state else { return self.stray() };
        if self.awaited > 0 {
            return self.stray();
        }
        let is_repeated = self.answers_twice && !search.announced && self.last_answer.as_ref() == Some(&answer);
        if is_repeated && self.protocol() == Protocol::Usi {
            return self.stray();
        }
        self.is_unconfirmed = !search.announced && self.protocol() == Protocol::Usi;
        self.last_answer = Some(answer.clone());
        self.state = State::Idle;
        self.go_on();
        Heard::Answer(search.id, answer)
    }

    fn stray(&mut self) -> Heard {
        self.answers_twice = true;
        Heard::Stray
    }

    fn refusal(&self, text: String) -> Message {
        let (protocol, greeting) = (self.protocol().to_string().to_uppercase(), self.protocol().greeting());
        let why = Message::new("expected-protocol").with("protocol", protocol).with("greeting", greeting);
        why.with("text", text)
    }

    fn complain(&mut self, text: &str) {
        let new = self.complaints.hear(text, !self.is_up());
        self.notes.extend(new.map(|text| Message::new("engine-says").with("text", text)));
    }
}

#[cfg(test)]
mod tests;
