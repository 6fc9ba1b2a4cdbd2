//! Where the values come from: for who measures what the workers' time was worth.

use super::core::Manager;
use crate::event::WorkerId;
use crate::tree::{NodeId, Source};
use hasami_api::{Game, MoveText};

impl<G: Game> Manager<G> {
    /// The nodes whose own values are those of the root and of each of its moves, as lines of the game.
    pub(super) fn take_sources(&self) -> Vec<Vec<MoveText>> {
        let root = self.tree.searched(self.tree.root());
        let children = self.tree.node(root).children.iter().copied();
        std::iter::once(root).chain(children).map(|id| self.line_to(self.tree.source_of(id)).moves).collect()
    }

    /// What the worker finds is what its node is worth.
    pub(super) fn has_prevailed(&self, worker: WorkerId) -> bool {
        let node = self.crew.get(worker).and_then(|member| member.job()).and_then(|job| job.work.node());
        node.is_some_and(|node| self.owns_value(node))
    }

    fn owns_value(&self, node: NodeId) -> bool {
        self.tree.get(node).and_then(|node| node.value).is_some_and(|value| value.source == Source::Own)
    }
}
