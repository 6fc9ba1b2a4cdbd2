//! The rules of the `hasami` model at work, each beside a search without it.

use super::desk::Desk;
use crate::protocol::{Clock, Go, Settings};
use hasami_api::MoveText;
use hasami_chess::Chess;
use std::time::Duration;

fn desk(workers: u32, rules: &str) -> Desk<Chess> {
    Desk::new(Settings { tree_rules: rules.into(), ponder: true, ..Settings::default() }, workers)
}

/// Searches for a while in steps of `step`.
fn search(desk: &mut Desk<Chess>, steps: u16, step: Duration) {
    for depth in 0..steps {
        desk.everybody_reports(8 + depth);
        desk.wait(step);
        desk.end_cancelled();
    }
}

fn move_time(ms: u64) -> Go {
    Go { move_time: Some(Duration::from_millis(ms)), ..Go::default() }
}

/// Part of the busy workers below the best move shortly before the end.
fn part_below_best(rules: &str) -> f64 {
    let mut desk = desk(12, rules);
    desk.go(move_time(1030));
    search(&mut desk, 19, Duration::from_millis(50));
    desk.manager.check().unwrap();
    assert!(desk.best_moves().is_empty(), "the search still runs");
    let best = desk.infos().last().unwrap().pv[0];
    let busy = desk.busy_by_move();
    busy[&Some(best)] as f64 / busy.values().sum::<usize>() as f64
}

#[test]
fn in_the_last_tenth_the_workers_gather_below_the_best_move() {
    let (plain, gathered) = (part_below_best("finale=off"), part_below_best(""));
    assert!(plain < 0.6, "{plain}");
    assert!((0.6..=0.8).contains(&gathered), "{gathered}");
}

/// Replies that have workers while the opponent thinks.
fn replies_with_workers(rules: &str) -> usize {
    let mut desk = desk(12, rules);
    desk.go(Go { clock: Clock { time: [Some(Duration::from_secs(10)); 2], ..Clock::default() }, ..move_time(330) });
    search(&mut desk, 8, Duration::from_millis(50));
    assert_eq!(desk.best_moves().len(), 1);
    desk.root_plies = 1;
    search(&mut desk, 20, Duration::from_millis(100));
    let replies: Vec<Option<MoveText>> = desk.busy_by_move().into_keys().collect();
    replies.len()
}

#[test]
fn while_the_opponent_thinks_more_replies_have_workers() {
    let (plain, tempered) = (replies_with_workers("temper=off"), replies_with_workers("temper=1"));
    assert!(tempered > plain, "{plain} and {tempered}");
}
