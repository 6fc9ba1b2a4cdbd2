//! News between the searches of a team.

use super::{Oxo, engine, task};
use crate::team::{BEGUN, ENDED, place};
use hasami_api::{Exchange, Game, Limits, Moves, News, Report, SearchGame, Searcher, Stop, Task};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// Keeps what is told, and has something to say itself, once.
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

/// What a fresh engine tells while it hears `to_say`, and its last report.
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
    let begun = |rank| {
        let (told, last) = search(&Task { variant: rank, ..deepened(6) }, Vec::new());
        (told.into_iter().filter(|news| news.word == BEGUN).map(|news| news.key).collect::<Vec<_>>(), last.score)
    };
    let all: Vec<_> = (0..4).map(begun).collect();
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
    let (told, _) = search(&deepened(6), Vec::new());
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
    let places: Vec<u64> = moves.iter().map(|&m| place(game.key(), Oxo::pack(m))).collect();
    let order = |to_say| {
        let (told, _) = search(&deepened(3), to_say);
        let begun = told.iter().filter(|news| news.word == BEGUN && places.contains(&news.key));
        begun.map(|news| news.key).take(places.len() - 1).collect::<Vec<_>>()
    };
    let alone = order(Vec::new());
    assert_eq!(alone.len(), moves.len() - 1, "all but the first move are told of");
    let busy = order(vec![News { key: alone[0], word: BEGUN }]);
    assert_eq!((&busy[..busy.len() - 1], busy.last()), (&alone[1..], alone.first()));
    let over = order(vec![News { key: alone[0], word: BEGUN }, News { key: alone[0], word: ENDED }]);
    assert_eq!(over, alone);
}

#[test]
fn nonsense_from_others_does_no_harm() {
    let task = deepened(7);
    let (_, alone) = search(&task, Vec::new());
    let nonsense = (0..2000u64).map(|n| News { key: n.wrapping_mul(0x9e37_79b9_7f4a_7c15), word: n % 5 });
    assert_eq!(search(&task, nonsense.collect()).1.score, alone.score);
}
