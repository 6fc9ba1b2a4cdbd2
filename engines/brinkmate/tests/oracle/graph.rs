//! A game on a graph, without hands, which begins at the first node in its text.
//!
//! The text `0-1,2 1!-3 1:4` describes the attacker's moves from node 0 to nodes 1 and 2 and from node 1 to node 3, and
//! the defender's move from node 1 to node 4. A move of the attacker gives check if its target node is marked (`1!`)
//! anywhere in the text. A side without moves has lost if it is in check, and has drawn otherwise.

use hasami_api::{
    BrinkmateGame, Game, InvalidPosition, MateGame, MoveText, Moves, ParseMoveError, Side, Start, Verdict,
};
use rand::Rng;
use rand::rngs::SmallRng;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Default)]
pub struct Edges {
    pub attacks: HashMap<u32, Vec<u32>>,
    pub defences: HashMap<u32, Vec<u32>>,
    pub checked: Vec<u32>,
}

#[derive(Clone)]
pub struct Graph {
    edges: Arc<Edges>,
    /// The nodes visited so far; a pass adds the last node again.
    path: Vec<u32>,
}

impl Graph {
    pub fn edges(&self) -> &Edges {
        &self.edges
    }

    fn here(&self) -> u32 {
        *self.path.last().expect("a path begins somewhere")
    }
}

fn numbers(text: &str) -> Vec<u32> {
    text.split(',').filter_map(|number| number.parse().ok()).collect()
}

impl Game for Graph {
    type Move = u32;
    const NAME: &'static str = "graph";

    fn new(start: &Start) -> Result<Self, InvalidPosition> {
        let (mut edges, mut first) = (Edges::default(), None);
        for item in start.text.as_deref().unwrap_or_default().split_whitespace() {
            let (node, targets) = item.split_once(['-', ':']).unwrap_or((item, ""));
            let node_number = numbers(node.trim_end_matches('!'))[0];
            first = first.or(Some(node_number));
            if node.ends_with('!') && !edges.checked.contains(&node_number) {
                edges.checked.push(node_number);
            }
            let moves = if item.contains(':') { &mut edges.defences } else { &mut edges.attacks };
            moves.entry(node_number).or_default().extend(numbers(targets));
        }
        Ok(Self { edges: Arc::new(edges), path: vec![first.unwrap_or(0)] })
    }

    fn to_text(&self) -> String {
        self.here().to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u32, ParseMoveError> {
        text.parse().map_err(|_| ParseMoveError::Notation(text.into()))
    }

    fn format_move(&self, m: u32) -> MoveText {
        m.to_string().parse().expect("a short text")
    }

    fn side(&self) -> Side {
        if self.path.len() % 2 == 1 { Side::First } else { Side::Second }
    }

    fn ply(&self) -> u32 {
        self.path.len() as u32 - 1
    }

    fn key(&self) -> u64 {
        (u64::from(self.here()) * 2 + self.side().index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn in_check(&self) -> bool {
        self.side() == Side::Second && self.edges.checked.contains(&self.here())
    }

    fn legal_moves(&self, out: &mut Moves<u32>) {
        let moves = if self.side() == Side::First { &self.edges.attacks } else { &self.edges.defences };
        out.extend(moves.get(&self.here()).into_iter().flatten().copied());
    }

    fn make(&mut self, m: u32) {
        self.path.push(m);
    }

    fn unmake(&mut self) {
        self.path.pop();
    }

    fn verdict(&self) -> Verdict {
        Verdict::Open
    }

    fn verdict_in_search(&self, _plies: usize) -> Verdict {
        Verdict::Open
    }

    fn verdict_without_moves(&self) -> Verdict {
        if self.in_check() { Verdict::Loss } else { Verdict::Draw }
    }
}

impl MateGame for Graph {
    fn checking_moves(&self, out: &mut Moves<u32>) {
        self.legal_moves(out);
        out.retain(|m| self.edges.checked.contains(&m));
    }
}

impl BrinkmateGame for Graph {
    fn pass(&mut self) {
        self.path.push(self.here());
    }

    fn is_far(&self, m: u32, _king: Side) -> bool {
        m % 5 == 4
    }

    fn is_on_one_square(_a: u32, _b: u32) -> bool {
        false
    }
}

/// Creates a random graph, usually with cycles.
pub fn random(rng: &mut SmallRng) -> String {
    let size = rng.random_range(8..40);
    let mut text = String::new();
    for node in 0..size {
        let mark = if rng.random_bool(0.15) { "!" } else { "" };
        let attacks = rng.random_range(0..6);
        let defences = if mark == "!" { rng.random_range(0..2) } else { rng.random_range(1..3) };
        for (kind, count) in [("-", attacks), (":", defences)] {
            let targets: Vec<_> = (0..count).map(|_| rng.random_range(0..size).to_string()).collect();
            text += &format!("{node}{mark}{kind}{} ", targets.join(","));
        }
    }
    text
}

/// Computes by retrograde analysis at which nodes the attacker, to move, has a mate, and the length in plies of the
/// brinkmate at each other node that has one.
pub fn truth(edges: &Edges) -> (Vec<u32>, HashMap<u32, usize>) {
    let nodes: Vec<u32> = edges.attacks.keys().copied().collect();
    let moves = |edges: &HashMap<u32, Vec<u32>>, node: u32| edges.get(&node).cloned().unwrap_or_default();
    let mut mates: Vec<u32> = Vec::new();
    loop {
        let is_lost =
            |to: u32| edges.checked.contains(&to) && moves(&edges.defences, to).iter().all(|next| mates.contains(next));
        let is_new = |node: &u32| !mates.contains(node) && moves(&edges.attacks, *node).into_iter().any(is_lost);
        let new: Vec<u32> = nodes.iter().copied().filter(is_new).collect();
        if new.is_empty() {
            break;
        }
        mates.extend(new);
    }
    let mut lengths: HashMap<u32, usize> = HashMap::new();
    for plies in (1..).step_by(2) {
        let is_won = |node: u32| mates.contains(&node) || lengths.contains_key(&node);
        let works = |to: u32| {
            let defences = moves(&edges.defences, to);
            let is_check = edges.checked.contains(&to);
            let is_threat = mates.contains(&to) && !defences.is_empty();
            (is_check || is_threat) && defences.into_iter().all(is_won)
        };
        let is_new = |node: &u32| !is_won(*node) && moves(&edges.attacks, *node).into_iter().any(works);
        let new: Vec<u32> = nodes.iter().copied().filter(is_new).collect();
        if new.is_empty() {
            break;
        }
        lengths.extend(new.into_iter().map(|node| (node, plies)));
    }
    (mates, lengths)
}
