//! Results by machine, for matches whose games are played on other machines.

mod programs;

use super::machine::MachineStamp;
use super::schedule::Pairing;
use hasami_api::{Ending, GameRecord, Side};
use hasami_words::text::{At, counted, grouped, padded};
use programs::EnginePrograms;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// Smallest total thinking time, in seconds, for which the speed of a machine is shown.
const LEAST_TIME: f64 = 1.0;

/// The results of each machine.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MachineResults {
    /// The counts of each machine, by its name.
    tallies: BTreeMap<String, MachineTally>,
    programs: EnginePrograms,
}

/// Counts of the games that one machine has played.
#[derive(Clone, PartialEq, Debug, Default)]
struct MachineTally {
    games: u32,
    /// Games lost on time.
    late: u32,
    /// Games whose end cannot be checked against the rules: losses on time, crashes, hangs and illegal moves.
    unproved: u32,
    /// Number of answers whose games contradict the rules; such games are not counted as played.
    false_answers: u32,
    /// For each group of games from one opening, the half points scored by the first engine and by its opponent.
    groups: BTreeMap<u32, [u8; 2]>,
    /// Nodes of all moves with known nodes and time, and the total time of these moves in seconds. On a machine with
    /// scaled clocks, times are converted to times on the reference machine.
    nodes: f64,
    seconds: f64,
    /// The machine's processor and the version of its program.
    place: String,
}

impl MachineResults {
    /// Counts a game between two engines. Games without a `machine` were played locally and are ignored.
    pub fn add(&mut self, machine: Option<&MachineStamp>, pairing: Pairing, record: &GameRecord) {
        if let Some(machine) = machine {
            self.tally(machine).add(machine, pairing, record);
            self.programs.add(machine, pairing, record);
        }
    }

    /// Counts an answer whose games contradict the rules, but not its games.
    pub fn add_false_answer(&mut self, machine: &MachineStamp) {
        self.tally(machine).false_answers += 1;
    }

    fn tally(&mut self, machine: &MachineStamp) -> &mut MachineTally {
        let tally = self.tallies.entry(machine.name.clone()).or_default();
        tally.place = format!("{}, hasami {}", machine.processor, machine.version);
        tally
    }

    /// Returns the table of the machines as text, followed by notes; empty if all games were played locally.
    pub fn lines(&self) -> Vec<String> {
        if self.tallies.is_empty() {
            return Vec::new();
        }
        let width = self.tallies.keys().map(|name| name.width()).max().unwrap_or(0).max(7);
        let head = format!("{}  Games    lost/level/won  nodes/s  late  Processor", padded("Machine", width));
        let rows = self.tallies.iter().map(|(name, tally)| tally.row(&padded(name, width)));
        let remarks = self.tallies.iter().flat_map(|(name, tally)| tally.remarks().map(move |text| text.at(name)));
        std::iter::once(head).chain(rows).chain(remarks).chain(self.programs.lines()).collect()
    }
}

impl MachineTally {
    fn add(&mut self, machine: &MachineStamp, pairing: Pairing, record: &GameRecord) {
        let first = if pairing.engines[0] < pairing.engines[1] { Side::First } else { Side::Second };
        self.games += 1;
        self.late += u32::from(record.ending == Ending::TimeLoss);
        let is_unproved =
            matches!(record.ending, Ending::TimeLoss | Ending::Crash | Ending::Silence | Ending::IllegalMove);
        self.unproved += u32::from(is_unproved);
        if let Some(points) = record.outcome.half_points(first) {
            let [own, other] = self.groups.entry(pairing.group).or_default();
            (*own, *other) = (*own + points, *other + 2 - points);
        }
        let scale = if machine.scale > 0.0 { machine.scale } else { 1.0 };
        for played in record.moves.iter().filter(|played| !played.book) {
            if let (Some(nodes), Some(time)) = (played.nodes, played.time) {
                self.nodes += nodes as f64;
                self.seconds += time.as_secs_f64() / scale;
            }
        }
    }

    fn row(&self, name: &str) -> String {
        let count = |wanted| self.groups.values().filter(|[own, other]| own.cmp(other) == wanted).count();
        let counts = [Ordering::Less, Ordering::Equal, Ordering::Greater].map(|wanted| count(wanted).to_string());
        let is_timed = self.seconds >= LEAST_TIME && self.nodes > 0.0;
        let speed = if is_timed { grouped((self.nodes / self.seconds) as u64) } else { "-".to_owned() };
        let Self { games, late, place, .. } = self;
        format!("{name} {games:>6} {:>17} {speed:>8} {late:>5}  {place}", counts.join("/"))
    }

    fn remarks(&self) -> impl Iterator<Item = String> {
        let contradicted = (self.false_answers > 0).then(|| {
            let answers = counted(u64::from(self.false_answers), "answer");
            format!("it sent {answers} that the rules of the game contradict, not counted here")
        });
        let unproved = (self.unproved > 0).then(|| {
            format!(
                "{} of {} games ended as this machine says and no rule can check (time, crash, silence, illegal move)",
                self.unproved, self.games
            )
        });
        contradicted.into_iter().chain(unproved)
    }
}

#[cfg(test)]
mod tests;
