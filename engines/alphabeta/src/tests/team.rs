//! Tests how the searches of a team exchange news.

use super::{Oxo, engine, task};
use crate::outbox::{BEGUN, ENDED};
use crate::team::place;
use hasami_api::{Exchange, Game, Limits, Moves, News, Report, SearchGame, Searcher, Stop, Task};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// A fake exchange that records the news that the search sends, and delivers prepared news once.
#[derive(Default)]
struct FakeExchange {
    sent: Mutex<Vec<News>>,
    incoming: Mutex<Vec<News>>,
}

impl Exchange for FakeExchange {
    fn tell(&self, _nodes: u64, news: &[News]) {
        self.sent.lock().unwrap().extend(news);
    }

    fn hear(&self, heard: &mut Vec<News>) {
        heard.append(&mut self.incoming.lock().unwrap());
    }
}

/// A depth at which the search of the test position finds its true value in whatever order it tries the moves.
const DECISIVE: u16 = 9;

fn deepened(depth: u16) -> Task {
    Task { limits: Limits { depth: Some(depth), ..Limits::default() }, ..task("..x.o....") }
}

/// Runs a new engine that receives `incoming`, and returns the news that it sends and its last report.
fn search(task: &Task, incoming: Vec<News>) -> (Vec<News>, Report) {
    let exchange = Arc::new(FakeExchange { incoming: Mutex::new(incoming), ..FakeExchange::default() });
    let stop = Stop::new().with_exchange(Arc::<FakeExchange>::clone(&exchange));
    let mut last = None;
    engine().search(task, &stop, &mut |report| last = Some(report)).unwrap();
    let sent = exchange.sent.lock().unwrap().clone();
    (sent, last.unwrap())
}

#[test]
fn entries_from_other_members_save_nodes() {
    let task = deepened(DECISIVE);
    let (sent, alone) = search(&task, Vec::new());
    let entries: Vec<News> = sent.into_iter().filter(|news| ![BEGUN, ENDED].contains(&news.word)).collect();
    assert!(!entries.is_empty());
    let (_, with_news) = search(&task, entries);
    assert_eq!(with_news.score, alone.score);
    assert!(with_news.nodes * 2 < alone.nodes, "{} of {} nodes", with_news.nodes, alone.nodes);
}

#[test]
fn an_iteration_that_another_member_finished_ends_with_its_value() {
    let task = deepened(DECISIVE);
    let (sent, alone) = search(&task, Vec::new());
    let root = Oxo::at("..x.o....").key();
    let root_only: Vec<News> = sent.into_iter().filter(|news| news.key == root && news.word > ENDED).collect();
    assert!(!root_only.is_empty());
    let (_, overtaken) = search(&task, root_only);
    assert_eq!((overtaken.score, overtaken.depth, overtaken.pv[0]), (alone.score, DECISIVE, alone.pv[0]));
    assert!(overtaken.nodes * 20 < alone.nodes, "{} of {} nodes", overtaken.nodes, alone.nodes);
}

#[test]
fn members_begin_all_nodes_with_different_moves() {
    let found = |rank| {
        let (sent, last) = search(&Task { variant: rank, ..deepened(DECISIVE) }, Vec::new());
        (sent.into_iter().map(|news| news.key).collect::<Vec<_>>(), last.score)
    };
    let all: Vec<_> = (0..4).map(found).collect();
    assert!((1..4).all(|i| all[i].1 == all[0].1), "the order changes no value");
    assert!((1..4).all(|i| all[..i].iter().all(|other| other.0 != all[i].0)));
}

#[test]
fn only_single_line_searches_outside_a_team_skip_depths() {
    let depths = |multipv, in_team| {
        let exchange = Arc::<FakeExchange>::default();
        let stop = if in_team { Stop::new().with_exchange(exchange) } else { Stop::new() };
        let mut depths = HashSet::new();
        let task = Task { variant: 1, multipv, ..deepened(7) };
        engine().search(&task, &stop, &mut |report| depths.extend([report.depth])).unwrap();
        (1..=7).filter(|depth| depths.contains(depth)).count()
    };
    assert_eq!([depths(1, false), depths(2, false), depths(1, true), depths(2, true)], [6, 7, 7, 7]);
}

#[test]
fn the_end_of_every_begun_move_is_sent() {
    let (sent, _) = search(&deepened(8), Vec::new());
    let mut open: HashMap<u64, i32> = HashMap::new();
    for news in &sent {
        *open.entry(news.key).or_default() += match news.word {
            BEGUN => 1,
            ENDED => -1,
            _ => 0,
        };
    }
    assert!(sent.iter().any(|news| news.word == BEGUN) && open.values().all(|&n| n == 0));
}

#[test]
fn a_move_that_another_member_searches_is_tried_last() {
    let game = Oxo::at("..x.o....");
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let after = |&m: &<Oxo as Game>::Move| {
        let mut next = game.clone();
        next.make(m);
        next.key()
    };
    let places: HashMap<u64, u64> = moves.iter().map(|m| (after(m), place(game.key(), Oxo::pack(*m)))).collect();
    let order = |incoming| {
        let (sent, _) = search(&deepened(3), incoming);
        let mut order: Vec<u64> = Vec::new();
        for news in sent {
            order.extend(places.get(&news.key).filter(|place| !order.contains(place)).copied());
        }
        order
    };
    let alone = order(Vec::new());
    assert_eq!(alone.len(), moves.len(), "news of the position after each move is sent");
    let busy = order(vec![News { key: alone[1], word: BEGUN }]);
    assert_eq!((busy[0], &busy[1..busy.len() - 1], busy.last()), (alone[0], &alone[2..], alone.get(1)));
    let over = order(vec![News { key: alone[1], word: BEGUN }, News { key: alone[1], word: ENDED }]);
    assert_eq!(over, alone);
}

#[test]
fn invalid_news_does_no_harm() {
    let task = deepened(7);
    let (_, alone) = search(&task, Vec::new());
    let nonsense = (0..2000u64).map(|n| News { key: n.wrapping_mul(0x9e37_79b9_7f4a_7c15), word: n % 5 });
    assert_eq!(search(&task, nonsense.collect()).1.score, alone.score);
}

#[test]
fn a_search_sends_no_more_bytes_than_allowed() {
    let task = deepened(8);
    let (all, free) = search(&task, Vec::new());
    for bytes in [160, 1600] {
        let (sent, bound) = search(&Task { news: bytes, ..task.clone() }, Vec::new());
        assert_eq!(bound.score, free.score);
        assert!(sent.len() * size_of::<News>() <= bytes as usize && sent.len() < all.len(), "{bytes}: {}", sent.len());
    }
    let (sent, _) = search(&Task { news: u32::MAX, ..task }, Vec::new());
    assert!(!sent.is_empty());
}
