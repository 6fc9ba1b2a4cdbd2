//! Shortens a failing scenario as long as it still violates the same rule.

use super::judge::Broken;
use super::network::NetworkPlan;
use super::{Behaviour, Maker, Scenario, Summary, World};
use hasami_protocol::Settings;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Largest number of runs for shortening a scenario.
const RUNS: usize = 1500;
/// Number of lines of a trace that are shown, at its beginning and at its end.
const SHOWN: (usize, usize) = (60, 140);

/// A violated rule, with the shortest scenario found that violates it.
#[derive(Clone, Debug)]
pub struct BrokenRule {
    pub scenario: Scenario,
    pub broken: Broken,
    pub trace: Vec<String>,
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}: {}", self.scenario.seed, self.broken)?;
        writeln!(f, "settings: {:?}", self.scenario.settings)?;
        for (index, behaviour) in self.scenario.workers.iter().enumerate() {
            writeln!(f, "worker {index}: {behaviour:?}")?;
        }
        if let Some(network) = &self.scenario.network {
            writeln!(f, "network: {network:?}")?;
        }
        let skipped = SHOWN.0..self.trace.len().saturating_sub(SHOWN.1).max(SHOWN.0);
        for (number, line) in self.trace.iter().enumerate().filter(|(number, _)| !skipped.contains(number)) {
            if number == skipped.end && !skipped.is_empty() {
                writeln!(f, "({} lines left out)", skipped.len())?;
            }
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

/// Runs the scenario of a seed.
///
/// # Errors
/// Returns the violated rule, or `panic`.
pub fn play(seed: u64, make: Maker) -> Result<Summary, Broken> {
    run(&Scenario::new(seed), make)
}

/// Runs the scenario of a seed, and shortens the scenario if it fails.
///
/// # Errors
/// Returns the shortened failure if a rule was violated or the manager panicked.
pub fn examine(seed: u64, make: Maker) -> Result<Summary, Box<BrokenRule>> {
    let scenario = Scenario::new(seed);
    run(&scenario, make).map_err(|broken| Box::new(shrink(scenario, broken, make)))
}

fn run(scenario: &Scenario, make: Maker) -> Result<Summary, Broken> {
    catch_unwind(AssertUnwindSafe(|| World::new(scenario, make).run())).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> Broken {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let found = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Broken { rule: "panic", found: found.to_owned() }
}

fn shrink(scenario: Scenario, broken: Broken, make: Maker) -> BrokenRule {
    let mut search = ShrinkSearch { scenario, broken, make, runs: 0 };
    loop {
        let size = search.size();
        search.settle();
        search.drop_workers();
        search.drop_steps();
        search.heal();
        search.simplify_network();
        if search.size() == size || search.runs >= RUNS {
            return search.finding();
        }
    }
}

struct ShrinkSearch<'a> {
    scenario: Scenario,
    broken: Broken,
    make: Maker<'a>,
    runs: usize,
}

impl ShrinkSearch<'_> {
    fn size(&self) -> (usize, usize, usize) {
        let network = self.scenario.network.as_ref().map_or(0, NetworkPlan::size);
        (self.scenario.script.len(), self.scenario.workers.len(), network)
    }

    /// Accepts a smaller scenario if it violates the same rule.
    fn attempt(&mut self, candidate: Scenario) -> bool {
        if self.runs >= RUNS {
            return false;
        }
        self.runs += 1;
        match run(&candidate, self.make) {
            Err(broken) if broken.rule == self.broken.rule => {
                (self.scenario, self.broken) = (candidate, broken);
                true
            }
            _ => false,
        }
    }

    fn settle(&mut self) {
        let mut candidate = self.scenario.clone();
        candidate.settings = Settings::default();
        self.attempt(candidate);
    }

    fn drop_workers(&mut self) {
        drop_pieces(
            self,
            |scenario| scenario.workers.len(),
            |scenario, from, to| drop(scenario.workers.drain(from..to)),
        );
    }

    fn drop_steps(&mut self) {
        drop_pieces(self, |scenario| scenario.script.len(), |scenario, from, to| drop(scenario.script.drain(from..to)));
    }

    fn heal(&mut self) {
        for index in 0..self.scenario.workers.len() {
            let mut candidate = self.scenario.clone();
            candidate.workers[index] = Behaviour::healthy();
            self.attempt(candidate);
        }
    }

    /// Tries to remove the network, each of its faults, and machines.
    fn simplify_network(&mut self) {
        let mut alone = self.scenario.clone();
        if alone.network.take().is_none() || self.attempt(alone) {
            return;
        }
        drop_pieces(
            self,
            |scenario| scenario.network.as_ref().map_or(0, |plan| plan.nodes.len()),
            |scenario, from, to| scenario.network.iter_mut().for_each(|plan| plan.without_nodes(from, to)),
        );
        let plan = self.scenario.network.clone();
        for simpler in plan.iter().flat_map(NetworkPlan::simplifications) {
            let mut candidate = self.scenario.clone();
            candidate.network.iter_mut().for_each(&simpler);
            if candidate != self.scenario {
                self.attempt(candidate);
            }
        }
    }

    fn finding(self) -> BrokenRule {
        let mut world = World::new(&self.scenario, self.make).traced();
        // The violated rule is already known; this run only produces the trace.
        let _ = catch_unwind(AssertUnwindSafe(|| world.run()));
        let trace = world.trace().to_vec();
        BrokenRule { scenario: self.scenario.clone(), broken: self.broken, trace }
    }
}

/// Tries to remove halves, then quarters, and so on down to single items.
fn drop_pieces(search: &mut ShrinkSearch, count: fn(&Scenario) -> usize, drain: fn(&mut Scenario, usize, usize)) {
    let mut piece = count(&search.scenario).div_ceil(2);
    while piece > 0 {
        let mut from = 0;
        while from < count(&search.scenario) {
            let mut candidate = search.scenario.clone();
            let to = (from + piece).min(count(&candidate));
            drain(&mut candidate, from, to);
            if !search.attempt(candidate) {
                from += piece;
            }
        }
        piece /= 2;
    }
}
