//! Tests that a manager's actions depend only on the events it receives: a second manager that receives the events of a
//! run, with real threads or under the virtual clock, must make the same assignments.

use hasami_api::{
    Diagram, Ending, Format, GameRecord, GameReview, InvalidPosition, Judging, Line, MovePlaces, MoveText, ReadGame,
    RecordError, Rules, Searcher, Start,
};
use hasami_catalog::{Catalog, CertificateFault, EvaluationError, GameError, GameRules, Oracle, Referee};
use hasami_lab::virtual_cluster::{ClusterPlan, VirtualCluster};
use hasami_mate::{MateSolver, SolverOptions};
use hasami_nnue::Network;
use hasami_protocol::option::Options;
use hasami_protocol::settings::EndgameSettings;
use hasami_protocol::{BestMove, Command, Go, Output, Protocol, Settings};
use hasami_tree::Snapshot;
use hasami_tree::event::{Action, Time, WorkerEvent, WorkerId};
use hasami_tree::manage::Manage;
use hasami_words::Message;
use hasami_workers::driver::Driver;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const MOVE: Duration = Duration::from_millis(120);
const TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Clone)]
enum Event {
    Settings(Time, Settings),
    Dismissal(Settings),
    Command(Time, Command),
    Worker(Time, WorkerEvent),
    Alarm(Time),
    Added(WorkerId, String),
    Absence(Time),
}

type Minutes = Arc<Mutex<Vec<(Event, Vec<Action>)>>>;

fn tell(manager: &mut dyn Manage, event: Event) -> Vec<Action> {
    match event {
        Event::Settings(now, settings) => return manager.on_settings(now, &settings),
        Event::Command(now, command) => return manager.on_command(now, command),
        Event::Worker(now, event) => return manager.on_worker(now, event),
        Event::Alarm(now) => return manager.on_alarm(now),
        Event::Absence(now) => return manager.on_absence(now),
        Event::Dismissal(settings) => manager.on_dismissal(&settings),
        Event::Added(worker, name) => manager.on_worker_added(worker, &name),
    }
    Vec::new()
}

/// A manager whose inputs and actions are recorded.
struct Recorder(Box<dyn Manage>, Minutes);

impl Recorder {
    fn note(&mut self, event: Event) -> Vec<Action> {
        let actions = tell(self.0.as_mut(), event.clone());
        self.1.lock().unwrap().push((event, actions.clone()));
        actions
    }
}

impl Manage for Recorder {
    fn on_settings(&mut self, now: Time, settings: &Settings) -> Vec<Action> {
        self.note(Event::Settings(now, settings.clone()))
    }

    fn on_dismissal(&mut self, settings: &Settings) {
        self.note(Event::Dismissal(settings.clone()));
    }

    fn owes_answer(&self) -> bool {
        self.0.owes_answer()
    }

    fn on_command(&mut self, now: Time, command: Command) -> Vec<Action> {
        self.note(Event::Command(now, command))
    }

    fn on_worker(&mut self, now: Time, event: WorkerEvent) -> Vec<Action> {
        self.note(Event::Worker(now, event))
    }

    fn on_alarm(&mut self, now: Time) -> Vec<Action> {
        self.note(Event::Alarm(now))
    }

    fn on_worker_added(&mut self, worker: WorkerId, name: &str) {
        self.note(Event::Added(worker, name.to_owned()));
    }

    fn on_absence(&mut self, now: Time) -> Vec<Action> {
        self.note(Event::Absence(now))
    }

    fn snapshot(&self, now: Time) -> Snapshot {
        self.0.snapshot(now)
    }
}

/// A game that records the inputs and actions of its managers.
struct Recorded(&'static dyn Catalog, Minutes);

impl GameRules for Recorded {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn protocol(&self) -> Protocol {
        self.0.protocol()
    }

    fn variants(&self) -> &'static [&'static str] {
        self.0.variants()
    }

    fn rules_of(&self, start: &Start) -> Rules {
        self.0.rules_of(start)
    }

    fn players(&self, text: &str, format: Format) -> Vec<[String; 2]> {
        self.0.players(text, format)
    }

    fn annotate(&self, text: &str, format: Format, reviews: &[GameReview]) -> Result<String, RecordError> {
        self.0.annotate(text, format, reviews)
    }

    fn judging(&self) -> Judging {
        self.0.judging()
    }

    fn endings(&self) -> &'static [Ending] {
        self.0.endings()
    }

    fn own_rule(&self, rules: Rules) -> Option<(&'static str, String)> {
        self.0.own_rule(rules)
    }

    fn mate_unit(&self) -> hasami_api::MateUnit {
        self.0.mate_unit()
    }

    fn mates_by_checks(&self) -> bool {
        self.0.mates_by_checks()
    }

    fn perft(&self, start: &Start, depth: u32) -> Result<Vec<(MoveText, u64)>, InvalidPosition> {
        self.0.perft(start, depth)
    }

    fn check(&self, line: &Line) -> Result<(), GameError> {
        self.0.check(line)
    }

    fn check_play(&self, line: &Line) -> Result<(), GameError> {
        self.0.check_play(line)
    }

    fn referee(&self, line: &Line) -> Result<Box<dyn Referee>, GameError> {
        self.0.referee(line)
    }

    fn sides(&self) -> [&'static str; 2] {
        self.0.sides()
    }

    fn plies_per_move(&self) -> u32 {
        self.0.plies_per_move()
    }

    fn formats(&self) -> &'static [Format] {
        self.0.formats()
    }

    fn write_record(&self, record: &GameRecord, format: Format) -> Result<String, RecordError> {
        self.0.write_record(record, format)
    }

    fn read_records(&self, text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError> {
        self.0.read_records(text, format)
    }

    fn diagram(&self, line: &Line) -> Result<Diagram, String> {
        self.0.diagram(line)
    }

    fn places(&self, line: &Line) -> Result<Vec<MovePlaces>, String> {
        self.0.places(line)
    }

    fn western(&self, line: &Line) -> Result<Vec<String>, String> {
        self.0.western(line)
    }

    fn notation(&self, line: &Line) -> Result<Vec<String>, String> {
        self.0.notation(line)
    }

    fn oracle(&self, folders: &[PathBuf]) -> Result<Box<dyn Oracle>, GameError> {
        self.0.oracle(folders)
    }
}

impl Catalog for Recorded {
    fn options(&self) -> Options {
        self.0.options()
    }

    fn manager(&self, settings: &Settings) -> Box<dyn Manage> {
        Box::new(Recorder(self.0.manager(settings), Arc::clone(&self.1)))
    }

    fn engines(&self, settings: &Settings) -> Box<dyn FnMut() -> Box<dyn Searcher> + Send> {
        self.0.engines(settings)
    }

    fn mate_solver(&self, settings: &Settings) -> Box<dyn Searcher> {
        self.0.mate_solver(settings)
    }

    fn solver(&self, algorithm: hasami_mate::Algorithm, options: &SolverOptions) -> Box<dyn MateSolver> {
        self.0.solver(algorithm, options)
    }

    fn has_brinkmates(&self) -> bool {
        self.0.has_brinkmates()
    }

    fn brinkmate_solver(
        &self,
        search: hasami_brinkmate::BrinkmateSearch,
        options: &SolverOptions,
    ) -> Option<Box<dyn hasami_brinkmate::BrinkmateSolver>> {
        self.0.brinkmate_solver(search, options)
    }

    fn cell(&self, hash_mb: usize) -> Box<dyn hasami_mate::CellWorker> {
        self.0.cell(hash_mb)
    }

    fn check_tables(&self, settings: &EndgameSettings) -> Result<(), GameError> {
        self.0.check_tables(settings)
    }

    fn read_network(&self, settings: &Settings) -> Result<Option<Arc<Network>>, EvaluationError> {
        self.0.read_network(settings)
    }

    fn evaluate(&self, line: &Line, settings: &Settings) -> Result<i32, GameError> {
        self.0.evaluate(line, settings)
    }

    fn verify_certificate(&self, file: &[u8], positions: u64) -> Result<Message, CertificateFault> {
        self.0.verify_certificate(file, positions)
    }
}

fn recorded() -> (&'static Recorded, Minutes) {
    let minutes = Minutes::default();
    // The catalog is leaked, because a catalog must live as long as the program.
    let catalog = Box::leak(Box::new(Recorded(hasami_games::find("chess").unwrap(), Arc::clone(&minutes))));
    (catalog, minutes)
}

fn settings(rules: &str, threads: u32) -> Settings {
    Settings { threads, hash_mb: 2, ponder: true, tree_rules: rules.into(), ..Settings::default() }
}

/// Lets the manager play two moves. The opponent replies with the move that the manager expects or, if it expects none,
/// with `a7a6`. `go` runs a search; `wait` lets the opponent's thinking time pass.
fn play(mut position: impl FnMut(Line), mut go: impl FnMut() -> Output, mut wait: impl FnMut()) {
    let mut moves = Vec::new();
    for _ in 0..2 {
        position(Line { moves: moves.clone(), ..Line::default() });
        let Output::Best(BestMove::Move { best, ponder }) = go() else { panic!("expected a move") };
        moves.extend([best, ponder.unwrap_or("a7a6".parse().unwrap())]);
        wait();
    }
}

fn go() -> Command {
    Command::Go(Go { move_time: Some(MOVE), ..Go::default() })
}

/// Passes all recorded inputs to another manager and compares its actions with the recorded ones.
fn replay(settings: &Settings, minutes: &Minutes, least: usize) {
    let mut manager = hasami_games::find("chess").unwrap().manager(settings);
    let minutes = minutes.lock().unwrap();
    let starts = |actions: &[Action]| actions.iter().filter(|action| matches!(action, Action::Start { .. })).count();
    for (number, (event, actions)) in minutes.iter().enumerate() {
        assert_eq!(tell(manager.as_mut(), event.clone()), *actions, "event {number} of {}", minutes.len());
    }
    let tasks: usize = minutes.iter().map(|(_, actions)| starts(actions)).sum();
    assert!(tasks >= least, "{tasks} tasks");
}

#[test]
fn replaying_events_of_real_threads_gives_the_same_actions() {
    for rules in ["", "groups=off"] {
        let (catalog, minutes) = recorded();
        let settings = settings(rules, 2);
        let driver = std::cell::RefCell::new(Driver::new(catalog, settings.clone()));
        let step = |until: Instant| {
            let mut answer = None;
            driver.borrow_mut().step(until, &mut |said| {
                if matches!(said, Output::Best(_)) {
                    answer = Some(said);
                }
            });
            answer
        };
        play(
            |line| driver.borrow_mut().command(Command::Position(line), &mut |_| {}),
            || {
                let late = Instant::now() + TIMEOUT;
                driver.borrow_mut().command(go(), &mut |_| {});
                loop {
                    assert!(Instant::now() < late, "expected an answer");
                    if let Some(answer) = step(late) {
                        return answer;
                    }
                }
            },
            || {
                let end = Instant::now() + MOVE;
                while Instant::now() < end {
                    step(end);
                }
            },
        );
        driver.into_inner().end();
        replay(&settings, &minutes, 4);
    }
}

#[test]
fn replaying_events_of_a_virtual_cluster_gives_the_same_actions() {
    for rules in ["", "groups=off", "all=on"] {
        let (catalog, minutes) = recorded();
        let settings = settings(rules, 0);
        let plan = ClusterPlan::even(4, 20_000, Duration::from_millis(2));
        let cluster = std::cell::RefCell::new(VirtualCluster::new(catalog, &settings, plan, &mut |_| {}).unwrap());
        play(
            |line| cluster.borrow_mut().command(Command::Position(line), &mut |_| {}),
            || {
                let mut answer = None;
                cluster.borrow_mut().command(go(), &mut |said| answer = Some(said));
                answer.unwrap()
            },
            || cluster.borrow_mut().pass(MOVE, &mut |_| {}),
        );
        replay(&settings, &minutes, 8);
    }
}
