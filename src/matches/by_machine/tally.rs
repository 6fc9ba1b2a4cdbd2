//! Games of one machine.

use super::differing::Counts;
use crate::matches::machine::MachineStamp;
use crate::matches::schedule::Pairing;
use hasami_api::{Ending, GameRecord, Side};
use std::collections::BTreeMap;

/// Thought time in seconds without which nothing is said about speed.
const LEAST_TIME: f64 = 1.0;

/// See the module.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MachineTally {
    pub games: u32,
    pub busy: u32,
    /// Games lost on time.
    pub late: u32,
    /// Half points of the first engine, by groups.
    groups: BTreeMap<u32, Vec<u8>>,
    /// Nodes of all moves that tell them with their time, and that time in seconds. On a machine whose clocks are scaled a
    /// second is that of the machine for which they are meant.
    pub nodes: f64,
    pub seconds: f64,
    pub place: String,
    /// When its first game began and its last one ended, as records write it.
    span: Option<[String; 2]>,
}

/// What it is, for the table.
pub fn place(machine: &MachineStamp) -> String {
    format!("{}, hasami {}", machine.processor, machine.version)
}

impl MachineTally {
    pub fn add(&mut self, machine: &MachineStamp, pairing: Pairing, record: &GameRecord) {
        let view = if pairing.engines[0] < pairing.engines[1] { Side::First } else { Side::Second };
        self.games += 1;
        self.busy += u32::from(machine.busy.is_some());
        self.late += u32::from(record.ending == Ending::TimeLoss);
        self.place = place(machine);
        if let Some(points) = record.outcome.half_points(view) {
            self.groups.entry(pairing.group).or_default().push(points);
        }
        let scale = if machine.scale > 0.0 { machine.scale } else { 1.0 };
        for played in record.moves.iter().filter(|played| !played.book) {
            if let (Some(nodes), Some(time)) = (played.nodes, played.time) {
                self.nodes += nodes as f64;
                self.seconds += time.as_secs_f64() / scale;
            }
        }
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

    /// Nodes a second; `None`: not known.
    pub fn speed(&self) -> Option<f64> {
        (self.seconds >= LEAST_TIME && self.nodes > 0.0).then(|| self.nodes / self.seconds)
    }

    /// Groups that the first engine has lost, levelled and won.
    pub fn counts(&self) -> Counts {
        let mut counts = [0; 3];
        for points in self.groups.values() {
            let (got, level) = (points.iter().map(|&half| usize::from(half)).sum::<usize>(), points.len());
            counts[match got.cmp(&level) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            }] += 1;
        }
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
        for (group, points) in &later.groups {
            self.groups.entry(*group).or_default().extend(points);
        }
        self.nodes += later.nodes;
        self.seconds += later.seconds;
        self.place.clone_from(&later.place);
        if let Some(span) = &later.span {
            self.widen(span);
        }
    }
}

/// Machines of one name. What was started again when another had ended is the same one; what overlaps is not.
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
