//! The last phase of a node: what is learned from it.

use crate::history::{FIRST_PLIES, History};
use crate::params::{bonus, eval_change_bonus, failed_reply_bonus, malus, table_cut_bonus};
use crate::picker::is_noisy;
use crate::probe::{is_decisive, side_index, to_table};
use crate::search::{LoopResult, SearchNode};
use crate::state::{Memory, SearchState};
use crate::table::{Kind, NO_EVAL, TtEntry};
use hasami_api::{Evaluator, SearchGame};

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// Histories after a cut-off: the move that did it was good, those before it were not.
    pub(crate) fn reward(&mut self, node: &SearchNode<G::Move>, found: LoopResult<G::Move>, tried: usize) {
        let Some(best) = found.mv else { return };
        let (ply, side) = (node.ply, self.game.side().index());
        let facts = self.game.facts(best);
        let rows = self.rows(ply);
        let (bonus, malus) = (bonus::<G>(node.depth), malus::<G>(node.depth));
        self.frame_mut(ply).cutoffs = self.frame(ply).cutoffs.saturating_add(1);
        let quiet = !is_noisy(facts);
        let pawns = self.game.feature_keys()[0];
        let memory = &mut *self.memory;
        let learn_quiet = |memory: &Memory<G>, facts, bonus| {
            memory.history.update_quiet(side, facts, &rows, bonus);
            memory.history.update_pawns(pawns, facts, bonus);
            if ply < FIRST_PLIES {
                memory.history.update_first_plies(ply, facts, bonus);
            }
        };
        if quiet {
            learn_quiet(memory, facts, bonus);
        } else {
            memory.history.update_capture(facts, bonus);
        }
        for &(_, other) in &memory.tried[tried..] {
            if is_noisy(other) {
                memory.history.update_capture(other, -malus);
            } else if quiet {
                learn_quiet(memory, other, -malus);
            }
        }
        if quiet {
            self.remember_refutation(ply, G::pack(best));
        }
    }

    /// The table's move settles the node once more.
    pub(crate) fn reward_table_move(&mut self, packed: u16, depth: i32, ply: usize) {
        if table_cut_bonus::<G>() == 0 || packed == 0 {
            return;
        }
        if let Some(m) = self.game.unpack(packed) {
            let facts = self.game.facts(m);
            if !is_noisy(facts) {
                let bonus = bonus::<G>(depth) * table_cut_bonus::<G>() / 128;
                self.memory.history.update_quiet(self.game.side().index(), facts, &self.rows(ply), bonus);
            }
        }
    }

    /// The quiet move before the node was good or bad by what the static value says on both sides of it.
    pub(crate) fn judge_last_move(&mut self, ply: usize, eval: i32) {
        let last = self.earlier(ply, 1);
        if eval_change_bonus::<G>() == 0 || last.eval == NO_EVAL {
            return;
        }
        if let Some(facts) = last.quiet {
            let gain = (-(last.eval + eval) * 100 / G::PAWN).clamp(-100, 75) + 28;
            let side = 1 - self.game.side().index();
            self.memory.history.update_butterfly(side, facts, gain * eval_change_bonus::<G>());
        }
    }

    /// No answer to the last move helped: it was a good one.
    fn reward_last_move(&mut self, node: &SearchNode<G::Move>) {
        if failed_reply_bonus::<G>() == 0 || node.ply == 0 {
            return;
        }
        if let Some(facts) = self.earlier(node.ply, 1).quiet {
            let bonus = bonus::<G>(node.depth) * failed_reply_bonus::<G>() / 128;
            let side = 1 - self.game.side().index();
            self.memory.history.update_quiet(side, facts, &self.rows(node.ply - 1), bonus);
        }
    }

    fn remember_refutation(&mut self, ply: usize, packed: u16) {
        let killers = &mut self.frame_mut(ply).killers;
        if killers[0] != packed {
            *killers = [packed, killers[0]];
        }
        let row = self.earlier(ply, 1).row;
        if row != History::<G>::NO_ROW {
            self.memory.history.set_counter(row, packed);
        }
    }

    /// Stores the node; `alpha` is what it began with.
    pub(crate) fn conclude(&mut self, node: &SearchNode<G::Move>, found: LoopResult<G::Move>, alpha: i32) -> i32 {
        if found.count == 0 {
            // Only the excluded move was legal.
            return alpha;
        }
        let kind = match found.best {
            best if best >= node.beta => Kind::Lower,
            best if best > alpha => Kind::Exact,
            _ => Kind::Upper,
        };
        if node.excluded.is_some() {
            return found.best;
        }
        if kind == Kind::Upper {
            self.reward_last_move(node);
        }
        self.learn_correction(node, found, kind);
        let entry = TtEntry {
            mv: found.mv.map_or(0, G::pack),
            score: to_table(found.best, node.ply),
            eval: node.raw,
            depth: node.depth,
            kind,
            pv: node.was_pv,
            ..TtEntry::EMPTY
        };
        self.store(node.key, entry);
        found.best
    }

    /// The static evaluation was wrong by so much, unless tactics explain it or the bound says nothing.
    fn learn_correction(&mut self, node: &SearchNode<G::Move>, found: LoopResult<G::Move>, kind: Kind) {
        let tactical = node.in_check
            || is_decisive(found.best)
            || found.mv.is_some_and(|m| is_noisy(self.game.facts(m)))
            || (kind == Kind::Lower && found.best <= node.eval)
            || (kind == Kind::Upper && found.best >= node.eval);
        if !tactical {
            let side = side_index(self.game.side());
            let error = found.best - node.eval;
            self.memory.history.update_correction(side, self.game.feature_keys(), error, node.depth);
        }
    }
}
