//! Gathers the workers below the best move when the search nears its end ([`crate::tree::rules::finale`]).

use super::core::{Manager, Phase};
use crate::event::Time;
use crate::tree::rules::finale;
use crate::tree::{Frontier, NodeId, Source};
use hasami_api::Game;
use std::time::Duration;

/// How often workers are counted in the finale, at most.
const PERIOD: Duration = Duration::from_millis(50);
/// With fewer players there is nobody to spare.
const CREW: usize = 3;

impl<G: Game> Manager<G> {
    /// A finale is worth its while in this search.
    pub(super) fn gathers(&self) -> bool {
        let is_free = matches!(&self.phase, Phase::Thinking(think) if think.exact.is_none() && !think.held);
        is_free && self.model.rules().finale > 0.0 && self.crew.players() >= CREW
    }

    /// Moves workers below the best move, if the time for that has come.
    pub(super) fn gather(&mut self, now: Time) {
        let Phase::Thinking(think) = &mut self.phase else { return };
        if think.held || think.finale_at.is_none_or(|at| at > now) {
            return;
        }
        // Counting costs time in proportion to the tree.
        think.finale_at = Some(now + PERIOD * (1 + self.tree.len() as u32 / 256));
        let Some(best) = self.best_node(now) else { return };
        let share = self.model.rules().finale;
        let seats = Frontier::seats(&self.tree, self.model.as_ref()).into_iter().map(|(_, id)| id);
        let (inside, outside): (Vec<_>, Vec<_>) = seats.partition(|&id| self.tree.is_below(best, id));
        let seated = inside.len() + outside.len();
        self.tree.gather_below(best, finale::elsewhere(inside.len(), seated, share));
        self.frontier.rebuild(&self.tree, self.model.as_ref());
        for node in outside.into_iter().take(finale::movers(inside.len(), seated, share)) {
            self.free_seat(now, node);
        }
    }

    /// The node of the best move, if there is something left to search below it.
    fn best_node(&mut self, now: Time) -> Option<NodeId> {
        let root = self.tree.searched(self.focus());
        if self.tree.node(root).value?.source == Source::Own {
            self.grow(now, root);
        }
        let Source::Child(best) = self.tree.node(root).value?.source else { return None };
        let best = self.tree.searched(best);
        (!self.tree.is_dead(best)).then_some(best)
    }
}
