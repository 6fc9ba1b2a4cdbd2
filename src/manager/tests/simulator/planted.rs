//! A minimal manager that follows the judge's rules, in which bugs can be planted to prove that the judge finds them.

use super::gui;
use super::judge::MOST_UNGROUPED;
use crate::clock::{Plan, Standing};
use hasami_api::{Bound, Game, Limits, Line, MateAnswer, MoveText, Moves, Score, Task, Verdict};
use hasami_protocol::{BestMove, Command, Go, Info, MateLimit, Output, Settings};
use hasami_toy::Toy;
use hasami_tree::event::{Action, Profile, TaskId, Time, WorkerEvent, WorkerId};
use hasami_tree::manage::Manage;
use hasami_tree::{NodeView, Snapshot};
use std::collections::BTreeMap;
use std::time::Duration;

/// The bugs that can be planted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bug {
    None,
    TwoTasks,
    StartsTheLost,
    ForgetsStop,
    AnswersTwice,
    AnswersPonder,
    TrustsReports,
    TrustsAnswers,
    AnswersLate,
    CancelsTwice,
    ReusesIds,
    KeepsWorking,
    LeavesTheDeaf,
    SpeaksUnasked,
    SaysOneDoesAnother,
    BestForMate,
    InventsMates,
    TreeGrows,
    Panics,
    AlarmLoop,
    SearchesTheEnd,
    IgnoresAbilities,
    RevivesTheLiving,
    IgnoresSearchMoves,
    ChattersOn,
    Resigns,
    IgnoresDepth,
    IgnoresNodes,
    SearchesTwice,
}

const DEAF: Duration = Duration::from_secs(3);

#[derive(Clone, Debug)]
enum PlantedNode {
    Free,
    Busy { id: TaskId, cancelled: Option<Time> },
    Gone,
}

struct PlantedSearch {
    go: Go,
    since: Time,
    hard: Option<Time>,
    pv: Vec<MoveText>,
    finished: bool,
    /// True if there is no valid position to search.
    unplaced: bool,
}

pub struct Simple {
    bug: Bug,
    settings: Settings,
    line: Line,
    game: Toy,
    /// True if the last position was invalid.
    refused: bool,
    /// A position that arrived during a search that only the GUI can end.
    next: Option<Line>,
    seats: BTreeMap<WorkerId, (PlantedNode, Profile)>,
    search: Option<PlantedSearch>,
    tasks: u64,
    nodes: usize,
    out: Vec<Action>,
}

impl Simple {
    pub fn new(bug: Bug, settings: &Settings) -> Self {
        let line = Line::default();
        let game = Toy::new(&line.start).expect("the game's own start");
        let (seats, out) = (BTreeMap::new(), Vec::new());
        Self {
            bug,
            settings: settings.clone(),
            line,
            game,
            refused: false,
            next: None,
            seats,
            search: None,
            tasks: 0,
            nodes: 1,
            out,
        }
    }

    fn is(&self, bug: Bug) -> bool {
        self.bug == bug
    }

    fn position(&mut self, line: Line) {
        let found = gui::position(&line);
        self.refused = found.is_none();
        let Some(game) = found else {
            return self.out.push(Action::Say(Output::Message("expected a legal position".into())));
        };
        (self.line, self.game) = (line, game);
    }

    fn go(&mut self, now: Time, go: Go) {
        let plan = Plan::new(&go, &self.settings, self.standing());
        let (hard, unplaced) = (plan.hard().map(|hard| now + hard), self.refused);
        self.search = Some(PlantedSearch { go, since: now, hard, pv: Vec::new(), finished: false, unplaced });
        self.assign();
        let nothing_to_do = unplaced || self.game.count_moves() == 0;
        self.search.as_mut().expect("just begun").finished = nothing_to_do;
    }

    fn standing(&self) -> Standing {
        Standing { side: self.game.side(), ply: self.game.ply(), shares: [35, 12] }
    }

    /// Lets one free worker search the root with the default variant, and a few others with different variants.
    fn assign(&mut self) {
        let Some(search) = self.search.as_ref().filter(|search| !search.unplaced) else { return };
        if self.game.count_moves() == 0 && !self.is(Bug::SearchesTheEnd) {
            return;
        }
        let task = Task {
            line: self.line.clone(),
            limits: Limits { depth: search.go.depth, nodes: search.go.nodes, mate: None },
            ..Task::default()
        };
        let (doubled, blind, grave) =
            (self.is(Bug::TwoTasks), self.is(Bug::IgnoresAbilities), self.is(Bug::StartsTheLost));
        let twice = self.is(Bug::SearchesTwice);
        let is_running =
            |(seat, _): &&(PlantedNode, Profile)| matches!(seat, PlantedNode::Busy { cancelled: None, .. });
        let mut running = self.seats.values().filter(is_running).count();
        for (&worker, (seat, profile)) in &mut self.seats {
            let joins = running == 0 || twice || doubled || (profile.can_vary && running <= MOST_UNGROUPED);
            let free = match seat {
                PlantedNode::Free => true,
                PlantedNode::Busy { .. } => doubled,
                PlantedNode::Gone => grave,
            };
            if free && joins && (profile.can_best || blind) {
                let variant = if running == 0 || twice { 0 } else { worker.0 as u16 + 1 };
                running += 1;
                self.tasks += u64::from(self.bug != Bug::ReusesIds || self.tasks < 2);
                let id = TaskId(self.tasks);
                *seat = PlantedNode::Busy { id, cancelled: None };
                self.out.push(Action::Start { worker, id, task: Task { variant, ..task.clone() } });
            }
        }
    }

    fn rest(&mut self, now: Time) {
        if self.is(Bug::KeepsWorking) {
            return;
        }
        for (&worker, (seat, _)) in &mut self.seats {
            if let PlantedNode::Busy { id, cancelled } = seat
                && (cancelled.is_none() || self.bug == Bug::CancelsTwice)
            {
                cancelled.get_or_insert(now);
                self.out.push(Action::Cancel { worker, id: *id });
                if self.bug == Bug::CancelsTwice {
                    *seat = PlantedNode::Busy { id: TaskId(id.0 + 1), cancelled: Some(now) };
                }
            }
        }
    }

    fn answer(&mut self, now: Time) {
        let Some(search) = self.search.take() else { return };
        self.rest(now);
        self.say_answer(now, &search);
        if let Some(line) = self.next.take() {
            self.position(line);
        }
    }

    fn say_answer(&mut self, now: Time, search: &PlantedSearch) {
        let asks_mate = matches!(search.go.mate, Some(MateLimit::Time(_) | MateLimit::Infinite));
        if search.unplaced {
            let answer = if asks_mate { Output::MateRefused } else { Output::Best(BestMove::None) };
            return self.out.push(Action::Say(answer));
        }
        if asks_mate && !self.is(Bug::BestForMate) {
            let lie = self.is(Bug::InventsMates) && self.game.count_moves() > 0;
            let answer = if lie { MateAnswer::Mate(self.choose(search)) } else { MateAnswer::Unknown };
            return self.out.push(Action::Say(Output::Checkmate(answer)));
        }
        let pv = self.choose(search);
        let best = match pv.first() {
            None => BestMove::None,
            Some(_) if self.is(Bug::Resigns) => BestMove::Resign,
            Some(&best) => BestMove::Move { best, ponder: pv.get(1).copied() },
        };
        if !pv.is_empty() {
            let shown = if self.is(Bug::SaysOneDoesAnother) { pv[1..].to_vec() } else { pv };
            self.inform(now.saturating_sub(search.since), shown);
        }
        self.out.push(Action::Say(Output::Best(best.clone())));
        if self.is(Bug::AnswersTwice) {
            self.out.push(Action::Say(Output::Best(best)));
        }
    }

    fn inform(&mut self, time: Duration, pv: Vec<MoveText>) {
        let (score, bound) = (Score::DRAW, Bound::Exact);
        let info = Info {
            depth: 1,
            seldepth: 1,
            multipv: None,
            score,
            bound,
            wdl: None,
            nodes: if self.is(Bug::IgnoresNodes) { 1_000_000 } else { 0 },
            nps: 0,
            hashfull: 0,
            table_hits: 0,
            time,
            pv,
        };
        self.out.push(Action::Say(Output::Info(info)));
    }

    /// Returns the legal beginning of the reported variation or, if there is none, any allowed move.
    fn choose(&self, search: &PlantedSearch) -> Vec<MoveText> {
        if self.is(Bug::TrustsReports) && !search.pv.is_empty() {
            return search.pv.clone();
        }
        let allowed = |m: &MoveText| {
            let only = &search.go.search_moves;
            only.is_empty() || only.contains(m) || self.bug == Bug::IgnoresSearchMoves
        };
        let mut game = self.game.clone();
        let mut pv = Vec::new();
        for text in &search.pv {
            let open = pv.is_empty() || game.verdict() == Verdict::Open;
            let Some(m) = game.parse_move(text).ok().filter(|_| open) else { break };
            pv.push(*text);
            game.make(m);
        }
        if pv.first().is_none_or(|first| !allowed(first)) {
            let mut legal = Moves::new();
            self.game.legal_moves(&mut legal);
            pv = legal.iter().map(|&m| self.game.format_move(m)).find(allowed).into_iter().collect();
        }
        pv
    }

    fn worker(&mut self, event: WorkerEvent) {
        match event {
            WorkerEvent::Joined { worker, profile } => {
                self.seats.insert(worker, (PlantedNode::Free, profile));
                self.assign();
            }
            WorkerEvent::Report { worker, task, report } => {
                let own = matches!(self.seats.get(&worker), Some((PlantedNode::Busy { id, cancelled: None }, _)) if *id == task);
                let trusted = own || self.is(Bug::TrustsReports);
                if let Some(search) = self.search.as_mut().filter(|_| trusted) {
                    search.pv = report.pv;
                }
                if self.search.is_some() && self.is(Bug::ChattersOn) {
                    let pv = self.search.as_ref().map(|search| self.choose(search)).unwrap_or_default();
                    self.inform(Duration::ZERO, pv);
                }
            }
            WorkerEvent::Ended { worker, task, .. } => {
                if let Some((seat, _)) = self.seats.get_mut(&worker) {
                    let own = matches!(seat, PlantedNode::Busy { id, .. } if *id == task);
                    if own || self.bug == Bug::TrustsAnswers {
                        *seat = PlantedNode::Free;
                    }
                    let done = self.search.as_mut().filter(|_| own && self.bug != Bug::IgnoresDepth);
                    done.into_iter().for_each(|search| search.finished = true);
                }
            }
            WorkerEvent::Lost { worker, .. } => {
                if let Some((seat, _)) = self.seats.get_mut(&worker) {
                    *seat = PlantedNode::Gone;
                }
                if self.is(Bug::RevivesTheLiving) {
                    self.out.extend([Action::Revive { worker }, Action::Revive { worker }]);
                }
            }
        }
    }

    /// Does everything that is due: answers if time is up or a task has finished, kills workers that ignored a
    /// cancellation, and sets the next alarm.
    fn settle(&mut self, now: Time) -> Vec<Action> {
        let late = if self.is(Bug::AnswersLate) { Duration::from_secs(90) } else { Duration::ZERO };
        let open = |search: &PlantedSearch| search.go.infinite || search.go.ponder && self.bug != Bug::AnswersPonder;
        let due = |search: &PlantedSearch| search.finished || search.hard.is_some_and(|hard| now >= hard + late);
        if self.search.as_ref().is_some_and(|search| due(search) && !open(search)) {
            self.answer(now);
            if self.is(Bug::SpeaksUnasked) {
                self.inform(Duration::ZERO, Vec::new());
            }
        }
        let mut alarm = self.search.as_ref().and_then(|search| search.hard).map(|hard| hard + late);
        for (&worker, (seat, _)) in &mut self.seats {
            let PlantedNode::Busy { cancelled: Some(at), .. } = seat else { continue };
            let deadline = *at + DEAF;
            if now >= deadline && self.bug != Bug::LeavesTheDeaf {
                *seat = PlantedNode::Gone;
                self.out.push(Action::Kill { worker });
            } else if now < deadline {
                alarm = Some(alarm.map_or(deadline, |alarm| alarm.min(deadline)));
            }
        }
        let again = self.is(Bug::AlarmLoop) && now > Duration::from_secs(1);
        self.out.push(Action::Alarm(if again { Some(now) } else { alarm }));
        std::mem::take(&mut self.out)
    }
}

impl Manage for Simple {
    fn on_settings(&mut self, now: Time, settings: &Settings) -> Vec<Action> {
        self.settings = settings.clone();
        self.settle(now)
    }

    fn on_dismissal(&mut self, settings: &Settings) {
        *self = Self::new(self.bug, settings);
    }

    fn on_command(&mut self, now: Time, command: Command) -> Vec<Action> {
        self.nodes += 100;
        assert!(!self.is(Bug::Panics) || command != Command::GameOver, "planted");
        let is_open = |search: &PlantedSearch| search.go.infinite || search.go.ponder;
        if let Command::Position(line) = &command
            && self.search.as_ref().is_some_and(is_open)
        {
            self.next = Some(line.clone());
            return self.settle(now);
        }
        let ends = matches!(
            command,
            Command::Stop | Command::GameOver | Command::NewGame | Command::Position(_) | Command::Go(_)
        );
        if ends && !(self.is(Bug::ForgetsStop) && command == Command::Stop) {
            self.answer(now);
        }
        match command {
            Command::Position(line) => self.position(line),
            Command::NewGame => self.position(Line::default()),
            Command::Go(go) => self.go(now, go),
            Command::PonderHit(clock) => {
                if let Some(mut search) = self.search.take_if(|search| search.go.ponder) {
                    let plan = Plan::on_ponder_hit(&search.go, clock, &self.settings, self.standing());
                    (search.go.ponder, search.hard) = (false, plan.hard().map(|hard| now + hard));
                    self.search = Some(search);
                }
            }
            _ => {}
        }
        self.settle(now)
    }

    fn on_worker(&mut self, now: Time, event: WorkerEvent) -> Vec<Action> {
        self.worker(event);
        self.settle(now)
    }

    fn on_alarm(&mut self, now: Time) -> Vec<Action> {
        self.settle(now)
    }

    fn snapshot(&self, _: Time) -> Snapshot {
        let mut legal = Moves::new();
        self.game.legal_moves(&mut legal);
        let children = legal.iter().map(|&m| node(Some(0), vec![self.game.format_move(m)], 1.0 / legal.len() as f64));
        let mut nodes: Vec<_> = std::iter::once(node(None, Vec::new(), 1.0)).chain(children).collect();
        if self.is(Bug::TreeGrows) {
            nodes.extend((0..self.nodes).map(|_| node(None, Vec::new(), 1.0)));
        }
        Snapshot { root: self.line.clone(), nodes, ..Snapshot::default() }
    }
}

fn node(parent: Option<usize>, path: Vec<MoveText>, probability: f64) -> NodeView {
    NodeView {
        parent,
        path,
        value: None,
        bound: Bound::Exact,
        own_value: None,
        own_bound: hasami_api::Bound::Exact,
        depth: 0,
        nodes: 0,
        probability,
        worker: None,
        joined: Vec::new(),
        solved: false,
        pv: Vec::new(),
    }
}
