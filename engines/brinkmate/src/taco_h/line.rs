//! Extracts the main line, which is the brinkmate found against the longest defences.

use super::search::TacoSearch;
use super::table::KnownBrinkmate;
use hasami_api::{BrinkmateGame, Moves};

impl<G: BrinkmateGame> TacoSearch<'_, G> {
    /// Returns the main line from the root, where the attacker has a brinkmate of `plies` plies. The main line ends
    /// early where the table has forgotten a position.
    pub(super) fn main_line(&mut self, plies: u16) -> Vec<G::Move> {
        let mut line = Vec::new();
        while line.len() < usize::from(plies) {
            let Some(m) = self.attack_known() else { break };
            self.game.make(m);
            line.push(m);
            if line.len() >= usize::from(plies) {
                break;
            }
            let Some(m) = self.longest_defence() else { break };
            self.game.make(m);
            line.push(m);
        }
        line.iter().for_each(|_| self.game.unmake());
        // A main line always ends with a move of the attacker.
        line.truncate(if line.len().is_multiple_of(2) { line.len().saturating_sub(1) } else { line.len() });
        line
    }

    fn attack_known(&self) -> Option<G::Move> {
        let (board, hand) = self.place();
        let KnownBrinkmate::Brinkmate(_, best) = self.table.get(board, hand) else { return None };
        let mut moves = Moves::new();
        self.game.legal_moves(&mut moves);
        best.filter(|best| moves.contains(best))
    }

    /// Finds the defence after which the brinkmate lasts longest, among the defences that are not answered by mate.
    fn longest_defence(&mut self) -> Option<G::Move> {
        let mut moves = Moves::new();
        self.game.legal_moves(&mut moves);
        let mut longest: Option<(u16, G::Move)> = None;
        for &m in moves.iter() {
            self.game.make(m);
            let (board, hand) = self.place();
            if !self.mates.is_known(&self.game)
                && let KnownBrinkmate::Brinkmate(plies, _) = self.table.get(board, hand)
                && longest.is_none_or(|(most, _)| plies > most)
            {
                longest = Some((plies, m));
            }
            self.game.unmake();
        }
        longest.map(|(_, m)| m)
    }
}
