//! Tests the level-synchronous search: its rules on small graphs, and all optimal lines of random graphs.

use super::graph::Graph;
use super::{is_won, random_graphs};
use crate::algorithms::levels::{LevelLimits, SearchEnd, Solved, solve};
use crate::interface::levels::LevelCounts;
use crate::interface::options::SearchMachine;
use hasami_api::{Game, MateGame, Moves, Start, Stop, is_mated};
use std::collections::{BTreeSet, HashMap, HashSet};

const FREE: LevelLimits = LevelLimits { nodes: 1_000_000, plies: usize::MAX, bytes: 1 << 20 };

fn graph(text: &str) -> Graph {
    Graph::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap()
}

fn solved(text: &str, limits: &LevelLimits) -> Solved<u32> {
    solve(&graph(text), true, limits, &SearchMachine::default(), &Stop::new())
}

/// On level 1, there is no check after the moves 20 and 21, which is a failure, so rule 2 erases both. On level 2, the
/// moves 3 and 4 mate, so position 2 and the root mate, and moves 7 and 8 are erased with their groups.
#[test]
fn the_rules_erase_what_neither_side_would_choose() {
    let found = solved("0-1,7,20 1-2 2-3,4,6 6-30 7-8 8-9 9-10 10-11 20-21", &FREE);
    assert_eq!(found.end, SearchEnd::Mate);
    assert_eq!(found.optimal_lines, [[1, 2, 3], [1, 2, 4]]);
    assert_eq!((found.lines, &*found.duals, found.complete), (2, &[(2, 4)][..], 2));
    let none = LevelCounts::default();
    let first = LevelCounts {
        entries: 1,
        written: 3,
        as_lines: 3,
        objects: 2,
        failures: 1,
        by_rule_2: 1,
        with_others: 1,
        read: 1,
        ..none
    };
    let second = LevelCounts { entries: 2, written: 2, as_lines: 2, mates: 2, ..none };
    assert_eq!(found.counts, [first, second]);
}

/// The first of two answers to move 1 is a mate on level 2, so rule 1 erases it; the second is a mate on level 3.
#[test]
fn the_defender_finds_the_latest_mate() {
    let found = solved("0-1 1-2,3 2-9 3-4 4-5 5-6", &FREE);
    assert_eq!((found.end, found.optimal_lines), (SearchEnd::Mate, vec![vec![1, 3, 4, 5, 6]]));
    let counts = found.counts;
    assert_eq!((counts[0].by_rule_1, counts[0].left(), counts[0].read), (1, 1, 2));
    assert_eq!(
        (counts[1].left(), counts[2].left()),
        (1, 1),
        "the erased pair counts together with what it led to: {counts:?}"
    );
}

/// Both answers to move 1 and both answers to move 8 lead to the same positions.
#[test]
fn equal_positions_of_a_level_are_one() {
    let found = solved("0-1,8 1-2,3 8-2,3 2-4 3-4 4-5 5-6", &FREE);
    assert_eq!((found.end, found.lines), (SearchEnd::Mate, 4));
    let counts = found.counts;
    assert_eq!((counts[0].written, counts[0].objects), (4, 2));
    assert_eq!((counts[1].written, counts[1].as_lines, counts[1].objects), (2, 4, 1));
    assert_eq!((counts[2].written, counts[2].as_lines), (1, 4));
}

#[test]
fn no_mate_and_stalemate_end_the_search() {
    for text in ["0", "0-1 1-2,3 2-9", "0-1 1!", "0-1 1-2 2-3 3-0"] {
        assert_eq!(solved(text, &FREE).end, SearchEnd::NoMate, "{text}");
    }
}

/// Every position leads to every other position, so each position is new on some line.
#[test]
fn endless_checks_in_new_orders_end_the_search() {
    let each = |name: &dyn Fn(u32) -> String| (0..5).map(name).collect::<Vec<_>>().join(",");
    let there: String = (0..5).map(|i| format!("{i}-{} ", each(&|j| format!("1{i}{j}")))).collect();
    let back: String = (0..25).map(|ij| format!("1{}{}-{} ", ij / 5, ij % 5, ij % 5)).collect();
    let found = solved(&(there + &back), &FREE);
    assert_eq!(found.end, SearchEnd::NoMate);
    assert!(found.complete >= 8, "the levels alone would not end: {}", found.complete);
}

#[test]
fn limits_leave_the_answer_open() {
    let long = "0-1 1-2 2-3 3-4 4-5 5-6 6-7";
    let by = |limits| solved(long, &limits).end;
    assert_eq!(by(LevelLimits { plies: 5, ..FREE }), SearchEnd::Depth);
    assert_eq!(by(LevelLimits { plies: 7, ..FREE }), SearchEnd::Mate);
    assert_eq!(by(LevelLimits { nodes: 3, ..FREE }), SearchEnd::Stopped);
    let stop = Stop::new();
    stop.stop();
    assert_eq!(solve(&graph(long), true, &FREE, &SearchMachine::default(), &stop).end, SearchEnd::Stopped);
}

/// The graph is a tree in which every position has three checks or three replies.
#[test]
fn the_memory_limit_holds_and_the_last_level_is_reported() {
    let children = |n: u32| (3 * n + 1..3 * n + 4).map(|m| m.to_string()).collect::<Vec<_>>().join(",");
    let text: String = (0..100_000).map(|n| format!("{n}-{} ", children(n))).collect();
    let mut last = 0;
    for bytes in [30 << 10, 300 << 10, 3 << 20] {
        let found = solved(&text, &LevelLimits { bytes, ..FREE });
        assert_eq!(found.end, SearchEnd::Full);
        let is_near = (bytes..bytes + (128 << 10)).contains(&found.bytes);
        assert!(found.complete > last && is_near, "{bytes}: {} after {}", found.bytes, found.complete);
        last = found.complete;
    }
}

type Known = HashMap<(u64, usize), bool>;

/// Returns true if there is a mate within `plies` plies.
fn mates(game: &mut Graph, plies: usize, known: &mut Known) -> bool {
    if let Some(&known) = known.get(&(game.key(), plies)) {
        return known;
    }
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let attacks = game.ply().is_multiple_of(2);
    let is_lost = moves.is_empty() && is_mated(game);
    let mut after = |&m: &u32| {
        game.make(m);
        let mates = mates(game, plies - 1, known);
        game.unmake();
        mates
    };
    let found = match (attacks, plies) {
        (true, 0) => false,
        (true, _) => moves.iter().any(&mut after),
        (false, 0) => is_lost,
        (false, _) => is_lost || !moves.is_empty() && moves.iter().all(&mut after),
    };
    known.insert((game.key(), plies), found);
    found
}

/// Collects all lines in which the attacker mates as soon as possible and the defender defends as long as possible.
fn optimal(game: &mut Graph, line: &mut Vec<u32>, plies: usize, known: &mut Known, all: &mut HashSet<Vec<u32>>) {
    if plies == 0 {
        all.insert(line.clone());
        return;
    }
    let mut moves = Moves::new();
    game.checking_moves(&mut moves);
    for &m in moves.iter() {
        game.make(m);
        let is_late = line.len().is_multiple_of(2) || plies < 3 || !mates(game, plies - 3, known);
        if is_late && mates(game, plies - 1, known) {
            line.push(m);
            optimal(game, line, plies - 1, known, all);
            line.pop();
        }
        game.unmake();
    }
}

/// Checks that only the positions and pairs of optimal lines remain on each level.
fn assert_nothing_else_is_left(counts: &[LevelCounts], all: &HashSet<Vec<u32>>, text: &str) {
    for (level, counts) in counts.iter().enumerate() {
        let at = 2 * level;
        let proposition = |line: &Vec<u32>| (at.checked_sub(1).map(|at| line[at]), line[at], line.get(at + 1).copied());
        let needed: HashSet<_> = all.iter().map(proposition).collect();
        assert_eq!(counts.left(), needed.len() as u64, "level {level} of {text}");
    }
}

/// Returns random graphs without duplicate edges.
fn graphs(count: usize) -> impl Iterator<Item = String> {
    random_graphs(count).map(|text| {
        let once = |item: &str| match item.split_once('-') {
            Some((node, targets)) => {
                let targets: BTreeSet<&str> = targets.split(',').collect();
                format!("{node}-{} ", targets.into_iter().collect::<Vec<_>>().join(","))
            }
            None => format!("{item} "),
        };
        text.split_whitespace().map(once).collect()
    })
}

#[test]
fn any_number_of_processors_finds_all_optimal_lines_of_random_graphs() {
    let (mut wins, mut many, mut draws) = (0, 0, 0);
    for text in graphs(1_500) {
        let mut game = graph(&text);
        let found = solved(&text, &FREE);
        for processors in [2, 5] {
            let machine = SearchMachine::Virtual { processors, turn: 7, delay: 0, seed: 5 };
            let other = solve(&game, true, &FREE, &machine, &Stop::new());
            assert_eq!(
                (other.end, other.lines, &other.optimal_lines),
                (found.end, found.lines, &found.optimal_lines),
                "{text}"
            );
        }
        if !is_won(&game) {
            assert_eq!(found.end, SearchEnd::NoMate, "{text}");
            draws += 1;
            continue;
        }
        assert_eq!(found.end, SearchEnd::Mate, "{text}");
        let (mut known, mut all) = (Known::new(), HashSet::new());
        let plies = (1..).step_by(2).find(|&plies| mates(&mut game, plies, &mut known)).unwrap();
        optimal(&mut game, &mut Vec::new(), plies, &mut known, &mut all);
        assert_eq!(found.lines, all.len() as u64, "{text}");
        assert!(found.optimal_lines.iter().all(|line| all.contains(line)), "{text}: {:?}", found.optimal_lines);
        assert_eq!(found.optimal_lines.iter().collect::<HashSet<_>>().len(), all.len().min(100), "{text}");
        if all.len() <= 100 {
            assert_nothing_else_is_left(&found.counts, &all, &text);
        }
        wins += 1;
        many += usize::from(all.len() > 1);
    }
    assert!(wins > 200 && draws > 200 && many > 20, "{wins} wins, {many} with more lines, {draws} draws");
}

#[test]
fn threads_find_what_one_processor_finds() {
    for text in graphs(150) {
        let (one, machine) = (solved(&text, &FREE), SearchMachine::Threads(3));
        let three = solve(&graph(&text), true, &FREE, &machine, &Stop::new());
        assert_eq!((one.end, one.lines, one.optimal_lines), (three.end, three.lines, three.optimal_lines), "{text}");
    }
}
