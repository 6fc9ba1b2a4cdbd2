//! Tests inner searches for many positions of one problem.

use super::graph::Graph;
use super::{is_won, random_graphs};
use crate::inner::InnerLimit;
use crate::inner::{InnerMate, InnerMates, InnerMemory};
use hasami_api::{Game, Moves, Start, Stop};
use std::collections::HashSet;

const DEEP: [InnerLimit; 2] = [InnerLimit::Pds { nodes: 20_000 }, InnerLimit::Id { plies: 5 }];

fn graph(text: &str) -> Graph {
    Graph::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap()
}

fn ask(text: &str, by: InnerLimit, nodes: u64) -> (InnerMate, u64) {
    let (mut game, mut memory) = (graph(text), InnerMemory::with_bytes(1 << 16));
    let stop = Stop::new();
    let mut inner = memory.begin(&game, by, &stop);
    let found = inner.ask(&mut game, nodes);
    (found, inner.nodes())
}

/// Checks the answer for each reachable position in which the attacker is to move.
fn ask_all(game: &mut Graph, inner: &mut InnerMates<Graph>, seen: &mut HashSet<u64>, tally: &mut [u32; 3]) {
    if !seen.insert(game.key()) {
        return;
    }
    let (text, won) = (game.to_text(), is_won(game));
    match inner.ask(game, u64::MAX) {
        InnerMate::Yes => assert!(won, "a false mate in {text}"),
        InnerMate::No => assert!(!won, "a mate missed in {text}"),
        InnerMate::Unknown => tally[2] += 1,
    }
    tally[usize::from(won)] += 1;
    assert_eq!(game.to_text(), text, "the game is unchanged");
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    for &m in moves.iter() {
        game.make(m);
        let mut answers = Moves::new();
        game.legal_moves(&mut answers);
        for &answer in answers.iter() {
            game.make(answer);
            ask_all(game, inner, seen, tally);
            game.unmake();
        }
        game.unmake();
    }
}

#[test]
fn all_positions_of_a_graph_are_answered_correctly_with_one_memory() {
    for by in DEEP {
        let (mut tally, mut memory) = ([0; 3], InnerMemory::with_bytes(1 << 16));
        for text in random_graphs(400) {
            let mut game = graph(&text);
            let stop = Stop::new();
            let mut inner = memory.begin(&game, by, &stop);
            ask_all(&mut game, &mut inner, &mut HashSet::new(), &mut tally);
        }
        let [draws, wins, unknown] = tally;
        assert!(draws > 500 && wins > 250, "{by:?}: {draws} without a mate, {wins} with one");
        // Iterative deepening repeats positions up to its limit.
        let few = if matches!(by, InnerLimit::Pds { .. }) { 20 } else { draws * 2 / 3 };
        assert!(unknown < few, "{by:?}: {unknown} of {draws} and {wins} not decided");
    }
}

#[test]
fn each_position_has_its_limit() {
    let long = "0-1 1-2 2-3 3-4 4-5 5-6 6-7";
    assert_eq!(ask(long, InnerLimit::Id { plies: 7 }, u64::MAX).0, InnerMate::Yes);
    assert_eq!(ask(long, InnerLimit::Id { plies: 5 }, u64::MAX).0, InnerMate::Unknown, "there may be a longer mate");
    assert_eq!(
        ask("0-1 1-2", InnerLimit::Id { plies: 5 }, u64::MAX).0,
        InnerMate::No,
        "the line ends before the limit"
    );
    assert_eq!(ask(long, InnerLimit::Pds { nodes: 1_000 }, u64::MAX).0, InnerMate::Yes);
    for (by, nodes) in [(InnerLimit::Pds { nodes: 5 }, u64::MAX), (InnerLimit::Pds { nodes: 1_000 }, 5)] {
        let (found, made) = ask(long, by, nodes);
        assert_eq!(found, InnerMate::Unknown);
        assert!((4..=6).contains(&made), "{made} nodes");
    }
    assert_eq!(ask(long, InnerLimit::Id { plies: 7 }, 3).0, InnerMate::Unknown);
}

#[test]
fn a_search_continues_after_its_limit_and_obeys_a_stop() {
    let answers: Vec<String> = (10..40).map(|node| node.to_string()).collect();
    let mated: String = (10..40).map(|node| format!("{node}-{} ", node + 100)).collect();
    let broad = format!("0-1 1-{} {mated}", answers.join(","));
    let (mut game, mut memory, stop) = (graph(&broad), InnerMemory::with_bytes(1 << 16), Stop::new());
    let mut inner = memory.begin(&game, InnerLimit::Pds { nodes: 60 }, &stop);
    let asked = (0..200).take_while(|_| inner.ask(&mut game, u64::MAX) == InnerMate::Unknown).count();
    assert!((1..20).contains(&asked), "asked {asked} times");
    stop.stop();
    assert_eq!(inner.ask(&mut game, u64::MAX), InnerMate::Unknown);
}
