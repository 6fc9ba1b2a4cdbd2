//! Fuzzes the mate solver with any position and a small node limit: the solver never panics, every mate can be
//! replayed, and solvers with tables of different sizes do not contradict each other.

use hasami_api::{Answer, Game, Goal, Limits, Line, MateAnswer, Searcher, Start, Stop, Task};
use hasami_mate::MateEngine;
use hasami_shogi::Shogi;
use std::cell::RefCell;

thread_local! {
    static SOLVERS: RefCell<[MateEngine<Shogi>; 2]> =
        RefCell::new([MateEngine::with_bytes(1 << 10), MateEngine::with_bytes(1 << 20)]);
}

fn mates(start: &Start, moves: &[hasami_api::MoveText]) -> bool {
    let mut game = Shogi::new(start).expect("accepted before");
    for text in moves {
        let m = game.parse_move(text).expect("a legal move of the solver's line");
        game.make(m);
    }
    game.in_check() && game.count_moves() == 0
}

pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (sfen, played) = text.split_once(" moves").unwrap_or((text, ""));
    let start = Start { text: Some(sfen.into()), ..Start::default() };
    let Ok(moves) = played.split_whitespace().map(str::parse).collect::<Result<Vec<_>, _>>() else { return };
    for (goal, mate, nodes) in [(Goal::Mate, None, 2_000), (Goal::Mate, Some(5), 500), (Goal::MateWithin, Some(3), 500)]
    {
        let limits = Limits { nodes: Some(nodes), mate, ..Limits::default() };
        let line = Line { start: start.clone(), moves: moves.clone() };
        let task = Task { line, goal, limits, ..Task::default() };
        let answers = SOLVERS.with_borrow_mut(|solvers| {
            solvers.each_mut().map(|solver| solver.search(&task, &Stop::new(), &mut |_| {}))
        });
        for answer in &answers {
            if let Ok(Answer::Mate(MateAnswer::Mate(line))) = answer {
                assert!(mates(&start, &[&moves[..], line].concat()), "no mate: {line:?}");
            }
        }
        let is = |mate| {
            answers.iter().any(|a| matches!(a, Ok(Answer::Mate(a)) if matches!(a, MateAnswer::Mate(_)) == mate && *a != MateAnswer::Unknown))
        };
        assert!(!(is(true) && is(false)), "{answers:?}");
    }
}
