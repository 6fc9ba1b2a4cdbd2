#![allow(clippy::unwrap_used)]

use super::plan::{CutDirection, Forgery, NetworkFaults, NodePlan, SkewedClock};
use super::*;
use crate::{Behaviour, BrokenRule, GuiAction, Maker, Scenario, ScriptStep, Wait, World, examine, manager};
use hasami_protocol::{Command, Go, Settings};
use hasami_tree::Snapshot;
use hasami_tree::event::{Action, Profile};
use hasami_tree::manage::Manage;
use std::time::Duration;

/// The scenarios with a network among the first seeds.
fn networked(seeds: u64) -> impl Iterator<Item = Scenario> {
    (0..seeds).map(Scenario::new).filter(|scenario| scenario.network.is_some())
}

/// Returns the trace of a run.
fn course(scenario: &Scenario) -> Vec<String> {
    let maker: Maker = &manager;
    let mut world = World::new(scenario, maker).traced();
    world.run().unwrap_or_else(|broken| panic!("seed {}: {broken}", scenario.seed));
    world.trace().to_vec()
}

/// Returns the events and actions of the manager in a trace, with their positions.
fn of_the_manager(course: &[String]) -> Vec<(usize, &String)> {
    course.iter().enumerate().filter(|(_, line)| !line.contains(" hears ")).collect()
}

#[test]
fn replayed_and_forged_messages_change_nothing() {
    let mut forged = 0;
    for mut scenario in networked(400) {
        let plan = scenario.network.as_mut().unwrap();
        // A message that was lost, or is older than a node, is new to its receiver when it is replayed. A node whose
        // connection is blocked checks again after every message. For both reasons, the faults that cause these cases
        // are switched off; all other faults stay as drawn.
        (plan.faults.loss, plan.faults.jams, plan.faults.reorders) = (0, 0, true);
        plan.faults.cuts.clear();
        plan.nodes.iter_mut().for_each(|node| node.comes = Duration::ZERO);
        plan.faults.forger = None;
        let quiet = course(&scenario);
        let every = Duration::from_millis(20);
        scenario.network.as_mut().unwrap().faults.forger = Some(Forgery { every, ghosts: false });
        let loud = course(&scenario);
        let (quiet, told) = (of_the_manager(&quiet), of_the_manager(&loud));
        if let Some(((_, right), (at, _))) = quiet.iter().zip(&told).find(|((_, right), (_, found))| right != found) {
            let way = &loud[at.saturating_sub(30)..=*at];
            panic!("seed {}: expected {right}, found, at the end of these, {way:#?}", scenario.seed);
        }
        assert_eq!(quiet.len(), told.len(), "seed {}", scenario.seed);
        forged += 1;
    }
    assert!(forged > 60, "{forged}");
}

#[test]
fn networks_are_of_all_kinds() {
    let plans: Vec<NetworkPlan> = networked(2_000).filter_map(|scenario| scenario.network).collect();
    assert!((400..600).contains(&plans.len()), "{} of 2000", plans.len());
    let count = |test: fn(&NetworkPlan) -> bool| plans.iter().filter(|plan| test(plan)).count();
    let cut = |way: fn(CutDirection) -> bool| {
        plans.iter().filter(|plan| plan.faults.cuts.iter().any(|cut| cut.nodes.is_some() && way(cut.way))).count()
    };
    for (name, found) in [
        ("loss", count(|plan| plan.faults.loss >= 100)),
        ("no loss", count(|plan| plan.faults.loss == 0)),
        ("doubling", count(|plan| plan.faults.doubling > 0)),
        ("reordering", count(|plan| plan.faults.reorders)),
        ("delay", count(|plan| plan.faults.delay.1 >= Duration::from_millis(300))),
        ("restart", count(|plan| plan.faults.cuts.iter().any(|cut| cut.nodes.is_none()))),
        ("cut both ways", cut(|way| way == CutDirection::Both)),
        ("cut to nodes", cut(|way| way == CutDirection::ToStations)),
        ("cut from nodes", cut(|way| way == CutDirection::FromStations)),
        ("clocks", count(|plan| plan.nodes.iter().any(|node| node.clock.drift.abs() > 10_000))),
        ("late nodes", count(|plan| plan.nodes.iter().any(|node| !node.comes.is_zero()))),
        ("deaths", count(|plan| plan.nodes.iter().any(|node| node.ends.is_some_and(|leave| !leave.says_so)))),
        ("rivals", count(|plan| plan.rival.is_some())),
        ("forgers", count(|plan| plan.faults.forger.is_some())),
        ("ghosts", count(|plan| plan.faults.forger.is_some_and(|forger| forger.ghosts))),
        ("liars", count(|plan| plan.nodes.iter().any(|node| node.lies > 0))),
        ("faulty workers", count(|plan| plan.behaviours().any(|behaviour| !behaviour.is_healthy()))),
    ] {
        assert!(found > 25, "{name}: {found}");
    }
}

/// A manager that does not notice when workers leave, and tries to revive them.
struct Clinging(Box<dyn Manage>, Vec<WorkerId>);

impl Manage for Clinging {
    fn on_settings(&mut self, now: Time, settings: &Settings) -> Vec<Action> {
        self.0.on_settings(now, settings)
    }

    fn on_dismissal(&mut self, settings: &Settings) {
        self.0.on_dismissal(settings);
    }

    fn on_command(&mut self, now: Time, command: Command) -> Vec<Action> {
        let revive = |worker| Action::Revive { worker };
        let mut actions = self.0.on_command(now, command);
        actions.extend(std::mem::take(&mut self.1).into_iter().map(revive));
        actions
    }

    fn on_worker(&mut self, now: Time, event: WorkerEvent) -> Vec<Action> {
        self.0.on_worker(now, event)
    }

    fn on_alarm(&mut self, now: Time) -> Vec<Action> {
        self.0.on_alarm(now)
    }

    fn on_left(&mut self, worker: WorkerId) {
        self.1.push(worker);
        self.0.on_left(worker);
    }

    fn snapshot(&self, now: Time) -> Snapshot {
        self.0.snapshot(now)
    }
}

#[test]
fn reviving_workers_that_left_is_found_and_the_network_shrunk() {
    let clinging: Maker = &|settings| Box::new(Clinging(manager(settings), Vec::new()));
    let found: Box<BrokenRule> = (0..400).find_map(|seed| examine(seed, clinging).err()).expect("the bug is found");
    assert_eq!(found.broken.rule, "revive-the-living");
    let plan = found.scenario.network.as_ref().expect("workers only leave in a network");
    assert!(plan.nodes.len() <= 2 && found.scenario.script.len() <= 8, "{found}");
    assert!(found.to_string().contains("\nnetwork: NetworkPlan "));
}

#[test]
fn a_faultless_network_of_healthy_workers_loses_no_worker() {
    for mut scenario in networked(200) {
        let plan = scenario.network.as_mut().unwrap();
        plan.faults =
            NetworkFaults { delay: plan.faults.delay, reorders: plan.faults.reorders, ..NetworkFaults::default() };
        plan.rival = None;
        for node in &mut plan.nodes {
            node.slots.fill(Behaviour::healthy());
            node.ends = None;
        }
        let lost: Vec<String> = course(&scenario).into_iter().filter(|line| line.contains("Remote(Lost")).collect();
        assert!(lost.is_empty(), "seed {}: {lost:#?}", scenario.seed);
    }
}

/// Returns a scenario of ten moves of one second each. The network has two machines with one slot each, and the first
/// machine praises bad moves with the probability `praise`, in permille.
fn with_praise(seed: u64, praise: u32) -> Scenario {
    let slots = |praise| vec![Behaviour { praise, ..Behaviour::healthy() }];
    let node = |praise| NodePlan {
        slots: slots(praise),
        comes: Duration::ZERO,
        ends: None,
        clock: SkewedClock::default(),
        lies: 0,
    };
    let delay = (Duration::from_micros(50), Duration::from_micros(500));
    let faults = NetworkFaults { delay, ..NetworkFaults::default() };
    let network = NetworkPlan { nodes: vec![node(praise), node(0)], rival: None, faults };
    let step = |wait, what| ScriptStep { wait, what };
    let soon = Wait::Answered(Duration::from_millis(20));
    let start = GuiAction::Jump { node: seed as u32 * 37 % 4096, plies: 0, salt: seed };
    let mut script = vec![step(Wait::For(Duration::from_secs(2)), start)];
    for salt in 0..10 {
        let go = Go { move_time: Some(Duration::from_secs(1)), ..Go::default() };
        script.push(step(soon, GuiAction::Go { go, search_moves: 0 }));
        script.push(step(soon, GuiAction::Reply { expected: false, salt }));
    }
    let (settings, graph) = (Settings::default(), seed % 64);
    Scenario { seed, graph, settings, workers: Vec::new(), network: Some(network), script }
}

/// Runs a scenario. Returns the number of contradictions that the manager has found, and the number of machines that it
/// has set aside.
fn ratings(scenario: &Scenario) -> (usize, usize) {
    let course = course(scenario);
    let rated = |line: &&String| line.contains("Rate {");
    let told: Vec<&String> = course.iter().filter(rated).collect();
    let contradicted = told.iter().filter(|line| !line.contains("contradicted: 0,")).count();
    (contradicted, told.iter().filter(|line| line.contains("is_set_aside: true")).count())
}

#[test]
fn only_machines_that_praise_bad_moves_are_set_aside() {
    let (mut contradicted, mut caught) = (0, 0);
    for seed in 0..24 {
        let (found, set_aside) = ratings(&with_praise(seed, 1000));
        assert!(set_aside <= 1, "seed {seed}");
        contradicted += usize::from(found > 0);
        caught += set_aside;
        let (_, set_aside) = ratings(&with_praise(seed, 0));
        assert_eq!(set_aside, 0, "seed {seed}: an honest machine was set aside");
    }
    // Many toy games end after a few moves, before any machine has been contradicted four times.
    assert!(contradicted >= 12 && caught >= 3, "of 24, contradicted {contradicted}, set aside {caught}");
}

/// A manager that trusts machines in the network as much as its own threads.
struct Trusting(Box<dyn Manage>);

impl Manage for Trusting {
    fn on_settings(&mut self, now: Time, settings: &Settings) -> Vec<Action> {
        self.0.on_settings(now, settings)
    }

    fn on_dismissal(&mut self, settings: &Settings) {
        self.0.on_dismissal(settings);
    }

    fn on_command(&mut self, now: Time, command: Command) -> Vec<Action> {
        self.0.on_command(now, command)
    }

    fn on_worker(&mut self, now: Time, event: WorkerEvent) -> Vec<Action> {
        let event = match event {
            WorkerEvent::Joined { worker, profile } => {
                WorkerEvent::Joined { worker, profile: Profile { machine: None, ..profile } }
            }
            other => other,
        };
        self.0.on_worker(now, event)
    }

    fn on_alarm(&mut self, now: Time) -> Vec<Action> {
        self.0.on_alarm(now)
    }

    fn on_left(&mut self, worker: WorkerId) {
        self.0.on_left(worker);
    }

    fn snapshot(&self, now: Time) -> Snapshot {
        self.0.snapshot(now)
    }
}

/// Returns scenarios in which every machine in the network lies, and no other worker does.
fn of_liars(seeds: u64) -> impl Iterator<Item = Scenario> {
    networked(seeds).map(|mut scenario| {
        let plan = scenario.network.as_mut().unwrap();
        plan.nodes.iter_mut().for_each(|node| node.lies = 1_000);
        scenario.workers.iter_mut().for_each(|behaviour| (behaviour.lie, behaviour.stray) = (0, 0));
        scenario
    })
}

/// During the runs, the judge checks that moves are legal and in time, and that mates are true.
#[test]
fn lying_machines_cause_no_false_mates_or_illegal_moves() {
    let played: usize = of_liars(400).map(|scenario| course(&scenario).len()).sum();
    assert!(played > 10_000, "{played}");
}

#[test]
fn a_manager_that_trusts_liars_is_found() {
    let trusting: Maker = &|settings| Box::new(Trusting(manager(settings)));
    let broken = |scenario: Scenario| World::new(&scenario, trusting).run().err();
    let found = of_liars(400).filter_map(broken).find(|broken| broken.rule == "false-mate");
    assert!(found.is_some(), "a manager that believes everybody tells false mates");
}
