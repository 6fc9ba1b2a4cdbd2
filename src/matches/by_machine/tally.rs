//! Counts over the games of one machine.

use super::differing::{Counts, StratifiedCounts, Stratum};
use crate::machine::MachineStamp;
use crate::schedule::Pairing;
use hasami_api::{Ending, GameRecord, Side};
use std::collections::BTreeMap;

/// Smallest thinking time in seconds for which a speed is given.
const LEAST_TIME: f64 = 1.0;

/// Counts over the games of one machine.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MachineTally {
    pub games: u32,
    pub busy: u32,
    /// Games lost on time.
    pub late: u32,
    /// Games whose end no rule can check: losses on time, crashes, hangs, illegal moves.
    pub unproved: u32,
    /// Games by the number of their pairing group.
    groups: BTreeMap<u32, Group>,
    /// Nodes of all moves with known nodes and time, and the time of these moves in seconds. On a machine with scaled
    /// clocks, a second is one of the reference machine.
    pub nodes: f64,
    pub seconds: f64,
    /// Nodes per second of each game, where they are known.
    pub paces: Vec<f64>,
    pub place: String,
    /// The times at which the first game began and the last one ended, in the format of the records.
    span: Option<[String; 2]>,
}

/// Games of one opening between two engines.
#[derive(Clone, PartialEq, Debug)]
struct Group {
    stratum: Stratum,
    /// Half points of the first engine, one entry per game.
    points: Vec<u8>,
}

impl Group {
    fn of(pairing: Pairing) -> Self {
        let mut engines = pairing.engines;
        engines.sort_unstable();
        Self { stratum: (engines, pairing.opening), points: Vec::new() }
    }

    /// Index of the result among lost, drawn and won.
    fn result(&self) -> usize {
        let got: usize = self.points.iter().map(|&half| usize::from(half)).sum();
        match got.cmp(&self.points.len()) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        }
    }
}

/// Processor and version, for the table.
pub fn place(machine: &MachineStamp) -> String {
    format!("{}, hasami {}", machine.processor, machine.version)
}

impl MachineTally {
    pub fn add(&mut self, machine: &MachineStamp, pairing: Pairing, record: &GameRecord) {
        let view = if pairing.engines[0] < pairing.engines[1] { Side::First } else { Side::Second };
        self.games += 1;
        self.busy += u32::from(machine.busy.is_some());
        self.late += u32::from(record.ending == Ending::TimeLoss);
        let is_unproved =
            matches!(record.ending, Ending::TimeLoss | Ending::Crash | Ending::Silence | Ending::IllegalMove);
        self.unproved += u32::from(is_unproved);
        self.place = place(machine);
        if let Some(points) = record.outcome.half_points(view) {
            self.groups.entry(pairing.group).or_insert_with(|| Group::of(pairing)).points.push(points);
        }
        let scale = if machine.scale > 0.0 { machine.scale } else { 1.0 };
        let (mut nodes, mut seconds) = (0.0, 0.0);
        for played in record.moves.iter().filter(|played| !played.book) {
            if let (Some(told), Some(time)) = (played.nodes, played.time) {
                nodes += told as f64;
                seconds += time.as_secs_f64() / scale;
            }
        }
        if nodes > 0.0 && seconds > 0.0 {
            self.paces.push(nodes / seconds);
        }
        self.nodes += nodes;
        self.seconds += seconds;
        self.widen(&[record.began.clone(), record.ended.clone()]);
    }

    fn widen(&mut self, [began, ended]: &[String; 2]) {
        let [first, last] = self.span.get_or_insert_with(|| [began.clone(), ended.clone()]);
        if began < first {
            first.clone_from(began);
        }
        if ended > last {
            last.clone_from(ended);
        }
    }

    /// Nodes per second; `None` if unknown.
    pub fn speed(&self) -> Option<f64> {
        (self.seconds >= LEAST_TIME && self.nodes > 0.0).then(|| self.nodes / self.seconds)
    }

    /// Groups that the first engine has lost, drawn and won, by stratum.
    pub fn stratified(&self) -> StratifiedCounts {
        let mut counts = StratifiedCounts::new();
        for group in self.groups.values() {
            counts.entry(group.stratum).or_default()[group.result()] += 1;
        }
        counts
    }

    /// Groups that the first engine has lost, drawn and won, over all strata.
    pub fn counts(&self) -> Counts {
        let mut counts = [0; 3];
        self.groups.values().for_each(|group| counts[group.result()] += 1);
        counts
    }

    fn is_before(&self, later: &Self) -> bool {
        match (&self.span, &later.span) {
            (Some([_, ended]), Some([began, _])) => ended <= began,
            _ => true,
        }
    }

    fn absorb(&mut self, later: &Self) {
        self.games += later.games;
        self.busy += later.busy;
        self.late += later.late;
        self.unproved += later.unproved;
        for (number, group) in &later.groups {
            let empty = || Group { points: Vec::new(), ..group.clone() };
            self.groups.entry(*number).or_insert_with(empty).points.extend(&group.points);
        }
        self.nodes += later.nodes;
        self.seconds += later.seconds;
        self.paces.extend(&later.paces);
        self.place.clone_from(&later.place);
        if let Some(span) = &later.span {
            self.widen(span);
        }
    }
}

/// Merges processes of one machine name. A process that was started after another had ended is the same machine;
/// processes that overlap in time are different ones.
pub fn one_after_the_other(mut tallies: Vec<&MachineTally>) -> Vec<MachineTally> {
    tallies.sort_by(|a, b| a.span.cmp(&b.span));
    let mut machines: Vec<MachineTally> = Vec::new();
    for tally in tallies {
        match machines.iter_mut().find(|machine| machine.is_before(tally)) {
            Some(machine) => machine.absorb(tally),
            None => machines.push(tally.clone()),
        }
    }
    machines
}
