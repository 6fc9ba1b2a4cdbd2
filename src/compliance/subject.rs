//! The engine to check and its process.

use super::Examination;
use super::answer::SearchAnswer;
use super::conversation::{Conversation, protocol_word};
use super::positions::Positions;
use hasami_api::Line;
use hasami_protocol::client::{self, ChildOption, Reply};
use hasami_protocol::{Command, Protocol};
use std::time::Duration;

/// How long to listen for an early or unrequested answer.
pub const QUIET: Duration = Duration::from_millis(150);

/// The engine to check.
pub struct Subject<'a> {
    pub examination: &'a Examination,
    pub positions: Positions,
    conversation: Conversation,
    trace: &'a mut dyn FnMut(&str),
    /// The lines of the engine's answer to `uci` or `usi`.
    pub greeting: Vec<String>,
    pub declared: Vec<ChildOption>,
    /// Whether the process has answered `uci` or `usi`.
    is_greeted: bool,
    /// Whether the process has answered its first `isready`.
    is_up: bool,
    /// The first output line that is not ASCII text, from any of the engine's processes.
    pub odd: Option<String>,
}

impl<'a> Subject<'a> {
    pub fn new(examination: &'a Examination, trace: &'a mut dyn FnMut(&str)) -> Self {
        Self {
            positions: Positions::new(examination.catalog, examination.seed),
            conversation: Conversation::start(&examination.launch),
            examination,
            trace,
            greeting: Vec::new(),
            declared: Vec::new(),
            is_greeted: false,
            is_up: false,
            odd: None,
        }
    }

    pub fn protocol(&self) -> Protocol {
        self.examination.protocol
    }

    pub fn limit(&self) -> Duration {
        self.examination.limit
    }

    /// An answer this much over its time limit does not count as late.
    pub fn margin(&self) -> Duration {
        self.examination.margin
    }

    pub fn option(&self, name: &str) -> Option<&ChildOption> {
        self.declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Passes on the traced lines, and returns the current process.
    pub fn engine(&mut self) -> &mut Conversation {
        self.follow();
        &mut self.conversation
    }

    fn follow(&mut self) {
        std::mem::take(&mut self.conversation.trace).iter().for_each(|line| (self.trace)(line));
        if self.odd.is_none() {
            self.odd = self.conversation.odd.take();
        }
    }

    pub fn restart(&mut self) {
        self.follow();
        (self.trace)("(a new process)");
        self.conversation = Conversation::start(&self.examination.launch);
        (self.is_greeted, self.is_up) = (false, false);
    }

    /// Sends the greeting, stores the engine's answer and returns the response time.
    pub fn greet(&mut self) -> Result<Duration, String> {
        let (protocol, limit) = (self.protocol(), self.limit());
        let ok = protocol.greeting_ok();
        self.engine().tell(protocol.greeting());
        let (lines, took) = self.engine().until(protocol_word(ok), limit, |line| line == ok)?;
        let read = |line: &String| match client::parse(protocol, line) {
            Reply::Option(option) => Some(option),
            _ => None,
        };
        self.declared = lines.iter().filter_map(read).collect();
        self.greeting = lines;
        self.is_greeted = true;
        Ok(took)
    }

    /// Sends `isready`, waits for the answer and returns the response time.
    pub fn ready(&mut self) -> Result<Duration, String> {
        let limit = self.limit();
        self.engine().tell("isready");
        self.engine().until(protocol_word("readyok"), limit, |line| line == "readyok").map(|(_, took)| took)
    }

    /// Makes the engine ready for a game; if its process has ended, starts a new one.
    pub fn up(&mut self) -> Result<(), String> {
        if self.conversation.is_gone() {
            self.restart();
        }
        if self.is_up {
            return Ok(());
        }
        if !self.is_greeted {
            self.greet()?;
        }
        for (name, value) in self.examination.options.clone() {
            self.set_option(&name, Some(&value));
        }
        self.ready()?;
        self.is_up = true;
        Ok(())
    }

    pub fn set_option(&mut self, name: &str, value: Option<&str>) {
        let (name, value) = (name.to_owned(), value.map(str::to_owned));
        self.say(&Command::SetOption { name, value });
    }

    /// Sends a command in the protocol's syntax.
    pub fn say(&mut self, command: &Command) {
        if let Some(line) = client::write(self.protocol(), command) {
            self.engine().tell(&line);
        }
    }

    /// Begins a new game as GUIs do.
    pub fn new_game(&mut self) -> Result<(), String> {
        self.up()?;
        match self.protocol() {
            Protocol::Uci => {
                self.say(&Command::NewGame);
                self.ready().map(drop)
            }
            Protocol::Usi => {
                self.ready()?;
                self.say(&Command::NewGame);
                Ok(())
            }
        }
    }

    /// Runs a search to its end. `limit` is the engine's time for the search.
    pub fn search(&mut self, line: &Line, go: &str, limit: Duration) -> Result<SearchAnswer, String> {
        self.up()?;
        self.say(&Command::Position(line.clone()));
        self.engine().tell(go);
        self.answer(line, go, limit)
    }

    /// Waits for the answer of a running search.
    pub fn answer(&mut self, line: &Line, go: &str, limit: Duration) -> Result<SearchAnswer, String> {
        let timeout = self.limit().max(limit + self.margin());
        let is_end = |line: &str| line.starts_with("bestmove") || line.starts_with("checkmate");
        let found = self.engine().until(format!("'bestmove' after '{go}'"), timeout, is_end);
        if found.is_err() {
            // Starts a new process, so that a late answer is not taken for that of a later search.
            self.restart();
        }
        let (lines, took) = found?;
        Ok(SearchAnswer::new(self.protocol(), line, go, lines, took))
    }

    /// Sends `isready`, and returns what the engine prints besides the answer until shortly after it. Callers must not
    /// use this function during a game.
    pub fn listen(&mut self) -> Result<Vec<String>, String> {
        let limit = self.limit();
        self.engine().tell("isready");
        let (mut lines, _) = self.engine().until(protocol_word("readyok"), limit, |line| line == "readyok")?;
        lines.extend(self.engine().listen(QUIET)?);
        Ok(lines)
    }
}

impl Drop for Subject<'_> {
    fn drop(&mut self) {
        self.follow();
    }
}
