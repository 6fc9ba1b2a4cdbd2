//! A game on an explicit graph, for tests. In `0-1,2 1-3 2-0 3!` the first position is 0; a position without moves is a
//! mate or, with a `!`, a stalemate. Every move of the attacker is a check, and the attacker moves at even plies.

use hasami_api::{Game, InvalidPosition, MateGame, MoveText, Moves, ParseMoveError, Side, Start, Verdict};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone)]
pub(crate) struct Graph {
    edges: Arc<HashMap<u32, Vec<u32>>>,
    stalemates: Arc<Vec<u32>>,
    path: Vec<u32>,
}

impl Graph {
    fn here(&self) -> u32 {
        *self.path.last().unwrap()
    }
}

impl Game for Graph {
    type Move = u32;
    const NAME: &'static str = "graph";

    fn new(start: &Start) -> Result<Self, InvalidPosition> {
        let text = start.text.as_deref().unwrap_or("0");
        let (mut edges, mut stalemates) = (HashMap::new(), Vec::new());
        for item in text.split_whitespace() {
            let (node, targets) = item.split_once('-').unwrap_or((item, ""));
            if let Some(node) = node.strip_suffix('!') {
                stalemates.push(node.parse().unwrap());
                continue;
            }
            let targets = targets.split(',').filter(|t| !t.is_empty()).map(|t| t.parse().unwrap());
            edges.insert(node.parse().unwrap(), targets.collect());
        }
        Ok(Self { edges: Arc::new(edges), stalemates: Arc::new(stalemates), path: vec![0] })
    }

    fn to_text(&self) -> String {
        self.here().to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u32, ParseMoveError> {
        text.parse().map_err(|_| ParseMoveError::Notation(text.into()))
    }

    fn format_move(&self, m: u32) -> MoveText {
        m.to_string().parse().unwrap()
    }

    fn side(&self) -> Side {
        if self.path.len() % 2 == 1 { Side::First } else { Side::Second }
    }

    fn ply(&self) -> u32 {
        self.path.len() as u32 - 1
    }

    fn key(&self) -> u64 {
        crate::core::mix::mix(u64::from(self.here()) * 2 + self.side().index() as u64 + 1)
    }

    fn in_check(&self) -> bool {
        self.side() == Side::Second && !self.stalemates.contains(&self.here())
    }

    fn legal_moves(&self, out: &mut Moves<u32>) {
        out.extend(self.edges.get(&self.here()).into_iter().flatten().copied());
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
    }
}
