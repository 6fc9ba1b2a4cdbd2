//! The fourth phase: the loop over the moves, with what it leaves out and what it looks at less deeply.

use crate::history::Row;
use crate::params::*;
use crate::picker::{Picker, is_noisy};
use crate::probe::is_loss;
use crate::search::{LoopResult, SearchNode};
use crate::state::SearchState;
use crate::team::place;
use hasami_api::{Evaluator, MoveFacts, SearchGame};
use std::ops::ControlFlow::{self, Break, Continue};

/// One move of the loop.
#[derive(Clone, Copy)]
pub(crate) struct TriedMove<M> {
    pub(crate) mv: M,
    pub(crate) facts: MoveFacts,
    pub(crate) noisy: bool,
    /// 1 for the first.
    pub(crate) number: usize,
    /// History value, within a few times `HISTORY_LIMIT`.
    pub(crate) history: i32,
    pub(crate) extension: i32,
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// Tries the moves in order until one cuts off. Breaks with a value if singularity or another of the team settles the
    /// node.
    pub(crate) fn try_moves<const PV: bool>(
        &mut self,
        node: &mut SearchNode<G::Move>,
    ) -> ControlFlow<i32, LoopResult<G::Move>> {
        let mut picker = self.pick_all(node.hit.mv, node.in_check);
        let tried = self.memory.tried.len();
        let mut result = self.run_moves::<PV>(node, &mut picker);
        if let Continue(found) = result
            && found.count == 0
            && node.excluded.is_none()
        {
            result = Break(self.without_moves(node.ply));
        }
        self.memory.arena.truncate(picker.start());
        if let Continue(found) = result
            && found.best >= node.beta
            && !self.stopped
        {
            self.reward(node, found, tried);
        }
        self.memory.tried.truncate(tried);
        result
    }

    fn run_moves<const PV: bool>(
        &mut self,
        node: &mut SearchNode<G::Move>,
        picker: &mut Picker<G::Move>,
    ) -> ControlFlow<i32, LoopResult<G::Move>> {
        let rows = self.rows(node.ply);
        let mut found = LoopResult::nothing();
        let watched = node.excluded.is_none() && self.team.cares(node.depth);
        // All moves will have to be searched, in whatever order: each of the team begins somewhere else.
        let spreads = watched && !PV && !node.cut;
        let mut put_off = Vec::new();
        while let Some(m) = self.next_move(picker, node.ply) {
            if node.excluded == Some(m) {
                continue;
            }
            found.count += 1;
            let mut candidate = self.candidate(m, found.count, &rows);
            if !is_loss(found.best) && self.skip(node, &candidate, picker) {
                continue;
            }
            if G::pack(m) == node.hit.mv {
                candidate.extension = self.singularity::<PV>(node, m)?;
            }
            if found.count > 1 && (spreads || (watched && self.is_busy(node, m))) {
                put_off.push(candidate);
            } else if !self.try_move::<PV>(node, &mut found, &candidate, watched)? {
                return Continue(found);
            }
        }
        if spreads {
            let first = self.team.first_of(put_off.len());
            put_off.rotate_left(first);
        }
        let mut again = Vec::new();
        for candidate in put_off {
            if spreads && self.is_busy(node, candidate.mv) {
                again.push(candidate);
            } else if !self.try_move::<PV>(node, &mut found, &candidate, watched)? {
                return Continue(found);
            }
        }
        for candidate in again {
            if !self.try_move::<PV>(node, &mut found, &candidate, watched)? {
                break;
            }
        }
        Continue(found)
    }

    /// Another of the team searches this move.
    fn is_busy(&self, node: &SearchNode<G::Move>, m: G::Move) -> bool {
        self.team.is_busy(place(node.key, G::pack(m)))
    }

    /// One move of the loop; false: the node is done with. Breaks with a value if another of the team has found that.
    #[inline]
    fn try_move<const PV: bool>(
        &mut self,
        node: &mut SearchNode<G::Move>,
        found: &mut LoopResult<G::Move>,
        c: &TriedMove<G::Move>,
        watched: bool,
    ) -> ControlFlow<i32, bool> {
        let told = (watched && c.number > 1).then(|| place(node.key, G::pack(c.mv)));
        let value = self.play_openly::<PV>(node, c, told);
        if self.stopped {
            return Continue(false);
        }
        self.note(node, found, c.mv, value, PV);
        if found.best >= node.beta {
            return Continue(false);
        }
        self.memory.tried.push((c.mv, c.facts));
        if watched && let Some(value) = self.overtaken::<PV>(node) {
            if PV {
                self.memory.pv[node.ply].clear();
            }
            return Break(value);
        }
        Continue(true)
    }

    #[inline]
    pub(crate) fn candidate(&self, mv: G::Move, number: usize, rows: &[Row; 4]) -> TriedMove<G::Move> {
        let facts = self.game.facts(mv);
        let noisy = is_noisy(facts);
        let history = &self.memory.history;
        let value = if noisy {
            history.capture(facts)
        } else {
            history.butterfly(self.game.side().index(), facts)
                + history.continuation(rows[0], facts)
                + history.continuation(rows[1], facts)
        };
        TriedMove { mv, facts, noisy, number, history: value, extension: 0 }
    }

    #[inline]
    fn note(
        &mut self,
        node: &mut SearchNode<G::Move>,
        found: &mut LoopResult<G::Move>,
        m: G::Move,
        value: i32,
        pv: bool,
    ) {
        if value <= found.best {
            return;
        }
        found.best = value;
        if value > node.alpha {
            found.mv = Some(m);
            node.alpha = value;
            if pv {
                self.extend_pv(node.ply, m);
            }
        }
    }

    /// Not worth trying: a late quiet move, one that cannot reach alpha, one with a bad record, one that loses material.
    /// Some move was tried already and does not lose by force.
    fn skip(&mut self, node: &SearchNode<G::Move>, c: &TriedMove<G::Move>, picker: &mut Picker<G::Move>) -> bool {
        if c.number == 1 || !self.game.null_move_is_safe() {
            return false;
        }
        let depth = node.depth;
        let reduced = (depth - self.memory.reductions.get(c.noisy, depth, c.number) / 1024).max(0);
        if c.noisy {
            let futile = reduced <= futile_noisy_depth::<G>()
                && !node.in_check
                && node.eval
                    + margin::<G>(futile_noisy_base::<G>() + futile_noisy_per_ply::<G>() * reduced)
                    + G::victim_value(c.facts.victim)
                    + c.history / futile_noisy_history::<G>()
                    <= node.alpha;
            let threshold = margin::<G>(-see_noisy_per_ply::<G>() * depth) - c.history / see_noisy_history::<G>();
            return depth <= late_moves_depth::<G>()
                && picker.is_late()
                && (futile || !self.game.see_at_least(c.mv, threshold))
                && !self.game.gives_check(c.mv);
        }
        if c.number >= late_move_count::<G>(depth, node.improving) {
            picker.skip_quiets();
        }
        let reduced = (reduced + c.history / (HISTORY_LIMIT / 2)).max(0);
        if depth <= history_pruning_depth::<G>() && c.history < -history_pruning_per_ply::<G>() * depth {
            return !self.game.gives_check(c.mv);
        }
        let hope = node.eval + margin::<G>(futile_quiet_base::<G>() + futile_quiet_per_ply::<G>() * reduced);
        if !node.in_check && reduced <= futile_quiet_depth::<G>() && hope <= node.alpha {
            picker.skip_quiets();
            return !self.game.gives_check(c.mv);
        }
        if depth > late_moves_depth::<G>() {
            return false;
        }
        !self.game.see_at_least(c.mv, margin::<G>(-see_quiet_per_ply_squared::<G>() * reduced * reduced))
    }

    /// Makes the move, searches it as deeply as it deserves, takes it back; the value for the side that moved.
    pub(crate) fn play<const PV: bool>(&mut self, node: &SearchNode<G::Move>, c: &TriedMove<G::Move>) -> i32 {
        if self.must_stop() {
            return 0;
        }
        let (alpha, ply) = (node.alpha, node.ply);
        let depth = node.depth - 1 + c.extension;
        self.frame_mut(ply + 1).doubles = self.frame(ply).doubles + u8::from(c.extension >= 2);
        self.make(c.mv, c.facts, ply);
        let mut value = alpha + 1;
        if node.depth >= 2 && c.number > 1 + usize::from(ply == 0) {
            let reduced = depth - self.reduction::<PV>(node, c).clamp(0, (depth - 1).max(0));
            value = -self.search::<false>(reduced, -(alpha + 1), -alpha, ply + 1, true);
            if value > alpha && reduced < depth && !self.stopped {
                value = -self.search::<false>(depth, -(alpha + 1), -alpha, ply + 1, !node.cut);
            }
        } else if !PV || c.number > 1 {
            value = -self.search::<false>(depth, -(alpha + 1), -alpha, ply + 1, !node.cut);
        }
        if PV && (c.number == 1 || value > alpha) && !self.stopped {
            value = -self.search::<true>(depth, -node.beta, -alpha, ply + 1, false);
        }
        self.unmake();
        value
    }

    /// How many plies less a late move gets. The move was just made.
    fn reduction<const PV: bool>(&self, node: &SearchNode<G::Move>, c: &TriedMove<G::Move>) -> i32 {
        let mut r = self.memory.reductions.get(c.noisy, node.depth, c.number);
        r += if node.cut { lmr_cut::<G>() } else { 0 };
        r += if node.improving { 0 } else { lmr_not_improving::<G>() };
        r -= if PV { lmr_pv::<G>() } else { 0 };
        r -= if node.was_pv { lmr_was_pv::<G>() } else { 0 };
        r -= if self.game.in_check() { lmr_check::<G>() } else { 0 };
        r += if i32::from(self.frame(node.ply + 1).cutoffs) > lmr_many_cutoffs::<G>() { lmr_cutoffs::<G>() } else { 0 };
        let killer = !c.noisy && self.frame(node.ply).killers.contains(&G::pack(c.mv));
        r -= if killer { lmr_killer::<G>() } else { 0 };
        r -= c.history * 1024 / if c.noisy { lmr_noisy_history::<G>() } else { lmr_quiet_history::<G>() };
        r / 1024
    }
}

/// From this number on quiet moves are left out.
fn late_move_count<G: SearchGame>(depth: i32, improving: bool) -> usize {
    let all = late_moves_base::<G>() + depth * depth;
    (if improving { all } else { all / 2 }) as usize
}
