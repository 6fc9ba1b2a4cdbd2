//! Exchange of news between the searches of a team.

use super::{Oxo, engine, task};
use crate::outbox::{BEGUN, ENDED};
use crate::team::place;
use hasami_api::{Exchange, Game, Limits, Moves, News, Report, SearchGame, Searcher, Stop, Task};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// Records the news that are sent, and delivers prepared news once.
#[derive(Default)]
struct Notebook {
    told: Mutex<Vec<News>>,
    to_say: Mutex<Vec<News>>,
}

impl Exchange for Notebook {
    fn tell(&self, _nodes: u64, news: &[News]) {
        self.told.lock().unwrap().extend(news);
    }

    fn hear(&self, heard: &mut Vec<News>) {
        heard.append(&mut self.to_say.lock().unwrap());
    }
}

fn deepened(depth: u16) -> Task {
    Task { limits: Limits { depth: Some(depth), ..Limits::default() }, ..task("..x.o....") }
}

/// The news that a fresh engine sends while it receives `incoming`, and its last report.
fn search(task: &Task, to_say: Vec<News>) -> (Vec<News>, Report) {
    let notebook = Arc::new(Notebook { to_say: Mutex::new(to_say), ..Notebook::default() });
    let stop = Stop::new().with_exchange(Arc::<Notebook>::clone(&notebook));
    let mut last = None;
    engine().search(task, &stop, &mut |report| last = Some(report)).unwrap();
    let told = notebook.told.lock().unwrap().clone();
    (told, last.unwrap())
}

#[test]
fn what_others_have_found_need_not_be_searched() {
    let task = deepened(7);
    let (told, alone) = search(&task, Vec::new());
    let entries: Vec<News> = told.into_iter().filter(|news| ![BEGUN, ENDED].contains(&news.word)).collect();
    assert!(!entries.is_empty());
    let (_, with_news) = search(&task, entries);
    assert_eq!(with_news.score, alone.score);
    assert!(with_news.nodes * 2 < alone.nodes, "{} of {} nodes", with_news.nodes, alone.nodes);
}

#[test]
fn an_iteration_that_another_has_finished_is_left_with_its_value() {
    let task = deepened(7);
    let (told, alone) = search(&task, Vec::new());
    let root = Oxo::at("..x.o....").key();
    let root_only: Vec<News> = told.into_iter().filter(|news| news.key == root && news.word > ENDED).collect();
    assert!(!root_only.is_empty());
    let (_, overtaken) = search(&task, root_only);
    assert_eq!((overtaken.score, overtaken.depth, overtaken.pv[0]), (alone.score, 7, alone.pv[0]));
    assert!(overtaken.nodes * 20 < alone.nodes, "{} of {} nodes", overtaken.nodes, alone.nodes);
}

#[test]
fn where_all_moves_count_each_begins_with_another() {
    let found = |rank| {
        let (told, last) = search(&Task { variant: rank, ..deepened(6) }, Vec::new());
        (told.into_iter().map(|news| news.key).collect::<Vec<_>>(), last.score)
    };
    let all: Vec<_> = (0..4).map(found).collect();
    assert!((1..4).all(|i| all[i].1 == all[0].1), "the order changes no value");
    assert!((1..4).all(|i| all[..i].iter().all(|other| other.0 != all[i].0)));
}

#[test]
fn only_who_searches_one_line_alone_leaves_depths_out() {
    let depths = |multipv, in_team| {
        let notebook = Arc::<Notebook>::default();
        let stop = if in_team { Stop::new().with_exchange(notebook) } else { Stop::new() };
        let mut depths = HashSet::new();
        let task = Task { variant: 1, multipv, ..deepened(7) };
        engine().search(&task, &stop, &mut |report| depths.extend([report.depth])).unwrap();
        (1..=7).filter(|depth| depths.contains(depth)).count()
    };
    assert_eq!([depths(1, false), depths(2, false), depths(1, true), depths(2, true)], [6, 7, 7, 7]);
}

#[test]
fn every_move_that_was_begun_is_ended() {
    let (told, _) = search(&deepened(8), Vec::new());
    let mut open: HashMap<u64, i32> = HashMap::new();
    for news in &told {
        *open.entry(news.key).or_default() += match news.word {
            BEGUN => 1,
            ENDED => -1,
            _ => 0,
        };
    }
    assert!(told.iter().any(|news| news.word == BEGUN) && open.values().all(|&n| n == 0));
}

#[test]
fn a_move_that_somebody_searches_comes_last() {
    let game = Oxo::at("..x.o....");
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let after = |&m: &<Oxo as Game>::Move| {
        let mut next = game.clone();
        next.make(m);
        next.key()
    };
    let places: HashMap<u64, u64> = moves.iter().map(|m| (after(m), place(game.key(), Oxo::pack(*m)))).collect();
    let order = |to_say| {
        let (told, _) = search(&deepened(3), to_say);
        let mut order: Vec<u64> = Vec::new();
        for news in told {
            order.extend(places.get(&news.key).filter(|place| !order.contains(place)).copied());
        }
        order
    };
    let alone = order(Vec::new());
    assert_eq!(alone.len(), moves.len(), "the position after each move is told of");
    let busy = order(vec![News { key: alone[1], word: BEGUN }]);
    assert_eq!((busy[0], &busy[1..busy.len() - 1], busy.last()), (alone[0], &alone[2..], alone.get(1)));
    let over = order(vec![News { key: alone[1], word: BEGUN }, News { key: alone[1], word: ENDED }]);
    assert_eq!(over, alone);
}

#[test]
fn nonsense_from_others_does_no_harm() {
    let task = deepened(7);
    let (_, alone) = search(&task, Vec::new());
    let nonsense = (0..2000u64).map(|n| News { key: n.wrapping_mul(0x9e37_79b9_7f4a_7c15), word: n % 5 });
    assert_eq!(search(&task, nonsense.collect()).1.score, alone.score);
}

#[test]
fn a_search_tells_no_more_than_it_may() {
    let task = deepened(8);
    let (all, free) = search(&task, Vec::new());
    for bytes in [160, 1600] {
        let (told, bound) = search(&Task { news: bytes, ..task.clone() }, Vec::new());
        assert_eq!(bound.score, free.score);
        assert!(told.len() * size_of::<News>() <= bytes as usize && told.len() < all.len(), "{bytes}: {}", told.len());
    }
    let (told, _) = search(&Task { news: u32::MAX, ..task }, Vec::new());
    assert!(!told.is_empty());
}
