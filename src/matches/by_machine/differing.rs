//! Which machine differs from the rest, and whether its results alone can tell that it is this one.
//!
//! The one that differs most is taken out first, until the rest agree: with its games among the others' an honest machine
//! would differ from them. Then it is asked whether it differs from them whichever one of them is left out, too. Of two
//! machines that differ nobody can tell by their results which one is wrong; nor of three, if the third has hardly played.

use super::homogeneity::ln_chance;

/// One machine or more is told without reason with this probability.
pub const LEVEL: f64 = 0.01;

/// Pairs that the first engine has lost, levelled and won on a machine.
pub type Counts = [u32; 3];

/// See the module. Machines are named by their place in the list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Differing {
    /// Differ from the rest.
    pub named: Vec<usize>,
    /// Some on the one side differ from those on the other; results do not tell which of them are wrong.
    pub undecided: Vec<[Vec<usize>; 2]>,
    /// The probability of each machine's difference to all others that are not named.
    pub chances: Vec<f64>,
}

/// The level of one test, where every machine is tested (Bonferroni). Two machines have one test between them.
pub fn level(machines: usize) -> f64 {
    if machines > 2 { LEVEL / machines as f64 } else { LEVEL }
}

impl Differing {
    pub fn of(counts: &[Counts]) -> Self {
        let level = level(counts.len()).ln();
        let (out, kept) = take_out(counts, level);
        let mut found = Self::default();
        if !out.is_empty() && out.len() >= kept.len() {
            found.undecided.push([out.clone(), kept.clone()]);
        }
        for &machine in out.iter().filter(|_| out.len() < kept.len()) {
            let without = |other: usize| beside(counts, machine, kept.iter().copied().filter(|&one| one != other));
            let needed = kept.iter().map(|&other| (without(other), other)).max_by(|a, b| a.0.total_cmp(&b.0));
            match needed {
                Some((chance, other)) if chance >= LEVEL.ln() => found.undecided.push([vec![machine], vec![other]]),
                _ => found.named.push(machine),
            }
        }
        let others = |machine: usize| {
            let named = &found.named;
            (0..counts.len()).filter(move |&other| other != machine && !named.contains(&other))
        };
        found.chances = (0..counts.len()).map(|machine| beside(counts, machine, others(machine)).exp()).collect();
        found
    }
}

/// Machines that differ from the rest, the first one most, and the rest.
fn take_out(counts: &[Counts], level: f64) -> (Vec<usize>, Vec<usize>) {
    let (mut out, mut kept) = (Vec::new(), (0..counts.len()).collect::<Vec<_>>());
    loop {
        let all = sum(counts, kept.iter().copied());
        let chance = |machine: usize| {
            let others = [0, 1, 2].map(|at| all[at] - counts[machine][at]);
            ln_chance(counts[machine], others)
        };
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

fn beside(counts: &[Counts], machine: usize, others: impl Iterator<Item = usize>) -> f64 {
    ln_chance(counts[machine], sum(counts, others))
}

fn sum(counts: &[Counts], machines: impl Iterator<Item = usize>) -> Counts {
    machines.fold([0; 3], |sum, machine| [0, 1, 2].map(|at| sum[at] + counts[machine][at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    /// Seeds of each kind of match.
    const SEEDS: u64 = 1_000;

    /// Pairs of engines of like strength, so many on each machine; on the last one every pair is turned into a won one with
    /// this probability.
    fn play(seed: u64, pairs: &[u32], cheats: f64) -> Vec<Counts> {
        let mut random = StdRng::seed_from_u64(seed);
        let mut counts = vec![[0; 3]; pairs.len()];
        for (machine, &pairs) in pairs.iter().enumerate() {
            let is_last = machine + 1 == counts.len();
            for _ in 0..pairs {
                let result = if is_last && random.random_bool(cheats) { 2 } else { random.random_range(0..3) };
                counts[machine][result] += 1;
            }
        }
        counts
    }

    /// Parts of the matches in which the last machine is named, another one is, and in which somebody is undecided.
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
    fn of_two_machines_that_differ_none_is_named() {
        for pairs in [[50, 50], [20, 80], [3_000, 3_000]] {
            let [last, other, undecided] = rates(&pairs, 1.0);
            assert_eq!((last, other), (0.0, 0.0));
            assert!(undecided > 0.99, "{undecided}");
        }
    }

    #[test]
    fn a_machine_that_cheats_is_named_and_no_other_one() {
        for pairs in [&[34, 33, 33][..], &[25; 4], &[13; 8], &[15, 20, 65], &[3_000; 3]] {
            let [last, other, _] = rates(pairs, 1.0);
            assert!(last > 0.98, "{last} of matches named it");
            assert!(other < 0.01, "{other} of matches named another one");
        }
        let [last, other, _] = rates(&[100; 4], 0.5);
        assert!(last > 0.95 && other < 0.01, "{last} {other}");
    }

    #[test]
    fn honest_machines_are_seldom_told() {
        for pairs in [&[50, 50][..], &[3, 97], &[33; 3], &[25; 4], &[3; 32], &[1, 1, 48, 50], &[500; 8]] {
            let [last, other, undecided] = rates(pairs, 0.0);
            // Three standard deviations above one in a hundred.
            assert!(last + other + undecided < LEVEL + 3.0 * (LEVEL / SEEDS as f64).sqrt(), "{pairs:?}");
        }
    }

    #[test]
    fn a_third_that_has_hardly_played_decides_nothing() {
        let [_, other, undecided] = rates(&[60, 1, 60], 1.0);
        assert!(other < 0.01 && undecided > 0.99, "{other} {undecided}");
    }

    #[test]
    fn two_against_two_are_undecided() {
        let found = Differing::of(&[[20, 20, 20], [0, 0, 60], [19, 21, 20], [0, 1, 59]]);
        assert!(found.named.is_empty(), "{found:?}");
        let [one, other] = &found.undecided[0];
        assert!([one, other].iter().any(|side| side.contains(&1) && side.contains(&3)), "{found:?}");
    }

    #[test]
    fn more_than_a_number_can_tell_has_an_order() {
        let found = Differing::of(&[[4_000, 4_000, 4_000], [4_000, 4_000, 4_001], [0, 0, 12_000]]);
        assert_eq!(found.named, [2]);
        assert!(found.chances[0] > 0.9 && found.chances[2] == 0.0, "{found:?}");
    }
}
