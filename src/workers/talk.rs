//! The conversation with a child engine: a state machine that is fed its lines and the manager's wishes.
//!
//! Before every `go` there is an `isready`; what the child says before it answers that belongs to the past. So a second
//! `bestmove`, or one that crossed our `stop`, never ends the next task, and it costs no waiting: the lines are sent in
//! one go and engines read them in order.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::children::ChildSpec;
use super::quirks;
use super::voice::Voice;
use crate::child::Pen;
use crate::event::{End, Profile, TaskId};
use crate::protocol::client::{self, ChildInfo, ChildOption, Reply};
use crate::protocol::{BestMove, Command, Protocol};
use hasami_api::{Answer, Bound, Goal, Limits, Report, Rules, Score, Task};
use std::sync::Arc;

/// See the module. One life of one child.
pub struct Talk {
    spec: Arc<ChildSpec>,
    protocol: Protocol,
    voice: Voice,
    stage: Stage,
    name: String,
    options: Vec<ChildOption>,
    /// `readyok`s still to come.
    owed: u32,
    current: Option<Current>,
    /// Heeds `go nodes` and `go depth`.
    heeds_limits: bool,
    /// What the child was last told.
    chess960: bool,
    multipv: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Waiting for `uciok`.
    Greeting,
    /// Waiting for the first `readyok`.
    Preparing,
    Up,
}

/// The task that the child works on.
struct Current {
    id: TaskId,
    goal: Goal,
    multipv: u16,
    limits: Limits,
    /// It was told to stop because of its limits.
    stopped: bool,
}

impl Current {
    /// The search has come as far as it was to go.
    fn has_reached(&self, depth: u16, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= limit) || self.limits.depth.is_some_and(|limit| depth >= limit)
    }

    /// The search has gone far beyond that.
    fn has_overrun(&self, depth: u16, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= Limits::far_beyond(limit))
            || self.limits.depth.is_some_and(|limit| depth > limit)
    }
}

impl Talk {
    pub fn new(spec: Arc<ChildSpec>, protocol: Protocol, voice: Voice) -> Self {
        Self {
            spec,
            protocol,
            voice,
            stage: Stage::Greeting,
            name: String::new(),
            options: Vec::new(),
            owed: 0,
            current: None,
            heeds_limits: true,
            chess960: false,
            multipv: 1,
        }
    }

    /// The first words.
    pub fn greet(&self, pen: &Pen) {
        self.send(pen, &Command::Hello);
    }

    pub fn is_up(&self) -> bool {
        self.stage == Stage::Up
    }

    /// What the child is behind with, for the log.
    pub fn waits_for(&self) -> &'static str {
        match self.stage {
            Stage::Greeting => self.protocol.greeting_ok(),
            Stage::Preparing | Stage::Up => "readyok",
        }
    }

    /// Hears one line; `true` when the child has just come up.
    pub fn hear(&mut self, line: &str, pen: &Pen) -> bool {
        // Most lines of a flood: not worth taking apart.
        if line.starts_with("info ") && !line.contains(" score ") {
            return false;
        }
        match client::parse(self.protocol, line) {
            Reply::Name(name) => self.name = name,
            Reply::Option(option) if self.stage == Stage::Greeting => self.options.push(option),
            Reply::HelloOk if self.stage == Stage::Greeting => self.prepare(pen),
            Reply::ReadyOk => return self.ready(),
            Reply::Info(info) => self.report(info, pen),
            Reply::Best(best) => self.best(best),
            Reply::Checkmate(answer) => self.end(|goal| match goal {
                Goal::Mate | Goal::MateWithin => Ok(Answer::Mate(answer)),
                Goal::Best => Err("expected bestmove, found checkmate".to_owned()),
            }),
            Reply::NoAnswer(why) => self.end(|_| Err(why)),
            _ => {}
        }
        false
    }

    /// Begins a task: everything that it needs in one piece.
    pub fn start(&mut self, id: TaskId, task: &Task, pen: &Pen) {
        let chess960 = task.line.start.rules.chess960;
        if chess960 && !self.declares("UCI_Chess960") && self.protocol == Protocol::Uci {
            return self.voice.ended(id, End::Failed("the engine does not play Chess960".to_owned()));
        }
        self.adjust(&task.line.start.rules, task.multipv.max(1), pen);
        let (goal, multipv, limits) = (task.goal, task.multipv.max(1), task.limits);
        self.current = Some(Current { id, goal, multipv, limits, stopped: false });
        self.send(pen, &Command::Position(task.line.clone()));
        self.barrier(pen);
        let go = client::go_for(self.protocol, task);
        self.send(pen, &Command::Go(if self.heeds_limits { go } else { go.without_limits() }));
    }

    pub fn cancel(&mut self, id: TaskId, pen: &Pen) {
        if self.current.as_ref().is_some_and(|current| current.id == id) {
            self.send(pen, &Command::Stop);
        }
    }

    pub fn new_game(&mut self, pen: &Pen) {
        if self.is_up() {
            self.send(pen, &Command::NewGame);
        }
    }

    pub fn lost(&self, why: &str) {
        self.voice.lost(self.reason(why));
    }

    /// The child cannot be started, now or later.
    pub fn absent(&self, why: &str) {
        self.voice.lost_for_good(self.reason(&format!("expected {}, found: {why}", self.waits_for())));
    }

    fn reason(&self, why: &str) -> String {
        // Who has joined is known by name.
        let (name, command) = (&self.spec.name, self.spec.launch.to_string());
        match self.is_up() {
            true => why.to_owned(),
            false if *name == command => format!("{name}: {why}"),
            false => format!("{name} ({command}): {why}"),
        }
    }

    pub fn close(&self) {
        self.voice.close();
    }

    fn send(&self, pen: &Pen, command: &Command) {
        if let Some(line) = client::write(self.protocol, command) {
            pen.write(line);
        }
    }

    fn set(&self, name: &str, value: &str, pen: &Pen) {
        self.send(pen, &Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) });
    }

    fn barrier(&mut self, pen: &Pen) {
        self.owed += 1;
        self.send(pen, &Command::IsReady);
    }

    /// The child has introduced itself: options, a first game, the first `isready`.
    fn prepare(&mut self, pen: &Pen) {
        self.stage = Stage::Preparing;
        let spec = Arc::clone(&self.spec);
        for (name, value) in &spec.options {
            match self.declared(name) {
                Some(declared) => self.set(&declared.name, value, pen),
                // USI engines know some options without declaring them.
                None if name.starts_with("USI_") => self.set(name, value, pen),
                None => log::warn!("{}: the engine has no option {name}; not set", spec.name),
            }
        }
        self.send(pen, &Command::NewGame);
        self.barrier(pen);
    }

    fn declared(&self, name: &str) -> Option<&ChildOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    fn declares(&self, name: &str) -> bool {
        self.declared(name).is_some()
    }

    fn ready(&mut self) -> bool {
        if self.stage == Stage::Greeting {
            return false;
        }
        self.owed = self.owed.saturating_sub(1);
        let came_up = self.stage == Stage::Preparing;
        if came_up {
            self.stage = Stage::Up;
            self.heeds_limits = self.spec.limits.unwrap_or(quirks::of(&self.name, self.protocol).limits);
            self.voice.joined(self.profile());
        }
        came_up
    }

    fn profile(&self) -> Profile {
        let quirks = quirks::of(&self.name, self.protocol);
        Profile {
            name: self.spec.name.clone(),
            can_except: false,
            can_only: self.spec.searchmoves.unwrap_or(quirks.searchmoves),
            can_best: true,
            can_vary: false,
            can_mate: self.spec.mate && quirks.checkmate,
            weight: self.spec.weight,
        }
    }

    /// Options that belong to a task rather than to the engine.
    fn adjust(&mut self, rules: &Rules, multipv: u16, pen: &Pen) {
        if rules.chess960 != self.chess960 && self.declares("UCI_Chess960") {
            self.chess960 = rules.chess960;
            self.set("UCI_Chess960", if rules.chess960 { "true" } else { "false" }, pen);
        }
        if multipv != self.multipv
            && let Some(name) = ["MultiPV", "USI_MultiPV"].into_iter().find(|name| self.declares(name))
        {
            self.multipv = multipv;
            self.set(name, &multipv.to_string(), pen);
        }
    }

    fn report(&mut self, info: ChildInfo, pen: &Pen) {
        let is_whole = info.bound == Bound::Exact && info.multipv.is_none_or(|line| line == 1);
        let (depth, nodes) = (info.depth.filter(|_| is_whole).unwrap_or(0), info.nodes.unwrap_or(0));
        self.pass_on(info);
        self.keep_limits(depth, nodes, pen);
    }

    /// Ends the search of a child that does not end it by itself.
    fn keep_limits(&mut self, depth: u16, nodes: u64, pen: &Pen) {
        let Some(current) = self.current.as_mut().filter(|current| self.owed == 0 && !current.stopped) else { return };
        let is_over =
            if self.heeds_limits { current.has_overrun(depth, nodes) } else { current.has_reached(depth, nodes) };
        if !is_over {
            return;
        }
        current.stopped = true;
        if std::mem::replace(&mut self.heeds_limits, false) {
            let (name, found) = (&self.spec.name, format!("depth {depth}, {nodes} nodes"));
            log::warn!("{name}: expected it to keep its limits of depth and nodes, found {found}; it is told to stop");
        }
        self.send(pen, &Command::Stop);
    }

    fn pass_on(&self, info: ChildInfo) {
        let Some(current) = self.current.as_ref().filter(|_| self.owed == 0) else { return };
        let Some(score) = info.score else { return };
        let multipv = info.multipv.unwrap_or(1);
        if multipv <= current.multipv {
            self.voice.report(current.id, read_report(info, score, multipv));
        }
    }

    fn best(&mut self, best: BestMove) {
        self.end(|goal| match (goal, best) {
            (Goal::Mate | Goal::MateWithin, _) => Err("expected checkmate, found bestmove".to_owned()),
            (Goal::Best, BestMove::Move { best, ponder }) => Ok(Answer::Best { best: Some(best), ponder }),
            (Goal::Best, _) => Ok(Answer::Best { best: None, ponder: None }),
        });
    }

    /// Ends the current task; what belongs to the past is dropped.
    fn end(&mut self, answer: impl FnOnce(Goal) -> Result<Answer, String>) {
        if self.owed > 0 {
            return;
        }
        let Some(current) = self.current.take() else {
            log::debug!("{}: an answer that nobody asked for", self.spec.name);
            return;
        };
        self.voice.ended(current.id, answer(current.goal).map_or_else(End::Failed, End::Answer));
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
        pv: info.pv,
        ranking: Vec::new(),
    }
}
