//! Results by machine, and whether one of them differs from the others.
//!
//! The test is that of homogeneity: a table of two rows, one machine and all others, and three columns, pairs that the first
//! engine has lost, levelled and won (single games where there are no pairs). Its chi-square has two degrees of freedom,
//! one if a column is empty. As every machine is tested, the level is divided by their number (Bonferroni).

use super::machine::MachineStamp;
use super::schedule::Pairing;
use hasami_api::{Ending, GameRecord, Side};
use std::collections::BTreeMap;

/// One machine is named if chance alone names any with this probability.
pub const LEVEL: f64 = 0.01;
/// A machine is called slow if its engines make so much less of their time than on the others.
const SLOW: f64 = 0.7;
/// Thought time in seconds without which nothing is said about speed.
const LEAST_TIME: f64 = 1.0;

/// Games of one machine.
#[derive(Clone, PartialEq, Debug, Default)]
struct MachineTally {
    games: u32,
    busy: u32,
    /// Games lost on time.
    late: u32,
    /// Half points of the first engine, by groups.
    groups: BTreeMap<u32, Vec<u8>>,
    /// Nodes and seconds of all moves that tell both.
    nodes: f64,
    seconds: f64,
    place: String,
}

/// See the module.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MachineResults(BTreeMap<String, MachineTally>);

/// One machine beside the others.
#[derive(Clone, PartialEq, Debug)]
pub struct MachineRow {
    pub name: String,
    pub place: String,
    pub games: u32,
    pub busy: u32,
    pub late: u32,
    /// Pairs (or games) that the first engine has lost, levelled and won.
    pub counts: [u32; 3],
    /// The probability of such a difference to the others, or a greater one, by chance.
    pub chance: f64,
    /// Nodes a second in its games, by the median of the other machines; `None`: not known.
    pub speed: Option<f64>,
    /// Why somebody should look at it.
    pub suspicion: Option<String>,
}

impl MachineResults {
    /// Counts a game of two engines; `None`: it was played here.
    pub fn add(&mut self, machine: Option<&MachineStamp>, pairing: Pairing, record: &GameRecord) {
        let Some(machine) = machine else { return };
        let view = if pairing.engines[0] < pairing.engines[1] { Side::First } else { Side::Second };
        let tally = self.0.entry(machine.name.clone()).or_default();
        tally.games += 1;
        tally.busy += u32::from(machine.busy.is_some());
        tally.late += u32::from(record.ending == Ending::TimeLoss);
        tally.place = format!("{}, hasami {}", machine.processor, machine.version);
        if let Some(points) = record.outcome.half_points(view) {
            tally.groups.entry(pairing.group).or_default().push(points);
        }
        for played in record.moves.iter().filter(|played| !played.book) {
            if let (Some(nodes), Some(time)) = (played.nodes, played.time) {
                tally.nodes += nodes as f64;
                tally.seconds += time.as_secs_f64();
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Machines whose results differ, and every machine's probability of its difference to all that do not. The one that
    /// differs most is taken out first: with its games among the others' an honest machine would differ from them.
    fn differing(&self, counts: &[[u32; 3]]) -> (Vec<bool>, Vec<f64>) {
        let level = LEVEL / self.0.len().max(1) as f64;
        let mut differs = vec![false; counts.len()];
        loop {
            let kept = (0..counts.len()).filter(|&index| !differs[index]);
            let all = kept.fold([0; 3], |sum, index| [0, 1, 2].map(|at| sum[at] + counts[index][at]));
            let chance = |index: usize| {
                let own = if differs[index] { [0; 3] } else { counts[index] };
                homogeneity(counts[index], [0, 1, 2].map(|at| all[at] - own[at]))
            };
            let chances: Vec<f64> = (0..counts.len()).map(chance).collect();
            let left = (0..counts.len()).filter(|&index| !differs[index] && chances[index] < level);
            match left.min_by(|&a, &b| chances[a].total_cmp(&chances[b])) {
                Some(worst) => differs[worst] = true,
                None => return (differs, chances),
            }
        }
    }

    /// All machines, each compared with the others together.
    pub fn rows(&self) -> Vec<MachineRow> {
        let counts: Vec<[u32; 3]> = self.0.values().map(MachineTally::counts).collect();
        let (differs, chances) = self.differing(&counts);
        let speeds: Vec<Option<f64>> = self.0.values().map(MachineTally::speed).collect();
        let speeds = beside_others(&speeds);
        let row = |(index, (name, tally)): (usize, (&String, &MachineTally))| {
            let speed = speeds[index];
            MachineRow {
                name: name.clone(),
                place: tally.place.clone(),
                games: tally.games,
                busy: tally.busy,
                late: tally.late,
                counts: counts[index],
                chance: chances[index],
                speed,
                suspicion: suspicion(differs[index], speed),
            }
        };
        self.0.iter().enumerate().map(row).collect()
    }

    /// A table of text, and a line for each machine that differs; nothing for a match on one's own machine.
    pub fn lines(&self) -> Vec<String> {
        if self.is_empty() {
            return Vec::new();
        }
        let rows = self.rows();
        let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(7);
        let head = format!(
            "{:width$} {:>6} {:>16} {:>8} {:>6} {:>5} {:>5}  Processor",
            "Machine", "Games", "lost/level/won", "chance", "speed", "busy", "late"
        );
        let line = |row: &MachineRow| {
            let [lost, level, won] = row.counts;
            let speed = row.speed.map_or_else(|| "-".to_owned(), |speed| format!("{speed:.2}"));
            let counts = format!("{lost}/{level}/{won}");
            format!(
                "{:width$} {:>6} {counts:>16} {:>8.4} {speed:>6} {:>5} {:>5}  {}",
                row.name, row.games, row.chance, row.busy, row.late, row.place
            )
        };
        let told = rows.iter().filter_map(|row| Some(format!("{}: {}", row.name, row.suspicion.as_ref()?)));
        std::iter::once(head).chain(rows.iter().map(line)).chain(told).collect()
    }
}

/// Each speed by the median of the other ones: a machine that is far from all others moves nobody else's figure.
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

impl MachineTally {
    /// Nodes a second; `None`: not known.
    fn speed(&self) -> Option<f64> {
        (self.seconds >= LEAST_TIME && self.nodes > 0.0).then(|| self.nodes / self.seconds)
    }

    /// Groups that the first engine has lost, levelled and won.
    fn counts(&self) -> [u32; 3] {
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
}

fn suspicion(differs: bool, speed: Option<f64>) -> Option<String> {
    let slow = speed.filter(|&speed| speed < SLOW);
    match (differs, slow) {
        (true, None) => Some("its results differ from those of the other machines".to_owned()),
        (true, Some(speed)) => Some(format!(
            "its results differ, and its engines reach {speed:.2} times the nodes a second of the other machines"
        )),
        (false, Some(speed)) => {
            Some(format!("its engines reach {speed:.2} times the nodes a second of the other machines"))
        }
        (false, None) => None,
    }
}

/// The probability of a chi-square as large as that of the two rows, or larger, if both come from one distribution.
fn homogeneity(one: [u32; 3], others: [u32; 3]) -> f64 {
    let [one, others] = [one, others].map(|row| row.map(f64::from));
    let [first, second] = [one, others].map(|row| row.iter().sum::<f64>());
    let all = first + second;
    if first == 0.0 || second == 0.0 {
        return 1.0;
    }
    let (mut square, mut columns) = (0.0, 0);
    for (a, b) in one.into_iter().zip(others).filter(|(a, b)| a + b > 0.0) {
        columns += 1;
        for (found, row) in [(a, first), (b, second)] {
            let expected = (a + b) * row / all;
            square += (found - expected).powi(2) / expected;
        }
    }
    match columns {
        3 => (-square / 2.0).exp(),
        2 => libm::erfc((square / 2.0).sqrt()),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_api::Outcome;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    fn stamp(name: &str) -> MachineStamp {
        MachineStamp { name: name.into(), ..MachineStamp::default() }
    }

    fn pair(results: &mut MachineResults, name: &str, group: u32, outcomes: [Outcome; 2]) {
        for (turn, (outcome, engines)) in outcomes.into_iter().zip([[0, 1], [1, 0]]).enumerate() {
            let pairing = Pairing { game: 2 * group + turn as u32, round: group, group, engines, opening: None };
            results.add(Some(&stamp(name)), pairing, &GameRecord { outcome, ..GameRecord::default() });
        }
    }

    /// Pairs of two engines of like strength.
    fn play(seed: u64, cheats: bool) -> MachineResults {
        let (mut results, mut random) = (MachineResults::default(), StdRng::seed_from_u64(seed));
        for group in 0..100 {
            let name = ["a", "b", "c", "d"][group as usize % 4];
            let outcomes = [Outcome::Win(Side::First), Outcome::Draw, Outcome::Win(Side::Second)];
            let fair = [0, 1].map(|_| outcomes[random.random_range(0..3)]);
            let won = [Outcome::Win(Side::First), Outcome::Win(Side::Second)];
            pair(&mut results, name, group, if cheats && name == "c" { won } else { fair });
        }
        results
    }

    fn named(results: &MachineResults) -> Vec<String> {
        results.rows().into_iter().filter(|row| row.suspicion.is_some()).map(|row| row.name).collect()
    }

    #[test]
    fn a_machine_that_cheats_is_named_within_two_hundred_games() {
        for seed in 0..200 {
            assert_eq!(named(&play(seed, true)), ["c"], "seed {seed}");
        }
        let wrong = (0..200).filter(|&seed| !named(&play(seed, false)).is_empty()).count();
        assert!(wrong <= 8, "{wrong} of 200 honest matches");
    }

    #[test]
    fn a_slow_machine_is_named() {
        let mut results = play(1, false);
        for (name, tally) in &mut results.0 {
            (tally.nodes, tally.seconds) = (if name == "b" { 5e5 } else { 1e6 }, 10.0);
        }
        assert_eq!(named(&results), ["b"]);
        assert!(results.lines().last().is_some_and(|line| line.starts_with("b: its engines reach 0.50 times")));
    }

    #[test]
    fn a_machine_that_is_far_from_the_others_makes_nobody_slow() {
        assert_eq!(
            beside_others(&[Some(2.0), None, Some(20.0), Some(2.0), Some(1.0)]),
            [Some(1.0), None, Some(10.0), Some(1.0), Some(0.5)]
        );
        assert_eq!(beside_others(&[Some(3.0), Some(1.0), Some(2.0)]), [Some(2.0), Some(0.4), Some(1.0)]);
        assert_eq!(beside_others(&[Some(3.0), None]), [None, None]);
    }

    /// By R: `chisq.test(matrix(c(10, 20, 30, 30, 20, 10), nrow = 2, byrow = TRUE))`, and without the middle column.
    #[test]
    fn probabilities_are_those_of_the_field() {
        assert!((homogeneity([10, 20, 30], [30, 20, 10]) - 4.539_993e-5).abs() < 1e-9);
        assert!((homogeneity([10, 0, 30], [30, 0, 10]) - 7.744_216e-6).abs() < 1e-9);
        assert_eq!(homogeneity([0, 5, 0], [0, 7, 0]), 1.0);
    }
}
