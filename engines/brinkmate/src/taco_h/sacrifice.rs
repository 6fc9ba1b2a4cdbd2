//! Useless sacrifices (無駄捨て), which extend the search by two plies; Hashimoto et al. (2001) do not define them.
//!
//! In this implementation, a useless sacrifice is a move of the defender that captures nothing and puts a piece on a
//! square where the attacker can capture it without being recaptured. Capturing the sacrificed piece restores the
//! position, except that the defender has lost the piece to the attacker's hand. A useless sacrifice usually leaves the
//! threat in place and only delays the end of the line by two plies, beyond the search depth.

use super::interrupt::Interrupted;
use super::search::TacoSearch;
use hasami_api::{BrinkmateGame, Moves};

impl<G: BrinkmateGame> TacoSearch<'_, G> {
    /// Returns whether the defender's last move `given`, which captures nothing, is a useless sacrifice.
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
