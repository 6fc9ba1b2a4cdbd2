//! The manager of one game: its state, and the way of every event through it.

use super::crew::Crew;
use super::mate::MateSearch;
use super::member::Work;
use super::think::Think;
use super::{Glance, Manage, Opening};
use crate::event::{Action, TaskId, Time, WorkerEvent, WorkerId};
use crate::protocol::{Command, Go, Output, Settings, settings::TreeModel};
use crate::tree::rules::Rules;
use crate::tree::{Frontier, Gap, Hasami, Knowledge, Model, NodeId, Rank, Snapshot, Tree};
use hasami_api::{Game, Line, MoveText, Start};
use std::collections::BTreeSet;

/// What the manager is doing between two commands.
pub(super) enum Phase {
    /// Workers rest.
    Idle,
    /// The opponent thinks, and so do our workers, until this time at most.
    Pondering(Time),
    /// A `go` is to be answered with a move.
    Thinking(Box<Think>),
    /// A `go mate` is to be answered with a mate.
    Mating(MateSearch),
    /// A `go` without a position to search waits for the command that allows its answer.
    Unplaced(Go),
}

/// The search manager of one game.
pub struct Manager<G: Game> {
    pub(super) settings: Settings,
    /// Settings that came during a search, for the next one.
    pending: Option<Settings>,
    pub(super) opening: Option<Box<dyn Opening>>,
    pub(super) glance: Option<Glance>,
    knowledge: Knowledge,
    pub(super) model: Box<dyn Model>,
    /// The last good position that the GUI sent.
    pub(super) line: Line,
    pub(super) game: G,
    /// The position that the GUI sent last was refused: nothing is searched until another one comes.
    pub(super) refused: bool,
    /// A position that came during a search without an end of its own, which it does not end.
    pub(super) next_position: Option<(Line, G)>,
    /// The tree's root as a line; the tree may be ahead of `line` while the opponent thinks.
    pub(super) tree_line: Line,
    pub(super) tree: Tree<G>,
    pub(super) frontier: Frontier,
    pub(super) crew: Crew,
    pub(super) phase: Phase,
    pub(super) out: Vec<Action>,
    next_task: u64,
    /// What the next alarm is for; it may lie in the past, and then the alarm is on its way.
    pub(super) alarm: Option<Time>,
    pub(super) reserve_called: bool,
    /// Why no worker comes, where that is known.
    pub(super) vacancy: Option<String>,
    /// Time of the last moves, in a row, to which no worker has contributed.
    pub(super) wasted: Time,
    /// When workers may next be moved to better places.
    pub(super) next_comparison: Time,
    /// When the mate solver may look at the next leaf.
    pub(super) next_look: Time,
    /// When a leaf may be chosen for a look again.
    pub(super) next_leaf: Time,
    /// Nodes that are to grow, and when they are ripe for it.
    pub(super) ripening: BTreeSet<(Time, NodeId)>,
    /// When the next of them is, if somebody waits for it.
    pub(super) ripe_at: Option<Time>,
}

impl<G: Game> Manager<G> {
    /// A manager at the game's initial position, without workers. `opening` is asked only while `OwnBook` is on.
    ///
    /// # Panics
    /// If the game refuses its own initial position.
    pub fn new(settings: Settings, knowledge: impl Into<Knowledge>, opening: Option<Box<dyn Opening>>) -> Self {
        let mut manager = Self::silent(settings, knowledge.into(), opening);
        manager.open_book();
        manager.check_rules();
        manager
    }

    /// As [`Self::new`], before anything is said of the settings.
    fn silent(settings: Settings, knowledge: Knowledge, opening: Option<Box<dyn Opening>>) -> Self {
        let line = Line { start: Start { text: None, rules: settings.rules }, moves: Vec::new() };
        let game = G::new(&line.start).expect("every game has an initial position");
        let model = model_of(&settings, &knowledge);
        Self {
            opening,
            glance: None,
            knowledge,
            tree: Tree::new(game.clone()),
            model,
            tree_line: line.clone(),
            line,
            game,
            refused: false,
            next_position: None,
            frontier: Frontier::default(),
            crew: Crew::default(),
            phase: Phase::Idle,
            out: Vec::new(),
            next_task: 0,
            alarm: None,
            reserve_called: false,
            vacancy: None,
            wasted: Time::ZERO,
            settings,
            pending: None,
            next_comparison: Time::ZERO,
            next_look: Time::ZERO,
            next_leaf: Time::ZERO,
            ripening: BTreeSet::new(),
            ripe_at: None,
        }
    }

    /// Looks for itself where a move is due before any worker has spoken. Without it such a move is only legal.
    #[must_use]
    pub fn with_glance(mut self, glance: Glance) -> Self {
        self.glance = Some(glance);
        self
    }

    /// Opens or closes the book as the options say.
    fn open_book(&mut self) {
        if let Some(Err(why)) = self.opening.as_mut().map(|opening| opening.on_settings(&self.settings)) {
            self.message(why);
        }
    }

    /// Rules that cannot be read are not applied, and those that were removed do nothing; that is said once.
    fn check_rules(&mut self) {
        let refused = Rules::parse(&self.settings.tree_rules).err();
        if let Some(why) = refused.or_else(|| Rules::removed(&self.settings.tree_rules)) {
            self.message(why);
        }
    }

    /// The master tree, for tests and pictures.
    pub fn tree(&self) -> &Tree<G> {
        &self.tree
    }

    pub(super) fn say(&mut self, output: Output) {
        self.out.push(Action::Say(output));
    }

    pub(super) fn message(&mut self, text: impl Into<String>) {
        self.say(Output::Message(text.into()));
    }

    pub(super) fn next_task(&mut self) -> TaskId {
        self.next_task += 1;
        TaskId(self.next_task)
    }

    /// Workers may search the tree now.
    pub(super) fn is_searching(&self) -> bool {
        matches!(self.phase, Phase::Thinking(_) | Phase::Pondering(_))
    }

    /// What every event ends with: free workers get work, the clock is asked, and the next alarm is set.
    fn conclude(&mut self, now: Time) -> Vec<Action> {
        self.call_reserve(now);
        self.split_search_moves();
        self.dispatch(now);
        self.step(now);
        let is_compared = self.reassign(now);
        self.dispatch(now);
        if is_compared || self.in_teams() {
            self.join(now);
        }
        self.look(now);
        self.part(now);
        self.set_alarm(now);
        // Looking at every node after every event is quadratic: large trees are left to the simulator.
        #[cfg(debug_assertions)]
        if self.tree.len() <= 512 {
            self.check().expect("the manager's invariants hold after every event");
        }
        std::mem::take(&mut self.out)
    }

    fn set_alarm(&mut self, now: Time) {
        let deadline = self.crew.deadlines.first().map(|&(at, _)| at);
        let phase = match &self.phase {
            Phase::Idle | Phase::Unplaced(_) => None,
            Phase::Pondering(until) => Some(*until),
            Phase::Thinking(think) => think.next_look(),
            Phase::Mating(search) => search.until(),
        };
        let next = [deadline, phase, self.ripe_at].into_iter().flatten().min();
        // One that is due already is not set again: put off by every event, it would ring only once all is quiet.
        if next != self.alarm {
            self.alarm = next;
            self.out.push(Action::Alarm(next.map(|at| at.max(now))));
        }
    }

    /// A new tree at `line`, whose position is `game`.
    pub(super) fn plant(&mut self, now: Time, line: Line, game: G) {
        self.leave_all(now);
        self.tree = if self.looks_ahead() { Tree::ahead(game) } else { Tree::new(game) };
        self.ripening.clear();
        self.tree_line = line;
        self.frontier.rebuild(&self.tree, self.model.as_ref());
    }

    /// The tree that is planted next is one of whole positions. Teams search one position together.
    pub(super) fn looks_ahead(&self) -> bool {
        self.model.rules().ahead && !self.in_teams()
    }

    /// The newest settings, which may still wait for the end of a search.
    pub(super) fn newest_settings(&self) -> &Settings {
        self.pending.as_ref().unwrap_or(&self.settings)
    }

    /// Settings that have waited become valid.
    pub(super) fn take_settings(&mut self, now: Time) {
        let Some(settings) = self.pending.take() else { return };
        let model_key = |s: &Settings| (s.parallel, s.tree_model, s.tree_rules.clone());
        let other_model = model_key(&settings) != model_key(&self.settings);
        let other_rules = settings.rules != self.settings.rules;
        self.settings = settings;
        self.open_book();
        if !self.settings.ponder {
            self.end_pondering(now);
        }
        if other_rules {
            self.line.start.rules = self.settings.rules;
            self.game = self.follow(&self.line).unwrap_or_else(|_| self.game.clone());
        }
        if other_model {
            self.model = model_of(&self.settings, &self.knowledge);
            self.check_rules();
        }
        if other_model || other_rules {
            self.end_pondering(now);
            self.plant(now, self.line.clone(), self.game.clone());
        }
    }

    fn on_new_game(&mut self, now: Time) {
        self.finish(now);
        self.end_pondering(now);
        self.take_settings(now);
        let line = Line { start: Start { text: None, rules: self.settings.rules }, moves: Vec::new() };
        if let Ok(game) = G::new(&line.start) {
            (self.line, self.game) = (line.clone(), game.clone());
            self.refused = false;
            self.plant(now, line, game);
        }
        self.out.push(Action::NewGame);
    }

    /// Names the first broken invariant of the tree, or between it and the crew.
    pub fn check(&self) -> Result<(), String> {
        self.tree.check()?;
        for (worker, job) in self.crew.busy() {
            if job.cancelled.is_none()
                && let Work::Node(id) = job.work
                && self.tree.get(id).and_then(|node| node.seat).is_none_or(|seat| seat.worker != worker.0)
            {
                return Err(format!("{worker} works at a node where it does not sit"));
            }
        }
        let granted: u64 = self.crew.busy().map(|(_, job)| job.unspent()).sum();
        if granted != self.crew.granted {
            return Err(format!("{} nodes are said to be granted, and {granted} are", self.crew.granted));
        }
        for (worker, _) in self.crew.joined().iter() {
            self.joins(worker).map_err(|why| format!("{worker} {why}"))?;
        }
        if !self.crew.is_counted() {
            return Err("the crew's parts are not those of its members".into());
        }
        let seated = self.tree.iter().filter_map(|(id, node)| node.seat.map(|seat| (id, seat)));
        for (id, seat) in seated {
            let job = self.crew.get(WorkerId(seat.worker)).and_then(|member| member.job());
            if job.is_none_or(|job| job.work != Work::Node(id) || job.cancelled.is_some()) {
                return Err(format!("worker {} sits at a node and does not work there", seat.worker));
            }
        }
        Ok(())
    }
}

fn model_of(settings: &Settings, knowledge: &Knowledge) -> Box<dyn Model> {
    let rules = Rules::parse(&settings.tree_rules).unwrap_or(Rules::DEFAULT);
    // The models of Yokoyama et al. 2014 are tables for any engine; ours knows who searches.
    let known = if settings.children.is_none() { &knowledge.own } else { &knowledge.any };
    match settings.tree_model {
        TreeModel::Rank => Box::new(Rank::new(knowledge.any.clone())),
        TreeModel::Gap => Box::new(Gap::new(knowledge.any.clone())),
        TreeModel::Hasami => Box::new(Hasami::new(known.clone(), rules)),
    }
}

impl<G: Game> Manage for Manager<G> {
    fn on_settings(&mut self, now: Time, settings: &Settings) -> Vec<Action> {
        self.pending = Some(settings.clone());
        if !matches!(self.phase, Phase::Thinking(_) | Phase::Mating(_)) {
            self.take_settings(now);
        }
        self.conclude(now)
    }

    fn on_dismissal(&mut self, settings: &Settings) {
        let other_rules = self.settings.tree_rules != settings.tree_rules;
        let knowledge = std::mem::take(&mut self.knowledge);
        let new = Self::silent(settings.clone(), knowledge, self.opening.take());
        let old = std::mem::replace(self, new);
        (self.glance, self.out) = (old.glance, old.out);
        self.open_book();
        if other_rules {
            self.check_rules();
        }
    }

    fn on_command(&mut self, now: Time, command: Command) -> Vec<Action> {
        match command {
            Command::NewGame => self.on_new_game(now),
            Command::Position(line) => self.on_position(now, line),
            Command::BadPosition(why) => self.refuse_position(why),
            Command::Go(go) => self.on_go(now, go),
            Command::Stop => self.finish(now),
            Command::PonderHit(clock) => self.on_ponder_hit(now, clock),
            Command::GameOver => {
                self.finish(now);
                self.end_pondering(now);
            }
            Command::Bad(why) => self.message(why),
            Command::Hello
            | Command::IsReady
            | Command::SetOption { .. }
            | Command::Debug(_)
            | Command::Quit
            | Command::Unknown => {}
        }
        self.conclude(now)
    }

    fn on_worker(&mut self, now: Time, event: WorkerEvent) -> Vec<Action> {
        match event {
            WorkerEvent::Joined { worker, profile } => self.on_joined(now, worker, profile),
            WorkerEvent::Report { worker, task, report } => self.on_report(now, worker, task, &report),
            WorkerEvent::Ended { worker, task, end } => self.on_ended(now, worker, task, end),
            WorkerEvent::Lost { worker, why, for_good } => self.on_lost(now, worker, &why, for_good),
        }
        self.conclude(now)
    }

    fn on_hired(&mut self, worker: WorkerId, name: &str) {
        self.crew.names.insert(worker, name.to_owned());
    }

    fn on_left(&mut self, worker: WorkerId) {
        // It may have been the reserve on its way, which nobody needs any more.
        self.reserve_called = false;
        if self.crew.forget(worker)
            && let Phase::Thinking(think) = &mut self.phase
        {
            think.blocks.forget(worker);
        }
    }

    fn on_alarm(&mut self, now: Time) -> Vec<Action> {
        self.alarm = None;
        self.look_after_workers(now);
        self.conclude(now)
    }

    fn on_vacancy(&mut self, why: Option<String>) {
        self.vacancy = why;
    }

    fn on_absence(&mut self, now: Time) -> Vec<Action> {
        if self.crew.players() == 0 && !self.reserve_called {
            self.add_reserve("no worker has come up yet");
        }
        self.conclude(now)
    }

    fn sources(&self) -> Vec<Vec<MoveText>> {
        self.take_sources()
    }

    fn is_source(&self, worker: WorkerId) -> bool {
        self.has_prevailed(worker)
    }

    fn snapshot(&self, now: Time) -> Snapshot {
        self.take_snapshot(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Siblings, Transitions};

    #[test]
    fn each_model_has_the_tables_of_those_who_search() {
        let table = |second| Transitions { rank: vec![0.5, second], gap: vec![1.0; 11], logit: None };
        let knowledge = Knowledge { any: table(0.25), own: table(0.125) };
        let ranked = |tree_model, children: Option<&str>| {
            let settings = Settings { tree_model, children: children.map(Into::into), ..Settings::default() };
            let siblings = Siblings { scores: vec![None, None], ..Siblings::default() };
            model_of(&settings, &knowledge).shares(&siblings)[1]
        };
        assert_eq!((ranked(TreeModel::Hasami, None), ranked(TreeModel::Hasami, Some("x.toml"))), (0.125, 0.25));
        assert_eq!((ranked(TreeModel::Rank, None), ranked(TreeModel::Gap, None)), (0.25, 0.25));
    }
}
