//! The state machine that drives one engine, from the greeting to `quit`: a child engine of the tree, or a player of a
//! match. The state machine performs no I/O: it takes the engine's replies and the caller's orders, and returns lines
//! to send.
//!
//! The protocols differ in the meaning of `isready`. In UCI, `isready` is a barrier: sent between `position` and `go`,
//! it shows that everything before `readyok` belongs to earlier searches. In USI, `isready` begins a game: the
//! YaneuraOu family then sets up the initial position and clears its hash. This program sends `isready` to a USI engine
//! at its start and before each new game, but never within a game. One `bestmove` is expected for each `go`; if an
//! engine answers a search twice, the `info` lines of the next search reveal the second answer.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::config::{EngineConfig, Settled};
use super::{ChildOption, Reply, complaints::Complaints, refuses};
use crate::{Command, Go, Protocol};
use hasami_api::Line;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchId(u64);

/// What the state machine has learnt from a reply.
#[derive(Clone, PartialEq, Debug)]
pub enum ClientEvent {
    Nothing,
    /// The options are set and the engine is ready.
    Up,
    /// The engine is ready for the new game.
    NewGame,
    /// An `info` line of this search.
    Info(SearchId, super::ChildInfo),
    /// The search has ended with [`Reply::Best`], [`Reply::Checkmate`] or [`Reply::NoAnswer`].
    Answer(SearchId, Reply),
    /// An answer that belongs to no search.
    Stray,
    /// The engine reports that it does not understand the greeting, so it speaks another protocol.
    Refused(String),
}

/// The next reply that the engine owes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owed {
    /// `uciok` or `usiok`.
    Greeting,
    /// The first `readyok`.
    FirstReady,
    /// The `readyok` that confirms a new game.
    NewGame,
    /// The `readyok` between `position` and `go`.
    Barrier,
    /// The answer to the search with this id.
    Answer(SearchId),
    /// The answer to the search with this id, for which `stop` has been sent.
    AnswerToStop(SearchId),
}

#[derive(Clone, PartialEq, Debug)]
enum State {
    Greeting,
    Preparing,
    Idle,
    /// `isready` for a new game has been sent, and `readyok` is expected.
    Renewing,
    /// The position and `isready` have been sent; `go` follows after `readyok`.
    Syncing(SearchId, Go),
    Searching(Search),
    Gone,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Search {
    id: SearchId,
    stopped: bool,
    /// Whether the engine has printed an `info` line of this search.
    announced: bool,
}

/// An order that waits for the end of a search or for `readyok`.
#[derive(Clone, PartialEq, Debug)]
enum Next {
    NewGame,
    Search(SearchId, Line, Box<Go>),
}

pub struct EngineClient {
    config: EngineConfig,
    state: State,
    next: Option<Next>,
    searches: u64,
    /// Number of `isready` lines that the engine has not answered yet.
    awaited: u32,
    /// Whether nothing has been searched since the last `isready`.
    is_new: bool,
    /// Whether `usinewgame` has been sent for the current game (USI).
    has_begun: bool,
    declared: Vec<ChildOption>,
    /// Whether the engine is in Chess960 mode, where castling is written as king takes rook (UCI).
    chess960: bool,
    settled: Settled,
    name: String,
    out: Vec<String>,
    faults: Vec<String>,
    notes: Vec<String>,
    complaints: Complaints,
    last_answer: Option<Reply>,
    /// Whether the engine got the other protocol's greeting, too, because it did not answer its own.
    is_greeted_otherwise: bool,
    /// Whether the last `bestmove` arrived before any `info` line of its search.
    is_unconfirmed: bool,
    answers_twice: bool,
}

impl EngineClient {
    /// Creates a client whose first line to send is the greeting.
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
            is_greeted_otherwise: false,
            is_unconfirmed: false,
            answers_twice: false,
        };
        client.say(&Command::Hello);
        client
    }

    pub fn protocol(&self) -> Protocol {
        self.config.protocol
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Removes and returns the lines that must be written to the engine now, in a single write.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.out)
    }

    /// Removes and returns the engine's protocol violations and the user's options that could not be set.
    pub fn take_faults(&mut self) -> Vec<String> {
        std::mem::take(&mut self.faults)
    }

    /// Removes and returns the notes for the user about the engine's options and complaints.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// The last error that the engine has reported about itself.
    pub fn complaint(&self) -> Option<&str> {
        self.complaints.last()
    }

    /// Returns this engine's complaint about an unusable file; see [`Complaints::unused_file`].
    pub fn unused_file(&self) -> Option<&str> {
        self.complaints.unused_file(&self.name, &self.config.options)
    }

    /// Returns whether the engine has answered the greeting and become ready.
    pub fn is_up(&self) -> bool {
        !matches!(self.state, State::Greeting | State::Preparing | State::Gone)
    }

    pub fn is_gone(&self) -> bool {
        self.state == State::Gone
    }

    /// Marks the engine as ended or unusable. Later replies of the engine are ignored, and nothing more is written to
    /// it.
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

    /// The search in progress; the requested search may still wait for it to end.
    pub fn searching(&self) -> Option<SearchId> {
        if let State::Searching(search) = &self.state { Some(search.id) } else { None }
    }

    /// The options that the engine declares.
    pub fn options(&self) -> &[ChildOption] {
        &self.declared
    }

    /// Which of the user's options were set; known once the engine is ready.
    pub fn settled(&self) -> &Settled {
        &self.settled
    }

    /// The engine's declaration of an option.
    pub fn declared(&self, name: &str) -> Option<&ChildOption> {
        self.declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option. Returns false, without sending anything, if the engine has not declared the option.
    pub fn set_option(&mut self, name: &str, value: &str) -> bool {
        let Some(name) = self.declared(name).map(|option| option.name.clone()) else { return false };
        self.set(name, value);
        true
    }

    /// Begins a new game after the search in progress. Returns true if the engine is ready at once; otherwise,
    /// [`ClientEvent::NewGame`] follows.
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
                // The engine still owes the `readyok` of an earlier game.
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

    /// Begins a search once the search in progress has ended and no `readyok` is pending.
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

    /// Stops the search in progress (its answer follows), or cancels a search that has not begun.
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

    /// Sends `ponderhit`, because the opponent has played the move on which the engine ponders. Returns false if the
    /// engine is not pondering.
    pub fn ponder_hit(&mut self) -> bool {
        match &mut self.state {
            State::Searching(search) if !search.stopped => {
                self.say(&Command::PonderHit(None));
                true
            }
            _ => false,
        }
    }

    /// Replaces the `go` of the requested search. Returns false if the `go` was already written.
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

    /// Tells the engine that the game is over. `result` is a word like `win`, and is sent only in USI.
    pub fn game_over(&mut self, result: &str) {
        self.stop();
        if self.protocol() == Protocol::Usi && self.is_up() {
            self.out.push(format!("gameover {result}"));
        }
    }

    pub fn quit(&mut self) {
        self.say(&Command::Stop);
        self.say(&Command::Quit);
        self.leave();
    }

    /// Records that the engine has printed `info` lines that were not passed to [`Self::hear`].
    pub fn note_printed_lines(&mut self) {
        if let State::Searching(search) = &mut self.state {
            search.announced = true;
        }
    }

    /// Sends the other protocol's greeting to an engine that does not answer its own, which it may not understand.
    /// Returns true only on the first call.
    pub fn greet_otherwise(&mut self) -> bool {
        let is_first = self.state == State::Greeting && !std::mem::replace(&mut self.is_greeted_otherwise, true);
        if is_first {
            self.out.push(self.protocol().other().greeting().to_owned());
        }
        is_first
    }

    pub fn is_greeted_otherwise(&self) -> bool {
        self.is_greeted_otherwise
    }

    /// Handles one reply.
    pub fn hear(&mut self, reply: Reply) -> ClientEvent {
        match reply {
            _ if self.is_gone() => {}
            Reply::Name(name) => self.name = name,
            Reply::Option(option) if self.state == State::Greeting => self.declared.push(option),
            Reply::HelloOk if self.state == State::Greeting => {
                // An engine that supports both protocols may have switched to the other one, so the greeting of its own
                // protocol is sent again.
                if self.is_greeted_otherwise {
                    self.say(&Command::Hello);
                }
                self.prepare();
            }
            Reply::OtherHelloOk if self.state == State::Greeting => {
                let other = self.protocol().other();
                return ClientEvent::Refused(self.refusal(other.greeting(), other.greeting_ok().to_owned()));
            }
            Reply::ReadyOk => return self.ready(),
            Reply::Info(info) => return self.info(info),
            Reply::Message(text) if self.state == State::Greeting && refuses(&text, self.protocol().greeting()) => {
                return ClientEvent::Refused(self.refusal(self.protocol().greeting(), text));
            }
            Reply::Message(text) => self.complain(&text),
            answer @ (Reply::Best(_) | Reply::Checkmate(_) | Reply::NoAnswer(_)) => return self.answer(answer),
            _ => {}
        }
        ClientEvent::Nothing
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

    /// Sets the options of an engine that has answered the greeting, and sends the first `isready`.
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

    /// Sends `usinewgame` or `ucinewgame` once per game, unless each search is announced as a game.
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

    /// Sets the option `UCI_Chess960` for each position, because the variant may differ from that of the last game.
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

    fn ready(&mut self) -> ClientEvent {
        self.awaited = self.awaited.saturating_sub(1);
        if self.awaited > 0 {
            return ClientEvent::Nothing;
        }
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Preparing => {
                if self.protocol() == Protocol::Usi && self.config.begins_game() {
                    self.begin_game();
                }
                self.go_on();
                ClientEvent::Up
            }
            State::Renewing => {
                if self.protocol() == Protocol::Usi {
                    self.begin_game();
                }
                self.go_on();
                ClientEvent::NewGame
            }
            State::Syncing(id, go) => {
                self.go(id, &go);
                ClientEvent::Nothing
            }
            other => {
                self.state = other;
                ClientEvent::Nothing
            }
        }
    }

    /// Carries out the waiting order, if there is one.
    fn go_on(&mut self) {
        match self.next.take() {
            Some(Next::NewGame) => _ = self.new_game(),
            Some(Next::Search(id, line, go)) => self.begin(id, &line, *go),
            None => {}
        }
    }

    fn info(&mut self, info: super::ChildInfo) -> ClientEvent {
        if self.awaited > 0 || info.score.is_none() {
            return ClientEvent::Nothing;
        }
        match &mut self.state {
            State::Searching(search) => {
                search.announced = true;
                ClientEvent::Info(search.id, info)
            }
            // The engine is still searching, so its last `bestmove` was not the answer to this search but a second
            // answer to the previous one.
            State::Idle if std::mem::take(&mut self.is_unconfirmed) => {
                self.answers_twice = true;
                self.searches += 1;
                let id = SearchId(self.searches);
                self.state = State::Searching(Search { id, stopped: false, announced: true });
                self.stop();
                ClientEvent::Nothing
            }
            _ => ClientEvent::Nothing,
        }
    }

    fn answer(&mut self, answer: Reply) -> ClientEvent {
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
        ClientEvent::Answer(search.id, answer)
    }

    fn stray(&mut self) -> ClientEvent {
        self.answers_twice = true;
        ClientEvent::Stray
    }

    fn refusal(&self, greeting: &'static str, text: String) -> String {
        let protocol = self.protocol().to_string().to_uppercase();
        format!("the engine does not speak {protocol}; it answers '{greeting}' with: {text}")
    }

    fn complain(&mut self, text: &str) {
        let new = self.complaints.hear(text, !self.is_up());
        self.notes.extend(new.map(|text| format!("says: {text}")));
    }
}

#[cfg(test)]
mod tests;
