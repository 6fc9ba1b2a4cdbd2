//! Quiescence search, which tries only captures until the position is quiet, but all evasions if the king is in check.

use crate::node::Node;
use crate::params::*;
use crate::state::SearchState;
use crate::table::{Kind, NO_EVAL, TtEntry, UNSEARCHED};
use crate::value::{is_decisive, is_loss, mated_at, refine, to_table};
use hasami_api::{Evaluator, MoveFacts, SearchGame};

/// The state of a quiescence node while its moves are tried.
struct Leaf {
    ply: usize,
    alpha: i32,
    beta: i32,
    best: i32,
    best_move: u16,
    in_check: bool,
    /// Static evaluation plus the futility margin, without the value of the captured piece.
    hope: i32,
    moves: i32,
    /// Target square of the move that led to the node.
    last: Option<u8>,
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    pub(crate) fn quiesce<const PV: bool>(&mut self, alpha: i32, beta: i32, ply: usize) -> i32 {
        if PV {
            self.memory.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if let Some(value) = self.ended(ply) {
            return value;
        }
        if ply >= MAX_PLY - 1 {
            return self.static_value(ply);
        }
        let key = self.game.key();
        let hit = self.lookup(key, ply);
        if !PV && hit.depth > UNSEARCHED && hit.kind.decides(hit.score, beta) && self.table_is_safe() {
            return hit.score;
        }
        let in_check = self.game.in_check();
        let node = Node { in_check, ..Node::new(0, (alpha, beta), ply, key, hit) };
        let last = self.earlier(ply, 1).mv.map(|(_, facts)| facts.to);
        let mut leaf =
            Leaf { ply, alpha, beta, best: -INFINITE, best_move: 0, in_check, hope: -INFINITE, moves: 0, last };
        let mut raw = NO_EVAL;
        self.frame_mut(ply).in_check = in_check;
        if !in_check {
            if let Some(value) = self.mate_in_one(&node, 0) {
                return value;
            }
            raw = if hit.eval == NO_EVAL { self.evaluator.evaluate(&self.game) } else { hit.eval };
            let eval = self.correct(raw, self.correction(ply));
            self.frame_mut(ply).eval = eval;
            leaf.best = if is_decisive(hit.score) { eval } else { refine(eval, hit) };
            if leaf.best >= beta {
                if !is_decisive(leaf.best) {
                    leaf.best = i32::midpoint(leaf.best, beta);
                }
                if !node.is_known() {
                    let score = to_table(leaf.best, ply);
                    let (kind, depth) = (Kind::Lower, UNSEARCHED);
                    self.store(key, TtEntry { score, eval: raw, depth, kind, ..TtEntry::EMPTY });
                }
                return leaf.best;
            }
            leaf.alpha = alpha.max(leaf.best);
            leaf.hope = eval + self.margin(quiescence_margin::<G>());
        }
        self.try_captures::<PV>(&mut leaf, hit.mv);
        if self.stopped {
            return 0;
        }
        if in_check && leaf.moves == 0 {
            return self.without_moves(ply).max(mated_at(ply));
        }
        if !is_decisive(leaf.best) && leaf.best > beta {
            leaf.best = i32::midpoint(leaf.best, beta);
        }
        let kind = if leaf.best >= beta { Kind::Lower } else { Kind::Upper };
        let (score, mv) = (to_table(leaf.best, ply), leaf.best_move);
        self.store(key, TtEntry { mv, score, eval: raw, depth: 0, kind, pv: hit.pv, ..TtEntry::EMPTY });
        leaf.best
    }

    fn try_captures<const PV: bool>(&mut self, leaf: &mut Leaf, table_move: u16) {
        let ply = leaf.ply;
        let table_move = (table_move, self.unpack(table_move));
        let mut picker =
            if leaf.in_check { self.pick_all(table_move, true, 0, ply) } else { self.pick_captures(table_move, ply) };
        while let Some(m) = self.next_move(&mut picker) {
            leaf.moves += 1;
            self.prefetch_after(m);
            let facts = self.game.facts(m);
            if !is_loss(leaf.best) && self.is_futile(leaf, m, facts) {
                continue;
            }
            if self.must_stop() {
                break;
            }
            self.make(m, facts, ply);
            let value = -self.quiesce::<PV>(-leaf.beta, -leaf.alpha, ply + 1);
            self.unmake();
            if self.stopped || self.note_capture::<PV>(leaf, m, value) {
                break;
            }
        }
        self.memory.arena.truncate(picker.start());
    }

    /// Records the value of a move, and returns true if it causes a cut-off.
    fn note_capture<const PV: bool>(&mut self, leaf: &mut Leaf, m: G::Move, value: i32) -> bool {
        if value > leaf.best {
            leaf.best = value;
            if value > leaf.alpha {
                leaf.alpha = value;
                leaf.best_move = G::pack(m);
                if PV {
                    self.extend_pv(leaf.ply, m);
                }
            }
        }
        leaf.best >= leaf.beta
    }

    /// Can the move be pruned? The caller has already tried a move that does not lose by force. A move is pruned if it
    /// comes late, cannot reach alpha, is a quiet evasion, or loses material.
    fn is_futile(&mut self, leaf: &mut Leaf, m: G::Move, facts: MoveFacts) -> bool {
        let is_promotion = facts.promotes && facts.victim == 0;
        if leaf.last != Some(facts.to) && !is_promotion && !is_loss(leaf.hope) && !self.game.gives_check(m) {
            if leaf.moves > quiescence_moves::<G>() {
                return true;
            }
            let reach = leaf.hope + self.margin(victim_units::<G>(facts.victim));
            if reach <= leaf.alpha {
                leaf.best = leaf.best.max(reach);
                return true;
            }
            if !self.game.see_at_least(m, self.exchange_of_value(leaf.alpha - leaf.hope)) {
                leaf.best = leaf.best.max(leaf.alpha.min(leaf.hope));
                return true;
            }
        }
        !G::is_noisy(facts) || !self.game.see_at_least(m, exchange::<G>(-quiescence_loss::<G>()))
    }
}
