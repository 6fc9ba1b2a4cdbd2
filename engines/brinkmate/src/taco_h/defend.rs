//! A node where the defender moves: the function `defence` of the appendix.

use super::interrupt::Interrupted;
use super::search::{Found, Search, Why};
use super::table::{Kept, Known};
use hasami_api::{BrinkmateGame, Verdict};

impl<G: BrinkmateGame> Search<'_, G> {
    /// The position at `depth`, after the attacker's move, which is counted in `left`.
    pub(super) fn defend(&mut self, left: u16, depth: usize, extensions: u8) -> Result<Found, Interrupted> {
        let (board, hand) = self.place();
        if let Some(found) = self.known(board, hand, left) {
            return Ok(found);
        }
        let before = self.table.kept(board, hand).and_then(|kept| kept.moves.first().copied());
        let moves = self.orders.defences(&self.game);
        if moves.is_empty() {
            let is_lost = self.game.verdict_without_moves() == Verdict::Loss;
            return Ok(if is_lost { Found::Brinkmate(1) } else { Found::Refuted(Why::FOR_GOOD) });
        }
        // Drawn by the rules, or the defender may declare a win.
        if self.game.verdict() != Verdict::Open {
            return Ok(Found::Refuted(Why::BY_HISTORY));
        }
        // The defence that helped last comes first. Those that failed before it are examined again rather than remembered:
        // most are drops, hundreds of them, and the tables still know what mates after each.
        let others = moves.iter().copied().filter(|&m| Some(m) != before);
        let mut plies = 1;
        for m in before.into_iter().chain(others) {
            match self.try_defence(m, left, depth, extensions)? {
                None => {}
                Some(Found::Brinkmate(after)) => plies = plies.max(after.saturating_add(2)),
                Some(found) => return Ok(self.keep_defence(m, found, left, depth)),
            }
        }
        self.table.put(board, hand, Some(Known::Brinkmate(plies, None)), None);
        Ok(Found::Brinkmate(plies))
    }

    /// Nothing if the attacker mates after it.
    fn try_defence(
        &mut self,
        m: G::Move,
        left: u16,
        depth: usize,
        extensions: u8,
    ) -> Result<Option<Found>, Interrupted> {
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
                Found::Unknown(Why::FOR_GOOD)
            };
            Ok(Some(found))
        })
    }

    /// This move of the defender helps, for so many plies or for good.
    fn keep_defence(&mut self, m: G::Move, found: Found, left: u16, depth: usize) -> Found {
        let (board, hand) = self.place();
        self.orders.note(false, m);
        let (known, why) = match found {
            Found::Refuted(why) => (Known::Refuted { cut: why.cut }, why),
            Found::Unknown(why) => (Known::Unknown(left), why),
            Found::Brinkmate(_) => return found,
        };
        self.table.put(
            board,
            hand,
            why.holds_everywhere(depth).then_some(known),
            Some(Kept { moves: [m].into(), cut: false }),
        );
        let why = why.above(depth);
        if matches!(found, Found::Refuted(_)) { Found::Refuted(why) } else { Found::Unknown(why) }
    }
}
