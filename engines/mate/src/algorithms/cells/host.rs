//! The host, which holds the tree, assigns leaves to cells in order of value, and merges the results into the tree.

use super::branch;
use super::cell::{MateCell, parsed};
use super::claims::{Claims, Conclusion};
use super::facts::Facts;
use super::measure::Measure;
use super::prune::make_room;
use super::tree::{HostTree, Id, NO_TASK, ROOT};
use super::walker::{Bounds, Walker};
use super::worker::FOR_A_LINE;
use crate::core::interrupt::Interrupted;
use crate::core::notation::texts;
use crate::core::value::INFINITE;
use crate::interface::cell_link::{CellEvent, CellLinks};
use crate::interface::cell_message::{CellOrder, CellProblem, CellReply, CellResult};
use crate::interface::cell_options::CellSearch;
use hasami_api::{MateGame, MoveText, Stop, Verdict, is_mated};
use std::collections::HashMap;

/// Settings of a host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostPlan {
    pub(crate) search: CellSearch,
    /// Number of leaves below which the host expands the tree itself: before it assigns the first leaf (best-first), or
    /// at any time (proof numbers).
    pub(crate) leaves: usize,
    /// Initial size limit of a task.
    pub(crate) size: u64,
    /// Maximum number of tasks per cell, including the one being searched.
    pub(crate) ahead: usize,
    /// Maximum size of the host's tree in bytes.
    pub(crate) bytes: usize,
    /// Size in bytes of the host's own cell, which searches when all other cells are lost.
    pub(crate) cell_bytes: usize,
    /// True if the cells run on other machines, so that the host must report their nodes to the clock and prove their
    /// claims.
    pub(crate) are_elsewhere: bool,
    /// Node limit for all processors together.
    pub(crate) nodes: u64,
}

/// Maximum number of times the size of a task is doubled.
pub(super) const MOST_DOUBLINGS: u8 = 20;

/// A cell is dismissed when it has ended this many tasks of one problem without a result that the host still needed.
const MOST_GAPS: u32 = 16;

#[derive(Default)]
pub(super) struct KnownCell {
    pub(super) is_lost: bool,
    /// Tasks assigned to the cell.
    tasks: Vec<u32>,
    /// Number of moves that the cell has reported.
    pub(super) reported: u64,
    /// Number of tasks that ended without a result, although the host still needed one.
    gaps: u32,
}

pub(crate) struct Host<'a, G: MateGame> {
    pub(super) plan: HostPlan,
    pub(super) begin: &'a CellProblem,
    pub(super) problem: &'a G,
    pub(super) links: &'a mut dyn CellLinks,
    pub(super) stop: &'a Stop,
    pub(crate) tree: HostTree<G::Move>,
    pub(super) walker: Walker<G>,
    pub(super) cells: Vec<KnownCell>,
    /// The leaf of each task whose result is still needed.
    pub(super) leaves: HashMap<u32, Id>,
    /// The size limits of the assigned tasks.
    sizes: HashMap<u32, u64>,
    last_task: u32,
    /// Total number of moves that the cells have reported.
    pub(super) reported: u64,
    /// Number of nodes searched before the clock was last restarted, which the clock does not count.
    pub(super) counted: u64,
    pub(super) was_cut: bool,
    /// Number of sub-trees pruned to leaves, and number of results from which only the value was kept.
    pub(crate) pruned: (u64, u64),
    pub(super) facts: Facts,
    pub(super) claims: Claims<G::Move>,
    /// The host's own cell, which searches when no other cell is left, and proves the claims of other cells.
    pub(super) substitute: Option<Box<MateCell<G>>>,
}

impl<'a, G: MateGame> Host<'a, G> {
    pub(crate) fn new(
        plan: HostPlan,
        begin: &'a CellProblem,
        problem: &'a G,
        links: &'a mut dyn CellLinks,
        stop: &'a Stop,
    ) -> Self {
        let measure = match plan.search {
            CellSearch::BestFirst => Measure::Value,
            CellSearch::Dfpn => Measure::Proof,
        };
        stop.more(0);
        Self {
            plan,
            begin,
            problem,
            cells: (0..links.cells()).map(|_| KnownCell::default()).collect(),
            links,
            stop,
            tree: HostTree::new(measure, true),
            walker: Walker::new(problem, &[], Bounds::of(begin)),
            leaves: HashMap::new(),
            sizes: HashMap::new(),
            last_task: NO_TASK,
            reported: 0,
            counted: 0,
            was_cut: false,
            pruned: (0, 0),
            facts: Facts::default(),
            claims: Claims::default(),
            substitute: None,
        }
    }

    /// Searches until results that this machine has verified decide the problem.
    pub(crate) fn run(&mut self) -> Result<Conclusion<G::Move>, Interrupted> {
        (0..self.cells.len()).for_each(|cell| self.links.send(cell, CellOrder::Begin(self.begin.clone())));
        let result = self.conclude();
        (0..self.cells.len()).for_each(|cell| self.links.send(cell, CellOrder::End));
        self.links.flush();
        self.stop.more(self.nodes_by_clock());
        result
    }

    /// Searches until the root of the tree is decided.
    pub(super) fn work(&mut self) -> Result<(), Interrupted> {
        let mut is_first = true;
        while !self.tree.root().is_decided() {
            let mut is_quiet = true;
            while let Some((cell, event)) = self.links.take() {
                is_quiet = false;
                self.hear(cell, event);
                if self.tree.root().is_decided() {
                    return Ok(());
                }
            }
            if is_first {
                self.supplement(usize::MAX)?;
                is_first = false;
            } else if self.plan.search == CellSearch::Dfpn {
                // Only one leaf is expanded at a time, so that cells do not wait long for their next task.
                is_quiet &= !self.supplement(1)?;
            }
            is_quiet &= !self.give_out();
            is_quiet &= !self.recall();
            self.cancel();
            if self.cells.iter().all(|cell| cell.is_lost) {
                self.work_alone();
            } else if is_quiet {
                self.links.wait();
            }
            self.check()?;
        }
        Ok(())
    }

    pub(super) fn nodes_by_clock(&self) -> u64 {
        self.walker.nodes + if self.plan.are_elsewhere { self.reported } else { 0 } - self.counted
    }

    /// Returns the number of moves that all processors have reported.
    pub(crate) fn nodes(&self) -> u64 {
        self.walker.nodes + self.reported
    }

    /// Returns true if some line was cut at the maximum length.
    pub(crate) fn was_cut(&self) -> bool {
        self.was_cut || self.walker.was_cut
    }

    pub(super) fn check(&mut self) -> Result<(), Interrupted> {
        self.walker.pace(self.stop, self.nodes_by_clock());
        let is_over = self.stop.is_stopped() || self.nodes() >= self.plan.nodes;
        if is_over { Err(Interrupted) } else { Ok(()) }
    }

    /// The supplementary search of Tatematsu et al. 1996: expands leaves until there are enough for all cells, in at
    /// most `steps` steps. Returns true if any leaf was expanded.
    fn supplement(&mut self, steps: usize) -> Result<bool, Interrupted> {
        let mut has_grown = false;
        for _ in 0..steps {
            if !self.lacks_leaves() || self.tree.root().is_decided() {
                break;
            }
            self.find_room(0);
            let Some(leaf) = self.tree.choose().filter(|_| self.has_room(0)) else { break };
            self.walker.expand(&mut self.tree, leaf);
            has_grown = true;
            self.check()?;
        }
        Ok(has_grown)
    }

    fn lacks_leaves(&self) -> bool {
        self.tree.root().is_leaf() || self.tree.leaves() < self.plan.leaves
    }

    /// Releases a leaf if a cell is idle and no leaf is available: the leaf of a task that its cell has not begun or,
    /// failing that, a leaf that was searched without a decision, so that its children are searched. Returns true if a
    /// leaf was released.
    fn recall(&mut self) -> bool {
        let idles = |cell: &KnownCell| !cell.is_lost && cell.tasks.is_empty();
        if self.plan.search != CellSearch::Dfpn || !self.cells.iter().any(idles) || self.tree.root().free() > 0 {
            return false;
        }
        let visits = |task: &u32| self.leaves.get(task).map_or(0, |&leaf| self.tree.node(leaf).visits);
        let waiting = self.cells.iter().filter_map(|cell| cell.tasks.get(1..)).flatten();
        let waiting = waiting.filter(|task| self.leaves.contains_key(task)).max_by_key(|task| visits(task));
        let begun = self.cells.iter().filter_map(|cell| cell.tasks.first());
        let begun = begun.filter(|task| visits(task) > 0 && self.lacks_leaves()).max_by_key(|task| visits(task));
        let is_waiting = waiting.is_some();
        let Some(&task) = waiting.or(begun) else { return false };
        let Some(leaf) = self.free(task) else { return false };
        self.tree.useless.push(task);
        if is_waiting {
            self.tree.node_mut(leaf).cell = u16::MAX;
        }
        true
    }

    /// Assigns leaves to cells. Returns true if any leaf was assigned.
    fn give_out(&mut self) -> bool {
        let mut has_given = false;
        while self.cells.iter().any(|cell| self.has_time(cell)) {
            let Some(leaf) = self.tree.choose() else { break };
            let Some(cell) = self.cell_for(leaf) else { break };
            self.last_task += 1;
            let task = self.last_task;
            let node = self.tree.node_mut(leaf);
            (node.task, node.cell) = (task, cell as u16);
            let size = self.plan.size << node.visits.min(MOST_DOUBLINGS);
            self.tree.update(leaf);
            self.leaves.insert(task, leaf);
            self.sizes.insert(task, size);
            self.cells[cell].tasks.push(task);
            let facts = self.facts.news_for(cell);
            if !facts.is_empty() {
                self.links.send(cell, CellOrder::Facts { problem: self.begin.number, facts });
            }
            let moves = texts(self.problem, &self.tree.moves_to(leaf));
            self.links.send(cell, CellOrder::Search { task: self.number(task), size, moves });
            has_given = true;
        }
        has_given
    }

    /// Returns true if the cell can take another task. While the tree has few leaves, a cell has only one task at a
    /// time, because a leaf with a task cannot be expanded.
    fn has_time(&self, cell: &KnownCell) -> bool {
        let ahead = if self.lacks_leaves() { 1 } else { self.plan.ahead };
        !cell.is_lost && cell.tasks.len() < ahead
    }

    /// Returns the cell that searched the leaf before, if it can take a task, or else the cell with the fewest tasks.
    fn cell_for(&self, leaf: Id) -> Option<usize> {
        let known = usize::from(self.tree.node(leaf).cell);
        if self.cells.get(known).is_some_and(|cell| self.has_time(cell)) {
            return Some(known);
        }
        let free = (0..self.cells.len()).filter(|&cell| self.has_time(&self.cells[cell]));
        free.min_by_key(|&cell| self.cells[cell].tasks.len())
    }

    /// Returns a number for the task that is unique among all problems.
    fn number(&self, task: u32) -> u64 {
        u64::from(self.begin.number) << 32 | u64::from(task)
    }

    /// Orders cells to stop the tasks that are no longer needed.
    pub(super) fn cancel(&mut self) {
        for task in std::mem::take(&mut self.tree.useless) {
            self.leaves.remove(&task);
            if let Some(cell) = self.cells.iter().position(|cell| cell.tasks.contains(&task)) {
                self.links.send(cell, CellOrder::Stop { task: self.number(task) });
            }
        }
    }

    pub(super) fn hear(&mut self, cell: usize, event: CellEvent) {
        if self.cells.get(cell).is_none_or(|cell| cell.is_lost) {
            return;
        }
        let understood = match event {
            CellEvent::Lost(_) => return self.lose(cell),
            CellEvent::Message(CellReply::Ready { .. }) => Ok(()),
            CellEvent::Message(CellReply::Facts { problem, facts }) => {
                if problem == self.begin.number {
                    self.facts.add(cell, facts);
                }
                Ok(())
            }
            CellEvent::Message(CellReply::Done { task, nodes, found }) => {
                self.has_meaning(&found).and_then(|()| self.take(cell, task, nodes, found))
            }
            CellEvent::Message(CellReply::Fault(why)) => Err(why),
        };
        if let Err(why) = understood {
            self.links.dismiss(cell, &why);
            self.lose(cell);
        }
        self.cancel();
    }

    pub(super) fn lose(&mut self, cell: usize) {
        self.cells[cell].is_lost = true;
        for task in std::mem::take(&mut self.cells[cell].tasks) {
            self.free(task);
        }
    }

    /// Removes a task and returns its leaf, if the task is still wanted.
    fn free(&mut self, task: u32) -> Option<Id> {
        let leaf = self.leaves.remove(&task)?;
        self.tree.node_mut(leaf).task = NO_TASK;
        self.tree.update(leaf);
        Some(leaf)
    }

    fn take(&mut self, cell: usize, task: u64, nodes: u64, found: CellResult) -> Result<(), String> {
        // Tasks of earlier problems are ignored.
        if task >> 32 != u64::from(self.begin.number) {
            return Ok(());
        }
        let tasks = &mut self.cells[cell].tasks;
        let place = tasks.iter().position(|&other| u64::from(other) == task & u64::from(u32::MAX));
        let place = place.ok_or_else(|| format!("expected a task that it has, found {task}"))?;
        let task = tasks.remove(place);
        let size = self.sizes.remove(&task).unwrap_or_default();
        let nodes = nodes.min(most_nodes(&found, size));
        self.reported += nodes;
        self.cells[cell].reported += nodes;
        let Some(&leaf) = self.leaves.get(&task) else { return Ok(()) };
        let claim = if self.plan.are_elsewhere { self.claim(cell, leaf, &found, nodes.max(size)) } else { None };
        // The leaf still has its task while room is made, so neither the leaf nor a node above it is pruned.
        let room = self.find_room_for(&found);
        self.free(task);
        if found == CellResult::Stopped {
            self.note_gap(cell)?;
        }
        self.join(leaf, found, room)?;
        self.claims.add(claim);
        Ok(())
    }

    /// Counts a task that ended without a needed result; too many such tasks of one cell are an error.
    fn note_gap(&mut self, cell: usize) -> Result<(), String> {
        let gaps = &mut self.cells[cell].gaps;
        *gaps += 1;
        if *gaps < MOST_GAPS { Ok(()) } else { Err(format!("expected a result, found {gaps} tasks without one")) }
    }

    /// Makes room for the sub-tree of a result and returns the number of its nodes.
    pub(super) fn find_room_for(&mut self, found: &CellResult) -> usize {
        let CellResult::Tree { branch, .. } = found else { return 0 };
        let size = branch::size(branch);
        self.find_room(size);
        size
    }

    /// Merges a cell's result for a leaf into the tree. `size` is the number of nodes of the result's sub-tree, or 0 if
    /// the result has no sub-tree.
    pub(super) fn join(&mut self, leaf: Id, found: CellResult, size: usize) -> Result<(), String> {
        match found {
            CellResult::Tree { value, branch, cut } => {
                self.was_cut |= cut;
                if !self.has_room(size) {
                    self.pruned.1 += 1;
                    self.note(leaf, value, 1);
                    return Ok(());
                }
                branch::join(&mut self.tree, leaf, &mut self.walker, &branch)
            }
            CellResult::Open { pn, dn } => {
                self.note(leaf, pn, dn);
                Ok(())
            }
            CellResult::Mate(line) => self.attach(leaf, &line),
            CellResult::None { cut } => {
                self.was_cut |= cut;
                self.tree.disprove(leaf);
                self.tree.update(leaf);
                Ok(())
            }
            // A higher visit count makes the leaf's next task larger.
            CellResult::Stopped => {
                let node = self.tree.node_mut(leaf);
                node.visits = node.visits.saturating_add(1);
                Ok(())
            }
        }
    }

    /// Stores new numbers for a leaf, and makes the leaf's next task larger.
    fn note(&mut self, leaf: Id, pn: u32, dn: u32) {
        let node = self.tree.node_mut(leaf);
        (node.pn, node.dn, node.visits) = (pn, dn, node.visits.saturating_add(1));
        self.tree.update(leaf);
    }

    /// Replays the main line of a mate and attaches it to the leaf.
    fn attach(&mut self, leaf: Id, line: &[MoveText]) -> Result<(), String> {
        self.walker.go(&self.tree, leaf);
        let moves = parsed(&self.walker.game, line)?;
        let (mut at, mut on_way) = (leaf, Vec::new());
        for &m in &moves {
            let attacks = self.tree.node(at).attacks;
            let ends = at != ROOT && !matches!(self.walker.game.verdict(), Verdict::Open | Verdict::Win);
            if ends || !self.walker.moves(attacks).contains(&m) {
                self.tree.collapse(leaf);
                return Err("expected a line of checks that mates, found another".into());
            }
            self.walker.enter(m);
            at = self.tree.add(at, m);
            on_way.push(at);
        }
        if self.tree.node(at).attacks || !is_mated(&self.walker.game) {
            self.tree.collapse(leaf);
            return Err("expected a mate at the end of a line, found none".into());
        }
        let ids = std::iter::once(leaf).chain(on_way).rev().zip(0..=u16::MAX);
        ids.for_each(|(id, plies)| self.tree.prove(id, plies));
        self.tree.update(leaf);
        Ok(())
    }

    fn has_room(&self, more: usize) -> bool {
        (self.tree.len() + more) * HostTree::<G::Move>::node_bytes() <= self.plan.bytes
    }

    fn find_room(&mut self, more: usize) {
        if !self.has_room(more) {
            let most = self.plan.bytes / HostTree::<G::Move>::node_bytes();
            self.pruned.0 += make_room(&mut self.tree, (most - most / 4).saturating_sub(more));
        }
    }
}

/// Upper bound on the number of moves that a task of size `size` can take.
const fn most_nodes(found: &CellResult, size: u64) -> u64 {
    let for_a_line = if matches!(found, CellResult::Mate(_)) { FOR_A_LINE } else { 0 };
    size.saturating_mul(8).saturating_add(10_000 + for_a_line)
}

impl<G: MateGame> Host<'_, G> {
    /// Checks that a result fits the kind of search, and that an open position does not have a decided position's
    /// numbers.
    fn has_meaning(&self, found: &CellResult) -> Result<(), String> {
        let numbers: &[(&str, u32)] = match (found, self.plan.search) {
            (CellResult::Tree { .. }, CellSearch::Dfpn) => return Err("expected proof numbers, found a tree".into()),
            (CellResult::Open { .. }, CellSearch::BestFirst) => {
                return Err("expected a tree, found proof numbers".into());
            }
            (CellResult::Tree { value, .. }, _) => &[("a value", *value)],
            (CellResult::Open { pn, dn }, _) => &[("a proof number", *pn), ("a disproof number", *dn)],
            (CellResult::Mate(_) | CellResult::None { .. } | CellResult::Stopped, _) => &[],
        };
        match numbers.iter().find(|(_, number)| !(1..INFINITE).contains(number)) {
            Some((what, number)) => Err(format!("expected {what} from 1 to {}, found {number}", INFINITE - 1)),
            None => Ok(()),
        }
    }
}
