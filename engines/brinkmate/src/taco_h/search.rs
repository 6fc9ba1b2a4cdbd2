//! The common part of both kinds of node: the game, the path, the count of nodes.

use super::interrupt::Interrupted;
use super::mates::Mates;
use super::order::Orders;
use super::table::{BrinkmateTable, KnownBrinkmate};
use hasami_api::{BrinkmateGame, Hand, Side, Stop};
use hasami_mate::{InnerMate, InnerMates};

/// Result of a search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchResult {
    /// Within so many plies, if the attacker is to move; with the attacker's last move, if the defender is.
    Brinkmate(u16),
    /// There is none.
    Refuted(NoBrinkmateReason),
    /// There is none within the depth searched.
    Unknown(NoBrinkmateReason),
}

/// The reason that there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NoBrinkmateReason {
    /// The smallest depth of the positions on the path that were not to be repeated; `usize::MAX` if there are none, or, for the moves
    /// before the root, 0.
    pub(super) rests_on: usize,
    /// An inner search was cut that might have found a threat.
    pub(super) cut: bool,
}

impl NoBrinkmateReason {
    pub(super) const FOR_GOOD: Self = Self { rests_on: usize::MAX, cut: false };
    pub(super) const BY_HISTORY: Self = Self { rests_on: 0, cut: false };

    pub(super) const fn repeats(depth: usize) -> Self {
        Self { rests_on: depth, cut: false }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self { rests_on: self.rests_on.min(other.rests_on), cut: self.cut || other.cut }
    }

    /// It holds at the node of this depth by whatever path, since it rests on nothing above.
    pub(super) const fn holds_everywhere(self, depth: usize) -> bool {
        self.rests_on >= depth
    }

    /// As those above the node see it: an attacker who must return to a position at or below it gains nothing.
    pub(super) const fn above(self, depth: usize) -> Self {
        if self.holds_everywhere(depth) { Self { rests_on: usize::MAX, ..self } } else { self }
    }
}

/// One search.
pub(super) struct TacoSearch<'a, G: BrinkmateGame> {
    pub(super) game: G,
    pub(super) attacker: Side,
    pub(super) mates: Mates<'a, G>,
    pub(super) table: BrinkmateTable<G::Move>,
    pub(super) orders: Orders<G::Move>,
    /// Boards and hands after the attacker's moves, from the root on: at depths 1, 3, ...
    path: Vec<(u64, Hand)>,
    stop: &'a Stop,
    /// Moves made outside of the inner searches, and the limit of both.
    made: u64,
    node_limit: u64,
}

impl<'a, G: BrinkmateGame> TacoSearch<'a, G> {
    /// With a table of so many bytes.
    pub(super) fn new(game: G, inner: InnerMates<'a, G>, bytes: usize, node_limit: u64, stop: &'a Stop) -> Self {
        Self {
            attacker: game.side(),
            game,
            mates: Mates::new(inner, bytes / 4),
            table: BrinkmateTable::with_bytes(bytes / 4 * 3),
            orders: Orders::default(),
            path: Vec::new(),
            stop,
            made: 0,
            node_limit,
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.made + self.mates.counts().nodes
    }

    /// Finding of `look` after a move, or after a pass.
    pub(super) fn after<T>(
        &mut self,
        m: Option<G::Move>,
        look: impl FnOnce(&mut Self) -> Result<T, Interrupted>,
    ) -> Result<T, Interrupted> {
        if self.nodes() >= self.node_limit || self.stop.is_stopped() {
            return Err(Interrupted);
        }
        self.made += 1;
        match m {
            Some(m) => self.game.make(m),
            None => self.game.pass(),
        }
        let found = look(self);
        self.game.unmake();
        found
    }

    /// The attacker, who is to move, mates by checks, as far as the inner search sees.
    pub(super) fn is_mate(&mut self) -> Result<bool, Interrupted> {
        Ok(self.ask()? == InnerMate::Yes)
    }

    pub(super) fn ask(&mut self) -> Result<InnerMate, Interrupted> {
        let left = self.node_limit.saturating_sub(self.nodes());
        self.mates.ask(&mut self.game, left, self.stop)
    }

    /// Under which board and hand of the attacker the table knows the current position.
    pub(super) fn place(&self) -> (u64, Hand) {
        (self.game.board_key(), self.game.hand(self.attacker))
    }

    /// The table's answer for a node with so many plies left, if it suffices.
    pub(super) fn known(&self, board: u64, hand: Hand, left: u16) -> Option<SearchResult> {
        match self.table.get(board, hand) {
            KnownBrinkmate::Brinkmate(plies, _) => Some(SearchResult::Brinkmate(plies)),
            KnownBrinkmate::Refuted { cut } => {
                Some(SearchResult::Refuted(NoBrinkmateReason { cut, ..NoBrinkmateReason::FOR_GOOD }))
            }
            KnownBrinkmate::Unknown(plies) => {
                (plies >= left).then_some(SearchResult::Unknown(NoBrinkmateReason::FOR_GOOD))
            }
        }
    }

    /// Finding of `look` after the attacker's move that was just made, unless a position on the path comes again by it, or
    /// one with the same board and less in the attacker's hand (Hashimoto et al. 2001, section 4): that is a failure of
    /// this move only, and the defender may return to whatever there was.
    pub(super) fn on_path(
        &mut self,
        look: impl FnOnce(&mut Self) -> Result<SearchResult, Interrupted>,
    ) -> Result<SearchResult, Interrupted> {
        let (board, hand) = self.place();
        if let Some(at) = self.path.iter().position(|&(key, before)| key == board && before.covers(hand)) {
            return Ok(SearchResult::Refuted(NoBrinkmateReason::repeats(2 * at + 1)));
        }
        self.path.push((board, hand));
        let found = look(self);
        self.path.pop();
        found
    }
}
