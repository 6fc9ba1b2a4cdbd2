//! Results by machine, and whether a machine differs from the others.
//!
//! The test is one of homogeneity within each opening. The table of an opening has two rows (one machine, all others)
//! and three columns: pairs that the first engine has lost, drawn and won. If games are not paired, single games are
//! counted.

mod differing;
mod homogeneity;
mod programs;
mod row;
mod tally;

use super::machine::MachineStamp;
use super::schedule::Pairing;
use differing::{Differing, LEVEL};
use hasami_api::GameRecord;
use hasami_words::text::{At, counted, listed};
use homogeneity::ln_chance;
use programs::EnginePrograms;
pub use row::MachineRow;
use std::collections::BTreeMap;
use tally::MachineTally;
use unicode_width::UnicodeWidthStr;

/// A machine is called slow if its engines reach less than this share of the speed that they have on the others, in
/// most of its games.
const SLOW: f64 = 0.7;
/// Smallest share of slow games in the hypothesis that a machine is slow.
const SLOW_GAMES: f64 = 0.8;

/// Results of all machines, and the test for differences between them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MachineResults {
    /// Counts by the name of a machine and the random number that the machine drew when it was started.
    tallies: BTreeMap<(String, u64), MachineTally>,
    programs: EnginePrograms,
    /// Number of answers that contradict the rules, by machine name.
    false_answers: BTreeMap<String, u32>,
}

/// The table of machines, and remarks about it.
struct Findings {
    rows: Vec<MachineRow>,
    /// Remarks that concern several machines.
    lines: Vec<String>,
}

impl MachineResults {
    /// Counts a game of two engines. Games without a `machine` were played locally and are ignored. Returns remarks
    /// about engines that are not the same program as elsewhere.
    pub fn add(&mut self, machine: Option<&MachineStamp>, pairing: Pairing, record: &GameRecord) -> Vec<String> {
        let Some(machine) = machine else { return Vec::new() };
        self.tallies.entry((machine.name.clone(), machine.instance)).or_default().add(machine, pairing, record);
        self.programs.add(machine, pairing, record)
    }

    /// Counts an answer that contradicts the rules. The game of the answer does not count.
    pub fn add_false_answer(&mut self, machine: &MachineStamp) {
        *self.false_answers.entry(machine.name.clone()).or_default() += 1;
        let tally = self.tallies.entry((machine.name.clone(), machine.instance)).or_default();
        tally.place = tally::place(machine);
    }

    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// Machines by name. Processes of one name that ran one after the other are merged; processes that ran at the same
    /// time are listed separately.
    fn machines(&self) -> Vec<(String, MachineTally)> {
        let mut machines: Vec<(String, MachineTally)> = Vec::new();
        let mut by_name: BTreeMap<&str, Vec<&MachineTally>> = BTreeMap::new();
        for ((name, _), tally) in &self.tallies {
            by_name.entry(name).or_default().push(tally);
        }
        for (name, tallies) in by_name {
            for (index, tally) in tally::one_after_the_other(tallies).into_iter().enumerate() {
                let name = if index == 0 { name.to_owned() } else { format!("{name} ({})", index + 1) };
                machines.push((name, tally));
            }
        }
        machines
    }

    fn findings(&self) -> Findings {
        let machines = self.machines();
        let counts: Vec<_> = machines.iter().map(|(_, tally)| tally.stratified()).collect();
        let speeds: Vec<_> = machines.iter().map(|(_, tally)| tally.speed()).collect();
        let (differing, speeds) = (Differing::of(&counts), beside_others(&speeds));
        let row = |(index, (name, tally)): (usize, &(String, MachineTally))| MachineRow {
            name: name.clone(),
            place: tally.place.clone(),
            games: tally.games,
            busy: tally.busy,
            late: tally.late,
            counts: tally.counts(),
            chance: differing.chances[index],
            speed: speeds[index],
            suspicions: self.other_suspicions(index, &machines, speeds[index]),
        };
        let mut rows: Vec<MachineRow> = machines.iter().enumerate().map(row).collect();
        let mut lines = Vec::new();
        for &index in &differing.named {
            rows[index].suspicions.insert(0, "its results differ from those of the other machines".to_owned());
        }
        for [one, others] in &differing.undecided {
            let strange: Vec<usize> =
                one.iter().chain(others).copied().filter(|&index| !rows[index].suspicions.is_empty()).collect();
            match (&strange[..], one.len() + others.len()) {
                // The results cannot single out one of two machines, but other signs may.
                (&[index], 2) => {
                    let other = &rows[if one[0] == index { others[0] } else { one[0] }].name;
                    let text = format!("its results differ from those of {other}");
                    rows[index].suspicions.insert(0, text);
                }
                _ => lines.push(undecided(&rows, one, others)),
            }
        }
        lines.extend(same_names(&machines));
        let unproved = machines.iter().filter(|(_, tally)| tally.unproved > 0);
        lines.extend(unproved.map(|(name, tally)| {
            format!(
                "{} of {} games ended as this machine says and no rule can check (time, crash, silence, illegal move)",
                tally.unproved, tally.games
            )
            .at(name)
        }));
        Findings { rows, lines }
    }

    /// Suspicions about a machine for other reasons than its results.
    fn other_suspicions(&self, index: usize, machines: &[(String, MachineTally)], speed: Option<f64>) -> Vec<String> {
        let mut found = Vec::new();
        let (name, tally) = &machines[index];
        if let Some(&count) = self.false_answers.get(name) {
            found.push(format!(
                "it sent {} that the rules of the game contradict, not counted here",
                counted(u64::from(count), "answer")
            ));
        }
        if let Some(speed) = speed.filter(|&speed| is_slow(tally, speed, machines.len())) {
            found.push(format!("its engines reach {speed:.2} times the nodes per second of the other machines"));
        }
        let sum = |pick: fn(&MachineTally) -> u32| machines.iter().map(|(_, tally)| pick(tally)).sum::<u32>();
        let (late, games) = (sum(|tally| tally.late) - tally.late, sum(|tally| tally.games) - tally.games);
        let is_more = u64::from(tally.late) * u64::from(games) > u64::from(late) * u64::from(tally.games);
        let table = [[tally.late, tally.games - tally.late, 0], [late, games - late, 0]];
        let chance = ln_chance([table].into_iter());
        if is_more && chance < differing::level(machines.len()).ln() {
            found.push(format!(
                "{} of its {} games were lost on time, {late} of {games} elsewhere",
                tally.late, tally.games
            ));
        }
        found
    }

    /// One row per machine, comparing it with all other machines combined.
    pub fn rows(&self) -> Vec<MachineRow> {
        self.findings().rows
    }

    /// The table as text, with one line for each machine that differs. Empty if all games were played locally.
    pub fn lines(&self) -> Vec<String> {
        if self.is_empty() {
            return Vec::new();
        }
        let Findings { rows, lines } = self.findings();
        let width = rows.iter().map(|row| row.name.width()).max().unwrap_or(0).max(7);
        let told = rows.iter().filter_map(|row| Some(row.suspicion()?.at(&row.name)));
        let told = told.chain(lines).chain(self.programs.lines()).map(|line| line.to_string());
        let table = std::iter::once(MachineRow::head(width)).chain(rows.iter().map(|row| row.line(width)));
        table.chain(told).collect()
    }
}

/// Tests whether most games of a machine are slow. A bet on this hypothesis grows with each slow game and shrinks with
/// each other one. If at most half of the games are slow, the bet reaches the bound with a probability of at most the
/// level (Ville 1939), even if the test is repeated many times during a match.
fn is_slow(tally: &MachineTally, speed: f64, machines: usize) -> bool {
    let Some(own) = tally.speed().filter(|_| speed < SLOW) else { return false };
    let bound = SLOW * own / speed;
    let slow = tally.paces.iter().filter(|&&pace| pace < bound).count() as f64;
    let others = tally.paces.len() as f64 - slow;
    let bet = slow * (2.0 * SLOW_GAMES).ln() + others * (2.0 * (1.0 - SLOW_GAMES)).ln();
    bet >= (machines as f64 / LEVEL).ln()
}

/// The remark that some machines differ from others, without saying which are wrong.
fn undecided(rows: &[MachineRow], one: &[usize], others: &[usize]) -> String {
    let side = |side: &[usize]| listed(side.iter().map(|&index| rows[index].name.as_str()));
    format!("{} and {}: their results differ, but results alone cannot tell which are wrong", side(one), side(others))
}

/// Remarks about several machines of the same name that ran at the same time.
fn same_names(machines: &[(String, MachineTally)]) -> impl Iterator<Item = String> {
    let second = machines.iter().filter_map(|(name, _)| name.strip_suffix(" (2)"));
    second.map(|name| "machines of this name played at the same time; hasami worker --name gives each its own".at(name))
}

/// Each speed divided by the median of the others, so that one outlier does not change the figures of the other
/// machines.
fn beside_others(speeds: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut sorted: Vec<(f64, usize)> =
        speeds.iter().enumerate().filter_map(|(index, speed)| Some(((*speed)?, index))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut ratios = vec![None; speeds.len()];
    let others = sorted.len().saturating_sub(1);
    for (rank, &(speed, index)) in sorted.iter().enumerate().filter(|_| others > 0) {
        let other = |at: usize| sorted[if at < rank { at } else { at + 1 }].0;
        ratios[index] = Some(speed / ((other((others - 1) / 2) + other(others / 2)) / 2.0));
    }
    ratios
}

#[cfg(test)]
mod look_tests;
#[cfg(test)]
mod tests;
