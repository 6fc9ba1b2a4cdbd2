//! Checks all table entries for random games with hands and cycles against retrograde analysis.

use super::hand_graph::{HandGraph, Node, Step, other_hand, step};
use crate::MateEngine;
use crate::algorithms::levels;
use crate::core::dfpn::Dfpn;
use crate::core::mix::mix;
use crate::core::style::Style;
use crate::core::table::{KnownMate, MateTable};
use crate::core::value::CUT;
use crate::interface::options::SearchMachine;
use hasami_api::{Answer, Game, Goal, Hand, Limits, Line, MateAnswer, Searcher, Start, Stop, Task};
use hasami_api::{MateGame, Side};
use std::collections::HashMap;

/// State of the game: node, attacker's hand, and whether the attacker is to move.
pub(crate) type State = (u32, Hand, bool);

/// Returns every hand that the attacker can have at a node.
fn hands(node: &Node) -> Vec<Hand> {
    (0..Hand::KINDS).fold(vec![Hand::EMPTY], |hands, kind| {
        let counts = |hand: &Hand| (0..=node.total[kind] as u32).map(|n| hand.with(kind, n)).collect::<Vec<_>>();
        hands.iter().flat_map(counts).collect()
    })
}

fn after(nodes: &[Node], (node, hand, attacks): State, target: u32) -> Option<State> {
    let own = if attacks { hand } else { other_hand(&nodes[node as usize], hand) };
    let hand = match step(&nodes[node as usize], &nodes[target as usize])? {
        Step::Drops(kind) if own.count(kind) == 0 => return None,
        Step::Drops(kind) if attacks => hand.minus_one(kind),
        Step::Wins(kind) if attacks => hand.plus_one(kind),
        _ => hand,
    };
    Some((target, hand, !attacks))
}

/// Returns the number of plies to mate for every won state, by retrograde analysis from the shortest mates to the
/// longest.
pub(crate) fn mates(nodes: &[Node]) -> HashMap<State, usize> {
    let all = |n: u32| hands(&nodes[n as usize]).into_iter().flat_map(move |hand| [(n, hand, true), (n, hand, false)]);
    let states: Vec<State> = (0..nodes.len() as u32).flat_map(all).collect();
    let mut won = HashMap::new();
    for plies in 0.. {
        let new = |state: &&State| {
            let targets = nodes[state.0 as usize].targets.iter();
            let mut after = targets.filter_map(|&target| after(nodes, **state, target));
            let wins = |next: State| won.contains_key(&next);
            !won.contains_key(*state) && if state.2 { after.any(wins) } else { after.all(wins) }
        };
        let found: Vec<State> = states.iter().filter(new).copied().collect();
        if found.is_empty() {
            break;
        }
        won.extend(found.into_iter().map(|state| (state, plies)));
    }
    won
}

pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = mix(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15));
        self.0 % end
    }
}

/// Returns a random game as text.
pub(crate) fn game(random: &mut Random) -> String {
    let (size, kinds, most) = (3 + random.below(14), 1 + random.below(3) as usize, 1 + random.below(3) as i8);
    let mut nodes: Vec<Node> = vec![Node::default(); size as usize];
    (0..kinds).for_each(|kind| nodes[0].total[kind] = random.below(most as u64 + 1) as i8);
    for i in 1..nodes.len() {
        nodes[i].total = nodes[random.below(i as u64) as usize].total;
        let (kind, change) = (random.below(kinds as u64) as usize, random.below(3) as i8 - 1);
        nodes[i].total[kind] = (nodes[i].total[kind] + change).clamp(0, most);
    }
    let hand: String = (0..kinds).map(|kind| random.below(nodes[0].total[kind] as u64 + 1).to_string()).collect();
    let mut text = hand;
    for (i, node) in nodes.iter().enumerate() {
        let near: Vec<usize> = (0..nodes.len()).filter(|&to| step(node, &nodes[to]).is_some()).collect();
        let mut targets: Vec<usize> =
            (0..random.below(5)).map(|_| near[random.below(near.len() as u64) as usize]).collect();
        targets.sort_unstable();
        targets.dedup();
        let targets = targets.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let total: String = node.total[..kinds].iter().map(i8::to_string).collect();
        text += &format!(" {i}:{total}-{targets}");
    }
    text
}

pub(super) fn start(text: &str) -> Start {
    Start { text: Some(text.into()), ..Start::default() }
}

/// Searches, and checks all resulting table entries against retrograde analysis. Returns the numbers of proofs and
/// disproofs compared.
fn table_says_the_truth(text: &str, won: &HashMap<State, usize>, bytes: usize, depth: usize) -> (usize, usize) {
    let root = HandGraph::new(&start(text)).unwrap();
    let (mut table, stop) = (MateTable::for_nodes(u64::MAX, bytes), Stop::new());
    table.next_task();
    let mut search: Dfpn<_> = Dfpn::new(Style::DFPN, root.clone(), &table, &stop, 20_000, depth);
    if let Ok((value, _)) = search.solve() {
        let line = if value.is_proved() { search.main_line() } else { Ok(None) };
        assert!(line.is_err() || line.is_ok_and(|line| line.is_some() == value.is_proved()), "no line in {text}");
        let is_won = won.contains_key(&(0, root.here().1, true));
        assert!(if value.is_proved() { is_won } else { value.note == CUT || !is_won }, "{value:?}, {is_won} in {text}");
    }
    let (mut proofs, mut disproofs) = (0, 0);
    for (i, node) in root.nodes.iter().enumerate() {
        for (hand, attacks) in hands(node).into_iter().flat_map(|hand| [(hand, true), (hand, false)]) {
            let mut position = HandGraph { path: vec![(i as u32, hand)], ..root.clone() };
            if !attacks {
                position.path.insert(0, (0, Hand::EMPTY));
            }
            assert_eq!(position.side() == Side::First, attacks);
            let KnownMate::Decided(value) = table.get(position.board_key(), hand) else { continue };
            let is_won = won.contains_key(&(i as u32, hand, attacks));
            assert_eq!(
                value.is_proved(),
                is_won,
                "{value:?} of node {i} with {hand:?}, attacker to move: {attacks}, in {text}"
            );
            proofs += usize::from(is_won);
            disproofs += usize::from(!is_won);
        }
    }
    (proofs, disproofs)
}

fn answer(text: &str, bytes: usize) -> MateAnswer {
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let line = Line { start: start(text), moves: Vec::new() };
    let task = Task { line, goal: Goal::Mate, limits, ..Task::default() };
    match MateEngine::<HandGraph>::with_bytes(bytes).search(&task, &Stop::new(), &mut |_| {}).unwrap() {
        Answer::Mate(answer) => answer,
        other => panic!("{other:?}"),
    }
}

#[test]
fn random_games_with_hands_are_solved_like_retrograde_analysis() {
    let mut random = Random(2_024);
    let (mut wins, mut draws, mut unknown) = (0, 0, 0);
    for _ in 0..3_000 {
        let text = game(&mut random);
        let root = HandGraph::new(&start(&text)).unwrap();
        let plies = mates(&root.nodes).get(&(0, root.here().1, true)).copied();
        for bytes in [0, 64 << 10] {
            match (answer(&text, bytes), plies) {
                (MateAnswer::Mate(line), Some(plies)) => {
                    // A table of one cluster may lose the length of a defence, but its results about mates must be
                    // correct.
                    assert!(bytes == 0 || line.len() >= plies, "{line:?} is shorter than {plies} plies in {text}");
                    wins += 1;
                }
                (MateAnswer::NoMate, None) => draws += 1,
                (MateAnswer::Unknown, _) => unknown += 1,
                (answer, truth) => panic!("{answer:?}, but the truth is {truth:?} in {text}"),
            }
        }
    }
    assert!(wins > 1_000 && draws > 1_000 && unknown < 10, "{wins} wins, {draws} draws, {unknown} unknown");
}

#[test]
fn levels_find_the_exact_length_with_hands() {
    let mut random = Random(11);
    let (mut wins, mut draws) = (0, 0);
    for _ in 0..2_000 {
        let text = game(&mut random);
        let root = HandGraph::new(&start(&text)).unwrap();
        let plies = mates(&root.nodes).get(&(0, root.here().1, true)).copied();
        let limits = levels::LevelLimits { nodes: 100_000, plies: usize::MAX, bytes: 1 << 20 };
        let solved = levels::solve(&root, true, &limits, &SearchMachine::default(), &Stop::new());
        assert_eq!(solved.main_line().map(<[_]>::len), plies, "{:?} in {text}", solved.end);
        match plies {
            Some(_) => wins += 1,
            None => {
                assert_eq!(solved.end, levels::SearchEnd::NoMate, "{text}");
                draws += 1;
            }
        }
    }
    assert!(wins > 300 && draws > 300, "{wins} wins, {draws} draws");
}

#[test]
fn the_table_is_right_about_every_hand() {
    let mut random = Random(7);
    let (mut proofs, mut disproofs) = (0, 0);
    for _ in 0..4_000 {
        let text = game(&mut random);
        let won = mates(&HandGraph::new(&start(&text)).unwrap().nodes);
        for (bytes, depth) in [(64 << 10, usize::MAX), (0, usize::MAX), (64 << 10, 1 + random.below(6) as usize)] {
            let (more_proofs, more_disproofs) = table_says_the_truth(&text, &won, bytes, depth);
            proofs += more_proofs;
            disproofs += more_disproofs;
        }
    }
    assert!(proofs > 20_000 && disproofs > 20_000, "{proofs} proofs, {disproofs} disproofs");
}
