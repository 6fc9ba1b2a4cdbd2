//! Takes snapshots of the tree with its workers, for pictures and messages.

use super::{Assignment, Request};
use hasami_api::{Bound, Game, MoveText, Report};
use hasami_tree::event::{Time, WorkerId};
use hasami_tree::{NodeId, NodeView, Progress, Snapshot};
use std::collections::{BTreeSet, HashMap};

impl<G: Game> Assignment<G> {
    /// The line of a report, continued with moves from other known lines.
    pub fn line_of_report(&mut self, request: &Request, report: &Report) -> Vec<MoveText> {
        self.tree.lengthened(request.focus, &report.pv, report.score, report.depth)
    }

    /// How many workers search below each root move, how many search the root itself, and how many are idle.
    pub fn census(&self) -> String {
        let mut parts = Vec::new();
        let root = self.tree.root();
        let mut assigned = 0;
        for &child in &self.tree.node(root).children {
            let count = self.seats_below(child);
            assigned += count;
            if let Some(text) = self.tree.node(child).text().filter(|_| count > 0) {
                parts.push(format!("{text} {count}"));
            }
        }
        let at_root = usize::from(self.tree.node(root).worker.is_some());
        parts.push(format!("root {at_root}"));
        let joined = self.roster.joined.len();
        if joined > 0 {
            parts.push(format!("joined {joined}"));
        }
        parts.push(format!("free {}", self.roster.players().saturating_sub(assigned + at_root + joined)));
        format!("workers: {}", parts.join(", "))
    }

    fn seats_below(&self, id: NodeId) -> usize {
        let node = self.tree.node(id);
        usize::from(node.worker.is_some()) + node.children.iter().map(|&child| self.seats_below(child)).sum::<usize>()
    }

    pub fn snapshot(&self, now: Time) -> Snapshot {
        let mut nodes: Vec<NodeView> = Vec::with_capacity(self.tree.len());
        let mut joined = self.joined_by_node();
        let mut open = vec![(self.tree.root(), None, Vec::new(), 1.0)];
        while let Some((id, parent, path, probability)) = open.pop() {
            let node = self.tree.node(id);
            let index = nodes.len();
            let shares = self.tree.shares(&self.model, id);
            for (&child, share) in node.children.iter().zip(shares).rev() {
                let mut path = path.clone();
                path.extend(self.tree.node(child).text());
                open.push((child, Some(index), path, probability * share));
            }
            let own = node.finding();
            nodes.push(NodeView {
                parent,
                path,
                value: node.value.map(|value| value.score),
                bound: node.value.map_or(Bound::Exact, |value| value.bound),
                own_value: own.map(|own| own.score),
                own_bound: own.map_or(Bound::Exact, |own| own.bound),
                depth: node.value.map_or(0, |value| value.depth),
                nodes: own.filter(|own| !own.inherited).map_or(0, |own| own.nodes),
                probability,
                worker: node
                    .worker
                    .map(|assigned| (self.name_of(WorkerId(assigned.worker)), now.saturating_sub(assigned.since))),
                joined: joined.remove(&id).unwrap_or_default(),
                solved: node.settled.is_settled(),
                pv: own.map(|own| own.pv.to_vec()).unwrap_or_default(),
            });
        }
        let free = self.free_players().map(|worker| self.name_of(worker)).collect();
        let (busy, root) = (self.progress(), self.root_line.clone());
        Snapshot { game: G::NAME, mate_unit: G::MATE_UNIT, root, nodes, free, busy, ..Snapshot::default() }
    }

    fn progress(&self) -> Vec<Progress> {
        let at_nodes = self.roster.busy().filter(|(_, job)| job.cancelled.is_none() && job.work.node().is_some());
        at_nodes
            .map(|(worker, job)| Progress { name: self.name_of(worker), depth: job.depth, nodes: job.nodes })
            .collect()
    }

    /// For each node, the names of the workers that have joined the node's own worker.
    fn joined_by_node(&self) -> HashMap<NodeId, Vec<String>> {
        let mut names: HashMap<NodeId, Vec<String>> = HashMap::new();
        for (worker, node) in self.roster.joined.iter() {
            names.entry(node).or_default().push(self.name_of(worker));
        }
        names
    }

    /// Players that are connected and search no node.
    fn free_players(&self) -> impl Iterator<Item = WorkerId> {
        let assigned: BTreeSet<u32> =
            self.tree.iter().filter_map(|(_, node)| node.worker.map(|assigned| assigned.worker)).collect();
        self.roster
            .present()
            .filter(move |worker| !assigned.contains(&worker.0) && !self.roster.joined.contains(*worker))
    }
}
