//! Runs a child engine as a worker: tasks of the manager become searches of an [`EngineClient`], and the engine's
//! output becomes reports and answers.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::children::ChildSpec;
use super::events::EventSender;
use super::quirks::{self, Quirks};
use hasami_api::{Answer, Bound, Goal, Limits, MateAnswer, Report, Score, Task};
use hasami_child::StdinWriter;
use hasami_protocol::client::{
    self, ChildInfo, ClientEvent, EngineClient, EngineConfig, Owed, PlayedGame, Reply, Role, SearchId,
};
use hasami_protocol::{BestMove, Protocol};
use hasami_tree::event::{Profile, TaskEnd, TaskId};
use hasami_words::text::{At, counted};
use std::sync::Arc;

/// The state of a child process, from its start to its end.
pub struct ChildClient {
    spec: Arc<ChildSpec>,
    protocol: Protocol,
    sender: EventSender,
    client: EngineClient,
    current: Option<Current>,
    /// Whether the child obeys `go nodes` and `go depth`.
    heeds_limits: bool,
    /// The value of MultiPV that was last sent to the child.
    multipv: u16,
}

/// The task that the child is working on.
struct Current {
    id: TaskId,
    search: SearchId,
    goal: Goal,
    multipv: u16,
    limits: Limits,
    /// Whether the child was sent `stop` because its search has reached the task's limits.
    stopped: bool,
}

impl Current {
    fn has_reached(&self, depth: u16, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= limit) || self.limits.depth.is_some_and(|limit| depth >= limit)
    }

    fn has_overrun(&self, depth: u16, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= Limits::far_beyond(limit))
            || self.limits.depth.is_some_and(|limit| depth > limit)
    }
}

impl ChildClient {
    /// Creates the state of a run that plays `game`. An option selects this game if the child plays several games.
    pub fn new(spec: Arc<ChildSpec>, game: PlayedGame, sender: EventSender) -> Self {
        let protocol = spec.protocol.unwrap_or(game.protocol);
        let config = EngineConfig {
            protocol,
            variants: game.variants,
            role: if spec.mate { Role::Solver } else { Role::Worker },
            options: spec.options.clone(),
            offers: Vec::new(),
            ponder: false,
        };
        let client = EngineClient::new(config);
        Self { spec, protocol, sender, client, current: None, heeds_limits: true, multipv: 1 }
    }

    pub fn is_up(&self) -> bool {
        self.client.is_up()
    }

    /// Names the reply that the child owes, for log messages.
    pub fn waits_for(&self) -> &'static str {
        match self.client.owes() {
            Some(Owed::Greeting) => self.protocol.greeting_ok(),
            Some(Owed::Answer(_) | Owed::AnswerToStop(_)) => "bestmove",
            _ => "readyok",
        }
    }

    /// Handles one line of the child's output. Returns `true` if the line completes the child's start.
    pub fn hear(&mut self, line: &str, writer: &StdinWriter) -> bool {
        // An `info` line without a score is not worth parsing, and some engines print very many of them.
        if line.starts_with("info ") && !line.contains(" score ") && !line.contains(" string ") {
            return false;
        }
        let heard = self.client.hear(client::parse(self.protocol, line));
        let came_up = heard == ClientEvent::Up;
        match heard {
            ClientEvent::Up => self.come_up(),
            ClientEvent::Info(search, info) => self.report(search, info),
            ClientEvent::Answer(search, reply) => self.end(search, reply),
            ClientEvent::Stray => log::debug!("{}: an answer that nobody asked for", self.spec.name),
            ClientEvent::Refused(why) => self.sender.lost_for_good(why.at(&self.spec.name)),
            ClientEvent::NewGame => self.sender.fresh(),
            ClientEvent::Nothing => {}
        }
        self.tell_notes();
        self.flush(writer);
        came_up
    }

    /// Starts a task. All commands that the task needs are sent in one write.
    pub fn start(&mut self, id: TaskId, task: &Task, writer: &StdinWriter) {
        let chess960 = task.line.start.rules.chess960;
        let declares_it = self.client.declared("UCI_Chess960").is_some();
        if chess960 && !declares_it && self.protocol == Protocol::Uci {
            return self.sender.ended(id, TaskEnd::Failed("the engine does not play Chess960".to_owned()));
        }
        self.adjust(task.multipv.max(1));
        let go = client::go_for(self.protocol, task);
        let search = self.client.search(&task.line, if self.heeds_limits { go } else { go.without_limits() });
        let (goal, multipv) = (task.goal, task.multipv.max(1));
        // Mate engines get a time limit instead of depth and node limits.
        let limits = if goal == Goal::Best { task.limits } else { Limits::default() };
        self.current = Some(Current { id, search, goal, multipv, limits, stopped: false });
        self.flush(writer);
    }

    pub fn cancel(&mut self, id: TaskId, writer: &StdinWriter) {
        let Some(current) = self.current.as_ref().filter(|current| current.id == id) else { return };
        let (search, goal) = (current.search, current.goal);
        self.client.stop();
        self.flush(writer);
        if self.client.searching() != Some(search) {
            // The child has not begun a search, so the task ends at once.
            self.current = None;
            let nothing = match goal {
                Goal::Best => Answer::Best { best: None, ponder: None },
                _ => Answer::Mate(MateAnswer::Unknown),
            };
            self.sender.ended(id, TaskEnd::Answer(nothing));
        }
    }

    /// Tells the child that a new game begins. Returns `true` if [`EventSender::fresh`] will be called later.
    pub fn new_game(&mut self, writer: &StdinWriter) -> bool {
        let waits = self.is_up() && !self.client.new_game();
        self.flush(writer);
        waits
    }

    pub fn lost(&self, why: impl Into<String>) {
        self.sender.lost(self.reason(why.into()));
    }

    /// Reports that the child could not be started.
    pub fn absent(&self, why: String) {
        self.sender.lost_for_good(self.reason(why));
    }

    fn reason(&self, why: String) -> String {
        // After its start, a child is shown to users under the name that it reported.
        let (name, command) = (&self.spec.name, self.spec.launch.to_string());
        if self.is_up() {
            return why;
        }
        let why = match self.client.complaint() {
            Some(text) => format!("{why}; it said: {text}"),
            None => why,
        };
        why.at(if *name == command { command } else { format!("{name} ({command})") })
    }

    pub fn close(&self) {
        self.sender.close();
    }

    /// Sends the child all commands that its protocol allows now.
    pub fn flush(&mut self, writer: &StdinWriter) {
        let lines = self.client.take_lines();
        if !lines.is_empty() {
            writer.write(lines.join("\n"));
        }
    }

    fn tell_notes(&mut self) {
        let name = &self.spec.name;
        for text in self.client.take_faults().iter().chain(&self.client.take_notes()) {
            log::warn!("{name}: {text}");
        }
    }

    fn come_up(&mut self) {
        let quirks = quirks::of(self.client.name(), self.protocol);
        self.heeds_limits = self.spec.limits.unwrap_or(quirks.limits);
        if self.spec.mate && !quirks.checkmate {
            let name = self.client.name();
            self.sender.lost_for_good(format!("{name} does not answer 'go mate' with 'checkmate'"));
        } else {
            self.sender.joined(self.profile(quirks));
        }
    }

    /// Returns true if the engine belongs to the YaneuraOu family, regardless of its name. All engines of the YaneuraOu
    /// family understand `go searchmoves`.
    fn is_yaneuraou(&self) -> bool {
        ["PvInterval", "NetworkDelay2", "EvalDir"].into_iter().all(|name| self.client.declared(name).is_some())
    }

    /// Returns the worker's profile. The profile of a mate engine allows only `go mate`.
    fn profile(&self, quirks: Quirks) -> Profile {
        Profile {
            name: self.spec.name.clone(),
            can_except: false,
            can_only: !self.spec.mate && self.spec.searchmoves.unwrap_or(quirks.searchmoves || self.is_yaneuraou()),
            can_best: !self.spec.mate,
            can_vary: false,
            can_mate: self.spec.mate,
            weight: self.spec.weight,
            machine: None,
        }
    }

    /// Sets the engine options that depend on the task.
    fn adjust(&mut self, multipv: u16) {
        if multipv != self.multipv {
            let value = multipv.to_string();
            let is_set = ["MultiPV", "USI_MultiPV"].into_iter().any(|name| self.client.set_option(name, &value));
            self.multipv = if is_set { multipv } else { self.multipv };
        }
    }

    fn report(&mut self, search: SearchId, info: ChildInfo) {
        let is_whole = info.bound == Bound::Exact && info.multipv.is_none_or(|line| line == 1);
        let (depth, nodes) = (info.depth.filter(|_| is_whole).unwrap_or(0), info.nodes.unwrap_or(0));
        self.pass_on(search, info);
        self.keep_limits(search, depth, nodes);
    }

    fn current(&mut self, search: SearchId) -> Option<&mut Current> {
        self.current.as_mut().filter(|current| current.search == search)
    }

    /// Stops the search of a child that exceeds its limits.
    fn keep_limits(&mut self, search: SearchId, depth: u16, nodes: u64) {
        let heeds = self.heeds_limits;
        let Some(current) = self.current(search).filter(|current| !current.stopped) else { return };
        let is_over = if heeds { current.has_overrun(depth, nodes) } else { current.has_reached(depth, nodes) };
        if !is_over {
            return;
        }
        current.stopped = true;
        if std::mem::replace(&mut self.heeds_limits, false) {
            let (name, nodes) = (&self.spec.name, counted(nodes, "node"));
            log::warn!("{name}: exceeded its limits of depth and nodes (depth {depth}, {nodes}) and is stopped");
        }
        self.client.stop();
    }

    fn pass_on(&mut self, search: SearchId, info: ChildInfo) {
        let Some(score) = info.score else { return };
        let multipv = info.multipv.unwrap_or(1);
        let Some(current) = self.current(search).filter(|current| multipv <= current.multipv) else { return };
        let id = current.id;
        self.sender.report(id, read_report(info, score, multipv));
    }

    /// Ends the task of `search`. Answers to earlier searches are ignored.
    fn end(&mut self, search: SearchId, reply: Reply) {
        if self.current(search).is_none() {
            return;
        }
        if let Some(current) = self.current.take() {
            let end = read_answer(current.goal, reply).map_or_else(TaskEnd::Failed, TaskEnd::Answer);
            self.sender.ended(current.id, end);
        }
    }
}

fn read_answer(goal: Goal, reply: Reply) -> Result<Answer, String> {
    match (goal, reply) {
        (Goal::Best, Reply::Best(BestMove::Move { best, ponder })) => Ok(Answer::Best { best: Some(best), ponder }),
        (Goal::Best, Reply::Best(_)) => Ok(Answer::Best { best: None, ponder: None }),
        (Goal::Best, Reply::Checkmate(_)) => Err("the answer is checkmate, not bestmove".to_owned()),
        (_, Reply::Checkmate(answer)) => Ok(Answer::Mate(answer)),
        (_, Reply::Best(_)) => Err("the answer is bestmove, not checkmate".to_owned()),
        (_, Reply::NoAnswer(why)) => Err(why),
        _ => Err("no answer".to_owned()),
    }
}

fn read_report(info: ChildInfo, score: Score, multipv: u16) -> Report {
    Report {
        depth: info.depth.unwrap_or(0),
        seldepth: info.seldepth.unwrap_or(0),
        multipv,
        score,
        bound: info.bound,
        of_move: false,
        nodes: info.nodes.unwrap_or(0),
        hashfull: info.hashfull.unwrap_or(0),
        table_hits: info.table_hits.unwrap_or(0),
        pv: info.pv,
        ranking: Vec::new(),
    }
}
