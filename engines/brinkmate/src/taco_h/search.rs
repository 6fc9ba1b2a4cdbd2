//! The state and the functions that attacking and defending nodes share: the game, the path, and the node count.

use super::interrupt::Interrupted;
use super::mates::Mates;
use super::order::Orders;
use super::table::{BrinkmateTable, KnownBrinkmate};
use hasami_api::{BrinkmateGame, Hand, PositionKey, Side, Stop};
use hasami_mate::{InnerMate, InnerMates};

/// The result of searching a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchResult {
    /// A brinkmate of this length in plies. The length includes the attacker's last move if the defender is to move.
    Brinkmate(u16),
    /// The attacker has no brinkmate.
    Refuted(NoBrinkmateReason),
    /// The attacker has no brinkmate within the depth searched.
    Unknown(NoBrinkmateReason),
}

/// The conditions on which a result without a brinkmate depends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NoBrinkmateReason {
    /// The smallest depth of a position on the path whose repetition the result depends on; `usize::MAX` if the result
    /// depends on no repetition, 0 if it depends on the moves before the root.
    pub(super) rests_on: usize,
    /// Whether an inner search that might have found a threat reached its limit.
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

    /// Returns whether the result holds on every path to the node at `depth`, that is, depends on no position above
    /// this node.
    pub(super) const fn holds_everywhere(self, depth: usize) -> bool {
        self.rests_on >= depth
    }

    /// Returns the conditions that remain for the nodes above `depth`: repetitions at `depth` or below are dropped,
    /// because the attacker gains nothing by returning to such positions.
    pub(super) const fn above(self, depth: usize) -> Self {
        if self.holds_everywhere(depth) { Self { rests_on: usize::MAX, ..self } } else { self }
    }
}

/// The state of one TACO-H search.
pub(super) struct TacoSearch<'a, G: BrinkmateGame> {
    pub(super) game: G,
    pub(super) attacker: Side,
    pub(super) mates: Mates<'a, G>,
    pub(super) table: BrinkmateTable<G::Move>,
    pub(super) orders: Orders<G::Move>,
    /// Board key and attacker's hand after each move of the attacker, at depths 1, 3 and so on from the root.
    path: Vec<PositionKey>,
    stop: &'a Stop,
    /// Number of moves made outside the inner searches.
    made: u64,
    /// Limit on the total number of moves made, including those of the inner searches.
    node_limit: u64,
}

impl<'a, G: BrinkmateGame> TacoSearch<'a, G> {
    /// Creates a search whose tables take `bytes` bytes in total.
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

    /// Plays a move, or a pass for `None`, calls `look`, takes the move back, and returns the result of `look`.
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

    /// Returns whether the attacker, to move, mates by checks; returns false if the inner search reaches its limit.
    pub(super) fn is_mate(&mut self) -> Result<bool, Interrupted> {
        Ok(self.ask()? == InnerMate::Yes)
    }

    pub(super) fn ask(&mut self) -> Result<InnerMate, Interrupted> {
        let left = self.node_limit.saturating_sub(self.nodes());
        self.mates.ask(&mut self.game, left, self.stop)
    }

    /// Returns the board key and the attacker's hand, by which the current position is stored in the table.
    pub(super) fn place(&self) -> PositionKey {
        (self.game.board_key(), self.game.hand(self.attacker))
    }

    /// Returns the stored result for a node with `left` plies left, if the result covers that many plies.
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

    /// Returns the result of `look`, or a refutation if the attacker's last move fails by repetition. A move of the
    /// attacker fails if it repeats a position on the path, or leads to the same board with fewer pieces in the
    /// attacker's hand (Hashimoto et al. 2001, section 4). The defender may repeat any position.
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
