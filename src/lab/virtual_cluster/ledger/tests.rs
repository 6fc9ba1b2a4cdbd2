#![allow(clippy::unwrap_used)]

use super::*;
use hasami_api::{RankedMove, Score};
use hasami_tree::event::Time;

/// A ledger of two workers that search one node per millisecond.
struct Desk2 {
    ledger: Ledger,
    counts: [WorkerCount; 2],
}

fn moves(text: &str) -> Vec<MoveText> {
    text.split_whitespace().map(|m| m.parse().unwrap()).collect()
}

fn line(text: &str) -> Line {
    Line { moves: moves(text), ..Line::default() }
}

fn at(ms: u64) -> Time {
    Time::from_millis(ms)
}

impl Desk2 {
    fn new() -> Self {
        Self { ledger: Ledger::new(2, Time::ZERO), counts: [WorkerCount::default(); 2] }
    }

    fn begin(&mut self, worker: usize, ms: u64, text: &str, except: &str) {
        let task = Task { line: line(text), except: moves(except), ..Task::default() };
        self.ledger.begin(worker, at(ms), &task);
    }

    fn end(&mut self, worker: usize, ms: u64, nodes: u64) {
        self.counts[worker].nodes += nodes;
        self.ledger.end(worker, at(ms), self.counts[worker]);
    }

    fn think(&mut self, ms: u64, text: &str) {
        self.ledger.think(&line(text), at(ms), self.counts.into_iter());
    }

    fn answer(&mut self, ms: u64) -> Spent {
        self.ledger.answer(at(ms), self.counts.into_iter());
        self.ledger.take().0
    }

    fn report(&mut self, worker: usize, ranking: &[(&str, u64)], prevails: bool) {
        let rank = |&(text, nodes): &(&str, u64)| RankedMove { text: text.parse().unwrap(), nodes };
        let report = Report { ranking: ranking.iter().map(rank).collect(), ..Report::new(Score::cp(0)) };
        self.ledger.report(worker, &report, prevails);
    }

    fn follow(&mut self, lines: &[&str]) {
        self.ledger.follow(lines.iter().map(|text| moves(text)).collect());
    }
}

fn sum(spent: &Spent) -> f64 {
    let idle = spent.seating + spent.between + spent.waiting;
    let lost = spent.unused + spent.others + spent.missed;
    idle + lost + spent.answered + spent.unanswered + spent.useful + spent.open
}

#[test]
fn idle_time_is_counted_by_its_phase() {
    let mut desk = Desk2::new();
    desk.think(100, "");
    desk.begin(0, 110, "", "");
    desk.follow(&[""]);
    desk.end(0, 150, 40);
    desk.begin(0, 155, "", "");
    desk.end(0, 190, 35);
    let spent = desk.answer(200);
    let expected =
        Spent { waiting: 200.0, seating: 10.0 + 100.0, between: 5.0 + 10.0, useful: 75.0, ..Spent::default() };
    assert_eq!(spent, expected);
}

#[test]
fn an_unused_line_is_open_until_it_leaves_the_tree() {
    let mut desk = Desk2::new();
    desk.think(0, "");
    desk.begin(0, 0, "e2e4", "");
    desk.begin(1, 0, "d2d4", "");
    desk.follow(&["e2e4", "e2e4"]);
    let spent = desk.answer(100);
    assert_eq!(spent, Spent { useful: 100.0, open: 100.0, ..Spent::default() });
    desk.end(1, 100, 0);
    desk.end(0, 100, 0);
    desk.think(200, "e2e4 e7e5");
    let spent = desk.answer(200);
    assert_eq!(spent, Spent { waiting: 200.0, unused: 100.0, open: -100.0, ..Spent::default() });
}

#[test]
fn a_line_used_in_a_later_search_was_useful_from_the_start() {
    let mut desk = Desk2::new();
    desk.think(0, "");
    desk.begin(0, 0, "e2e4", "");
    desk.begin(1, 0, "e2e4 e7e5 g1f3", "");
    desk.follow(&["e2e4"]);
    assert_eq!(desk.answer(100), Spent { useful: 100.0, open: 100.0, ..Spent::default() });
    desk.think(150, "e2e4 e7e5");
    desk.follow(&["e2e4 e7e5 g1f3 b8c6"]);
    let spent = desk.answer(200);
    assert_eq!(spent, Spent { useful: 200.0, missed: 100.0, open: -100.0, ..Spent::default() });
}

#[test]
fn root_moves_count_only_when_the_answer_comes() {
    let mut desk = Desk2::new();
    desk.think(0, "");
    desk.begin(0, 0, "e2e4", "");
    desk.begin(1, 0, "d2d4", "");
    desk.follow(&["e2e4", "e2e4", "d2d4"]);
    desk.follow(&["e2e4", "e2e4"]);
    assert_eq!(desk.answer(100).useful, 100.0);
    desk.think(100, "");
    desk.follow(&["e2e4", "e2e4", "d2d4"]);
    assert_eq!(desk.answer(200).useful, 300.0);
}

#[test]
fn others_count_only_if_they_become_better() {
    let mut desk = Desk2::new();
    desk.think(0, "");
    desk.begin(0, 0, "", "e2e4");
    desk.begin(1, 0, "e2e4", "d7d5");
    desk.follow(&["e2e4 d7d5", ""]);
    desk.report(0, &[], false);
    desk.report(1, &[], true);
    let spent = desk.answer(100);
    assert_eq!(spent, Spent { useful: 100.0, open: 100.0, ..Spent::default() });
    desk.end(0, 100, 0);
    desk.end(1, 100, 0);
    desk.think(100, "e2e4 e7e5");
    assert_eq!(desk.answer(100), Spent { others: 100.0, open: -100.0, ..Spent::default() });
}

#[test]
fn pondering_counts_for_the_reply_that_was_played() {
    let mut desk = Desk2::new();
    desk.think(0, "");
    desk.answer(0);
    // One worker searches all replies, the other worker a reply that is not played.
    desk.begin(0, 0, "e2e4", "");
    desk.begin(1, 0, "e2e4 c7c5", "");
    desk.report(0, &[("e7e5", 30), ("c7c5", 90)], true);
    desk.think(100, "e2e4 e7e5");
    desk.end(0, 104, 104);
    desk.end(1, 104, 104);
    let spent = desk.answer(104);
    let known = (spent.missed - (78.0 + 104.0)).abs() < 1e-6 && (spent.useful - 26.0).abs() < 1e-6;
    assert!(known && (sum(&spent) - 208.0).abs() < 1e-6, "{spent:?}");
}

#[test]
fn repeated_searches_are_subtracted_from_useful_time() {
    let mut desk = Desk2::new();
    desk.think(0, "");
    desk.begin(0, 0, "", "");
    desk.begin(1, 0, "d2d4", "");
    desk.follow(&[""]);
    desk.counts = [(30, 20), (100, 0)]
        .map(|(answered, unanswered)| WorkerCount { nodes: 100, repeated: Repeated { answered, unanswered } });
    let spent = desk.answer(100);
    let expected = Spent { answered: 30.0, unanswered: 20.0, useful: 50.0, open: 100.0, ..Spent::default() };
    assert_eq!(spent, expected);
    desk.ledger.forget();
    assert_eq!(desk.ledger.take().0, Spent { unused: 100.0, open: -100.0, ..Spent::default() }, "the game is over");
}

#[test]
fn bytes_are_counted_by_worker() {
    let mut desk = Desk2::new();
    [(0, 16), (1, 32), (0, 48)].into_iter().for_each(|(worker, bytes)| desk.ledger.tell(worker, bytes));
    assert_eq!(desk.ledger.take().1, [64, 32]);
    assert_eq!(desk.ledger.take().1, [0, 0]);
}
