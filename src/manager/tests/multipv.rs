//! Tests that MultiPV always shows the requested number of lines, each with a different first move.

use super::harness::Harness;
use hasami_api::{Bound, Line, Report, Rules, Score, Start};
use hasami_chess::Chess;
use hasami_protocol::{BestMove, Command, Go, Info, Settings};
use hasami_tree::event::{WorkerEvent, WorkerId};
use std::collections::HashSet;
use std::time::Duration;

fn tell(harness: &mut Harness<Chess>, multipv: u16, depth: u16, m: &str, cp: i32) {
    let worker = WorkerId(0);
    let task = harness.running[&worker].0;
    let pv = vec![m.parse().unwrap()];
    let nodes = u64::from(depth) * 1000 + u64::from(multipv);
    let report = Report { multipv, depth, nodes, pv, ..Report::new(Score::cp(cp)) };
    harness.worker(WorkerEvent::Report { worker, task, report });
    harness.wait(Duration::from_millis(150));
}

/// Returns the last block of lines that was shown, the best line first.
fn last_block(harness: &Harness<Chess>) -> Vec<Info> {
    let infos = harness.infos();
    let from = infos.iter().rposition(|info| info.multipv == Some(1)).unwrap();
    infos[from..].to_vec()
}

#[test]
fn a_move_that_changes_its_rank_leaves_no_gap() {
    let mut harness = Harness::<Chess>::new(Settings { multi_pv: 3, ..Settings::default() }, 1);
    harness.position(&Line::default());
    harness.go(Go { infinite: true, ..Go::default() });
    for (depth, moves) in [(5, ["e2e4", "d2d4", "g1f3"]), (6, ["d2d4", "g1f3", "e2e4"]), (7, ["g1f3", "c2c4", "d2d4"])]
    {
        for (i, m) in moves.iter().enumerate() {
            tell(&mut harness, i as u16 + 1, depth, m, 30 - 10 * i as i32);
            let block = last_block(&harness);
            let first: HashSet<_> = block.iter().map(|info| info.pv[0]).collect();
            assert_eq!(first.len(), block.len(), "{block:?}");
            assert!(depth == 5 || block.len() == 3, "{block:?}");
        }
    }
}

/// A position in which the queen mates in about five moves, after many different first moves.
const QUEEN: &str = "7k/5Q2/8/8/8/8/8/6K1 w - - 0 1";

/// A position in which White mates at once with c1c8.
const MATES: &str = "6k1/5ppp/8/8/8/8/r4PPP/2R3K1 w - - 0 1";

fn at(fen: &str, multi_pv: u16, workers: u32) -> Harness<Chess> {
    let mut harness = Harness::<Chess>::new(Settings { multi_pv, ponder: false, ..Settings::default() }, workers);
    harness.position(&Line { start: Start { text: Some(fen.into()), rules: Rules::default() }, moves: Vec::new() });
    harness
}

fn seconds(time: u64) -> Go {
    Go { move_time: Some(Duration::from_secs(time)), ..Go::default() }
}

#[test]
fn a_proved_mate_does_not_end_the_search_for_the_other_lines() {
    let mut harness = at(MATES, 3, 1);
    harness.go(seconds(5));
    harness.mate(0, &["c1c8"], 1);
    assert!(harness.best_moves().is_empty(), "two lines are missing");
    tell(&mut harness, 2, 9, "h2h3", 30);
    assert!(harness.best_moves().is_empty(), "one line is missing");
    tell(&mut harness, 3, 9, "g2g3", 20);
    assert_eq!(harness.best_moves().len(), 1, "all requested lines are there");
    assert_eq!(last_block(&harness).len(), 3);
}

#[test]
fn a_solved_root_is_searched_again_for_more_lines() {
    let mut harness = at(MATES, 1, 2);
    harness.go(seconds(5));
    harness.mate(0, &["c1c8"], 1);
    assert_eq!(harness.best_moves().len(), 1, "the mate is the answer");
    harness.end_cancelled();
    harness.settings(&Settings { multi_pv: 3, ponder: false, ..Settings::default() });
    harness.go(seconds(5));
    assert_eq!(harness.best_moves().len(), 1);
    let task = harness.running.values().find(|(_, task)| task.line.moves.is_empty()).unwrap();
    assert!(task.1.multipv >= 2, "{task:?}");
    harness.wait(Duration::from_secs(5));
    assert_eq!(harness.best_moves().len(), 2, "never after its time");
}

#[test]
fn an_unconfirmed_better_score_keeps_its_line() {
    let mut harness = at(QUEEN, 3, 1);
    harness.go(Go { infinite: true, ..Go::default() });
    tell(&mut harness, 1, 9, "f7f6", 500);
    tell(&mut harness, 2, 8, "f7f5", 600);
    tell(&mut harness, 3, 8, "f7f4", 400);
    harness.command(Command::Stop);
    let block = last_block(&harness);
    let scores: Vec<(Score, Bound)> = block.iter().map(|info| (info.score, info.bound)).collect();
    let cp = Score::cp;
    assert_eq!(scores, [(cp(500), Bound::Exact), (cp(500), Bound::Lower), (cp(400), Bound::Exact)]);
}

#[test]
fn a_worker_always_searches_the_root_for_lines() {
    let settings = Settings { multi_pv: 5, ponder: false, ..Settings::default() };
    let mut harness = Harness::<Chess>::new(settings, 3);
    harness.go(seconds(60));
    for depth in 6..30 {
        harness.everybody_reports(depth);
        harness.wait(Duration::from_millis(200));
        harness.end_cancelled();
        let is_at_root = harness.running.values().any(|(_, task)| task.line.moves.is_empty());
        assert!(is_at_root, "at depth {depth} nobody searches the root: {:?}", harness.busy_by_move());
    }
}

#[test]
fn a_finished_iteration_replaces_all_earlier_lines() {
    let mut harness = at(QUEEN, 3, 1);
    harness.go(Go { infinite: true, ..Go::default() });
    let iterations = [(5, [("f7f6", 90), ("f7f5", 80), ("f7f4", 70)]), (6, [("f7f6", 90), ("f7e6", 20), ("f7d5", 10)])];
    for (depth, lines) in iterations {
        for (i, (m, cp)) in lines.into_iter().enumerate() {
            tell(&mut harness, i as u16 + 1, depth, m, cp);
        }
        // An unchanged best line is shown again only after half a second.
        harness.wait(Duration::from_millis(600));
        let shown: Vec<(u16, Score)> = last_block(&harness).iter().map(|info| (info.depth, info.score)).collect();
        assert_eq!(shown, lines.map(|(_, cp)| (depth, Score::cp(cp))));
    }
}

/// Lets a member of a search group report a line.
fn tell_of(harness: &mut Harness<Chess>, worker: u32, (multipv, depth, m, cp): (u16, u16, &str, i32), bound: Bound) {
    let worker = WorkerId(worker);
    let task = harness.running[&worker].0;
    let pv = vec![m.parse().unwrap()];
    let report = Report { multipv, depth, bound, nodes: u64::from(depth) * 1000, pv, ..Report::new(Score::cp(cp)) };
    harness.worker(WorkerEvent::Report { worker, task, report });
}

fn team(threads: u32, multi_pv: u16, go: Go) -> Harness<Chess> {
    let settings = Settings { threads, multi_pv, ponder: false, ..Settings::default() };
    let mut harness = Harness::<Chess>::new(settings, threads);
    harness.go(go);
    harness
}

/// Depth, bound and move of the lines that were shown last.
fn last_lines(harness: &Harness<Chess>) -> Vec<(u16, Bound, String)> {
    last_block(harness).iter().map(|info| (info.depth, info.bound, info.pv[0].to_string())).collect()
}

fn exact(depth: u16, moves: [&str; 3]) -> Vec<(u16, Bound, String)> {
    moves.map(|m| (depth, Bound::Exact, m.to_owned())).to_vec()
}

#[test]
fn a_group_with_a_depth_limit_ends_with_a_complete_block() {
    let mut harness = team(2, 3, Go { depth: Some(5), ..Go::default() });
    for line in [(1, 4, "e2e4", 30), (2, 4, "d2d4", 20), (3, 4, "g1f3", 10), (1, 5, "e2e4", 15)] {
        tell_of(&mut harness, 0, line, Bound::Exact);
    }
    for line in [(1, 5, "d2d4", 25), (2, 5, "c2c4", 20)] {
        tell_of(&mut harness, 1, line, Bound::Exact);
    }
    tell_of(&mut harness, 0, (2, 5, "c2c4", 5), Bound::Lower);
    assert!(harness.best_moves().is_empty(), "no worker has reported three lines of depth 5");
    tell_of(&mut harness, 1, (3, 5, "e2e4", 15), Bound::Exact);
    assert_eq!(last_lines(&harness), exact(5, ["d2d4", "c2c4", "e2e4"]));
    assert_eq!(harness.best_moves(), [BestMove::Move { best: "d2d4".parse().unwrap(), ponder: None }]);
}

#[test]
fn a_group_whose_members_have_finished_does_not_wait_for_lines() {
    let mut harness = team(2, 3, Go { depth: Some(5), ..Go::default() });
    for worker in [0, 1] {
        tell_of(&mut harness, worker, (1, 5, "e2e4", 30), Bound::Exact);
    }
    for _ in 0..4 {
        let at_work: Vec<WorkerId> = harness.running.keys().copied().collect();
        at_work.into_iter().for_each(|worker| harness.end(worker));
        harness.wait(Duration::from_secs(1));
    }
    assert_eq!(harness.best_moves().len(), 1);
}

#[test]
fn an_interrupted_iteration_keeps_the_previous_block() {
    for threads in [1, 2] {
        let mut harness = team(threads, 3, Go { infinite: true, ..Go::default() });
        for line in [(1, 7, "e2e4", 30), (2, 7, "d2d4", 20), (3, 7, "g1f3", 10), (1, 8, "c2c4", 5)] {
            tell_of(&mut harness, 0, line, Bound::Exact);
        }
        tell_of(&mut harness, 0, (2, 8, "d2d4", 60), Bound::Lower);
        harness.command(Command::Stop);
        assert_eq!(last_lines(&harness), exact(7, ["e2e4", "d2d4", "g1f3"]), "{threads} threads");
        assert_eq!(harness.best_moves(), [BestMove::Move { best: "e2e4".parse().unwrap(), ponder: None }]);
    }
}
