//! A search as a member of a team: which news it sends to the other members, and how it uses theirs.
//!
//! The members share only data about deep nodes, which are few and cost most: the table entries of these nodes, and the
//! moves that a member is searching at them. A move that another member is searching is tried last at its node, when
//! its value should have arrived (ABDADA: Weill, ICCA Journal 19-1, 1996, in the simplified form of Kerrigan). At nodes
//! where every move must be searched, each member begins with a different move, because messages are too slow to keep
//! two members from starting the same move at the same time. A member leaves a node or an iteration as soon as another
//! member has found the value of that node or iteration.

use crate::node::{Node, TriedMove};
use crate::outbox::{BEGUN, ENDED, Outbox};
use crate::state::SearchState;
use crate::table::{Kind, TtEntry};
use hasami_api::{Evaluator, Exchange, News, SearchGame, Stop};
use std::collections::HashMap;

/// Members announce the moves that they search at nodes whose depth is at least `LEAST_WITH_MOVES`, and at most this
/// many plies below the depth of the iteration.
const MOVES_BELOW: i32 = 6;
const LEAST_WITH_MOVES: i32 = 2;
/// Members send table entries even for nodes too shallow for announcements, because entries cost less and are useful
/// even if they arrive late.
const ENTRIES_BELOW: i32 = 8;
const LEAST_OF_ENTRIES: i32 = 1;
/// The inverse of the golden ratio, whose first multiples have evenly distributed fractional parts (Weyl).
const GOLDEN: f64 = 0.618_033_988_749_895;

/// A search's state as a member of a team, which costs a search without a team almost nothing.
pub(crate) struct Team<'a> {
    exchange: Option<&'a dyn Exchange>,
    /// The number of this member in its team, counted from 0.
    rank: u16,
    root: u64,
    /// The deepest entry for the root, preferably an exact one, that other members have sent since this search began.
    root_found: Option<TtEntry>,
    /// The smallest depth at which a node's moves are announced.
    floor: i32,
    /// The smallest depth of the table entries that are sent.
    floor_of_entries: i32,
    /// Whether all members use the same transposition table, so that they need not send each other entries.
    common_table: bool,
    /// The moves that other members are searching, with the number of members that search each move.
    busy: HashMap<u64, u32>,
    outbox: Outbox,
    received: Vec<News>,
    /// The node count at which the search next exchanges news.
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

    /// Begins the iteration of depth `depth`.
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

    /// Returns the index, out of `count`, of the move with which this member begins. Whatever the number of members,
    /// their indices are spread evenly.
    pub(crate) fn first_of(&self, count: usize) -> usize {
        ((f64::from(self.rank) * GOLDEN).fract() * count as f64) as usize
    }

    pub(crate) fn root_found(&self) -> Option<TtEntry> {
        self.root_found
    }

    /// Does this member announce the moves that it searches at nodes of depth `depth`?
    #[inline]
    pub(crate) fn shares_moves(&self, depth: i32) -> bool {
        depth >= self.floor
    }

    /// Is another member searching the move whose hash is `place`?
    pub(crate) fn is_busy(&self, place: u64) -> bool {
        self.busy.contains_key(&place)
    }

    /// Queues a table entry of depth `depth` that is new to the search's own table.
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
        // A member that joined late missed the announcement that the search of this move began.
        let Some(others) = self.busy.get_mut(&place) else { return };
        *others -= 1;
        if *others == 0 {
            self.busy.remove(&place);
        }
    }
}

/// Hash of a node's key and a move in packed form.
pub(crate) fn place(key: u64, packed: u16) -> u64 {
    key ^ (u64::from(packed) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// Calls [`Self::play`]. If `shared` contains the move's hash and its node's depth, announces the search of the
    /// move.
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

    /// Sends the queued news, and processes the news from the other members.
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
