//! The search as one of a team: what it tells the others, and what it makes of what they tell.
//!
//! Only deep nodes are told of, since they cost most and are few: their entries for the table, and which of their moves
//! are being searched. A move that somebody else searches is put off to the end of its node, when its value will have
//! come with the news (ABDADA: Weill, ICCA Journal 19-1, 1996, in the simplified form of Kerrigan). So the team spreads
//! over the tree by itself, without a master that splits it.

use crate::moves::Candidate;
use crate::search::Node;
use crate::state::Search;
use hasami_api::{Evaluator, Exchange, News, SearchGame, Stop};
use std::collections::HashMap;

/// Nodes as many plies less deep than the iteration are told of.
const BELOW: i32 = 6;
/// Shallower nodes are never told of.
const LEAST_DEPTH: i32 = 2;
/// Nodes between two looks at the news.
const PERIOD: u64 = 256;

/// Words about a move; those about entries are never so small.
pub(crate) const BEGUN: u64 = 1;
pub(crate) const ENDED: u64 = 2;

/// A search's part in its team; alone, it costs a comparison here and there.
pub(crate) struct Team<'a> {
    exchange: Option<&'a dyn Exchange>,
    /// Nodes of this depth and more are told of.
    floor: i32,
    /// Others read and write the same table: entries need no telling.
    common_table: bool,
    /// Moves of nodes that others search, and how many do.
    busy: HashMap<u64, u32>,
    unsaid: Vec<News>,
    heard: Vec<News>,
    /// The count of nodes at which to look at the news.
    next: u64,
}

impl<'a> Team<'a> {
    pub(crate) fn new(stop: &'a Stop, common_table: bool) -> Self {
        let exchange = stop.exchange();
        Self {
            exchange,
            floor: i32::MAX,
            common_table,
            busy: HashMap::new(),
            unsaid: Vec::new(),
            heard: Vec::new(),
            next: if exchange.is_some() { 0 } else { u64::MAX },
        }
    }

    /// An iteration of this depth begins.
    pub(crate) fn deepen(&mut self, depth: i32) {
        if self.exchange.is_some() {
            self.floor = (depth - BELOW).max(LEAST_DEPTH);
        }
    }

    /// Nodes of this depth are worth a word.
    #[inline]
    pub(crate) fn cares(&self, depth: i32) -> bool {
        depth >= self.floor
    }

    /// Is the move being searched by somebody else?
    pub(crate) fn is_busy(&self, place: u64) -> bool {
        self.busy.contains_key(&place)
    }

    pub(crate) fn found(&mut self, entry: News) {
        if !self.common_table {
            self.unsaid.push(entry);
        }
    }

    #[inline]
    pub(crate) fn is_due(&self, nodes: u64) -> bool {
        nodes >= self.next
    }

    fn note_end(&mut self, place: u64) {
        // Whoever joins late has not heard of the beginning.
        let Some(others) = self.busy.get_mut(&place) else { return };
        *others -= 1;
        if *others == 0 {
            self.busy.remove(&place);
        }
    }
}

/// Names a move of a node among all moves of all nodes.
pub(crate) fn place(key: u64, packed: u16) -> u64 {
    key ^ (u64::from(packed) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<G: SearchGame, E: Evaluator<G>> Search<'_, G, E> {
    /// As [`Self::play`]; the others are told that the move at `place` is being searched, if there is a place to name.
    pub(crate) fn play_openly<const PV: bool>(
        &mut self,
        node: &Node<G::Move>,
        c: &Candidate<G::Move>,
        place: Option<u64>,
    ) -> i32 {
        self.team.unsaid.extend(place.map(|key| News { key, word: BEGUN }));
        let value = self.play::<PV>(node, c);
        self.team.unsaid.extend(place.map(|key| News { key, word: ENDED }));
        value
    }

    /// Says what is unsaid, and hears the others.
    #[cold]
    pub(crate) fn exchange_news(&mut self) {
        let team = &mut self.team;
        let Some(exchange) = team.exchange else { return };
        team.next = self.nodes + PERIOD;
        if !team.unsaid.is_empty() {
            exchange.tell(self.nodes, &team.unsaid);
            team.unsaid.clear();
        }
        let mut heard = std::mem::take(&mut team.heard);
        exchange.hear(&mut heard);
        for news in heard.drain(..) {
            match news.word {
                BEGUN => *self.team.busy.entry(news.key).or_default() += 1,
                ENDED => self.team.note_end(news.key),
                _ => self.table.accept(news, self.generation),
            }
        }
        self.team.heard = heard;
    }
}
