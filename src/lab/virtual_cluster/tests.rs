#![allow(clippy::unwrap_used)]

use super::*;
use hasami_protocol::settings::TreeModel;
use hasami_protocol::{BestMove, Command, Go, Output, Settings};
use hasami_tree::event::{TaskId, Time, WorkerEvent, WorkerId};

use hasami_api::{Line, MoveText, Task};
use serde_json::Value;
use std::fs;
use std::path::Path;

const MOVE: Duration = Duration::from_millis(1000);

fn settings() -> Settings {
    Settings {
        threads: 0,
        hash_mb: 1,
        ponder: true,
        overhead: Duration::ZERO,
        shared_hash: false,
        ..Settings::default()
    }
}

fn cluster(game: &str, plan: ClusterPlan) -> VirtualCluster {
    VirtualCluster::new(hasami_games::find(game).unwrap(), &settings(), plan, &mut |_| {}).unwrap()
}

/// Plays some moves, all chosen by the cluster, and returns the moves and all output.
fn play(cluster: &mut VirtualCluster, plies: usize) -> (Vec<MoveText>, Vec<Output>) {
    let (mut moves, mut said) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        let line = Line { moves: moves.clone(), ..Line::default() };
        cluster.command(Command::Position(line), &mut |output| said.push(output));
        let go = Go { move_time: Some(MOVE), ..Go::default() };
        cluster.command(Command::Go(go), &mut |output| said.push(output));
        match said.last() {
            Some(Output::Best(BestMove::Move { best, .. })) => moves.push(*best),
            other => panic!("expected a move, found {other:?}"),
        }
        cluster.pass(MOVE, &mut |output| said.push(output));
    }
    (moves, said)
}

#[test]
fn runs_are_reproducible_to_the_bit() {
    let plan = ClusterPlan::even(5, 2_000, Duration::from_millis(5));
    for game in ["chess", "shogi"] {
        let first = play(&mut cluster(game, plan.clone()), 3);
        assert_eq!(first, play(&mut cluster(game, plan.clone()), 3), "{game}");
    }
}

#[test]
fn workers_use_exactly_their_share_of_the_time() {
    let plan = ClusterPlan {
        workers: vec![VirtualMachine::Own { speed: 1_000 }, VirtualMachine::Own { speed: 3_000 }],
        ..ClusterPlan::even(0, 0, Duration::from_millis(1))
    };
    let mut cluster = cluster("chess", plan);
    play(&mut cluster, 2);
    let time = cluster.now().as_secs_f64();
    assert!((4.0..4.1).contains(&time), "two moves and two replies of a second each, found {time}");
    let tally = cluster.tally();
    let most = (time * 4_000.0) as u64;
    assert!(tally.nodes <= most + 100, "{tally:?}");
    let least = most as f64 - tally.idle.as_secs_f64() * 3_000.0;
    assert!(tally.nodes as f64 >= least * 0.95, "{tally:?}");
}

#[test]
fn a_paced_search_stops_between_any_two_nodes() {
    let mut engines = hasami_games::find("chess").unwrap().engines(&settings());
    let mut worker = PacedWorker::new(WorkerId(0), 1_000, move || engines()).unwrap();
    let at = |ms: u64| Time::from_millis(ms);
    let mut sent = Vec::new();
    worker.start(at(10), TaskId(1), Task::default(), &mut sent);
    assert_eq!(sent, [], "nothing happens without a grant");
    for (to, nodes) in [(11, 1), (12, 2), (1_010, 1_000)] {
        worker.run_to(at(to), &mut sent);
        assert_eq!(worker.nodes(), nodes);
    }
    assert!(
        sent.iter().all(|(time, event)| *time <= at(1_010) && matches!(event, Sent::Event(WorkerEvent::Report { .. })))
    );
    worker.cancel(at(1_011), TaskId(7), &mut sent);
    assert!(worker.is_busy(), "another task");
    worker.cancel(at(1_011), TaskId(1), &mut sent);
    assert!(!worker.is_busy());
    let (time, last) = sent.last().unwrap();
    assert!(*time == at(1_011) && matches!(last, Sent::Event(WorkerEvent::Ended { task: TaskId(1), .. })), "{last:?}");
    assert_eq!(worker.idle(at(1_021)), Duration::from_millis(20), "idle before and after the task");
}

/// Lets a cluster play three moves and ponder on two replies, and returns the entries of its log.
fn diary_of(settings: &Settings, path: &Path) -> Vec<Value> {
    let plan = ClusterPlan::even(5, 2_000, Duration::from_millis(5));
    let mut cluster = VirtualCluster::new(hasami_games::find("chess").unwrap(), settings, plan, &mut |_| {}).unwrap();
    cluster.keep_tree();
    let mut diary = Diary::open(path).unwrap();
    let mut moves: Vec<MoveText> = Vec::new();
    for ply in 0..3 {
        if ply > 0 {
            cluster.pass(MOVE, &mut |_| {});
            diary.write_reply(&cluster).unwrap();
            moves.push(["a7a6", "b7b6"][ply - 1].parse().unwrap());
        }
        let line = Line { moves: moves.clone(), ..Line::default() };
        diary.position(&line);
        cluster.command(Command::Position(line), &mut |_| {});
        let go = Go { move_time: Some(MOVE), ..Go::default() };
        cluster.command(Command::Go(go), &mut |said| {
            if let Output::Best(BestMove::Move { best, .. }) = said {
                moves.push(best);
            }
        });
        diary.write(&cluster).unwrap();
    }
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_diary_has_trees_for_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { tree_model: TreeModel::Rank, ..settings() };
    let entries = diary_of(&settings, &folder.path().join("a"));
    let replies: Vec<bool> = entries.iter().map(|entry| entry["reply"].as_bool().unwrap()).collect();
    assert_eq!(replies, [false, true, false, true, false]);
    for (plies, entry) in entries.iter().enumerate() {
        assert_eq!(entry["moves"].as_array().unwrap().len(), plies, "{entry}");
        let seats = entry["tree"].as_array().unwrap();
        assert!((2..=5).contains(&seats.len()), "{entry}");
        assert!(entries[..plies].iter().all(|before| {
            let (before, now) = (before["moves"].as_array().unwrap(), entry["moves"].as_array().unwrap());
            now.starts_with(before)
        }));
    }

    let rested = Settings { ponder: false, ..settings };
    let entries = diary_of(&rested, &folder.path().join("b"));
    assert_eq!(entries.iter().map(|entry| entry["reply"] == true).collect::<Vec<_>>(), [false; 3]);
}

#[test]
fn a_diary_shows_no_earlier_tree_for_an_immediate_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let mut cluster = cluster("chess", ClusterPlan::even(2, 2_000, Duration::from_millis(5)));
    cluster.keep_tree();
    let mut diary = Diary::open(&path).unwrap();
    // The second line ends with Black checkmated.
    for moves in ["e2e4", "e2e4 f7f6 a2a3 g7g5 d1h5"] {
        let moves = moves.split(' ').map(|text| text.parse().unwrap()).collect();
        let line = Line { moves, ..Line::default() };
        diary.position(&line);
        cluster.command(Command::Position(line), &mut |_| {});
        let go = Go { move_time: Some(MOVE), ..Go::default() };
        cluster.command(Command::Go(go), &mut |_| {});
        diary.write(&cluster).unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    let trees: Vec<usize> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["tree"].as_array().unwrap().len())
        .collect();
    assert!(trees[0] > 0 && trees[1] == 0, "{text}");
}
