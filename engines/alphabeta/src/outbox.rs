//! The queue of news that a search sends to its team. If the number of bytes is limited, the queue drops some news.

use hasami_api::News;

/// The words of the announcements that the search of a move begins or ends. A word that encodes a table entry is always
/// larger than `BEGUN` and `ENDED`.
pub(crate) const BEGUN: u64 = 1;
pub(crate) const ENDED: u64 = 2;

/// Replaces the word of an item that was withdrawn before it was sent.
const WITHDRAWN: u64 = 0;
/// The most nodes between two exchanges of news, and the length of a budget period in nodes.
const PERIOD: u64 = 256;
/// The fewest nodes between two exchanges of news.
const SHORTEST: u64 = 16;
/// The interval between two exchanges is the node count divided by this number, within `SHORTEST..=PERIOD`. An interval
/// proportional to the node count suits slow and fast machines alike, because news goes stale relative to the age of
/// the search.
const PART: u64 = 256;
/// The budget is spread evenly over this many doublings of the first period, because entries from later iterations are
/// worth more, and later iterations take most of the nodes.
const DOUBLINGS: u64 = 12;
/// The most entries that wait for a later exchange when the budget does not cover all entries.
const WAITING: usize = 32;

#[derive(Clone, Copy)]
struct Item {
    news: News,
    /// Depth of the node to which the queued item refers.
    depth: i32,
}

/// Whether the announcement that a move is being searched is queued, sent or dropped.
#[derive(Clone, Copy)]
enum Begun {
    /// The announcement has not been sent yet; its word is at this index in the queue.
    Queued {
        place: usize,
    },
    Sent,
    /// The announcement will not be sent, because the budget did not suffice.
    Dropped,
}

pub(crate) struct Outbox {
    items: Vec<Item>,
    /// One announcement for each move that is being searched, the outermost move first.
    begun: Vec<Begun>,
    /// Number of items that may be sent during the whole search.
    most: u64,
    sent: u64,
}

impl Outbox {
    /// Creates an empty queue that sends at most `bytes` bytes in the whole search; 0 means no limit.
    pub(crate) fn new(bytes: u32) -> Self {
        let most = if bytes == 0 { u64::MAX } else { u64::from(bytes) / size_of::<News>() as u64 };
        Self { items: Vec::new(), begun: Vec::new(), most, sent: 0 }
    }

    pub(crate) fn found(&mut self, depth: i32, news: News) {
        self.items.push(Item { news, depth });
    }

    pub(crate) fn begin(&mut self, depth: i32, key: u64) {
        self.begun.push(Begun::Queued { place: self.items.len() });
        self.items.push(Item { news: News { key, word: BEGUN }, depth });
    }

    /// Records that the most recently begun search of a move has ended. If the announcement that the search began is
    /// still queued, neither this announcement nor the end is sent.
    pub(crate) fn end(&mut self, depth: i32, key: u64) {
        match self.begun.pop() {
            Some(Begun::Queued { place }) => self.items[place].news.word = WITHDRAWN,
            Some(Begun::Sent) => self.items.push(Item { news: News { key, word: ENDED }, depth }),
            Some(Begun::Dropped) | None => {}
        }
    }

    /// Begins another iteration, and drops the waiting entries of the previous iteration if the budget is limited.
    pub(crate) fn refresh(&mut self) {
        if self.most < u64::MAX {
            let is_fresh = |item: &Item| item.news.word <= ENDED;
            self.items.iter_mut().filter(|item| !is_fresh(item)).for_each(|item| item.news.word = WITHDRAWN);
        }
    }

    /// Takes from the queue the news to be sent after `nodes` nodes: everything, or the deepest entries within the
    /// budget.
    pub(crate) fn take(&mut self, nodes: u64) -> Vec<News> {
        if self.most == u64::MAX {
            self.begun.iter_mut().for_each(|begun| *begun = Begun::Sent);
            return self.items.drain(..).map(|item| item.news).filter(|news| news.word != WITHDRAWN).collect();
        }
        let chosen = self.choose(self.allowance(nodes).saturating_sub(self.sent));
        for begun in &mut self.begun {
            if let Begun::Queued { place } = *begun {
                *begun = if chosen[place] { Begun::Sent } else { Begun::Dropped };
            }
        }
        let taken = self.items.iter().zip(&chosen).filter(|&(_, &chosen)| chosen).map(|(item, _)| item.news).collect();
        let mut chosen = chosen.into_iter();
        self.items.retain(|item| !chosen.next().unwrap_or(true) && item.news.word > ENDED);
        self.items.sort_by_key(|item| std::cmp::Reverse(item.depth));
        self.items.truncate(WAITING);
        taken
    }

    /// Chooses the items that fit into a budget of `left` items: the deepest items first, and among items of equal
    /// depth the newest. The announcement that a search begins counts as two items, because its end must be sent too.
    fn choose(&mut self, mut left: u64) -> Vec<bool> {
        let mut chosen = vec![false; self.items.len()];
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse((self.items[place].depth, place)));
        for place in order {
            let cost = match self.items[place].news.word {
                WITHDRAWN => continue,
                BEGUN => 2,
                ENDED => 0,
                _ => 1,
            };
            if cost <= left {
                left -= cost;
                self.sent += cost;
                chosen[place] = true;
            }
        }
        chosen
    }

    /// Returns the number of nodes to the next exchange of news, if the last one took place after `nodes` nodes.
    pub(crate) fn wait(nodes: u64) -> u64 {
        (nodes / PART).clamp(SHORTEST, PERIOD)
    }

    /// Returns the number of items that may be sent within the first `nodes` nodes. The allowed number of items grows
    /// with the logarithm of `nodes`.
    fn allowance(&self, nodes: u64) -> u64 {
        let periods = nodes / PERIOD + 1;
        let doublings = u64::from(periods.ilog2());
        if doublings >= DOUBLINGS {
            return self.most;
        }
        let (whole, rest) = (1 << doublings, periods - (1 << doublings));
        self.most * (doublings * whole + rest) / (DOUBLINGS * whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: u64 = 99;

    fn keys(news: &[News]) -> Vec<(u64, u64)> {
        news.iter().map(|news| (news.key, news.word)).collect()
    }

    #[test]
    fn a_move_that_ended_before_its_beginning_was_sent_is_not_sent() {
        let mut outbox = Outbox::new(0);
        outbox.begin(5, 1);
        outbox.begin(4, 2);
        outbox.found(4, News { key: 3, word: ENTRY });
        outbox.end(4, 2);
        assert_eq!(keys(&outbox.take(0)), [(1, BEGUN), (3, ENTRY)]);
        outbox.begin(4, 4);
        outbox.end(4, 4);
        outbox.end(5, 1);
        assert_eq!(keys(&outbox.take(9)), [(1, ENDED)]);
        assert!(outbox.take(10).is_empty());
    }

    #[test]
    fn the_interval_of_exchanges_grows_with_the_search() {
        assert_eq!([0, 5_000, 10_000, 50_000, 65_536, 1 << 40].map(Outbox::wait), [16, 19, 39, 195, 256, 256]);
    }

    #[test]
    fn a_budget_grows_with_the_logarithm_of_the_nodes_and_no_further() {
        let outbox = Outbox::new(12 * 16 * 10);
        let allowed = |periods: u64| outbox.allowance((periods - 1) * PERIOD);
        assert_eq!([1, 2, 3, 4, 8, 1 << 11, 1 << 12, 1 << 40].map(allowed), [0, 10, 15, 20, 30, 110, 120, 120]);
    }

    #[test]
    fn a_budget_is_spent_on_the_deepest_entries_first() {
        let mut outbox = Outbox::new(12 * 16 * 2);
        (1..=6).for_each(|key| outbox.found(key, News { key: key as u64, word: ENTRY }));
        assert_eq!(keys(&outbox.take(0)), []);
        assert_eq!(keys(&outbox.take(PERIOD)), [(6, ENTRY), (5, ENTRY)]);
        outbox.found(1, News { key: 7, word: ENTRY });
        assert_eq!(keys(&outbox.take(3 * PERIOD)), [(4, ENTRY), (3, ENTRY)], "entries that had to wait");
        outbox.refresh();
        outbox.found(1, News { key: 8, word: ENTRY });
        assert_eq!(keys(&outbox.take(7 * PERIOD)), [(8, ENTRY)], "only the entry of this iteration");
    }

    #[test]
    fn the_beginning_of_a_move_is_sent_only_if_its_end_can_be_sent_too() {
        let mut outbox = Outbox::new(12 * 16 * 3);
        outbox.begin(5, 1);
        outbox.begin(4, 2);
        assert_eq!(keys(&outbox.take(PERIOD)), [(1, BEGUN)], "two beginnings and two ends would need four");
        outbox.found(9, News { key: 3, word: ENTRY });
        outbox.end(4, 2);
        outbox.end(5, 1);
        assert_eq!(keys(&outbox.take(PERIOD)), [(3, ENTRY), (1, ENDED)]);
        assert!(outbox.sent <= outbox.allowance(PERIOD));
    }
}
