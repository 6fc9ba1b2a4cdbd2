//! Singular extensions: is the table's move better than all others together (Anantharaman, Campbell and Hsu 1988)?

use crate::params::*;
use crate::probe::is_decisive;
use crate::search::SearchNode;
use crate::state::SearchState;
use crate::table::Kind;
use hasami_api::{Evaluator, SearchGame};
use std::ops::ControlFlow::{self, Break, Continue};

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// Plies to extend the table's move by (negative: reduce), or a value that cuts the node off because several moves
    /// beat beta.
    pub(crate) fn singularity<const PV: bool>(
        &mut self,
        node: &SearchNode<G::Move>,
        m: G::Move,
    ) -> ControlFlow<i32, i32> {
        let SearchNode { depth, ply, beta, hit, .. } = *node;
        let doubtful = depth < singular_depth::<G>()
            || ply == 0
            || ply as i32 >= 2 * self.root_depth
            || node.excluded.is_some()
            || hit.depth < depth - singular_table_slack::<G>()
            || !matches!(hit.kind, Kind::Lower | Kind::Exact)
            || is_decisive(hit.score);
        if doubtful {
            return Continue(0);
        }
        let bar = hit.score
            - margin::<G>(
                depth * if node.was_pv && !PV { singular_pv_margin::<G>() } else { singular_margin::<G>() } / 2,
            );
        self.frame_mut(ply).excluded = Some(m);
        let value = self.search::<false>((depth - 1) / 2, bar - 1, bar, ply, node.cut);
        self.frame_mut(ply).excluded = None;
        if self.stopped {
            return Continue(0);
        }
        if value < bar {
            let may_double = i32::from(self.frame(ply).doubles) < singular_most_doubles::<G>();
            let by_far = !PV && value < bar - margin::<G>(singular_double_margin::<G>()) && may_double;
            return Continue(1 + i32::from(by_far));
        }
        if bar >= beta && !PV && !is_decisive(bar) {
            return Break(bar);
        }
        Continue(if hit.score >= beta {
            -2 + i32::from(PV)
        } else if node.cut {
            -2
        } else {
            0
        })
    }
}
