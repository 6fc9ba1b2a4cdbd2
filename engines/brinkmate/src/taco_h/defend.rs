//! The search of nodes where the defender moves: the function `defence` in the appendix of Hashimoto et al. 2001.

use super::interrupt::Interrupted;
use super::search::{NoBrinkmateReason, SearchResult, TacoSearch};
use super::table::{KeptMoves, KnownBrinkmate};
use hasami_api::{BrinkmateGame, Verdict};

impl<G: BrinkmateGame> TacoSearch<'_, G> {
    /// Searches the position at `depth`, with `left` plies left including the attacker's last move.
    pub(super) fn defend(&mut self, left: u16, depth: usize, extensions: u8) -> Result<SearchResult, Interrupted> {
        let (board, hand) = self.place();
        if let Some(found) = self.known(board, hand, left) {
            return Ok(found);
        }
        let before = self.table.kept(board, hand).and_then(|kept| kept.moves.first().copied());
        let moves = self.orders.defences(&self.game);
        if moves.is_empty() {
            let is_lost = self.game.verdict_without_moves() == Verdict::Loss;
            return Ok(if is_lost {
                SearchResult::Brinkmate(1)
            } else {
                SearchResult::Refuted(NoBrinkmateReason::FOR_GOOD)
            });
        }
        // The position is a draw by the rules, or the defender may declare a win.
        if self.game.verdict() != Verdict::Open {
            return Ok(SearchResult::Refuted(NoBrinkmateReason::BY_HISTORY));
        }
        // The defence that last succeeded in the position comes first. Failed defences are examined again rather than
        // remembered: there may be hundreds, mostly drops, and the tables still contain the mate after each of them.
        let others = moves.iter().copied().filter(|&m| Some(m) != before);
        let mut plies = 1;
        for m in before.into_iter().chain(others) {
            match self.try_defence(m, left, depth, extensions)? {
                None => {}
                Some(SearchResult::Brinkmate(after)) => plies = plies.max(after.saturating_add(2)),
                Some(found) => return Ok(self.keep_defence(m, found, left, depth)),
            }
        }
        self.table.put(board, hand, Some(KnownBrinkmate::Brinkmate(plies, None)), None);
        Ok(SearchResult::Brinkmate(plies))
    }

    /// Returns the result of the search after a defence, or `None` if the attacker mates after it.
    fn try_defence(
        &mut self,
        m: G::Move,
        left: u16,
        depth: usize,
        extensions: u8,
    ) -> Result<Option<SearchResult>, Interrupted> {
        let gives = left == 1 && extensions > 0 && self.game.won(m).is_none();
        self.after(Some(m), |search| {
            if search.is_mate()? {
                return Ok(None);
            }
            let found = if left > 1 {
                search.attack(left - 2, depth + 1, extensions)?
            } else if gives && search.is_useless_sacrifice(m)? {
                search.attack(1, depth + 1, extensions - 1)?
            } else {
                SearchResult::Unknown(NoBrinkmateReason::FOR_GOOD)
            };
            Ok(Some(found))
        })
    }

    /// Stores that the defender's move `m` refutes the attack, either at any depth or only within the depth searched.
    fn keep_defence(&mut self, m: G::Move, found: SearchResult, left: u16, depth: usize) -> SearchResult {
        let (board, hand) = self.place();
        self.orders.note(false, m);
        let (known, why) = match found {
            SearchResult::Refuted(why) => (KnownBrinkmate::Refuted { cut: why.cut }, why),
            SearchResult::Unknown(why) => (KnownBrinkmate::Unknown(left), why),
            SearchResult::Brinkmate(_) => return found,
        };
        self.table.put(
            board,
            hand,
            why.holds_everywhere(depth).then_some(known),
            Some(KeptMoves { moves: [m].into(), cut: false }),
        );
        let why = why.above(depth);
        if matches!(found, SearchResult::Refuted(_)) { SearchResult::Refuted(why) } else { SearchResult::Unknown(why) }
    }
}
