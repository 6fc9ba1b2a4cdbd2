//! Runs one engine process of a match.
//!
//! Every engine process has a thread that collects the lines of a search. Only the move wakes the match loop, however
//! many lines the engine prints.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::log::Log;
use super::notices::PlayerNoticeSender;
use super::search::SearchInfo;
use super::spec::EngineSpec;
use super::talk::{OpponentClient, OpponentNews, OpponentRequest, Patience};
use hasami_child::{ChildProcess, ProcessOutput, StdinWriter};
use hasami_protocol::Protocol;
use hasami_protocol::client::{self, EngineConfig, Reply, is_complaint};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Identifies a process; identifiers are never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlayerId(pub u64);

/// An event from an engine process, to be sent to the match loop.
#[derive(Debug)]
pub struct PlayerNotice {
    pub from: PlayerId,
    /// When the engine's line was received, which may be some time before the match loop reads it.
    pub at: Instant,
    pub what: PlayerEvent,
}

#[derive(Debug)]
pub enum PlayerEvent {
    Reply(Reply),
    /// A move, with the `info` lines of its search.
    Best(Reply, SearchInfo),
    Gone(String),
}

/// A running engine.
pub struct EnginePlayer {
    /// Index of the engine in the match.
    pub engine: usize,
    name: String,
    pub talk: OpponentClient,
    pub child: ChildProcess,
    pulse: Pulse,
    log: Log,
}

impl EnginePlayer {
    /// Starts the engine process, which leads to the event [`OpponentNews::Up`] or [`OpponentNews::Failed`].
    pub fn start(
        id: PlayerId,
        (engine, spec): (usize, &EngineSpec),
        (config, patience): (EngineConfig, Patience),
        notice_sender: &PlayerNoticeSender,
        log: &Log,
    ) -> Self {
        let name = format!("{}#{}", spec.name, id.0);
        let pulse = Pulse::new();
        let listener = OutputListener {
            id,
            protocol: config.protocol,
            notice_sender: notice_sender.clone(),
            search: SearchInfo::default(),
            early: true,
            pulse: pulse.clone(),
            name: name.clone(),
            log: log.clone(),
        };
        let child = ChildProcess::spawn(&spec.launch, listener.listen());
        let talk = OpponentClient::new(config, patience, Instant::now());
        let mut player = Self { engine, name, talk, child, pulse, log: log.clone() };
        player.flush();
        player
    }

    /// Begins a new game; [`OpponentNews::Ready`] is returned at once or follows as an event.
    pub fn new_game(&mut self) -> Option<OpponentNews> {
        let news = self.talk.new_game(Instant::now());
        self.flush();
        news
    }

    pub fn ask(&mut self, question: OpponentRequest) {
        self.talk.ask(question, Instant::now());
        self.flush();
    }

    pub fn ponder_hit(&mut self, question: OpponentRequest) -> Option<OpponentNews> {
        let news = self.talk.ponder_hit(question, Instant::now());
        self.flush();
        news
    }

    pub fn rest(&mut self, result: &str) {
        self.talk.rest(result, Instant::now());
        self.flush();
    }

    /// Handles an event of the process. Returns the resulting event for the match and, if a move has ended a search,
    /// the lines of the search.
    pub fn hear(&mut self, what: PlayerEvent, at: Instant) -> (Option<OpponentNews>, SearchInfo) {
        let (news, search) = match what {
            PlayerEvent::Reply(reply) => (self.talk.hear(reply, false, at), SearchInfo::default()),
            PlayerEvent::Best(reply, search) => (self.talk.hear(reply, !search.is_empty(), at), search),
            PlayerEvent::Gone(why) => (self.talk.gone(why), SearchInfo::default()),
        };
        self.flush();
        (news, search)
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.talk.deadline(self.pulse.last())
    }

    /// Handles an expired deadline: kills a process that does not answer.
    pub fn expire(&mut self, now: Instant) -> Option<OpponentNews> {
        let news = self.talk.expire(now);
        if matches!(news, Some(OpponentNews::Failed { .. })) {
            self.child.kill();
        }
        self.flush();
        news
    }

    /// Asks the engine to quit, without waiting until it has ended.
    pub fn quit(&mut self) {
        self.talk.quit();
        self.flush();
        self.child.writer().close();
    }

    fn flush(&mut self) {
        let lines = self.talk.client.take_lines();
        if lines.is_empty() {
            return;
        }
        let text = lines.join("\n");
        self.log.write(&self.name, '>', &text);
        self.child.writer().write(text);
    }
}

/// When an engine process last printed a line.
#[derive(Clone)]
struct Pulse {
    base: Instant,
    /// Milliseconds since `base`.
    millis: Arc<AtomicU64>,
}

impl Pulse {
    fn new() -> Self {
        Self { base: Instant::now(), millis: Arc::default() }
    }

    fn beat(&self, at: Instant) {
        self.millis.store((at - self.base).as_millis() as u64, Ordering::Relaxed);
    }

    fn last(&self) -> Instant {
        self.base + Duration::from_millis(self.millis.load(Ordering::Relaxed))
    }
}

/// Receives the engine process's output, on the thread of that process.
struct OutputListener {
    id: PlayerId,
    protocol: Protocol,
    notice_sender: PlayerNoticeSender,
    search: SearchInfo,
    /// Whether the engine has not yet reported that it is ready.
    early: bool,
    pulse: Pulse,
    name: String,
    log: Log,
}

impl OutputListener {
    fn listen(mut self) -> impl FnMut(ProcessOutput<'_>, &StdinWriter) + Send + 'static {
        move |said, _| {
            let at = Instant::now();
            match said {
                ProcessOutput::Said(line) => self.line(line, at),
                ProcessOutput::Absent(why) | ProcessOutput::Gone(why) => {
                    self.log.write(&self.name, '*', &why.to_string());
                    self.send(PlayerEvent::Gone(why), at);
                }
            }
        }
    }

    fn line(&mut self, line: &str, at: Instant) {
        self.pulse.beat(at);
        self.log.write(&self.name, '<', line);
        if line.starts_with("info ") && !line.starts_with("info string ") {
            self.search.add(line);
            return;
        }
        match client::parse(self.protocol, line) {
            reply @ (Reply::Best(_) | Reply::NoAnswer(_)) => {
                let search = std::mem::take(&mut self.search);
                self.send(PlayerEvent::Best(reply, search), at);
            }
            Reply::ReadyOk => {
                self.search.clear();
                self.early = false;
                self.send(PlayerEvent::Reply(Reply::ReadyOk), at);
            }
            Reply::Message(text) if !is_complaint(&text, self.early) => {}
            reply @ (Reply::Name(_) | Reply::Option(_) | Reply::HelloOk | Reply::OtherHelloOk | Reply::Message(_)) => {
                self.send(PlayerEvent::Reply(reply), at)
            }
            _ => {}
        }
    }

    fn send(&self, what: PlayerEvent, at: Instant) {
        self.notice_sender.tell(PlayerNotice { from: self.id, at, what });
    }
}
