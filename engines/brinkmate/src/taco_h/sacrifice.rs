//! Useless sacrifices (無駄捨て), after which the search goes two plies deeper. The paper mentions them without a
//! definition.
//!
//! In this implementation, a useless sacrifice is a move of the defender that captures nothing and puts a piece where
//! the attacker can capture it without being recaptured. The position is then as before, except for one more piece in
//! the attacker's hand and one piece fewer on the defender's side. The threat therefore usually remains, and the
//! sacrifice has only delayed the end by two plies, beyond the search depth.

use super::interrupt::Interrupted;
use super::search::TacoSearch;
use hasami_api::{BrinkmateGame, Moves};

impl<G: BrinkmateGame> TacoSearch<'_, G> {
    /// Is the move that the defender has just made, which captures nothing, a useless sacrifice?
    pub(super) fn is_useless_sacrifice(&mut self, given: G::Move) -> Result<bool, Interrupted> {
        let mut moves = Moves::new();
        self.game.legal_moves(&mut moves);
        for &m in moves.iter().filter(|&&m| G::is_on_one_square(given, m)) {
            let for_nothing = self.after(Some(m), |search| {
                let mut answers = Moves::new();
                search.game.legal_moves(&mut answers);
                Ok(!answers.iter().any(|&answer| G::is_on_one_square(m, answer)))
            })?;
            if for_nothing {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
