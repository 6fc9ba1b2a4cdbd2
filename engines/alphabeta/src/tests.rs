#![allow(clippy::unwrap_used)]

mod endgames;
mod oxo;
mod team;

use crate::setup::root_moves;
use crate::{Engine, GroupMemory, TranspositionTable};
use hasami_api::{
    Answer, Bound, Game, Goal, Limits, Line, MoveText, Moves, Report, Score, Searcher, Start, Stop, Task, Verdict,
};
use oxo::{Oxo, ZeroEval};

fn engine() -> Engine<Oxo, ZeroEval> {
    Engine::new(ZeroEval::default(), TranspositionTable::new(1))
}

fn task(text: &str) -> Task {
    let start = Start { text: Some(text.into()), ..Start::default() };
    Task { line: Line { start, moves: Vec::new() }, ..Task::default() }
}

fn search(engine: &mut Engine<Oxo, ZeroEval>, task: &Task) -> (Option<MoveText>, Vec<Report>) {
    let mut reports = Vec::new();
    match engine.search(task, &Stop::new(), &mut |report| reports.push(report)).unwrap() {
        Answer::Best { best, .. } => (best, reports),
        Answer::Mate(answer) => panic!("{answer:?}"),
    }
}

fn minimax(game: &mut Oxo) -> Score {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    if moves.is_empty() {
        return if game.verdict_without_moves() == Verdict::Loss { Score::loss_in(0) } else { Score::DRAW };
    }
    let mut best = Score::WORST;
    for &m in moves.iter() {
        game.make(m);
        best = best.max(minimax(game).for_parent());
        game.unmake();
    }
    best
}

/// All reachable positions of noughts and crosses, as text.
fn positions() -> Vec<String> {
    let mut all = vec![".........".to_owned()];
    let mut next = 0;
    while next < all.len() {
        let text = all[next].clone();
        next += 1;
        let game = Oxo::at(&text);
        let mut moves = Moves::new();
        game.legal_moves(&mut moves);
        for &m in moves.iter() {
            let who = if game.side().index() == 0 { "x" } else { "o" };
            let mut child = text.clone();
            child.replace_range(usize::from(m)..=usize::from(m), who);
            if !all.contains(&child) {
                all.push(child);
            }
        }
    }
    all
}

#[test]
fn every_position_is_valued_as_by_minimax_with_exact_lengths() {
    let mut engine = engine();
    let all = positions();
    assert_eq!(all.len(), 5478);
    for text in all.iter().step_by(7) {
        let (best, reports) = search(&mut engine, &Task { limits: depth(14), ..task(text) });
        let last = reports.last().unwrap();
        let expected = minimax(&mut Oxo::at(text));
        assert_eq!((last.score, last.bound), (expected, Bound::Exact), "{text}");
        assert_eq!(best, last.pv.first().copied(), "{text}");
        if expected.is_decisive() {
            assert_eq!(last.pv.len() as i32, Score::MATE - expected.raw().abs(), "{text}: {last:?}");
        }
    }
}

fn depth(plies: u16) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

fn texts(moves: &[u8]) -> Vec<MoveText> {
    moves.iter().map(|m| m.to_string().parse().unwrap()).collect()
}

#[test]
fn a_finished_game_is_answered_without_a_move() {
    for (text, score) in [("xxxoo....", Score::loss_in(0)), ("xoxxoxoxo", Score::DRAW)] {
        let (best, reports) = search(&mut engine(), &task(text));
        assert_eq!((best, reports.len(), reports[0].score), (None, 1, score), "{text}");
    }
}

#[test]
fn only_and_except_choose_the_root_moves() {
    let mut engine = engine();
    // The first player wins at once on square 2; if it plays 6 or 7, the second player wins on square 5.
    let text = "xx.oo....";
    let base = Task { limits: depth(9), ..task(text) };
    assert_eq!(search(&mut engine, &base).0, Some(texts(&[2])[0]));
    let (best, reports) = search(&mut engine, &Task { only: texts(&[6, 7]), ..base.clone() });
    assert!(texts(&[6, 7]).contains(&best.unwrap()));
    assert_eq!(reports.last().map(|r| (r.score, r.ranking.len())), Some((Score::loss_in(2), 2)));
    let (best, reports) = search(&mut engine, &Task { except: texts(&[2]), ..base.clone() });
    assert_eq!(best, Some(texts(&[5])[0]));
    assert_eq!(reports.last().unwrap().ranking.len(), 4);
    let none = Task { only: texts(&[2]), except: texts(&[2]), ..base };
    assert!(engine.search(&none, &Stop::new(), &mut |_| {}).is_err());
}

#[test]
fn several_lines_are_different_and_in_order() {
    let (_, reports) = search(&mut engine(), &Task { multipv: 20, limits: depth(9), ..task("x...o....") });
    let last = &reports[reports.len() - 7..];
    let firsts: std::collections::HashSet<_> = last.iter().map(|r| r.pv[0]).collect();
    assert_eq!(firsts.len(), 7);
    for (i, report) in last.iter().enumerate() {
        assert_eq!(usize::from(report.multipv), i + 1);
        assert!(i == 0 || report.score <= last[i - 1].score);
    }
}

#[test]
fn the_node_limit_is_exact_and_leaves_a_move() {
    for nodes in 0..200 {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (best, reports) = search(&mut engine(), &Task { limits, ..task(".........") });
        assert_eq!(reports.last().unwrap().nodes, nodes);
        assert_eq!(best, reports.last().unwrap().pv.first().copied());
        assert!(best.is_some());
    }
}

#[test]
fn a_continued_line_leads_to_the_same_position_as_from_its_start() {
    let mut engine = engine();
    let line = |moves: &[u8]| Line { moves: texts(moves), ..task(".........").line };
    let lines: [&[u8]; 8] = [&[], &[4], &[4, 0, 8], &[4, 0], &[4, 0, 8], &[4, 4], &[4, 0, 8, 2], &[0]];
    for moves in lines {
        let direct = moves.iter().try_fold(Oxo::at("........."), |mut game, m| {
            let m = game.parse_move(&m.to_string()).ok()?;
            game.make(m);
            Some(game)
        });
        let found = engine.position(&line(moves)).ok();
        assert_eq!(found.map(|game| game.to_text()), direct.map(|game| game.to_text()), "{moves:?}");
    }
    let error = engine.position(&line(&[4, 0, 0])).err().unwrap().to_string();
    assert!(error.starts_with("move 3 of the line: "), "{error}");
}

/// Returns the reports of a search whose progress report is due after `nodes` nodes.
fn with_progress_report_at(nodes: u64, task: &Task) -> Vec<Report> {
    let (mut engine, stop, mut reports) = (engine(), Stop::new(), Vec::new());
    let game = Oxo::new(&task.line.start).unwrap();
    let moves = root_moves(&game, task).unwrap();
    let mut tell = |report| reports.push(report);
    let mut search = engine.begin(game, moves, task, &stop, &mut tell);
    search.next_progress_report = nodes;
    search.iterate(task);
    reports
}

#[test]
fn a_progress_report_repeats_the_last_result_with_current_node_counts() {
    let task = Task { limits: depth(9), ..task(".........") };
    let without = with_progress_report_at(u64::MAX, &task);
    for nodes in (100..1000).step_by(31) {
        let mut reports = with_progress_report_at(nodes, &task);
        let i = reports.iter().zip(&without).position(|(extra, usual)| extra != usual).unwrap();
        let extra = reports.remove(i);
        let before = &reports[i - 1];
        let (finding, effort) = ((extra.depth, extra.score, extra.bound, &extra.pv), &extra.ranking);
        assert_eq!(finding, (before.depth, before.score, before.bound, &before.pv));
        assert_eq!((extra.nodes, effort.iter().map(|ranked| ranked.nodes).sum()), (nodes, nodes));
        assert_eq!(reports, without, "the other reports are unchanged");
    }
}

#[test]
fn a_stop_before_the_first_move_still_answers() {
    let stop = Stop::new();
    stop.stop();
    let mut reports = Vec::new();
    let answer = engine().search(&task("........."), &stop, &mut |report| reports.push(report)).unwrap();
    assert!(matches!(answer, Answer::Best { best: Some(_), .. }));
    assert!(!reports.is_empty());
}

#[test]
fn a_mate_within_the_limit_ends_the_search() {
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let (_, reports) = search(&mut engine(), &Task { limits, ..task("xx.oo....") });
    // Quiescence search finds no mates in a game without checks, so the mate is found only in the second iteration.
    assert_eq!(reports.last().map(|r| (r.score, r.depth)), Some((Score::win_in(1), 2)));
}

#[test]
fn a_new_game_makes_the_engine_search_like_a_fresh_one() {
    let task = Task { limits: depth(8), ..task(".........") };
    let mut used = engine();
    let first = search(&mut used, &task).1;
    assert_ne!(search(&mut used, &task).1, first, "the table was kept");
    used.new_game();
    assert_eq!(search(&mut used, &task).1, first);
    assert_eq!(search(&mut engine(), &task).1, first);
}

#[test]
fn invalid_tasks_are_rejected_in_one_line() {
    let mut line = task(".........").line;
    line.moves = texts(&[4, 4]);
    let error = engine().search(&Task { line, ..Task::default() }, &Stop::new(), &mut |_| {}).unwrap_err();
    assert_eq!(error.0, "move 2 of the line: expected a legal move, found '4'");
    let mate = Task { goal: Goal::Mate, ..task(".........") };
    assert!(engine().search(&mate, &Stop::new(), &mut |_| {}).is_err());
}

/// Each engine begins at a different position, so that the engines find entries from the middle of each other's
/// searches.
#[test]
fn concurrent_engines_with_shared_memory_find_the_right_values() {
    let common = GroupMemory::new(TranspositionTable::new(1));
    let all: Vec<_> = positions().into_iter().step_by(13).map(|text| (minimax(&mut Oxo::at(&text)), text)).collect();
    let one = |first: usize| {
        let mut engine = Engine::<Oxo, ZeroEval>::sharing(ZeroEval::default(), &common);
        for (expected, text) in all.iter().cycle().skip(first).take(all.len()) {
            let (_, reports) = search(&mut engine, &Task { limits: depth(14), ..task(text) });
            assert_eq!(reports.last().unwrap().score, *expected, "{text}");
        }
    };
    std::thread::scope(|scope| {
        for first in [0, 1, 2, 3].map(|quarter| quarter * all.len() / 4) {
            let one = &one;
            scope.spawn(move || one(first));
        }
    });
}

#[test]
fn engines_with_shared_memory_learn_from_each_other() {
    let common = GroupMemory::new(TranspositionTable::new(1));
    let mut all = [0, 1].map(|_| Engine::<Oxo, ZeroEval>::sharing(ZeroEval::default(), &common));
    let game = Oxo::at(".........");
    let fresh = {
        let mut alone = engine();
        search(&mut alone, &task("........."));
        alone
    };
    search(&mut all[0], &task("........."));
    let known = |engine: &Engine<Oxo, ZeroEval>| engine.known(&game);
    assert!(known(&all[1]), "the other engine's histories and table are used");
    assert!(known(&fresh) && !known(&engine()));
    all[1].new_game();
    assert!(!known(&all[0]) && !known(&all[1]));
}
