//! Useless sacrifices (無駄捨て), behind which the search goes two plies further. The paper names them and says no more.
//!
//! Here one is a move of the defender that takes nothing and puts a piece where the attacker can take it without being taken
//! back. After that everything is as before but for a piece more in the attacker's hand and a piece less for the defender,
//! so that the threat most often still stands: the move has put off the end by two plies, beyond the depth of the search.

use super::interrupt::Interrupted;
use super::search::TacoSearch;
use hasami_api::{BrinkmateGame, Moves};

impl<G: BrinkmateGame> TacoSearch<'_, G> {
    /// The defender has just made this move, which takes nothing.
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
