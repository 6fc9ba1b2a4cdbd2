//! The node: its phases in order.

use crate::params::{INFINITE, internal_reduction_depth};
use crate::state::SearchState;
use crate::table::{NO_EVAL, TtEntry};
use hasami_api::{Evaluator, SearchGame, Visit};
use std::ops::ControlFlow::{Break, Continue};

/// State that the phases of a node hand to one another.
#[derive(Clone, Copy)]
pub(crate) struct SearchNode<M> {
    pub(crate) depth: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) ply: usize,
    /// Expected to fail high.
    pub(crate) cut: bool,
    pub(crate) key: u64,
    /// The table's entry, score relative to the root.
    pub(crate) hit: TtEntry,
    pub(crate) excluded: Option<M>,
    pub(crate) in_check: bool,
    /// Is or was on a principal variation.
    pub(crate) was_pv: bool,
    /// Static evaluation as the evaluator gave it, or `NO_EVAL`.
    pub(crate) raw: i32,
    /// The same with corrections.
    pub(crate) eval: i32,
    /// The same, or the table's score where that is better.
    pub(crate) refined: i32,
    pub(crate) improving: bool,
    pub(crate) worsening: bool,
}

impl<M> SearchNode<M> {
    pub(crate) const fn new(
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        cut: bool,
        key: u64,
        hit: TtEntry,
        excluded: Option<M>,
    ) -> Self {
        Self {
            depth,
            alpha,
            beta,
            ply,
            cut,
            key,
            hit,
            excluded,
            in_check: false,
            was_pv: false,
            raw: NO_EVAL,
            eval: NO_EVAL,
            refined: NO_EVAL,
            improving: false,
            worsening: false,
        }
    }
}

/// Result of the loop over the moves.
#[derive(Clone, Copy)]
pub(crate) struct LoopResult<M> {
    pub(crate) best: i32,
    /// The move that raised alpha, if any.
    pub(crate) mv: Option<M>,
    pub(crate) count: usize,
}

impl<M> LoopResult<M> {
    pub(crate) const fn nothing() -> Self {
        Self { best: -INFINITE, mv: None, count: 0 }
    }
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// Value of the position for the side to move, exact between `alpha` and `beta`, a bound outside (fail-soft).
    ///
    /// Principal variation search (Marsland and Campbell 1982). Meaningless once `stopped`.
    pub(crate) fn search<const PV: bool>(&mut self, depth: i32, alpha: i32, beta: i32, ply: usize, cut: bool) -> i32 {
        if PV {
            self.memory.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if depth <= 0 {
            return self.quiesce::<PV>(alpha, beta, ply);
        }
        let node = match self.enter::<PV>(depth, (alpha, beta), ply, cut) {
            Continue(node) => node,
            Break(value) => return value,
        };
        if self.stop.watch().is_some() {
            return self.visit_watched::<PV>(node);
        }
        self.visit::<PV>(node)
    }

    /// A node that nothing has settled before its first move.
    #[inline(always)]
    fn visit<const PV: bool>(&mut self, mut node: SearchNode<G::Move>) -> i32 {
        if !PV
            && !node.in_check
            && let Some(value) = self.prune(&node)
        {
            return value;
        }
        // Internal iterative reduction (Schroeder): without a table move the order is poor, so look less deep.
        if node.depth >= internal_reduction_depth::<G>()
            && (PV || node.cut)
            && node.hit.mv == 0
            && node.excluded.is_none()
        {
            node.depth -= 1;
        }
        let alpha = node.alpha;
        let found = match self.try_moves::<PV>(&mut node) {
            Continue(found) => found,
            Break(value) => return value,
        };
        if self.stopped { 0 } else { self.conclude(&node, found, alpha) }
    }

    /// The same while somebody looks on.
    #[cold]
    #[inline(never)]
    fn visit_watched<const PV: bool>(&mut self, node: SearchNode<G::Move>) -> i32 {
        // Without one of its moves it is another position.
        let watch = self.stop.watch().filter(|_| node.excluded.is_none());
        let (key, depth, alpha, beta) = (node.key, node.depth, node.alpha, node.beta);
        if let Some(watch) = watch {
            watch.enter(self.nodes, Visit { key, depth, alpha, beta });
        }
        let value = self.visit::<PV>(node);
        if let Some(watch) = watch {
            watch.leave(self.nodes, (!self.stopped).then_some(value));
        }
        value
    }
}
