#![allow(clippy::unwrap_used)]
use super::*;
use hasami_api::{Outcome, PlayedMove};
use std::time::Duration;

fn stamp(name: &str) -> MachineStamp {
    MachineStamp {
        name: name.into(),
        scale: 1.0,
        processor: "P".into(),
        version: "1".into(),
        ..MachineStamp::default()
    }
}

/// Adds the two games of a pair that `machine` has played.
fn pair(results: &mut MachineResults, machine: &MachineStamp, group: u32, record: &GameRecord, outcomes: [Outcome; 2]) {
    for (turn, (outcome, engines)) in outcomes.into_iter().zip([[0, 1], [1, 0]]).enumerate() {
        let pairing = Pairing { game: 2 * group + turn as u32, round: group, group, engines, opening: None };
        let mut players = ["new".to_owned(), "old".to_owned()];
        players.rotate_left(turn);
        results.add(Some(machine), pairing, &GameRecord { outcome, players, ..record.clone() });
    }
}

#[test]
fn each_machine_has_a_row_with_its_pairs_and_its_speed() {
    let mut results = MachineResults::default();
    let [first, second] = [Side::First, Side::Second].map(Outcome::Win);
    for (name, scale) in [("attic", 1.0), ("slow", 2.0)] {
        let time = Some(Duration::from_secs_f64(2.0 * scale));
        let played = PlayedMove { nodes: Some(1_000_000), time, ..PlayedMove::new("e2e4".parse().unwrap()) };
        let record = GameRecord { moves: vec![played], ..GameRecord::default() };
        let machine = MachineStamp { scale, ..stamp(name) };
        pair(&mut results, &machine, 0, &record, [first, second]);
        pair(&mut results, &machine, 1, &record, [first, first]);
        pair(&mut results, &machine, 2, &record, [second, Outcome::Draw]);
    }
    let wanted = [
        "Machine  Games    lost/level/won  nodes/s  late  Processor",
        "attic        6             1/1/1  500,000     0  P, hasami 1",
        "slow         6             1/1/1  500,000     0  P, hasami 1",
    ];
    assert_eq!(results.lines(), wanted);
}

#[test]
fn games_that_no_rule_can_check_and_false_answers_are_remarked() {
    let mut results = MachineResults::default();
    let late = GameRecord { ending: Ending::TimeLoss, ..GameRecord::default() };
    pair(&mut results, &stamp("d"), 0, &late, [Outcome::Win(Side::First); 2]);
    results.add_false_answer(&stamp("d"));
    let wanted = [
        "d: it sent 1 answer that the rules of the game contradict, not counted here",
        "d: 2 of 2 games ended as this machine says and no rule can check (time, crash, silence, illegal move)",
    ];
    assert_eq!(results.lines()[2..], wanted);
    assert!(results.lines()[1].ends_with("0/1/0        -     2  P, hasami 1"), "{:?}", results.lines());
}

#[test]
fn differing_engine_programs_are_reported_once() {
    let mut results = MachineResults::default();
    let machine = |name: &str, new: &str| MachineStamp {
        engines: vec![new.into(), "Old 3".into()],
        programs: vec!["1a2b".into(), "77".into()],
        ..stamp(name)
    };
    for (group, (name, new)) in (0..).zip([("attic", "New 1"), ("barn", "New 1"), ("cellar", "New 2")]) {
        pair(&mut results, &machine(name, new), group, &GameRecord::default(), [Outcome::Draw; 2]);
    }
    let lines = results.lines();
    let differing: Vec<_> = lines.iter().filter(|line| line.contains("not the same program")).collect();
    assert_eq!(
        differing,
        ["new is not the same program everywhere: 'New 1' 1a2b (attic, barn), 'New 2' 1a2b (cellar)"]
    );
}
