//! The second phase of a node outside the principal variation: can it be settled without trying all moves.

use crate::params::*;
use crate::probe::{is_decisive, is_loss, to_table};
use crate::search::SearchNode;
use crate::state::SearchState;
use crate::table::{Kind, TtEntry};
use hasami_api::{Evaluator, SearchGame};

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// A value that settles the node. Not in check.
    pub(crate) fn prune(&mut self, node: &SearchNode<G::Move>) -> Option<i32> {
        if node.excluded.is_some() {
            return None;
        }
        self.razor(node)
            .or_else(|| Self::reverse_futility(node))
            .or_else(|| self.null_move(node))
            .or_else(|| self.probcut(node))
    }

    /// Hopelessly below alpha: only captures could help.
    fn razor(&mut self, node: &SearchNode<G::Move>) -> Option<i32> {
        let hopeless =
            node.alpha - margin::<G>(razor_base::<G>() + razor_per_depth_squared::<G>() * node.depth * node.depth);
        if node.depth > razor_depth::<G>() || node.refined >= hopeless || is_decisive(node.alpha) {
            return None;
        }
        let value = self.quiesce::<false>(node.alpha, node.alpha + 1, node.ply);
        (self.stopped || value <= node.alpha).then_some(value)
    }

    /// So far above beta that the depth left will not bring it down.
    fn reverse_futility(node: &SearchNode<G::Move>) -> Option<i32> {
        let steps = node.depth - i32::from(node.improving && !node.worsening);
        let discount = if node.cut && node.hit.mv == 0 { reverse_futility_cut_discount::<G>() } else { 0 };
        let slack = margin::<G>((reverse_futility_per_ply::<G>() - discount) * steps.max(0));
        let enough = node.depth <= reverse_futility_depth::<G>()
            && !node.was_pv
            && !is_decisive(node.beta)
            && !is_decisive(node.refined)
            && node.refined - slack >= node.beta;
        enough.then(|| node.beta + (node.refined - node.beta) / reverse_futility_return_divisor::<G>())
    }

    /// Even passing keeps it above beta (Goetsch and Campbell 1990); verified by a search without passes where depth
    /// makes zugzwang costly.
    fn null_move(&mut self, node: &SearchNode<G::Move>) -> Option<i32> {
        let SearchNode { depth, beta, ply, .. } = *node;
        let worth_it = node.cut
            && depth >= null_move_depth::<G>()
            && node.refined >= beta
            && node.eval >= beta + margin::<G>(null_move_base::<G>() - null_move_per_ply::<G>() * depth)
            && !is_loss(beta)
            && ply >= self.no_null_above
            && self.earlier(ply, 1).row != crate::history::History::<G>::NO_ROW
            && self.game.null_move_is_safe();
        if !worth_it || self.must_stop() {
            return None;
        }
        let by_value = (node.refined - beta) / margin::<G>(null_move_value_step::<G>());
        let reduction = null_move_reduction::<G>()
            + depth / null_move_depth_divisor::<G>()
            + by_value.min(null_move_value_limit::<G>());
        self.make_null(ply);
        let value = -self.search::<false>(depth - reduction, -beta, -beta + 1, ply + 1, false);
        self.unmake_null();
        if self.stopped {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        let value = if is_decisive(value) { beta } else { value };
        if self.no_null_above > 0 || depth < null_verification_depth::<G>() {
            return Some(value);
        }
        self.no_null_above = ply + 3 * (depth - reduction).max(1) as usize / 4;
        let verified = self.search::<false>(depth - reduction, beta - 1, beta, ply, false);
        self.no_null_above = 0;
        (self.stopped || verified >= beta).then_some(value)
    }

    /// A good capture that a shallow search puts far above beta would do so at full depth too (Buro 1995).
    fn probcut(&mut self, node: &SearchNode<G::Move>) -> Option<i32> {
        let target = node.beta
            + margin::<G>(if node.improving { probcut_improving_margin::<G>() } else { probcut_margin::<G>() });
        let refuted = node.hit.kind != Kind::None
            && node.hit.depth >= node.depth - (probcut_reduction::<G>() - 1)
            && node.hit.score < target;
        if node.depth < probcut_depth::<G>() || is_decisive(node.beta) || refuted {
            return None;
        }
        let mut picker = self.pick_noisy(node.hit.mv);
        let mut result = None;
        while let Some(m) = self.next_noisy(&mut picker) {
            if !self.game.see_at_least(m, target - node.eval) {
                continue;
            }
            let value = self.probe_capture(node, m, target);
            if self.stopped || value >= target {
                result = Some((m, value));
                break;
            }
        }
        self.memory.arena.truncate(picker.start());
        let (m, value) = result?;
        if self.stopped {
            return Some(0);
        }
        let score = to_table(value, node.ply);
        let depth = node.depth - (probcut_reduction::<G>() - 1);
        self.store(
            node.key,
            TtEntry { mv: G::pack(m), score, eval: node.raw, depth, kind: Kind::Lower, ..TtEntry::EMPTY },
        );
        Some(value)
    }

    fn probe_capture(&mut self, node: &SearchNode<G::Move>, m: G::Move, target: i32) -> i32 {
        if self.must_stop() {
            return 0;
        }
        let facts = self.game.facts(m);
        self.make(m, facts, node.ply);
        let mut value = -self.quiesce::<false>(-target, -target + 1, node.ply + 1);
        if value >= target && !self.stopped {
            value = -self.search::<false>(
                node.depth - probcut_reduction::<G>(),
                -target,
                -target + 1,
                node.ply + 1,
                !node.cut,
            );
        }
        self.unmake();
        value
    }
}
