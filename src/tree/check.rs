//! Checks the invariants of the master tree, in the simulator and in debug builds.

use super::arena::NodeId;
use super::master::MasterTree;
use hasami_api::Game;
use std::collections::HashSet;

impl<G: Game> MasterTree<G> {
    /// Checks the tree. The error describes the first invariant that is violated.
    pub fn check(&self) -> Result<(), String> {
        let root = self.get(self.root).ok_or("the root does not stand")?;
        if root.parent.is_some() || root.twin.is_some() || root.step.is_some() {
            return Err("the root has a parent, a move or a twin".into());
        }
        let mut reached = HashSet::from([self.root]);
        let mut open = vec![self.root];
        while let Some(id) = open.pop() {
            self.check_node(id)?;
            for &child in &self.node(id).children {
                if !reached.insert(child) {
                    return Err(format!("{child:?} has two parents"));
                }
                open.push(child);
            }
        }
        if reached.len() != self.len() {
            return Err(format!("{} nodes stand, {} are reached from the root", self.len(), reached.len()));
        }
        self.check_seats()
    }

    fn check_node(&self, id: NodeId) -> Result<(), String> {
        let node = self.node(id);
        for &child in &node.children {
            let below = self.get(child).ok_or_else(|| format!("{id:?} has a child that does not stand"))?;
            if below.parent != Some(id) || below.ply != node.ply + 1 {
                return Err(format!("{child:?} does not know its parent {id:?} or its ply"));
            }
        }
        let moves: HashSet<_> = node.children.iter().filter_map(|&child| self.node(child).text()).collect();
        if moves.len() != node.children.len() || node.children.len() > usize::from(node.legal) {
            return Err(format!("{id:?} has a move twice, or more moves than are legal"));
        }
        if let Some(twin) = node.twin {
            let other = self.get(twin).ok_or_else(|| format!("the twin of {id:?} does not stand"))?;
            if (other.key, other.ply) != (node.key, node.ply) || other.twin.is_some() {
                return Err(format!("{id:?} and its twin {twin:?} are different positions"));
            }
            if !node.children.is_empty() || node.worker.is_some() {
                return Err(format!("{id:?} is searched although it has a twin"));
            }
        }
        if node.settled.is_end() && !(node.children.is_empty() && node.worker.is_none()) {
            return Err(format!("{id:?} is searched behind the end of the game"));
        }
        Ok(())
    }

    fn check_seats(&self) -> Result<(), String> {
        let mut workers = HashSet::new();
        for (id, node) in self.iter() {
            if let Some(assigned) = node.worker
                && !workers.insert(assigned.worker)
            {
                return Err(format!("worker {} is at {id:?} and elsewhere", assigned.worker));
            }
        }
        if workers.len() != self.occupied.len()
            || self.occupied.iter().any(|&id| self.get(id).is_none_or(|n| n.worker.is_none()))
        {
            return Err("the occupied nodes are not those where somebody sits".into());
        }
        let keys = self.by_key.values().all(|&id| self.get(id).is_some_and(|node| node.twin.is_none()));
        let aliases = self.aliases.iter().all(|(&twin, aliases)| {
            aliases.iter().all(|&alias| self.get(alias).is_some_and(|node| node.twin == Some(twin)))
        });
        if keys && aliases { Ok(()) } else { Err("the tables of positions name nodes that do not stand".into()) }
    }
}
