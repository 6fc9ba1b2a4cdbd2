//! Compares attempts to prove right and wrong mating lines with the solver's answers for each of the defender's moves.
#![allow(clippy::unwrap_used)]

#[path = "oracle/positions.rs"]
mod positions;

use hasami_api::{Game, Goal, Limits, Line, MateAnswer, MateGame, MoveText, Moves, Start, Stop, Task, Verdict};
use hasami_mate::{MateEngine, MateRequest, MateSolver, is_proved_line};
use hasami_shogi::{Move, Shogi};
use rand::SeedableRng;
use rand::rngs::SmallRng;

const NODES: u64 = 2_000;

fn at(text: &str, moves: &[MoveText]) -> Line {
    Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: moves.to_vec() }
}

fn solve(line: Line) -> MateAnswer {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let task = Task { line, goal: Goal::Mate, limits, ..Task::default() };
    MateEngine::<Shogi>::with_bytes(1 << 20).examine(&task, MateRequest::default(), &Stop::new()).unwrap().answer
}

fn moves(game: &Shogi, checks: bool) -> Vec<Move> {
    let mut moves = Moves::new();
    if checks {
        game.checking_moves(&mut moves)
    } else {
        game.legal_moves(&mut moves)
    }
    moves.to_vec()
}

fn is_mated(game: &Shogi) -> bool {
    moves(game, false).is_empty() && game.verdict_without_moves() == Verdict::Loss
}

/// Returns all lines of three plies that end with a mate, including those in which the defender cooperates.
fn lines_of_three(game: &mut Shogi) -> Vec<[MoveText; 3]> {
    let mut found = Vec::new();
    for check in moves(game, true) {
        let first = game.format_move(check);
        game.make(check);
        for reply in moves(game, false) {
            let second = game.format_move(reply);
            game.make(reply);
            for last in moves(game, true) {
                let third = game.format_move(last);
                game.make(last);
                if is_mated(game) {
                    found.push([first, second, third]);
                }
                game.unmake();
            }
            game.unmake();
        }
        game.unmake();
    }
    found
}

/// Decides whether every answer to the first check, apart from the line's, allows a mate. Returns `None` if the solver
/// cannot decide the question.
fn truth(text: &str, game: &mut Shogi, line: &[MoveText; 3]) -> Option<bool> {
    let check = game.parse_move(&line[0]).unwrap();
    game.make(check);
    let replies: Vec<MoveText> = moves(game, false).into_iter().map(|m| game.format_move(m)).collect();
    game.unmake();
    let others = replies.into_iter().filter(|reply| *reply != line[1]);
    let answers: Vec<MateAnswer> = others.map(|reply| solve(at(text, &[line[0], reply]))).collect();
    if answers.contains(&MateAnswer::NoMate) {
        return Some(false);
    }
    (!answers.contains(&MateAnswer::Unknown)).then_some(true)
}

#[test]
fn a_line_is_proved_if_no_other_answer_escapes() {
    let (seed, mut tally) = (7, [0; 2]);
    println!("seed {seed}");
    let mut rng = SmallRng::seed_from_u64(seed);
    for _ in 0..400 {
        let (text, mut game) = positions::position(&mut rng);
        for line in lines_of_three(&mut game).iter().step_by(7) {
            if let Some(is_forced) = truth(&text, &mut game, line) {
                assert_eq!(is_proved_line::<Shogi>(&at(&text, &[]), line, 100 * NODES), is_forced, "{text}: {line:?}");
                tally[usize::from(is_forced)] += 1;
            }
        }
    }
    assert!(tally.iter().all(|&count| count >= 20), "{tally:?}");
}

#[test]
fn lines_of_the_solver_are_proved_but_parts_of_them_are_not() {
    let problems = include_str!("../../../tests/data/mates/games.tsv");
    for text in problems.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').next().unwrap()) {
        let MateAnswer::Mate(line) = solve(at(text, &[])) else { panic!("a mate in {text}") };
        let root = at(text, &[]);
        assert!(is_proved_line::<Shogi>(&root, &line, 100 * NODES), "{text}: {line:?}");
        assert!(!is_proved_line::<Shogi>(&root, &line[..line.len() - 2], 100 * NODES), "the line ends before the mate");
        assert!(!is_proved_line::<Shogi>(&root, &line[1..], 100 * NODES), "the line begins with the defender's move");
        assert!(!is_proved_line::<Shogi>(&root, &[], NODES), "no move");
        assert!(!is_proved_line::<Shogi>(&root, &line, 1), "nothing is proved by one node");
    }
}
