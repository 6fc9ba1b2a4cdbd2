//! The outgoing queue of a search: entries for its group that are not sent yet, and which of them it drops where it may
//! send only so much.

use hasami_api::News;

/// Words about a move; those about entries are never so small.
pub(crate) const BEGUN: u64 = 1;
pub(crate) const ENDED: u64 = 2;

/// Entries that are withdrawn before they were told.
const NOTHING: u64 = 0;
/// Nodes between two looks at the news, at most; a budget counts in them.
const PERIOD: u64 = 256;
/// At least.
const SHORTEST: u64 = 16;
/// In between, news wait for such a part of the nodes searched so far: what matters is how old they are beside the search,
/// so ten thousand nodes a second are served as well as a million.
const PART: u64 = 256;
/// A budget lasts for so many doublings of the nodes of one period, in equal parts: the last iterations, which are worth
/// most, take most of the nodes.
const DOUBLINGS: u64 = 12;
/// Entries that wait for their turn.
const WAITING: usize = 32;

#[derive(Clone, Copy)]
struct Item {
    news: News,
    /// Depth of its node.
    depth: i32,
}

/// The other workers' knowledge of a move that is being searched.
#[derive(Clone, Copy)]
enum Begun {
    Unsaid {
        place: usize,
    },
    Said,
    /// And they never will.
    Withheld,
}

/// See the module.
pub(crate) struct Unsaid {
    items: Vec<Item>,
    /// Moves being searched, outermost first.
    begun: Vec<Begun>,
    /// So many news may be told in all.
    most: u64,
    told: u64,
}

impl Unsaid {
    /// `bytes`: what may be told in all; 0: everything.
    pub(crate) fn new(bytes: u32) -> Self {
        let most = if bytes == 0 { u64::MAX } else { u64::from(bytes) / size_of::<News>() as u64 };
        Self { items: Vec::new(), begun: Vec::new(), most, told: 0 }
    }

    pub(crate) fn found(&mut self, depth: i32, news: News) {
        self.items.push(Item { news, depth });
    }

    pub(crate) fn begin(&mut self, depth: i32, key: u64) {
        self.begun.push(Begun::Unsaid { place: self.items.len() });
        self.items.push(Item { news: News { key, word: BEGUN }, depth });
    }

    /// Ends the move that was begun last: nobody needs to hear of both at once.
    pub(crate) fn end(&mut self, depth: i32, key: u64) {
        match self.begun.pop() {
            Some(Begun::Unsaid { place }) => self.items[place].news.word = NOTHING,
            Some(Begun::Said) => self.items.push(Item { news: News { key, word: ENDED }, depth }),
            Some(Begun::Withheld) | None => {}
        }
    }

    /// Another iteration begins: what was held back of the last one is stale.
    pub(crate) fn refresh(&mut self) {
        if self.most < u64::MAX {
            let is_fresh = |item: &Item| item.news.word <= ENDED;
            self.items.iter_mut().filter(|item| !is_fresh(item)).for_each(|item| item.news.word = NOTHING);
        }
    }

    /// The entries to tell after so many nodes: all, or the deepest of them.
    pub(crate) fn say(&mut self, nodes: u64) -> Vec<News> {
        if self.most == u64::MAX {
            self.begun.iter_mut().for_each(|begun| *begun = Begun::Said);
            return self.items.drain(..).map(|item| item.news).filter(|news| news.word != NOTHING).collect();
        }
        let chosen = self.choose(self.allowance(nodes).saturating_sub(self.told));
        for begun in &mut self.begun {
            if let Begun::Unsaid { place } = *begun {
                *begun = if chosen[place] { Begun::Said } else { Begun::Withheld };
            }
        }
        let said = self.items.iter().zip(&chosen).filter(|&(_, &chosen)| chosen).map(|(item, _)| item.news).collect();
        let mut chosen = chosen.into_iter();
        self.items.retain(|item| !chosen.next().unwrap_or(true) && item.news.word > ENDED);
        self.items.sort_by_key(|item| std::cmp::Reverse(item.depth));
        self.items.truncate(WAITING);
        said
    }

    /// Which items fit: the deepest first, and the newest of these. Who says that a move is begun will have to say that it
    /// is ended.
    fn choose(&mut self, mut left: u64) -> Vec<bool> {
        let mut chosen = vec![false; self.items.len()];
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse((self.items[place].depth, place)));
        for place in order {
            let cost = match self.items[place].news.word {
                NOTHING => continue,
                BEGUN => 2,
                ENDED => 0,
                _ => 1,
            };
            if cost <= left {
                left -= cost;
                self.told += cost;
                chosen[place] = true;
            }
        }
        chosen
    }

    /// So many nodes may go by until the next look, after so many.
    pub(crate) fn wait(nodes: u64) -> u64 {
        (nodes / PART).clamp(SHORTEST, PERIOD)
    }

    /// How much may be told in the first so many nodes: grows with their logarithm.
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
    fn a_move_that_is_over_before_it_was_told_is_not_told() {
        let mut unsaid = Unsaid::new(0);
        unsaid.begin(5, 1);
        unsaid.begin(4, 2);
        unsaid.found(4, News { key: 3, word: ENTRY });
        unsaid.end(4, 2);
        assert_eq!(keys(&unsaid.say(0)), [(1, BEGUN), (3, ENTRY)]);
        unsaid.begin(4, 4);
        unsaid.end(4, 4);
        unsaid.end(5, 1);
        assert_eq!(keys(&unsaid.say(9)), [(1, ENDED)]);
        assert!(unsaid.say(10).is_empty());
    }

    #[test]
    fn news_wait_in_proportion_to_the_search() {
        assert_eq!([0, 5_000, 10_000, 50_000, 65_536, 1 << 40].map(Unsaid::wait), [16, 19, 39, 195, 256, 256]);
    }

    #[test]
    fn a_budget_grows_with_the_logarithm_of_the_nodes_and_no_further() {
        let unsaid = Unsaid::new(12 * 16 * 10);
        let allowed = |periods: u64| unsaid.allowance((periods - 1) * PERIOD);
        assert_eq!([1, 2, 3, 4, 8, 1 << 11, 1 << 12, 1 << 40].map(allowed), [0, 10, 15, 20, 30, 110, 120, 120]);
    }

    #[test]
    fn where_not_all_may_be_told_the_deepest_goes_first() {
        let mut unsaid = Unsaid::new(12 * 16 * 2);
        (1..=6).for_each(|key| unsaid.found(key, News { key: key as u64, word: ENTRY }));
        assert_eq!(keys(&unsaid.say(0)), []);
        assert_eq!(keys(&unsaid.say(PERIOD)), [(6, ENTRY), (5, ENTRY)]);
        unsaid.found(1, News { key: 7, word: ENTRY });
        assert_eq!(keys(&unsaid.say(3 * PERIOD)), [(4, ENTRY), (3, ENTRY)], "what had to wait");
        unsaid.refresh();
        unsaid.found(1, News { key: 8, word: ENTRY });
        assert_eq!(keys(&unsaid.say(7 * PERIOD)), [(8, ENTRY)], "of this iteration");
    }

    #[test]
    fn who_says_that_a_move_is_begun_can_say_that_it_is_ended() {
        let mut unsaid = Unsaid::new(12 * 16 * 3);
        unsaid.begin(5, 1);
        unsaid.begin(4, 2);
        assert_eq!(keys(&unsaid.say(PERIOD)), [(1, BEGUN)], "two would need four");
        unsaid.found(9, News { key: 3, word: ENTRY });
        unsaid.end(4, 2);
        unsaid.end(5, 1);
        assert_eq!(keys(&unsaid.say(PERIOD)), [(3, ENTRY), (1, ENDED)]);
        assert!(unsaid.told <= unsaid.allowance(PERIOD));
    }
}
