//! The plan of a network and of everything that will happen to it, drawn from a seed.

use crate::Behaviour;
use rand::Rng;
use rand::rngs::SmallRng;
use std::time::Duration;

/// A change to a plan.
pub type Change = Box<dyn Fn(&mut NetworkPlan)>;

/// Shortest and longest delay in a good network.
const DELAY: (Duration, Duration) = (Duration::from_micros(50), Duration::from_micros(500));

/// The nodes, the other master, and the faults between nodes and masters.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkPlan {
    pub nodes: Vec<NodePlan>,
    pub rival: Option<Rival>,
    pub faults: NetworkFaults,
}

#[derive(Clone, PartialEq, Debug)]
pub struct NodePlan {
    pub slots: Vec<Behaviour>,
    pub comes: Duration,
    pub ends: Option<Leave>,
    pub clock: SkewedClock,
    /// Share of its workers' findings that the node reports wrongly (with legal moves), in permille.
    pub lies: u32,
}

/// The time when a machine or master leaves, and whether it announces that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leave {
    pub at: Duration,
    pub says_so: bool,
}

/// A clock that starts at an arbitrary time and runs too fast or too slowly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SkewedClock {
    pub start: Duration,
    /// Parts per million by which the clock is too fast.
    pub drift: i32,
}

/// A second master, which takes slots and does nothing with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rival {
    pub comes: Duration,
    pub ends: Option<Leave>,
    pub weight: u16,
    pub wants: u32,
}

/// Faults of the network. Probabilities are in permille, drawn for every message and every receiver.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NetworkFaults {
    pub delay: (Duration, Duration),
    pub loss: u32,
    pub doubling: u32,
    /// Whether messages may overtake each other.
    pub reorders: bool,
    pub cuts: Vec<Cut>,
    /// Probability, in permille, that a node finds its connection to the server blocked.
    pub jams: u32,
    pub forger: Option<Forgery>,
}

/// A period in which no messages get through.
#[derive(Clone, PartialEq, Debug)]
pub struct Cut {
    pub from: Duration,
    pub to: Duration,
    /// The nodes that are cut off; `None` for all nodes, as during a restart of the server.
    pub nodes: Option<Vec<usize>>,
    pub way: CutDirection,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutDirection {
    Both,
    ToStations,
    FromStations,
}

/// An attacker on the network who replays messages and invents others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forgery {
    pub every: Duration,
    /// Whether the attacker announces workers that do not exist.
    pub ghosts: bool,
}

impl SkewedClock {
    pub fn of(self, now: Duration) -> Duration {
        self.start + scale(now, 1_000_000 + i64::from(self.drift), 1_000_000)
    }

    /// The real time at which the clock shows this time, or slightly later.
    pub fn when(self, shown: Duration) -> Duration {
        scale(shown.saturating_sub(self.start), 1_000_000, 1_000_000 + i64::from(self.drift)) + Duration::from_nanos(2)
    }
}

fn scale(time: Duration, by: i64, from: i64) -> Duration {
    Duration::from_nanos((time.as_nanos() * by as u128 / from as u128) as u64)
}

impl NetworkPlan {
    /// In one plan of three, makes all slots of one node praise bad moves.
    #[must_use]
    pub fn with_liar(mut self, drawn: u64) -> Self {
        if let Some(liar) = self.nodes.first_mut().filter(|_| drawn.is_multiple_of(3)) {
            liar.slots.iter_mut().for_each(|slot| slot.praise = if drawn.is_multiple_of(2) { 1000 } else { 300 });
        }
        self
    }

    pub fn draw(rng: &mut SmallRng) -> Self {
        let span = Duration::from_secs([1, 5, 20][rng.random_range(0..3)]);
        let count = if rng.random_ratio(1, 8) { rng.random_range(5..=12) } else { rng.random_range(1..=4) };
        let faulty = [0, 0, 0, 10, 50][rng.random_range(0..5)];
        let nodes = (0..count).map(|_| NodePlan::draw(rng, span, faulty)).collect();
        let rival = rng.random_ratio(1, 3).then(|| Rival {
            comes: some(rng, span),
            ends: leave(rng, span),
            weight: rng.random_range(1..4),
            wants: [1, 3, 1_000][rng.random_range(0..3)],
        });
        let mut plan = Self { nodes, rival, faults: NetworkFaults::draw(rng, span, count) };
        if rng.random_ratio(1, 3) {
            let liar = rng.random_range(0..plan.nodes.len());
            plan.nodes[liar].lies = [50, 300, 1_000][rng.random_range(0..3)];
        }
        plan
    }

    /// A measure of the complexity of the plan.
    pub fn size(&self) -> usize {
        let NetworkFaults { delay, loss, doubling, reorders, cuts, jams, forger } = &self.faults;
        let faults = [*loss > 0, *doubling > 0, *reorders, *jams > 0, forger.is_some(), *delay != DELAY];
        let slots = self.behaviours().map(|behaviour| if behaviour.is_healthy() { 1 } else { 2 }).sum::<usize>();
        let moves = self.nodes.iter().filter(|node| node.ends.is_some()).count();
        let moves = moves + self.nodes.iter().filter(|node| node.lies > 0).count();
        let rest = cuts.len() + usize::from(self.rival.is_some());
        self.nodes.len() + slots + moves + rest + faults.into_iter().filter(|&fault| fault).count()
    }

    /// Changes that may make the plan simpler.
    pub fn simplifications(&self) -> Vec<Change> {
        let mut ways: Vec<Change> = vec![
            Box::new(|plan| plan.rival = None),
            Box::new(|plan| plan.faults.forger = None),
            Box::new(|plan| plan.faults.loss = 0),
            Box::new(|plan| plan.faults.doubling = 0),
            Box::new(|plan| plan.faults.reorders = false),
            Box::new(|plan| plan.faults.jams = 0),
            Box::new(|plan| plan.faults.delay = DELAY),
        ];
        for cut in self.faults.cuts.clone() {
            ways.push(Box::new(move |plan| plan.faults.cuts.retain(|other| *other != cut)));
        }
        for index in 0..self.nodes.len() {
            ways.push(Box::new(move |plan| plan.nodes[index].ends = None));
            ways.push(Box::new(move |plan| plan.nodes[index].lies = 0));
            ways.push(Box::new(move |plan| plan.nodes[index].comes = Duration::ZERO));
            ways.push(Box::new(move |plan| plan.nodes[index].clock = SkewedClock::default()));
            ways.push(Box::new(move |plan| plan.nodes[index].slots.truncate(1)));
            ways.push(Box::new(move |plan| plan.nodes[index].slots.fill(Behaviour::healthy())));
        }
        ways
    }

    /// Removes nodes. The events of the other nodes stay the same.
    pub fn without_nodes(&mut self, from: usize, to: usize) {
        self.nodes.drain(from..to);
        let moved = |&index: &usize| match index {
            index if index < from => Some(index),
            index if index < to => None,
            index => Some(index - (to - from)),
        };
        for nodes in self.faults.cuts.iter_mut().filter_map(|cut| cut.nodes.as_mut()) {
            *nodes = nodes.iter().filter_map(moved).collect();
        }
    }

    pub fn behaviours(&self) -> impl Iterator<Item = &Behaviour> {
        self.nodes.iter().flat_map(|node| &node.slots)
    }
}

impl NodePlan {
    fn draw(rng: &mut SmallRng, span: Duration, faulty: u32) -> Self {
        let count = if rng.random_ratio(1, 8) { rng.random_range(5..=16) } else { rng.random_range(1..=4) };
        let behaviour = |_| if rng.random_ratio(faulty, 100) { Behaviour::faulty(rng) } else { Behaviour::able(rng) };
        let slots = (0..count).map(behaviour).collect();
        let comes = if rng.random() { Duration::ZERO } else { some(rng, span) };
        let start = Duration::from_millis(rng.random_range(0..1_000_000_000));
        let clock = SkewedClock { start, drift: rng.random_range(-20_000..=20_000) };
        Self { slots, comes, ends: leave(rng, span), clock, lies: 0 }
    }
}

impl NetworkFaults {
    fn draw(rng: &mut SmallRng, span: Duration, nodes: usize) -> Self {
        let (least, most) = [(50, 500), (1_000, 20_000), (20_000, 100_000), (0, 300_000)][rng.random_range(0..4)];
        let cuts = (0..rng.random_range(0..4)).map(|_| Cut::draw(rng, span, nodes)).collect();
        let every = Duration::from_millis([20, 200, 1_000][rng.random_range(0..3)]);
        Self {
            delay: (Duration::from_micros(least), Duration::from_micros(most)),
            loss: [0, 0, 10, 100, 300][rng.random_range(0..5)],
            doubling: [0, 0, 50, 300][rng.random_range(0..4)],
            reorders: rng.random(),
            cuts,
            jams: [0, 0, 300][rng.random_range(0..3)],
            forger: rng.random_ratio(1, 3).then_some(Forgery { every, ghosts: rng.random_ratio(1, 4) }),
        }
    }
}

impl Cut {
    fn draw(rng: &mut SmallRng, span: Duration, nodes: usize) -> Self {
        let from = some(rng, span);
        let is_restart = rng.random_ratio(1, 4);
        let most = if is_restart { 5_000 } else { 30_000 };
        let to = from + Duration::from_millis(rng.random_range(1_000..=most));
        let some_of = |rng: &mut SmallRng| (0..nodes).filter(|_| rng.random()).collect();
        let nodes = (!is_restart).then(|| some_of(rng));
        let ways = [CutDirection::Both, CutDirection::Both, CutDirection::ToStations, CutDirection::FromStations];
        let way = if is_restart { CutDirection::Both } else { ways[rng.random_range(0..4)] };
        Self { from, to, nodes, way }
    }

    /// Whether the cut affects messages between the masters and this node (`None`: a master) at this time.
    pub fn covers(&self, now: Duration, node: Option<usize>, inwards: bool) -> bool {
        let is_its = match (&self.nodes, node) {
            (None, _) => true,
            (Some(all), Some(node)) => all.contains(&node),
            (Some(_), None) => false,
        };
        let is_way = match self.way {
            CutDirection::Both => true,
            CutDirection::ToStations => inwards,
            CutDirection::FromStations => !inwards,
        };
        is_its && is_way && (self.from..self.to).contains(&now)
    }
}

fn some(rng: &mut SmallRng, span: Duration) -> Duration {
    span.mul_f64(rng.random())
}

fn leave(rng: &mut SmallRng, span: Duration) -> Option<Leave> {
    rng.random_ratio(1, 3).then(|| Leave { at: some(rng, 2 * span), says_so: rng.random() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_reaches_its_moment_and_no_sooner() {
        for drift in [-20_000, -7, 0, 13, 20_000] {
            let clock = SkewedClock { start: Duration::from_secs(987_654), drift };
            for nanos in [0, 1, 999, 1_000_000_007, 86_400_000_000_001] {
                let shown = clock.start + Duration::from_nanos(nanos);
                let at = clock.when(shown);
                assert!(clock.of(at) >= shown && clock.of(at) - shown < Duration::from_nanos(8), "{drift} {nanos}");
            }
        }
    }
}
