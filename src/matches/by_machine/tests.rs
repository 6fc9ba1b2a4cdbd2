#![allow(clippy::unwrap_used)]
use super::*;
use hasami_api::{Ending, Outcome, PlayedMove, Side};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::time::Duration;

fn stamp(name: &str) -> MachineStamp {
    MachineStamp { name: name.into(), scale: 1.0, ..MachineStamp::default() }
}

/// Adds the two games of a pair on this machine.
fn pair(results: &mut MachineResults, machine: &MachineStamp, group: u32, record: &GameRecord, outcomes: [Outcome; 2]) {
    for (turn, (outcome, engines)) in outcomes.into_iter().zip([[0, 1], [1, 0]]).enumerate() {
        let pairing = Pairing { game: 2 * group + turn as u32, round: group, group, engines, opening: None };
        let mut players = ["new".to_owned(), "old".to_owned()];
        players.rotate_left(turn);
        results.add(Some(machine), pairing, &GameRecord { outcome, players, ..record.clone() });
    }
}

/// Simulates pairs of two engines of equal strength; machines in `cheats` win all of theirs.
fn play(seed: u64, machines: &[&str], cheats: &[&str]) -> MachineResults {
    let (mut results, mut random) = (MachineResults::default(), StdRng::seed_from_u64(seed));
    for group in 0..100 {
        let name = machines[group as usize % machines.len()];
        let outcomes = [Outcome::Win(Side::First), Outcome::Draw, Outcome::Win(Side::Second)];
        let fair = [0, 1].map(|_| outcomes[random.random_range(0..3)]);
        let won = [Outcome::Win(Side::First), Outcome::Win(Side::Second)];
        let outcomes = if cheats.contains(&name) { won } else { fair };
        pair(&mut results, &stamp(name), group, &GameRecord::default(), outcomes);
    }
    results
}

fn named(results: &MachineResults) -> Vec<String> {
    results.rows().into_iter().filter(|row| row.suspicion().is_some()).map(|row| row.name).collect()
}

const FOUR: [&str; 4] = ["a", "b", "c", "d"];

#[test]
fn a_machine_that_cheats_is_named_within_two_hundred_games() {
    let told = |seed| named(&play(seed, &FOUR, &["c"]));
    let honest = (0..200).filter(|&seed| told(seed).iter().any(|name| name != "c")).count();
    let missed = (0..200).filter(|&seed| !told(seed).contains(&"c".to_owned())).count();
    assert!(honest <= 2 && missed <= 4, "{honest} and {missed} of 200 matches");
}

#[test]
fn neither_of_two_machines_is_named_by_results_alone() {
    for seed in 0..50 {
        let results = play(seed, &["attic", "cellar"], &["cellar"]);
        assert_eq!(named(&results), [""; 0], "seed {seed}");
        let last = results.lines().last().unwrap().clone();
        assert!(last.starts_with("attic and cellar: their results differ, but results alone cannot tell"), "{last}");
        let chances: Vec<f64> = results.rows().iter().map(|row| row.chance).collect();
        assert!(chances[0] < 0.01 && (chances[0] - chances[1]).abs() < 1e-12, "{chances:?}");
    }
}

#[test]
fn other_signs_may_single_out_one_of_two_machines() {
    let mut results = play(3, &["attic", "cellar"], &["attic"]);
    results.add_false_answer(&stamp("attic"));
    assert_eq!(named(&results), ["attic"]);
    let told = results.rows()[0].suspicion().unwrap();
    assert!(
        told.to_string().starts_with("its results differ from those of cellar, and it sent 1 answer that the rules"),
        "{told}"
    );
    assert!(!results.lines().iter().any(|line| line.contains("cannot be told")));
}

#[test]
fn a_slow_machine_is_named() {
    let mut results = play(1, &FOUR, &[]);
    for ((name, _), tally) in &mut results.tallies {
        (tally.nodes, tally.seconds) = (if name == "b" { 5e5 } else { 1e6 }, 10.0);
        tally.paces = vec![tally.nodes / tally.seconds; tally.games as usize];
    }
    assert_eq!(named(&results), ["b"]);
    assert!(results.lines().last().is_some_and(|line| line.starts_with("b: its engines reach 0.50 times")));
}

#[test]
fn a_machine_with_some_slow_games_is_not_named() {
    let mut results = MachineResults::default();
    let record = |nodes: u64| {
        let played = PlayedMove { nodes: Some(nodes), ..PlayedMove::new("e2e4".parse().unwrap()) };
        let played = PlayedMove { time: Some(Duration::from_secs(1)), ..played };
        GameRecord { moves: vec![played], ..GameRecord::default() }
    };
    // All four machines are equally fast, but another program ran on one of them during its first games.
    for group in 0..40 {
        let name = FOUR[group as usize % 4];
        let nodes = if name == "c" && group < 20 { 300_000 } else { 1_000_000 };
        pair(&mut results, &stamp(name), group, &record(nodes), [Outcome::Draw; 2]);
        assert_eq!(named(&results), [""; 0], "after {} pairs", group + 1);
    }
    (40..100).for_each(|group| pair(&mut results, &stamp("d"), group, &record(500_000), [Outcome::Draw; 2]));
    assert_eq!(named(&results), ["d"]);
}

#[test]
fn a_slow_machine_with_scaled_clocks_is_not_named() {
    let mut results = MachineResults::default();
    for (group, (name, scale)) in [("fast", 1.0), ("slow", 2.0)].into_iter().enumerate() {
        let time = Some(Duration::from_secs_f64(2.0 * scale));
        let played = PlayedMove { nodes: Some(1_000_000), time, ..PlayedMove::new("e2e4".parse().unwrap()) };
        let record = GameRecord { moves: vec![played], ..GameRecord::default() };
        let machine = MachineStamp { scale, ..stamp(name) };
        pair(&mut results, &machine, group as u32, &record, [Outcome::Draw; 2]);
    }
    let speeds: Vec<_> = results.rows().iter().map(|row| row.speed).collect();
    assert_eq!(speeds, [Some(1.0), Some(1.0)]);
}

#[test]
fn a_machine_whose_games_are_lost_on_time_is_named() {
    let mut results = play(1, &FOUR, &[]);
    let late = GameRecord { ending: Ending::TimeLoss, ..GameRecord::default() };
    for group in 100..110 {
        let outcomes = [Outcome::Win(Side::First); 2];
        pair(&mut results, &stamp("d"), group, &late, outcomes);
    }
    let told = results.lines();
    let late = "d: 20 of its 70 games were lost on time, 0 of 150 elsewhere";
    let by_word =
        "d: 20 of 70 games ended as this machine says and no rule can check (time, crash, silence, illegal move)";
    assert_eq!(told[told.len() - 2..], [late, by_word]);
}

#[test]
fn machines_of_one_name_are_separate_if_they_overlap() {
    let time = |began: &str, ended: &str| GameRecord {
        began: format!("2026-11-21 {began}"),
        ended: format!("2026-11-21 {ended}"),
        ..GameRecord::default()
    };
    let play = |games: &[(u64, &str, &str)]| {
        let mut results = MachineResults::default();
        for (group, &(instance, began, ended)) in games.iter().enumerate() {
            let machine = MachineStamp { instance, ..stamp("attic") };
            pair(&mut results, &machine, group as u32, &time(began, ended), [Outcome::Draw; 2]);
        }
        results
    };
    // A machine that was killed and started again.
    let results = play(&[(7, "10:00:00", "10:00:09"), (3, "10:00:10", "10:00:15"), (3, "10:00:16", "10:00:20")]);
    assert_eq!(results.rows().iter().map(|row| (row.name.as_str(), row.games)).collect::<Vec<_>>(), [("attic", 6)]);
    assert_eq!(results.lines().len(), 2);
    let results = play(&[(7, "10:00:00", "10:00:09"), (3, "10:00:05", "10:00:15"), (7, "10:00:16", "10:00:20")]);
    let rows = results.rows();
    let rows: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.games)).collect();
    assert_eq!(rows, [("attic", 4), ("attic (2)", 2)]);
    let last = results.lines().last().unwrap().clone();
    assert!(last.starts_with("attic: machines of this name played at the same time; hasami worker --name"), "{last}");
}

#[test]
fn differing_engine_programs_are_reported_once() {
    let mut results = MachineResults::default();
    let machine = |name: &str, new: &str| MachineStamp {
        engines: vec![new.into(), "Old 3".into()],
        programs: vec!["1a2b".into(), "77".into()],
        ..stamp(name)
    };
    let mut news = Vec::new();
    for (group, (name, new)) in [("attic", "New 1"), ("barn", "New 1"), ("cellar", "New 2")].into_iter().enumerate() {
        for (turn, engines) in [[0, 1], [1, 0]].into_iter().enumerate() {
            let pairing = Pairing { game: 0, round: 0, group: group as u32, engines, opening: None };
            let mut players = ["new".to_owned(), "old".to_owned()];
            players.rotate_left(turn);
            let record = GameRecord { players, outcome: Outcome::Draw, ..GameRecord::default() };
            news.extend(results.add(Some(&machine(name, new)), pairing, &record));
        }
    }
    assert_eq!(news, ["new on cellar is another program: 'New 2' 1a2b; elsewhere: 'New 1' 1a2b (attic, barn)"]);
    let lines = results.lines();
    let told: Vec<_> = lines.iter().filter(|line| line.contains("not the same program")).collect();
    assert_eq!(told, ["new is not the same program everywhere: 'New 1' 1a2b (attic, barn), 'New 2' 1a2b (cellar)"]);
}

#[test]
fn an_outlier_does_not_make_other_machines_slow() {
    assert_eq!(
        beside_others(&[Some(2.0), None, Some(20.0), Some(2.0), Some(1.0)]),
        [Some(1.0), None, Some(10.0), Some(1.0), Some(0.5)]
    );
    assert_eq!(beside_others(&[Some(3.0), Some(1.0), Some(2.0)]), [Some(2.0), Some(0.4), Some(1.0)]);
    assert_eq!(beside_others(&[Some(3.0), None]), [None, None]);
}
