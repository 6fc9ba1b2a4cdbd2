//! Quiescence: captures and promotions until the position is quiet, all evasions in check.

use crate::params::{INFINITE, MAX_PLY, margin, quiescence_loss, quiescence_margin, quiescence_moves};
use crate::probe::{is_decisive, is_loss, mated_at, refine, to_table};
use crate::state::SearchState;
use crate::table::{Kind, NO_EVAL, TtEntry};
use hasami_api::{Evaluator, MoveFacts, SearchGame};

/// A quiescence node while its moves are tried.
struct QuiescenceNode {
    ply: usize,
    alpha: i32,
    beta: i32,
    best: i32,
    best_move: u16,
    in_check: bool,
    /// Static value plus what a capture is allowed to be short of, without the victim.
    hope: i32,
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
            return self.glance();
        }
        let key = self.game.key();
        let hit = self.lookup(key, ply);
        if !PV && hit.kind.decides(hit.score, beta) && self.table_is_safe() {
            return hit.score;
        }
        let in_check = self.game.in_check();
        let mut leaf = QuiescenceNode { ply, alpha, beta, best: -INFINITE, best_move: 0, in_check, hope: -INFINITE };
        let mut raw = NO_EVAL;
        if !in_check {
            raw = if hit.eval == NO_EVAL { self.evaluator.evaluate(&self.game) } else { hit.eval };
            leaf.best = refine(self.correct(raw), hit);
            leaf.hope = leaf.best + margin::<G>(quiescence_margin::<G>());
            leaf.alpha = alpha.max(leaf.best);
        }
        if leaf.alpha < beta {
            self.try_captures::<PV>(&mut leaf, hit.mv);
        }
        if self.stopped {
            return 0;
        }
        if in_check && leaf.best == -INFINITE {
            return mated_at(ply).max(self.without_moves(ply));
        }
        if leaf.best >= beta && !is_decisive(leaf.best) && !is_decisive(beta) {
            leaf.best = (leaf.best + beta) / 2;
        }
        let kind = if leaf.best >= beta { Kind::Lower } else { Kind::Upper };
        let (score, mv) = (to_table(leaf.best, ply), leaf.best_move);
        self.store(key, TtEntry { mv, score, eval: raw, depth: 0, kind, pv: PV || hit.pv, ..TtEntry::EMPTY });
        leaf.best
    }

    fn try_captures<const PV: bool>(&mut self, leaf: &mut QuiescenceNode, table_move: u16) {
        let mut picker = if leaf.in_check { self.pick_all(table_move, true) } else { self.pick_noisy(table_move) };
        let mut number = 0;
        while let Some(m) =
            if leaf.in_check { self.next_move(&mut picker, leaf.ply) } else { self.next_noisy(&mut picker) }
        {
            number += 1;
            let facts = self.game.facts(m);
            if !is_loss(leaf.best) {
                if leaf.in_check {
                    // One evasion that does not lose at once is enough; captures may still do better.
                    picker.skip_quiets();
                    if !crate::picker::is_noisy(facts) {
                        continue;
                    }
                } else if self.is_futile(leaf, m, facts, number) {
                    continue;
                }
            }
            if self.must_stop() {
                break;
            }
            self.make(m, facts, leaf.ply);
            let value = -self.quiesce::<PV>(-leaf.beta, -leaf.alpha, leaf.ply + 1);
            self.unmake();
            if self.stopped || self.note_capture::<PV>(leaf, m, value) {
                break;
            }
        }
        self.memory.arena.truncate(picker.start());
    }

    /// Takes note of a move's value; true if it cuts off.
    fn note_capture<const PV: bool>(&mut self, leaf: &mut QuiescenceNode, m: G::Move, value: i32) -> bool {
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

    /// The capture cannot reach alpha, comes late, or loses material.
    fn is_futile(&mut self, leaf: &mut QuiescenceNode, m: G::Move, facts: MoveFacts, number: i32) -> bool {
        if !facts.promotes && !is_loss(leaf.alpha) {
            let reach = leaf.hope + G::victim_value(facts.victim);
            if reach <= leaf.alpha && !self.game.gives_check(m) {
                leaf.best = leaf.best.max(reach);
                return true;
            }
            if number > quiescence_moves::<G>() && leaf.hope <= leaf.alpha && !self.game.see_at_least(m, 1) {
                leaf.best = leaf.best.max(leaf.hope);
                return true;
            }
        }
        !self.game.see_at_least(m, margin::<G>(-quiescence_loss::<G>()))
    }
}
