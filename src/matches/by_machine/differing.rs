//! Finds the machine that differs from the rest, and decides whether the results alone can show that this machine is at
//! fault.
//!
//! The machine that differs most is removed first, until the rest agree: if its games were still counted, an honest
//! machine would differ from the others. A machine is named only if it still differs when any single one of the others
//! is left out. If two machines differ, their results cannot show which one is wrong; three machines are not enough
//! either if the third has hardly played.
//!
//! Results are compared within each opening, because games from one opening are alike (games of engines limited by
//! nodes are even identical), and one machine may get more of an opening than another. Openings that were played only
//! once are compared together.

pub use super::homogeneity::Counts;
use super::homogeneity::ln_chance;
use std::collections::BTreeMap;

/// Probability that any honest machine is named in a match, however often the results are looked at.
pub const LEVEL: f64 = 0.01;
/// Looking at a running match again and again is like looking once at this number of independent matches; found by
/// simulation (docs/guide/games.md).
const LOOKS: f64 = 25.0;
/// Level for a machine's difference when any single one of the other machines is left out.
const CONFIRMED: f64 = LEVEL / 10.0;

/// The properties that comparable pairs share: the two engines and the opening.
pub type Stratum = ([usize; 2], Option<usize>);

/// Numbers of pairs that the first engine has lost, drawn and won on a machine, by stratum.
pub type StratifiedCounts = BTreeMap<Stratum, Counts>;

/// Machines that differ. Each machine is given by its index in the list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Differing {
    /// Machines that differ from the rest.
    pub named: Vec<usize>,
    /// Two sets of machines that differ from each other, where results cannot show which set is wrong.
    pub undecided: Vec<[Vec<usize>; 2]>,
    /// For each machine, the probability of its difference from all machines that are not named.
    pub chances: Vec<f64>,
}

/// Level of a single test, corrected for the number of machines (Bonferroni). Two machines share one test.
pub fn level(machines: usize) -> f64 {
    let tests = if machines > 2 { machines as f64 } else { 1.0 };
    LEVEL / LOOKS / tests
}

impl Differing {
    pub fn of(counts: &[StratifiedCounts]) -> Self {
        let results = Results::of(counts);
        let (out, kept) = take_out(&results, level(counts.len()).ln());
        let mut found = Self::default();
        if !out.is_empty() && out.len() >= kept.len() {
            found.undecided.push([out.clone(), kept.clone()]);
        }
        for &machine in out.iter().filter(|_| out.len() < kept.len()) {
            let without = |other: usize| {
                let others = kept.iter().copied().filter(|&one| one != other);
                results.ln_chance(machine, &results.sums(others.chain([machine])))
            };
            let needed = kept.iter().map(|&other| (without(other), other)).max_by(|a, b| a.0.total_cmp(&b.0));
            match needed {
                Some((chance, other)) if chance >= CONFIRMED.ln() => found.undecided.push([vec![machine], vec![other]]),
                _ => found.named.push(machine),
            }
        }
        let is_honest = |machine: &usize| !found.named.contains(machine);
        let honest = results.sums((0..counts.len()).filter(is_honest));
        let chance = |machine: usize| {
            if is_honest(&machine) {
                return results.ln_chance(machine, &honest).exp();
            }
            let others = (0..counts.len()).filter(|other| *other == machine || is_honest(other));
            results.ln_chance(machine, &results.sums(others)).exp()
        };
        found.chances = (0..counts.len()).map(chance).collect();
        found
    }
}

/// Returns the machines that differ from the rest, the most different one first, and the rest.
fn take_out(results: &Results, level: f64) -> (Vec<usize>, Vec<usize>) {
    let (mut out, mut kept) = (Vec::new(), (0..results.machines.len()).collect::<Vec<_>>());
    loop {
        let all = results.sums(kept.iter().copied());
        let chance = |machine: usize| results.ln_chance(machine, &all);
        let worst = kept.iter().map(|&machine| (chance(machine), machine)).min_by(|a, b| a.0.total_cmp(&b.0));
        match worst {
            Some((chance, machine)) if chance < level => {
                kept.retain(|&other| other != machine);
                out.push(machine);
            }
            _ => return (out, kept),
        }
    }
}

/// Counts of all machines, with strata replaced by indices.
struct Results {
    machines: Vec<Vec<(usize, Counts)>>,
    /// For each stratum, the index of its two engines in the list of pairings.
    engines: Vec<usize>,
    pairings: usize,
}

/// Sums over some machines.
struct Sums {
    by_stratum: Vec<Counts>,
    /// Sums over the strata with one pair only, by the pairing of their engines.
    single: Vec<Counts>,
}

impl Results {
    fn of(counts: &[StratifiedCounts]) -> Self {
        let (mut strata, mut pairings) = (BTreeMap::<Stratum, usize>::new(), BTreeMap::<[usize; 2], usize>::new());
        let mut engines = Vec::new();
        let mut number = |stratum: Stratum| {
            let next = strata.len();
            *strata.entry(stratum).or_insert_with(|| {
                let pairing = pairings.len();
                engines.push(*pairings.entry(stratum.0).or_insert(pairing));
                next
            })
        };
        let machines = counts.iter().map(|counts| counts.iter().map(|(key, counts)| (number(*key), *counts)).collect());
        let machines = machines.collect();
        Self { machines, pairings: pairings.len(), engines }
    }

    fn sums(&self, machines: impl Iterator<Item = usize>) -> Sums {
        let mut by_stratum = vec![[0; 3]; self.engines.len()];
        for (stratum, counts) in machines.flat_map(|machine| &self.machines[machine]) {
            by_stratum[*stratum] = sum(by_stratum[*stratum], *counts);
        }
        let mut single = vec![[0; 3]; self.pairings];
        for (counts, pairing) in by_stratum.iter().zip(&self.engines).filter(|(counts, _)| is_single(counts)) {
            single[*pairing] = sum(single[*pairing], *counts);
        }
        Sums { by_stratum, single }
    }

    /// The logarithm of the probability of this machine's difference from the others in `all`.
    fn ln_chance(&self, machine: usize, all: &Sums) -> f64 {
        let own = &self.machines[machine];
        let is_alone = |stratum: usize| is_single(&all.by_stratum[stratum]);
        let mut single = vec![[0; 3]; self.pairings];
        for (stratum, counts) in own.iter().filter(|(stratum, _)| is_alone(*stratum)) {
            single[self.engines[*stratum]] = sum(single[self.engines[*stratum]], *counts);
        }
        let beside = |own: Counts, all: Counts| [own, [0, 1, 2].map(|at| all[at] - own[at])];
        let several = own.iter().filter(|(stratum, _)| !is_alone(*stratum));
        let several = several.map(|(stratum, counts)| beside(*counts, all.by_stratum[*stratum]));
        ln_chance(several.chain(single.iter().zip(&all.single).map(|(own, all)| beside(*own, *all))))
    }
}

fn is_single(counts: &Counts) -> bool {
    counts.iter().sum::<u32>() == 1
}

fn sum(one: Counts, other: Counts) -> Counts {
    [0, 1, 2].map(|at| one[at] + other[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    /// Number of simulated matches of each kind.
    const SEEDS: u64 = 1_000;

    /// Counts of pairs from a single opening.
    fn of_one_opening(counts: Counts) -> StratifiedCounts {
        [(([0, 1], None), counts)].into()
    }

    /// Simulates pairs of engines of equal strength, `pairs[i]` of them on machine i. On the last machine each pair is
    /// turned into a win with probability `cheats`.
    fn play(seed: u64, pairs: &[u32], cheats: f64) -> Vec<StratifiedCounts> {
        let mut random = StdRng::seed_from_u64(seed);
        let mut counts = vec![[0; 3]; pairs.len()];
        for (machine, &pairs) in pairs.iter().enumerate() {
            let is_last = machine + 1 == counts.len();
            for _ in 0..pairs {
                let result = if is_last && random.random_bool(cheats) { 2 } else { random.random_range(0..3) };
                counts[machine][result] += 1;
            }
        }
        counts.into_iter().map(of_one_opening).collect()
    }

    /// Shares of matches in which the last machine is named, in which another one is, and in which some machines are
    /// undecided.
    fn rates(pairs: &[u32], cheats: f64) -> [f64; 3] {
        let mut counts = [0; 3];
        for seed in 0..SEEDS {
            let found = Differing::of(&play(seed, pairs, cheats));
            let last = pairs.len() - 1;
            counts[0] += u32::from(found.named.contains(&last));
            counts[1] += u32::from(found.named.iter().any(|&machine| machine != last));
            counts[2] += u32::from(!found.undecided.is_empty());
        }
        println!("pairs {pairs:?}, cheats {cheats}, seeds 0..{SEEDS}: named, wrongly named, undecided {counts:?}");
        counts.map(|count| f64::from(count) / SEEDS as f64)
    }

    #[test]
    fn neither_of_two_differing_machines_is_named() {
        for pairs in [[50, 50], [20, 80], [3_000, 3_000]] {
            let [last, other, undecided] = rates(&pairs, 1.0);
            assert_eq!((last, other), (0.0, 0.0));
            assert!(undecided > 0.99, "{undecided}");
        }
    }

    #[test]
    fn only_the_cheating_machine_is_named() {
        for pairs in [&[34, 33, 33][..], &[25; 4], &[26; 8], &[15, 20, 65], &[3_000; 3]] {
            let [last, other, _] = rates(pairs, 1.0);
            assert!(last > 0.98, "the cheat was named in a share of {last} of the matches");
            assert!(other < 0.01, "another machine was named in a share of {other} of the matches");
        }
        let [last, other, _] = rates(&[100; 4], 0.5);
        assert!(last > 0.9 && other < 0.01, "{last} {other}");
    }

    #[test]
    fn honest_machines_are_rarely_named() {
        for pairs in [&[50, 50][..], &[3, 97], &[33; 3], &[25; 4], &[3; 32], &[1, 1, 48, 50], &[500; 8]] {
            let [last, other, undecided] = rates(pairs, 0.0);
            // Three standard deviations above one per cent.
            assert!(last + other + undecided < LEVEL + 3.0 * (LEVEL / SEEDS as f64).sqrt(), "{pairs:?}");
        }
    }

    /// The openings of a match: their number, and the probability that a pair from one of them ends as that opening
    /// always does.
    #[derive(Clone, Copy, Debug)]
    struct Book {
        openings: usize,
        sameness: f64,
    }

    /// The reports about a match of four machines that was examined again and again. The last machine cheats.
    struct Told {
        /// An honest machine was named, or was undecided in a match without a cheat.
        honest: bool,
        /// The cheating machine was named.
        cheat: bool,
    }

    /// Simulates a match. Machines take tasks whenever they are free, the faster ones more of them; or all of them in
    /// turns.
    fn watch(seed: u64, pairs: usize, book: Book, in_turns: bool, cheats: f64) -> Told {
        let mut random = StdRng::seed_from_u64(seed);
        let fixed: Vec<usize> = (0..book.openings).map(|_| random.random_range(0..3)).collect();
        let speeds: [f64; 4] = std::array::from_fn(|_| random.random_range(0.8..1.2));
        let mut counts = vec![StratifiedCounts::new(); 4];
        let mut told = Told { honest: false, cheat: false };
        for pair in 0..pairs {
            let mut place = random.random::<f64>() * speeds.iter().sum::<f64>();
            let in_proportion = speeds.iter().position(|speed| {
                place -= speed;
                place < 0.0
            });
            let machine = if in_turns { pair % 4 } else { in_proportion.unwrap_or(3) };
            let opening = pair % book.openings;
            let mut result = if random.random_bool(book.sameness) { fixed[opening] } else { random.random_range(0..3) };
            if machine == 3 && random.random_bool(cheats) {
                result = 2;
            }
            counts[machine].entry(([0, 1], Some(opening))).or_default()[result] += 1;
            if pair % LOOK == 0 || pair + 1 == pairs {
                let found = Differing::of(&counts);
                told.cheat |= cheats > 0.0 && found.named.contains(&3);
                told.honest |= found.named.iter().any(|&machine| machine < 3 || cheats == 0.0);
                told.honest |= cheats == 0.0 && !found.undecided.is_empty();
            }
        }
        told
    }

    /// Number of pairs between two examinations.
    const LOOK: usize = 10;
    const BOOKS: [Book; 5] = [
        Book { openings: 1_000, sameness: 0.0 },
        Book { openings: 8, sameness: 1.0 },
        Book { openings: 8, sameness: 0.7 },
        Book { openings: 50, sameness: 0.5 },
        Book { openings: 1, sameness: 0.0 },
    ];

    /// Number of examined matches of each kind.
    const WATCHED: u64 = 40;

    #[test]
    fn honest_machines_are_rarely_named_in_repeated_looks() {
        let mut told = 0;
        for (book, in_turns) in BOOKS.into_iter().flat_map(|book| [(book, false), (book, true)]) {
            let pairs = |seed: u64| 100 + (seed as usize * 37) % 401;
            let count = (0..WATCHED).filter(|&seed| watch(seed, pairs(seed), book, in_turns, 0.0).honest).count();
            println!("{book:?}, in turns {in_turns}, seeds 0..{WATCHED}: {count}");
            told += count;
        }
        let matches = (2 * BOOKS.len() as u64 * WATCHED) as f64;
        assert!(told as f64 <= LEVEL * matches, "{told} of {matches} matches");
    }

    #[test]
    fn repeated_games_make_no_machine_suspicious() {
        // On every machine, all pairs from one opening are lost and all pairs from another are won.
        let counts = |own: [usize; 2], result: usize| -> StratifiedCounts {
            let mut counts = [0; 3];
            counts[result] = 60;
            own.into_iter().map(|opening| (([0, 1], Some(opening)), counts)).collect()
        };
        let found = Differing::of(&[counts([0, 4], 0), counts([1, 5], 2), counts([2, 6], 1), counts([3, 7], 2)]);
        assert_eq!((found.named, found.undecided, found.chances), (Vec::new(), Vec::new(), vec![1.0; 4]));
    }

    #[test]
    fn a_machine_that_cheats_is_named_within_a_hundred_pairs_of_most_books() {
        // With two pairs per opening half of their information is about the opening, so detection takes longer.
        for (book, pairs) in BOOKS.into_iter().zip([100, 100, 100, 200, 100]) {
            let watched: Vec<Told> = (0..WATCHED).map(|seed| watch(seed, pairs, book, false, 1.0)).collect();
            let [cheats, honest] = [|told: &&Told| told.cheat, |told: &&Told| told.honest]
                .map(|is_told: fn(&&Told) -> bool| watched.iter().filter(is_told).count());
            println!("{book:?}, seeds 0..{WATCHED}: {cheats} named, {honest} with an honest one");
            assert!(cheats as f64 >= 0.95 * WATCHED as f64 && honest <= 1, "{book:?}");
        }
    }

    #[test]
    fn a_third_machine_with_few_games_decides_nothing() {
        let [_, other, undecided] = rates(&[60, 1, 60], 1.0);
        assert!(other < 0.01 && undecided > 0.99, "{other} {undecided}");
    }

    #[test]
    fn two_against_two_are_undecided() {
        let found = Differing::of(&[[20, 20, 20], [0, 0, 60], [19, 21, 20], [0, 1, 59]].map(of_one_opening));
        assert!(found.named.is_empty(), "{found:?}");
        let [one, other] = &found.undecided[0];
        assert!([one, other].iter().any(|side| side.contains(&1) && side.contains(&3)), "{found:?}");
    }

    #[test]
    fn probabilities_below_f64_are_still_ordered() {
        let found = Differing::of(&[[4_000, 4_000, 4_000], [4_000, 4_000, 4_001], [0, 0, 12_000]].map(of_one_opening));
        assert_eq!(found.named, [2]);
        assert!(found.chances[0] > 0.9 && found.chances[2] == 0.0, "{found:?}");
    }
}
