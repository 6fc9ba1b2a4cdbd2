//! The mate solver on real positions of both games. (Its logic is tested on small graphs beside it.)

use hasami_api::{
    Answer, Goal, Limits, Line, MateAnswer, MateGame, MoveText, Moves, Searcher, Start, Stop, Task, Verdict,
};
use hasami_chess::Chess;
use hasami_mate::MateSolver;
use hasami_shogi::Shogi;

/// SFEN, name, length in plies; lines with `#` are comments.
const GAMES: &str = include_str!("../data/mates/games.tsv");

fn solve<G: MateGame>(position: Option<&str>, nodes: u64) -> MateAnswer {
    let start = Start { text: position.map(Into::into), ..Start::default() };
    let line = Line { start, moves: Vec::new() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = Task { line, goal: Goal::Mate, limits, ..Task::default() };
    match MateSolver::<G>::new(16).search(&task, &Stop::new(), &mut |_| {}).unwrap() {
        Answer::Mate(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// Replays a mate by the rules alone: checks by the attacker, legal moves, no escape at the end.
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
fn where_there_is_no_mate_the_solver_proves_it() {
    assert_eq!(solve::<Shogi>(None, 1_000), MateAnswer::NoMate);
    assert_eq!(solve::<Chess>(None, 1_000), MateAnswer::NoMate);
    // A pawn drop may not mate; with a lance instead it does.
    let [pawn, lance] = ["P", "L"].map(|hand| format!("8k/6G2/7G1/9/9/9/9/9/K8 b {hand} 1"));
    assert!(matches!(solve::<Shogi>(Some(&lance), 100_000), MateAnswer::Mate(_)));
    let by_drop =
        |answer: &MateAnswer| matches!(answer, MateAnswer::Mate(line) if line.len() == 1 && &*line[0] == "P*1b");
    assert!(!by_drop(&solve::<Shogi>(Some(&pawn), 100_000)));
    // Checks for ever, by a queen that cannot mate alone.
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
