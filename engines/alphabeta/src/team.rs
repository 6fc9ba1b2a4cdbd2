//! The search as a member of a team: what it sends to the other members, and how it uses the news from them.
//!
//! Only deep nodes are shared, since they cost most and are few: their table entries, and which of their moves are
//! being searched. If another member is searching a move, the move is deferred to the end of its node, by when its
//! value should have arrived (ABDADA: Weill, ICCA Journal 19-1, 1996, in the simplified form of Kerrigan). At nodes
//! where every move must be searched, each member begins with a different move, because messages are too slow to keep
//! two members apart that do the same thing at the same time. A node, or a whole iteration, that another member has
//! finished is left at once with its value. In this way, the team spreads over the tree by itself, without a master
//! that divides the work.

use crate::node::{Node, TriedMove};
use crate::outbox::{BEGUN, ENDED, Outbox};
use crate::state::SearchState;
use crate::table::{Kind, TtEntry};
use hasami_api::{Evaluator, Exchange, News, SearchGame, Stop};
use std::collections::HashMap;

/// Nodes share which of their moves are being searched if their depth is at most this many plies less than that of the
/// iteration, and at least `LEAST_WITH_MOVES`.
const MOVES_BELOW: i32 = 6;
const LEAST_WITH_MOVES: i32 = 2;
/// The corresponding limits for sharing table entries, which cost less and are useful even if they arrive late.
const ENTRIES_BELOW: i32 = 8;
const LEAST_OF_ENTRIES: i32 = 1;
/// The inverse of the golden ratio. The fractional parts of its first multiples are evenly distributed, for any number
/// of multiples (Weyl).
const GOLDEN: f64 = 0.618_033_988_749_895;

/// The state of a search that concerns its team. A search without a team spends only a few comparisons on it.
pub(crate) struct Team<'a> {
    exchange: Option<&'a dyn Exchange>,
    /// The number of this member within its team, counted from 0.
    rank: u16,
    root: u64,
    /// The deepest entry for the root that other members have sent since this search began. Exact values take
    /// precedence over bounds.
    root_found: Option<TtEntry>,
    /// The smallest depth of nodes that share which of their moves are being searched.
    floor: i32,
    /// The smallest depth of the entries that are shared.
    floor_of_entries: i32,
    /// Whether all members use the same table, so that entries need not be sent.
    common_table: bool,
    /// The moves that other members are searching, with the number of members that search each move.
    busy: HashMap<u64, u32>,
    outbox: Outbox,
    received: Vec<News>,
    /// The node count at which to check for news.
    next: u64,
}

impl<'a> Team<'a> {
    /// Creates member `rank` of a team that searches the position `root`. The member may send `bytes` bytes in total
    /// (0: no limit).
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

    /// Notes that an iteration of this depth begins.
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

    /// The index of the move, out of `count`, with which this member begins. Members are spread evenly for any number
    /// of members.
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

    /// Notes that the search has stored an entry of this depth with more information than its table had.
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
        // A member that joined late has not received the announcement of the beginning.
        let Some(others) = self.busy.get_mut(&place) else { return };
        *others -= 1;
        if *others == 0 {
            self.busy.remove(&place);
        }
    }
}

/// Identifies a move of a node among all moves of all nodes.
pub(crate) fn place(key: u64, packed: u16) -> u64 {
    key ^ (u64::from(packed) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// Does the same as [`Self::play`]. If `shared` has a move and the depth of its node, also announces to the other
    /// members that the move is being searched.
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

    /// Sends the news in the queue, and handles the news that the others have sent.
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
