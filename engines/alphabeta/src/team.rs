//! The search as a member of a team: what it sends to the others, and how it uses what they send.
//!
//! Only deep nodes are shared, since they cost most and are few: their table entries, and which of their moves are being
//! searched. A move that another member searches is deferred to the end of its node, by when its value should have arrived
//! (ABDADA: Weill, ICCA Journal 19-1, 1996, in the simplified form of Kerrigan). At nodes where every move must be searched,
//! each member begins with another move, because messages are too slow to keep members apart that do the same thing at the
//! same time. A node, or a whole iteration, that another member has finished is left at once with its value. So the team
//! spreads over the tree by itself, without a master that splits it.

use crate::node::{Node, TriedMove};
use crate::outbox::{BEGUN, ENDED, Outbox};
use crate::state::SearchState;
use crate::table::{Kind, TtEntry};
use hasami_api::{Evaluator, Exchange, News, SearchGame, Stop};
use std::collections::HashMap;

/// Nodes at most this many plies less deep than the iteration share which of their moves are being searched, if they are at
/// least `LEAST_WITH_MOVES` deep.
const MOVES_BELOW: i32 = 6;
const LEAST_WITH_MOVES: i32 = 2;
/// The same two limits for table entries, which cost less and are useful however late they arrive.
const ENTRIES_BELOW: i32 = 8;
const LEAST_OF_ENTRIES: i32 = 1;
/// The inverse of the golden ratio: the fractional parts of its multiples are evenly distributed for any number of them
/// (Weyl).
const GOLDEN: f64 = 0.618_033_988_749_895;

/// A search's part in its team. A search that is alone pays a few comparisons for it.
pub(crate) struct Team<'a> {
    exchange: Option<&'a dyn Exchange>,
    /// The number of this member within its team, from 0.
    rank: u16,
    root: u64,
    /// The deepest entry of the root that others have sent since this search began; exact values go before bounds.
    root_found: Option<TtEntry>,
    /// The smallest depth of nodes that share which of their moves are being searched.
    floor: i32,
    /// The smallest depth of the entries that are shared.
    floor_of_entries: i32,
    /// All members use the same table, so entries need not be sent.
    common_table: bool,
    /// The moves that others are searching, and how many of them.
    busy: HashMap<u64, u32>,
    outbox: Outbox,
    received: Vec<News>,
    /// The count of nodes at which to look at the news.
    next: u64,
}

impl<'a> Team<'a> {
    /// Creates member `rank` of a team that searches the position `root`. It may send `bytes` bytes in all (0: no
    /// limit).
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
            outbox: Outbox::new(bytes),
            received: Vec::new(),
            next: if exchange.is_some() { 0 } else { u64::MAX },
        }
    }

    /// An iteration of this depth begins.
    pub(crate) fn deepen(&mut self, depth: i32) {
        if self.exchange.is_some() {
            self.floor = (depth - MOVES_BELOW).max(LEAST_WITH_MOVES);
            self.floor_of_entries = (depth - ENTRIES_BELOW).max(LEAST_OF_ENTRIES);
            self.outbox.refresh();
        }
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.exchange.is_none()
    }

    /// The index of the move, of `count`, with which this member begins. Members are spread evenly, however many there are.
    pub(crate) fn first_of(&self, count: usize) -> usize {
        ((f64::from(self.rank) * GOLDEN).fract() * count as f64) as usize
    }

    pub(crate) fn root_found(&self) -> Option<TtEntry> {
        self.root_found
    }

    /// Do nodes of this depth share which of their moves are being searched?
    #[inline]
    pub(crate) fn shares_moves(&self, depth: i32) -> bool {
        depth >= self.floor
    }

    /// Is another member searching this move?
    pub(crate) fn is_busy(&self, place: u64) -> bool {
        self.busy.contains_key(&place)
    }

    /// The search has stored an entry of this depth that says more than its own table did.
    #[inline]
    pub(crate) fn found(&mut self, depth: i32, entry: News) {
        if depth >= self.floor_of_entries && (!self.common_table || entry.key == self.root) {
            self.outbox.found(depth, entry);
        }
    }

    fn note_root(&mut self, entry: TtEntry) {
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
        // A member that joined late has not received the beginning.
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
    /// Like [`Self::play`]. If `shared` has a move and the depth of its node, announces to the other members that the
    /// move is being searched.
    pub(crate) fn play_shared<const PV: bool>(
        &mut self,
        node: &Node<G::Move>,
        c: &TriedMove<G::Move>,
        best: i32,
        shared: Option<(u64, i32)>,
    ) -> i32 {
        if let Some((place, depth)) = shared {
            self.team.outbox.begin(depth, place);
        }
        let value = self.play::<PV>(node, c, best);
        if let Some((place, depth)) = shared {
            self.team.outbox.end(depth, place);
        }
        value
    }

    /// Sends what is in the queue, and takes in what the others have sent.
    #[cold]
    pub(crate) fn exchange_news(&mut self) {
        let team = &mut self.team;
        let Some(exchange) = team.exchange else { return };
        team.next = self.nodes + Outbox::wait(self.nodes);
        let sent = team.outbox.take(self.nodes);
        if !sent.is_empty() {
            exchange.tell(self.nodes, &sent);
        }
        let mut received = std::mem::take(&mut team.received);
        exchange.hear(&mut received);
        for news in received.drain(..) {
            match news.word {
                BEGUN => *self.team.busy.entry(news.key).or_default() += 1,
                ENDED => self.team.note_end(news.key),
                _ => {
                    let entry = self.table.accept(news, self.generation);
                    if news.key == self.team.root
                        && let Some(entry) = entry
                    {
                        self.team.note_root(entry);
                    }
                }
            }
        }
        self.team.received = received;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_first_moves_of_members_are_spread_evenly() {
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
