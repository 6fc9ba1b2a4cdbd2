//! Move ordering, which Hashimoto et al. (2001) do not specify. In this implementation, moves that have won or refuted
//! elsewhere come first, then moves that are cheap to examine or likely to succeed.

use hasami_api::{BrinkmateGame, Moves};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Counts of how often each move has won for the attacker, and how often each move has refuted an attack.
pub(super) struct Orders<M> {
    good: [HashMap<M, u32>; 2],
}

impl<M> Default for Orders<M> {
    fn default() -> Self {
        Self { good: [HashMap::new(), HashMap::new()] }
    }
}

impl<M: Copy + Eq + std::hash::Hash> Orders<M> {
    pub(super) fn note(&mut self, attacks: bool, m: M) {
        *self.good[usize::from(attacks)].entry(m).or_default() += 1;
    }

    fn good(&self, attacks: bool, m: M) -> u32 {
        self.good[usize::from(attacks)].get(&m).copied().unwrap_or(0)
    }

    /// Returns all moves of the attacker, with checks first, because they need no test for a threat, and moves far from
    /// the king last, because they seldom threaten mate.
    pub(super) fn attacks<G: BrinkmateGame<Move = M>>(&self, game: &G) -> Vec<M> {
        let (mut moves, mut checks) = (Moves::new(), Moves::new());
        game.legal_moves(&mut moves);
        game.checking_moves(&mut checks);
        let mut moves = moves.to_vec();
        moves.sort_by_cached_key(|&m| {
            (Reverse(self.good(true, m)), !checks.contains(&m), game.is_far(m, game.side().other()))
        });
        moves
    }

    /// Returns all moves of the defender, with captures first and the numerous drops last.
    pub(super) fn defences<G: BrinkmateGame<Move = M>>(&self, game: &G) -> Vec<M> {
        let mut moves = Moves::new();
        game.legal_moves(&mut moves);
        let mut moves = moves.to_vec();
        let rank = |m| (game.won(m).is_none(), game.dropped(m).is_some());
        moves.sort_by_cached_key(|&m| (Reverse(self.good(false, m)), rank(m)));
        moves
    }
}
