//! The search as one of a team: what it tells the others, and what it makes of what they tell.
//!
//! Only deep nodes are told of, since they cost most and are few: their entries for the table, and which of their moves
//! are being searched. A move that somebody else searches is put off to the end of its node, when its value will have
//! come with the news (ABDADA: Weill, ICCA Journal 19-1, 1996, in the simplified form of Kerrigan). Where every move must
//! be searched each begins with another one, because news are too slow to keep equals apart that do the same at the same
//! time. A node, or the whole iteration, that another has finished is left at once with its value. So the team spreads
//! over the tree and meets again by itself, without a master that splits it.

use crate::node::{Node, TriedMove};
use crate::state::SearchState;
use crate::table::{Kind, TtEntry};
use crate::unsaid::{BEGUN, ENDED, Unsaid};
use hasami_api::{Evaluator, Exchange, News, SearchGame, Stop};
use std::collections::HashMap;

/// Down to this many plies below the iteration, nodes tell which of their moves are being searched, down to a
/// least depth.
const MOVES_BELOW: i32 = 6;
const LEAST_WITH_MOVES: i32 = 2;
/// The same for entries, which cost less and never come too late.
const ENTRIES_BELOW: i32 = 8;
const LEAST_OF_ENTRIES: i32 = 1;
/// The fractional parts of its multiples lie evenly, however many they are (Weyl).
const GOLDEN: f64 = 0.618_033_988_749_895;

/// A search's part in its team; alone, it costs a comparison here and there.
pub(crate) struct Team<'a> {
    exchange: Option<&'a dyn Exchange>,
    /// Which one of the team this is.
    rank: u16,
    root: u64,
    /// The deepest that others have told about the root since this search began, exact before bounds.
    root_found: Option<TtEntry>,
    /// The moves of nodes of this depth and more are told of.
    floor: i32,
    /// Entries of this depth and more are told.
    floor_of_entries: i32,
    /// Others read and write the same table: entries need no telling.
    common_table: bool,
    /// Moves of nodes that others search, and how many do.
    busy: HashMap<u64, u32>,
    unsaid: Unsaid,
    heard: Vec<News>,
    /// The count of nodes at which to look at the news.
    next: u64,
}

impl<'a> Team<'a> {
    /// For the search of the position `root` as number `rank` of its group, which may tell so many bytes (0: any number).
    pub(crate) fn new(stop: &'a Stop, common_table: bool, (rank, bytes): (u16, u32), root: u64) -> Self {
        let exchange = stop.exchange();
        Self {
            exchange,
            rank,
            root,
            root_found: None,
            floor: i32::MAX,
            floor_of_entries: i32::MAX,
            common_table,
            busy: HashMap::new(),
            unsaid: Unsaid::new(bytes),
            heard: Vec::new(),
            next: if exchange.is_some() { 0 } else { u64::MAX },
        }
    }

    /// An iteration of this depth begins.
    pub(crate) fn deepen(&mut self, depth: i32) {
        if self.exchange.is_some() {
            self.floor = (depth - MOVES_BELOW).max(LEAST_WITH_MOVES);
            self.floor_of_entries = (depth - ENTRIES_BELOW).max(LEAST_OF_ENTRIES);
            self.unsaid.refresh();
        }
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.exchange.is_none()
    }

    /// Where this one begins among `count` moves: spread evenly over them, however many search.
    pub(crate) fn first_of(&self, count: usize) -> usize {
        ((f64::from(self.rank) * GOLDEN).fract() * count as f64) as usize
    }

    pub(crate) fn root_found(&self) -> Option<TtEntry> {
        self.root_found
    }

    /// The moves of nodes of this depth are worth a word.
    #[inline]
    pub(crate) fn cares(&self, depth: i32) -> bool {
        depth >= self.floor
    }

    /// Is the move being searched by somebody else?
    pub(crate) fn is_busy(&self, place: u64) -> bool {
        self.busy.contains_key(&place)
    }

    /// The search has found an entry of this depth, which was news to its own table.
    #[inline]
    pub(crate) fn found(&mut self, depth: i32, entry: News) {
        if depth >= self.floor_of_entries && (!self.common_table || entry.key == self.root) {
            self.unsaid.found(depth, entry);
        }
    }

    fn hear_of_root(&mut self, entry: TtEntry) {
        let worth = |entry: TtEntry| (entry.depth, entry.kind == Kind::Exact);
        if self.root_found.is_none_or(|known| worth(entry) >= worth(known)) {
            self.root_found = Some(entry);
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

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// As [`Self::play`]; the others are told that a move is being searched, if there is a place and a depth to name.
    pub(crate) fn play_openly<const PV: bool>(
        &mut self,
        node: &Node<G::Move>,
        c: &TriedMove<G::Move>,
        best: i32,
        told: Option<(u64, i32)>,
    ) -> i32 {
        if let Some((place, depth)) = told {
            self.team.unsaid.begin(depth, place);
        }
        let value = self.play::<PV>(node, c, best);
        if let Some((place, depth)) = told {
            self.team.unsaid.end(depth, place);
        }
        value
    }

    /// Says what is unsaid, and hears the others.
    #[cold]
    pub(crate) fn exchange_news(&mut self) {
        let team = &mut self.team;
        let Some(exchange) = team.exchange else { return };
        team.next = self.nodes + Unsaid::wait(self.nodes);
        let said = team.unsaid.say(self.nodes);
        if !said.is_empty() {
            exchange.tell(self.nodes, &said);
        }
        let mut heard = std::mem::take(&mut team.heard);
        exchange.hear(&mut heard);
        for news in heard.drain(..) {
            match news.word {
                BEGUN => *self.team.busy.entry(news.key).or_default() += 1,
                ENDED => self.team.note_end(news.key),
                _ => {
                    let entry = self.table.accept(news, self.generation);
                    if news.key == self.team.root
                        && let Some(entry) = entry
                    {
                        self.team.hear_of_root(entry);
                    }
                }
            }
        }
        self.team.heard = heard;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn first_moves_lie_apart_however_many_search() {
        let stop = Stop::new();
        let first = |rank| Team::new(&stop, false, (rank, 0), 0).first_of(30);
        for workers in [2u16, 5, 8, 13, 30] {
            let mut places: Vec<usize> = (0..workers).map(first).collect();
            places.sort_unstable();
            let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
            let least = 30 / usize::from(workers) / 2;
            assert!(gaps.min().unwrap() >= least, "{workers}: {places:?}");
        }
    }
}
