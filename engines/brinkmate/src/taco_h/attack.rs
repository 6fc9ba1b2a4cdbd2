//! The search of nodes where the attacker moves: the function `attack` in the appendix of Hashimoto et al. 2001.

use super::interrupt::Interrupted;
use super::search::{NoBrinkmateReason, SearchResult, TacoSearch};
use super::table::{KeptMoves, KnownBrinkmate};
use hasami_api::{BrinkmateGame, Verdict};
use hasami_mate::InnerMate;

/// The result of testing whether a move of the attacker is an attack.
enum AttackReason {
    CheckOrThreat,
    Neither,
    /// The inner search for a threat reached its limit.
    Open,
}

impl<G: BrinkmateGame> TacoSearch<'_, G> {
    /// Searches the position at `depth`, with `left` plies left including the attacker's next move. Each useless
    /// sacrifice extends the search by two plies, up to `extensions` times.
    pub(super) fn attack(&mut self, left: u16, depth: usize, extensions: u8) -> Result<SearchResult, Interrupted> {
        let (board, hand) = self.place();
        if let Some(found) = self.known(board, hand, left) {
            return Ok(found);
        }
        if matches!(self.game.verdict(), Verdict::Draw | Verdict::Loss) {
            return Ok(SearchResult::Refuted(NoBrinkmateReason::BY_HISTORY));
        }
        if let Some(kept) = self.table.kept(board, hand).cloned() {
            return self.try_attacks(&kept, left, depth, extensions);
        }
        let all = KeptMoves { moves: self.orders.attacks(&self.game).into(), cut: false };
        if left > 1
            && let Some(plies) = self.light(&all.moves, depth, extensions)?
        {
            return Ok(SearchResult::Brinkmate(plies));
        }
        self.try_attacks(&all, left, depth, extensions)
    }

    /// Runs the "light" search of Hashimoto et al. 2001 to depth 1; the paper does not define how it is simplified, and
    /// this implementation omits moves far from the king. The light search adds little to the cost of the full search,
    /// because its results stay in the tables.
    fn light(&mut self, moves: &[G::Move], depth: usize, extensions: u8) -> Result<Option<u16>, Interrupted> {
        let near: Vec<G::Move> =
            moves.iter().copied().filter(|&m| !self.game.is_far(m, self.game.side().other())).collect();
        for m in near {
            let found = self.after(Some(m), |search| search.follow(1, depth + 1, extensions))?;
            if let Some(SearchResult::Brinkmate(plies)) = found.0 {
                self.keep_brinkmate(m, plies);
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    fn try_attacks(
        &mut self,
        kept: &KeptMoves<G::Move>,
        left: u16,
        depth: usize,
        extensions: u8,
    ) -> Result<SearchResult, Interrupted> {
        let (board, hand) = self.place();
        let (mut list, mut all, mut is_unknown) =
            (Vec::new(), NoBrinkmateReason { cut: kept.cut, ..NoBrinkmateReason::FOR_GOOD }, false);
        // True if an inner search reached its limit on a move that is not kept for later visits to the position.
        let mut is_cut = kept.cut;
        for &m in &kept.moves {
            let (found, cut) = self.after(Some(m), |search| search.follow(left, depth + 1, extensions))?;
            (all.cut, is_cut) = (all.cut || cut, is_cut || cut);
            match found {
                Some(SearchResult::Brinkmate(plies)) => {
                    self.keep_brinkmate(m, plies);
                    return Ok(SearchResult::Brinkmate(plies));
                }
                Some(SearchResult::Unknown(why)) => {
                    (all, is_unknown) = (all.and(why), true);
                    list.push(m);
                }
                Some(SearchResult::Refuted(why)) => {
                    all = all.and(why);
                    // A refutation that depends on the current path need not hold on other paths.
                    if why.holds_everywhere(depth) {
                        is_cut |= why.cut;
                    } else {
                        list.push(m);
                    }
                }
                None => {}
            }
        }
        let why = all.above(depth);
        let everywhere = all.holds_everywhere(depth);
        let known = if is_unknown { KnownBrinkmate::Unknown(left) } else { KnownBrinkmate::Refuted { cut: all.cut } };
        self.table.put(board, hand, everywhere.then_some(known), Some(KeptMoves { moves: list.into(), cut: is_cut }));
        Ok(if is_unknown { SearchResult::Unknown(why) } else { SearchResult::Refuted(why) })
    }

    /// Returns the result of the attacker's last move, or `None` if the move neither gives check nor threatens mate.
    /// The second value is true if an inner search that might have found a threat reached its limit.
    fn follow(&mut self, left: u16, depth: usize, extensions: u8) -> Result<(Option<SearchResult>, bool), Interrupted> {
        match self.is_attack()? {
            AttackReason::Neither => Ok((None, false)),
            AttackReason::Open => Ok((None, true)),
            AttackReason::CheckOrThreat => {
                let found = self.on_path(|search| search.defend(left, depth, extensions))?;
                Ok((Some(found), false))
            }
        }
    }

    /// Returns whether the attacker's last move gives check or threatens a mate by checks.
    fn is_attack(&mut self) -> Result<AttackReason, Interrupted> {
        if self.game.in_check() {
            return Ok(AttackReason::CheckOrThreat);
        }
        Ok(match self.after(None, Self::ask)? {
            InnerMate::Yes => AttackReason::CheckOrThreat,
            InnerMate::No => AttackReason::Neither,
            InnerMate::Unknown => AttackReason::Open,
        })
    }

    fn keep_brinkmate(&mut self, m: G::Move, plies: u16) {
        let (board, hand) = self.place();
        self.orders.note(true, m);
        self.table.put(board, hand, Some(KnownBrinkmate::Brinkmate(plies, Some(m))), None);
    }
}
