//! Tests the mate solver on real chess and shogi positions. (The solver's own crate tests its logic on small graphs.)

#![allow(clippy::unwrap_used)]

use hasami_api::{
    Answer, Goal, Limits, Line, MateAnswer, MateGame, MoveText, Moves, Searcher, Start, Stop, Task, Verdict,
};
use hasami_chess::Chess;
use hasami_mate::MateEngine;
use hasami_shogi::Shogi;

/// Mates from shogi games. Each line has an SFEN, a name and the length in plies, except comments, which begin with
/// `#`.
const GAMES: &str = include_str!("../../../tests/data/mates/games.tsv");

fn solve<G: MateGame>(position: Option<&str>, nodes: u64) -> MateAnswer {
    let start = Start { text: position.map(Into::into), ..Start::default() };
    let line = Line { start, moves: Vec::new() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = Task { line, goal: Goal::Mate, limits, ..Task::default() };
    match MateEngine::<G>::new(16).search(&task, &Stop::new(), &mut |_| {}).unwrap() {
        Answer::Mate(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// Replays a mate, and checks by the rules alone that its moves are legal, each attacking move gives check, and the
/// last move mates.
fn assert_mates<G: MateGame>(position: &str, line: &[MoveText]) {
    let mut game = G::new(&Start { text: Some(position.into()), ..Start::default() }).unwrap();
    for (i, text) in line.iter().enumerate() {
        let m = game.parse_move(text).unwrap_or_else(|error| panic!("{position}: {error} in {line:?}"));
        game.make(m);
        assert!(game.in_check() || i % 2 == 1, "{position}: {text} is no check in {line:?}");
    }
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    assert!(moves.is_empty() && game.verdict_without_moves() == Verdict::Loss, "{position}: no mate after {line:?}");
}

#[test]
fn mates_from_real_shogi_games_are_solved() {
    for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let (sfen, name) = (fields.next().unwrap(), fields.next().unwrap());
        let shortest: usize = fields.next().unwrap().parse().unwrap();
        match solve::<Shogi>(Some(sfen), 2_000_000) {
            MateAnswer::Mate(mate) => {
                assert_mates::<Shogi>(sfen, &mate);
                assert!(mate.len() >= shortest, "{name}: {mate:?} is shorter than the shortest mate");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_absence_of_a_mate_is_proved() {
    assert_eq!(solve::<Shogi>(None, 1_000), MateAnswer::NoMate);
    assert_eq!(solve::<Chess>(None, 1_000), MateAnswer::NoMate);
    // Under the rules of shogi, a lance drop may mate, but a pawn drop may not.
    let [pawn, lance] = ["P", "L"].map(|hand| format!("8k/6G2/7G1/9/9/9/9/9/K8 b {hand} 1"));
    assert!(matches!(solve::<Shogi>(Some(&lance), 100_000), MateAnswer::Mate(_)));
    let by_drop =
        |answer: &MateAnswer| matches!(answer, MateAnswer::Mate(line) if line.len() == 1 && &*line[0] == "P*1b");
    assert!(!by_drop(&solve::<Shogi>(Some(&pawn), 100_000)));
    // White's queen can give perpetual check, but cannot mate without help.
    assert_eq!(solve::<Chess>(Some("7k/6p1/8/8/8/8/5q2/2Q4K w - - 0 1"), 500_000), MateAnswer::NoMate);
}

#[test]
fn chess_mates_by_checks_are_solved() {
    for fen in ["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1"] {
        match solve::<Chess>(Some(fen), 500_000) {
            MateAnswer::Mate(line) => assert_mates::<Chess>(fen, &line),
            other => panic!("{fen}: {other:?}"),
        }
    }
}

fn within(fen: &str, moves: u16) -> MateAnswer {
    let line = Line { start: Start { text: Some(fen.into()), ..Start::default() }, moves: Vec::new() };
    let limits = Limits { mate: Some(2 * moves - 1), ..Limits::default() };
    let task = Task { line, goal: Goal::MateWithin, limits, ..Task::default() };
    match MateEngine::<Chess>::new(1).search(&task, &Stop::new(), &mut |_| {}).unwrap() {
        Answer::Mate(answer) => answer,
        other => panic!("{other:?}"),
    }
}

#[test]
fn mates_with_quiet_moves_have_the_right_length() {
    // A problem by Morphy with a quiet rook sacrifice, and the end of a game by Morphy (Paris 1858) with a queen
    // sacrifice that gives check.
    for (fen, moves, first) in [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
        ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 0", 2, "b3b8"),
    ] {
        assert_eq!(within(fen, moves - 1), MateAnswer::NoMate, "{fen}");
        for most in [moves, moves + 1] {
            let MateAnswer::Mate(line) = within(fen, most) else { panic!("{fen}: no mate in {most}") };
            assert_eq!((line.len(), &*line[0]), (usize::from(2 * moves - 1), first), "{fen}: {line:?}");
        }
    }
}

#[test]
fn no_mate_within_some_moves_is_proved() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(within(start, 3), MateAnswer::NoMate);
    // The fifty-move rule ends the game before White can mate with a second move.
    assert_eq!(within("7k/8/5K2/8/8/8/8/R7 w - - 98 90", 2), MateAnswer::NoMate);
    assert!(matches!(within("7k/8/5K2/8/8/8/8/R7 w - - 97 90", 2), MateAnswer::Mate(_)));
}
