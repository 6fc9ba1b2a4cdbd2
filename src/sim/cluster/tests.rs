#![allow(clippy::unwrap_used)]

use super::*;
use crate::event::{TaskId, Time, WorkerEvent, WorkerId};
use crate::games;
use crate::protocol::{BestMove, Command, Go, Output, Settings};
use hasami_api::{Line, MoveText, Task};

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

fn cluster(game: &str, plan: Plan) -> Cluster {
    Cluster::new(games::find(game).unwrap(), &settings(), plan).unwrap()
}

/// Plays some moves against itself; everything that it says.
fn play(cluster: &mut Cluster, plies: usize) -> (Vec<MoveText>, Vec<Output>) {
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
fn a_run_repeats_to_the_bit() {
    let plan = Plan { jitter: Duration::from_millis(3), ..Plan::even(5, 2_000, Duration::from_millis(5)) };
    for game in ["chess", "shogi"] {
        let first = play(&mut cluster(game, plan.clone()), 3);
        assert_eq!(first, play(&mut cluster(game, plan.clone()), 3), "{game}");
        let tally = |seed| {
            let mut cluster = cluster(game, Plan { seed, ..plan.clone() });
            play(&mut cluster, 3);
            cluster.tally()
        };
        assert_eq!(tally(1), tally(1));
        assert_ne!(tally(1), tally(2), "the seed draws the delays");
    }
}

#[test]
fn workers_search_their_share_of_the_time_and_no_more() {
    let plan = Plan { speeds: vec![1_000, 3_000], ..Plan::even(0, 0, Duration::from_millis(1)) };
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
    let mut engines = games::find("chess").unwrap().engines(&settings());
    let mut worker = PacedWorker::new(WorkerId(0), 1_000, move || engines()).unwrap();
    let at = |ms: u64| Time::from_millis(ms);
    let mut sent = Vec::new();
    worker.start(at(10), TaskId(1), Task::default(), &mut sent);
    assert_eq!(sent, [], "nothing without a grant");
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
    assert_eq!(worker.idle(at(1_021)), Duration::from_millis(20), "before the task and after it");
}
