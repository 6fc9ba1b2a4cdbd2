//! The manager of one game: its state, and how it handles every event.

use super::assign::{Assignment, Demand};
use super::fallback::Fallback;
use super::go::MoveSearch;
use super::mate::MateSearch;
use super::position::GuiPosition;
use super::probe::MateProbe;
use super::trust::Trust;
use hasami_api::{Game, Line};
use hasami_protocol::{Command, Go, Output, Settings, settings::TreeModel};
use hasami_tree::event::{Action, Arrivals, Time, WorkerEvent, WorkerId};
use hasami_tree::manage::{EmergencySearch, Manage, MateProof, Opening};
use hasami_tree::rules::TreeRules;
use hasami_tree::{Knowledge, MasterTree, Model, NodeId, Snapshot};
use std::fmt::Display;

/// What the manager is doing between two commands.
pub(super) enum Phase {
    Idle,
    /// The workers search on the opponent's time, until this deadline.
    Pondering(Time),
    /// The workers search for the move that answers a `go`.
    Thinking(Box<MoveSearch>),
    /// Mate solvers search for the mate that answers a `go mate`.
    Mating(MateSearch),
    /// A `go` after an invalid position; the protocol does not permit an answer yet.
    Unplaced(Go),
}

impl Phase {
    /// The running search for a move, if any.
    pub fn search(&self) -> Option<&MoveSearch> {
        if let Self::Thinking(search) = self { Some(search) } else { None }
    }

    pub fn search_mut(&mut self) -> Option<&mut MoveSearch> {
        if let Self::Thinking(search) = self { Some(search) } else { None }
    }

    /// The next time at which the phase requires a check by the manager, such as a deadline.
    fn next_look(&self) -> Option<Time> {
        match self {
            Self::Idle | Self::Unplaced(_) => None,
            Self::Pondering(until) => Some(*until),
            Self::Thinking(search) => search.next_look(),
            Self::Mating(search) => search.until,
        }
    }

    fn demand<'a>(&'a self, settings: &'a Settings) -> Demand<'a> {
        let is_searching = matches!(self, Self::Thinking(_) | Self::Pondering(_));
        Demand { settings, request: self.search().map(|search| &search.request), is_searching }
    }
}

pub(super) struct Options {
    pub valid: Settings,
    /// Settings that arrived during a search and apply to the next one.
    pending: Option<Settings>,
    /// Number of lines that the GUI has set with `MultiPV`; a search may need more lines.
    asked_lines: u16,
}

impl Options {
    /// The newest settings, which do not apply until any running search has ended.
    pub fn newest(&self) -> &Settings {
        self.pending.as_ref().unwrap_or(&self.valid)
    }

    /// Requires at least this many lines in the next search.
    pub fn set_lines(&mut self, least: u16) {
        self.valid.multi_pv = self.asked_lines.max(least);
    }
}

/// The search manager of one game.
pub struct Manager<G: Game> {
    pub(super) options: Options,
    pub(super) book: Option<Box<dyn Opening>>,
    /// A small search that chooses a move when one is due before any worker has reported; if `None`, any legal move is
    /// played.
    pub emergency: Option<EmergencySearch>,
    /// A search that proves long mates from untrusted machines; if `None`, only mates with short proofs are accepted.
    pub mate_proof: Option<MateProof>,
    pub(super) trust: Trust,
    knowledge: Knowledge,
    pub(super) position: GuiPosition<G>,
    pub(super) assignment: Assignment<G>,
    pub(super) phase: Phase,
    pub(super) fallback: Fallback,
    pub(super) probe: MateProbe,
    /// Time of the next alarm; an alarm whose time has passed is about to be delivered.
    alarm: Option<Time>,
}

impl<G: Game> Manager<G> {
    /// Creates a manager at the game's initial position, without workers. `book` is used only while `OwnBook` is on.
    ///
    /// # Panics
    /// Panics if [`Game::new`] refuses the game's initial position.
    pub fn new(settings: Settings, knowledge: impl Into<Knowledge>, book: Option<Box<dyn Opening>>) -> Self {
        let mut manager = Self::silent(settings, knowledge.into(), book);
        manager.open_book();
        manager.check_rules();
        manager
    }

    /// Like [`Self::new`], but does not report problems with the settings.
    fn silent(settings: Settings, knowledge: Knowledge, book: Option<Box<dyn Opening>>) -> Self {
        let position = GuiPosition::<G>::initial(settings.rules).expect("every game has an initial position");
        let model = model_of(&settings, &knowledge);
        Self {
            book,
            emergency: None,
            mate_proof: None,
            trust: Trust::default(),
            knowledge,
            assignment: Assignment::new(position.line.clone(), position.game.clone(), model),
            position,
            phase: Phase::Idle,
            fallback: Fallback::default(),
            probe: MateProbe::default(),
            alarm: None,
            options: Options { asked_lines: settings.multi_pv, valid: settings, pending: None },
        }
    }

    /// Sets whether mates in this game may contain quiet moves; if so, the mate solver also tries quiet moves in
    /// analyses.
    #[must_use]
    pub fn with_quiet_mates(mut self, are_there: bool) -> Self {
        if are_there {
            self.probe.allow_any_moves();
        }
        self
    }

    /// Opens or closes the book according to the options.
    fn open_book(&mut self) {
        if let Some(Err(why)) = self.book.as_mut().map(|book| book.on_settings(&self.options.valid)) {
            self.message(why);
        }
    }

    /// Warns about tree rules that cannot be parsed, and ignores them.
    fn check_rules(&mut self) {
        if let Err(why) = TreeRules::parse(&self.options.valid.tree_rules) {
            self.message(why);
        }
    }

    /// The master tree, for tests and pictures.
    pub fn tree(&self) -> &MasterTree<G> {
        &self.assignment.tree
    }

    /// Returns the first invariant that the tree or the roster violates.
    pub fn check(&self) -> Result<(), String> {
        self.assignment.check()
    }

    pub(super) fn say(&mut self, output: Output) {
        self.assignment.out.say(output);
    }

    pub(super) fn message(&mut self, text: impl Display) {
        self.assignment.out.message(text);
    }

    pub(super) fn demand(&self) -> Demand<'_> {
        self.phase.demand(&self.options.valid)
    }

    /// Borrows the assignment and the current demand separately.
    pub(super) fn split(&mut self) -> (&mut Assignment<G>, Demand<'_>) {
        (&mut self.assignment, self.phase.demand(&self.options.valid))
    }

    /// The node of the position that `go` searches.
    pub(super) fn focus(&self) -> NodeId {
        self.demand().focus(&self.assignment.tree)
    }

    /// Performs the steps that follow every event.
    fn conclude(&mut self, now: Time) -> Vec<Action> {
        // If a move is requested and no worker is connected or searching, the fallback worker takes over.
        self.call_fallback_worker(now);
        // If no worker supports `searchmoves`, each of the listed moves gets its own node.
        self.split_search_moves();
        // A value that is withheld because its machine is untrusted is checked by another worker.
        self.pursue_claims(now);
        let (assignment, demand) = self.split();
        assignment.assign_free_workers(now, demand);
        // The answer to `go` is sent if it is due; if not, an info line may be due.
        self.answer_if_due(now);
        // Reassignment compares all nodes about a dozen times per search.
        let (assignment, demand) = self.split();
        let is_compared = assignment.reassign_workers(now, demand);
        // Workers may have been freed by the answer or by the reassignment.
        assignment.assign_free_workers(now, demand);
        // A worker that is still free may join a node that already has a worker.
        if is_compared || assignment.in_groups(demand.settings) {
            assignment.join_free_workers(now, demand);
        }
        self.probe_leaves(now);
        // Joint work ends at nodes that were decided, whose remaining moves have changed, or that have lost their own
        // worker.
        self.assignment.end_stale_joint_work(now);
        self.set_alarm(now);
        // Checking every node after every event takes quadratic time, so large trees are checked only in the simulator.
        #[cfg(debug_assertions)]
        if self.assignment.tree.len() <= 512 {
            self.check().expect("the manager's invariants hold after every event");
        }
        self.assignment.out.take()
    }

    fn probe_leaves(&mut self, now: Time) {
        let is_asked = self.phase.search().is_some_and(|search| search.question.is_some());
        let demand = self.phase.demand(&self.options.valid);
        if !is_asked {
            self.probe.send(now, &mut self.assignment, demand);
        }
    }

    fn set_alarm(&mut self, now: Time) {
        let deadline = self.assignment.roster.deadlines.first().map(|&(at, _)| at);
        let next = [deadline, self.phase.next_look(), self.assignment.wake_at].into_iter().flatten().min();
        // An alarm that is already due is not set again: if every event postponed it, a stream of events would prevent
        // its delivery.
        if next != self.alarm {
            self.alarm = next;
            self.assignment.out.push(Action::Alarm(next.map(|at| at.max(now))));
        }
    }

    /// Starts a new tree at the current position.
    fn plant(&mut self, now: Time) {
        let GuiPosition { line, game, .. } = &self.position;
        self.assignment.plant(now, line.clone(), game.clone(), &self.options.valid);
    }

    /// Applies settings that arrived during a search that has now ended.
    pub(super) fn take_settings(&mut self, now: Time) {
        let Some(settings) = self.options.pending.take() else { return };
        let model_key = |s: &Settings| (s.parallel, s.tree_model, s.tree_rules.clone());
        let other_model = model_key(&settings) != model_key(&self.options.valid);
        let other_rules = settings.rules != self.options.valid.rules;
        self.options.asked_lines = settings.multi_pv;
        self.options.valid = settings;
        self.open_book();
        if !self.options.valid.ponder {
            self.end_pondering(now);
        }
        if other_rules {
            self.position.change_rules(self.options.valid.rules);
        }
        if other_model {
            self.assignment.model = model_of(&self.options.valid, &self.knowledge);
            self.check_rules();
        }
        if other_model || other_rules {
            self.end_pondering(now);
            self.plant(now);
        }
    }

    fn on_new_game(&mut self, now: Time) {
        self.finish(now);
        self.end_pondering(now);
        self.take_settings(now);
        if let Ok(position) = GuiPosition::initial(self.options.valid.rules) {
            self.position = position;
            self.plant(now);
        }
        self.assignment.out.push(Action::NewGame);
    }
}

fn model_of(settings: &Settings, knowledge: &Knowledge) -> Model {
    let rules = TreeRules::parse(&settings.tree_rules).unwrap_or(TreeRules::DEFAULT);
    // The models of Yokoyama et al. 2014 use tables learned from any engine. The Hasami model uses tables learned from
    // our own engine if no child engine searches.
    let is_own = settings.tree_model == TreeModel::Hasami && settings.children.is_none();
    let table = if is_own { &knowledge.own } else { &knowledge.any };
    Model::new(settings.tree_model, table.clone(), rules)
}

impl<G: Game> Manage for Manager<G> {
    fn on_settings(&mut self, now: Time, settings: &Settings) -> Vec<Action> {
        self.options.pending = Some(settings.clone());
        if !matches!(self.phase, Phase::Thinking(_) | Phase::Mating(_)) {
            self.take_settings(now);
        }
        self.conclude(now)
    }

    fn on_dismissal(&mut self, settings: &Settings) {
        let other_rules = self.options.valid.tree_rules != settings.tree_rules;
        let knowledge = std::mem::take(&mut self.knowledge);
        let new = Self::silent(settings.clone(), knowledge, self.book.take());
        let mut old = std::mem::replace(self, new);
        (self.emergency, self.mate_proof, self.probe) = (old.emergency, old.mate_proof, old.probe);
        (self.assignment.out, self.position) = (old.assignment.out, old.position);
        self.trust.keep_records(&mut old.trust);
        self.position.change_rules(settings.rules);
        self.open_book();
        if other_rules {
            self.check_rules();
        }
    }

    fn owes_answer(&self) -> bool {
        matches!(self.phase, Phase::Thinking(_) | Phase::Mating(_) | Phase::Unplaced(_))
    }

    fn position(&self) -> Option<&Line> {
        self.position.newest()
    }

    fn on_command(&mut self, now: Time, command: Command) -> Vec<Action> {
        match command {
            Command::NewGame => self.on_new_game(now),
            Command::Position(line) => self.on_position(now, line),
            Command::BadPosition(why) => {
                self.position.refuse();
                self.message(why.to_string());
            }
            Command::Go(go) => self.on_go(now, go),
            Command::Stop => self.finish(now),
            Command::PonderHit(clock) => self.on_ponder_hit(now, clock),
            Command::GameOver => {
                self.finish(now);
                self.end_pondering(now);
            }
            Command::Bad(why) => self.message(why),
            // A typed position that the session has not converted is invalid.
            Command::TypedPosition(_) => self.position.refuse(),
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

    fn on_worker_added(&mut self, worker: WorkerId, name: &str) {
        self.assignment.roster.names.insert(worker, name.to_owned());
    }

    fn on_left(&mut self, worker: WorkerId) {
        if self.assignment.roster.forget(worker)
            && let Phase::Thinking(think) = &mut self.phase
        {
            think.blocks.forget(worker);
        }
    }

    fn on_released(&mut self, now: Time, worker: WorkerId) -> Vec<Action> {
        self.take_out(now, worker);
        // If the fallback worker was lost, it may be called again.
        self.fallback.called = false;
        self.on_left(worker);
        self.conclude(now)
    }

    fn on_alarm(&mut self, now: Time) -> Vec<Action> {
        self.alarm = None;
        self.check_deadlines(now);
        self.conclude(now)
    }

    fn on_arrivals(&mut self, arrivals: Arrivals) {
        self.fallback.arrivals = arrivals;
    }

    fn on_absence(&mut self, now: Time) -> Vec<Action> {
        if self.assignment.roster.players() == 0 && !self.fallback.called {
            self.fallback.call("no worker has come up yet", &mut self.assignment.out);
        }
        self.conclude(now)
    }

    fn snapshot(&self, now: Time) -> Snapshot {
        self.assignment.snapshot(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_tree::{Siblings, Transitions};

    #[test]
    fn each_model_uses_the_tables_of_the_engines_that_search() {
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
