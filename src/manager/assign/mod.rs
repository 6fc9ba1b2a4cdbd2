//! Assigns work to the workers. This module holds the master tree with its queue of work items, the roster of workers,
//! and the running tasks.
//!
//! Assignment does not depend on answers, clocks or the GUI: the purpose of the search is passed to each call as a
//! [`Demand`].

mod budget;
mod check;
mod demand;
mod groups;
mod places;
mod reassign;
mod release;
mod snapshot;
mod tasks;

pub use demand::{Demand, Request};

use super::roster::{Availability, Roster, limits::GRACE};
use hasami_api::{Game, Line, MoveText};
use hasami_protocol::{Output, Settings};
use hasami_tree::event::{Action, TaskId, Time, WorkerId};
use hasami_tree::{Frontier, MasterTree, Model, NodeId, TreeNode};
use std::collections::BTreeSet;
use std::fmt::Display;

/// Collects the manager's actions in order, and numbers the tasks.
#[derive(Default)]
pub struct Outbox {
    actions: Vec<Action>,
    last_task: u64,
}

impl Outbox {
    pub fn push(&mut self, action: Action) {
        self.actions.push(action);
    }

    pub fn say(&mut self, output: Output) {
        self.push(Action::Say(output));
    }

    pub fn message(&mut self, text: impl Display) {
        self.say(Output::Message(text.to_string()));
    }

    pub fn warn(&mut self, text: impl Into<String>) {
        self.push(Action::Log(log::Level::Warn, text.into()));
    }

    pub fn take(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    fn next_task(&mut self) -> TaskId {
        self.last_task += 1;
        TaskId(self.last_task)
    }
}

/// The tree, the roster, and the running tasks.
pub struct Assignment<G: Game> {
    pub tree: MasterTree<G>,
    /// The position of the tree's root. While the opponent thinks, the root may be ahead of the GUI's position.
    pub root_line: Line,
    pub model: Model,
    pub roster: Roster,
    pub out: Outbox,
    pub(super) frontier: Frontier,
    /// Nodes whose expansion is delayed, with the time at which the delay ends.
    pub(super) delayed: BTreeSet<(Time, NodeId)>,
    /// End of the earliest delay in `delayed`, if a worker is waiting for it.
    pub wake_at: Option<Time>,
    /// Earliest time at which [`Self::reassign_workers`] compares nodes again.
    next_comparison: Time,
}

impl<G: Game> Assignment<G> {
    /// Creates an assignment with a tree of one node, without workers.
    pub fn new(root_line: Line, game: G, model: Model) -> Self {
        Self {
            tree: MasterTree::new(game),
            root_line,
            model,
            roster: Roster::default(),
            out: Outbox::default(),
            frontier: Frontier::default(),
            delayed: BTreeSet::new(),
            wake_at: None,
            next_comparison: Time::ZERO,
        }
    }

    /// Starts a new tree at `line`, whose position is `game`.
    pub fn plant(&mut self, now: Time, line: Line, game: G, settings: &Settings) {
        self.cancel_all(now);
        self.tree = if self.anticipates(settings) { MasterTree::anticipating(game) } else { MasterTree::new(game) };
        self.delayed.clear();
        self.root_line = line;
        self.requeue();
    }

    /// Returns whether the next tree will use [`hasami_tree::rules::anticipation`]. Search groups do not use
    /// anticipation, because their members search one position together.
    pub fn anticipates(&self, settings: &Settings) -> bool {
        self.model.rules().anticipation && !self.in_groups(settings)
    }

    /// Moves the tree to `line`, whose position is `game`, keeping the nodes that still belong to it.
    pub fn follow(&mut self, now: Time, line: &Line, game: &G, settings: &Settings) {
        // Under the anticipation rule, the side to move at the root decides which nodes' workers search all moves, so
        // no node can be kept if that side changes.
        let (is_ahead, replies) = (self.tree.anticipates, usize::from(self.tree.replies));
        let keeps_sides = |moves: &&[MoveText]| !is_ahead || (moves.len() + replies).is_multiple_of(2);
        let Some(moves) = line.since(&self.root_line).filter(keeps_sides) else {
            return self.plant(now, line.clone(), game.clone(), settings);
        };
        let mut game = self.tree.game().clone();
        let mut played = Vec::with_capacity(moves.len());
        for text in moves {
            let Ok(m) = game.parse_move(text) else { break };
            game.make(m);
            played.push(m);
        }
        self.tree.reroot(&played);
        self.root_line = line.clone();
    }

    pub fn requeue(&mut self) {
        self.frontier.rebuild(&self.tree, &self.model);
    }

    /// Updates the queue and frees workers after a node has received a new value.
    pub fn on_value(&mut self, now: Time, node: NodeId) {
        self.release_settled(now);
        self.reopen(node);
    }

    /// Queues the work items of a node again, unless the node was removed.
    pub fn reopen(&mut self, node: NodeId) {
        self.frontier.queue_places(&self.tree, &self.model, node);
    }

    /// The node of the position that `go` searches.
    pub fn asked_node(&self, demand: Demand) -> &TreeNode<G::Move> {
        self.tree.node(self.tree.searched(demand.focus(&self.tree)))
    }

    /// The line from the start of the game to a node.
    pub fn line_to(&self, node: NodeId) -> Line {
        let mut line = self.root_line.clone();
        line.moves.extend(self.tree.path(node).iter().map(|&(_, text)| text));
        line
    }

    /// Returns whether the line begins with a move that the search must not consider at this node.
    pub fn is_left_out(&mut self, node: NodeId, line: &[MoveText]) -> bool {
        let first = line.first().and_then(|text| self.tree.at(node, |game| game.parse_move(text)).ok());
        first.is_some_and(|m| !self.tree.allows(node, m))
    }

    /// The number of lines that one worker reports for the requested position; `None` for a single line, or if other
    /// workers search some of the position's moves.
    pub fn lines_of_one_worker(&self, demand: Demand) -> Option<usize> {
        let wanted = demand.settings.multi_pv;
        let node = self.tree.node(self.tree.searched(demand.focus(&self.tree)));
        let size = usize::from(wanted.min(node.legal));
        (wanted > 1 && size > 0 && node.children.is_empty()).then_some(size)
    }

    /// A worker's name in messages.
    pub fn name_of(&self, worker: WorkerId) -> String {
        let profile = self.roster.get(worker).map(|member| &member.profile.name).filter(|name| !name.is_empty());
        profile.or_else(|| self.roster.names.get(&worker)).cloned().unwrap_or_else(|| worker.to_string())
    }

    /// Cancels a worker's task, if any, and frees the task's node.
    pub fn cancel(&mut self, now: Time, worker: WorkerId) {
        self.roster.send_to(worker, None);
        let Some(member) = self.roster.get_mut(worker) else { return };
        let Some(job) = member.job_mut() else { return };
        if job.cancelled.is_some() {
            return;
        }
        job.cancelled = Some(now);
        let (id, assigned) = (job.id, job.work.own_node());
        self.roster.forget_help(worker);
        if let Some(node) = assigned {
            self.tree.set_worker(node, None);
            self.reopen(node);
        }
        self.roster.look_again_at(now + GRACE, worker);
        self.out.push(Action::Cancel { worker, id });
    }

    /// Cancels this task, if it is running.
    pub fn cancel_task(&mut self, now: Time, task: TaskId) {
        let working = self.roster.busy().find(|(_, job)| job.id == task).map(|(worker, _)| worker);
        if let Some(worker) = working {
            self.cancel(now, worker);
        }
    }

    /// Cancels all tasks that search nodes.
    pub fn cancel_all(&mut self, now: Time) {
        let workers = self.roster.working_at_nodes();
        self.out.actions.reserve(workers.len());
        for worker in workers {
            self.cancel(now, worker);
        }
    }

    /// Excludes a worker from all further work, and prints a warning.
    pub fn set_aside(&mut self, worker: WorkerId, why: impl Display) {
        let name = self.name_of(worker);
        self.roster.retire(worker);
        if self.roster.get(worker).is_some_and(|member| member.availability != Availability::Away) {
            self.kill(worker);
        }
        let text = format!("warning: {name} is set aside: {why}");
        self.out.warn(text.clone());
        self.out.message(text);
    }

    /// Kills a worker, unless it has already been killed; the event `Lost` follows.
    pub fn kill(&mut self, worker: WorkerId) {
        let Some(member) = self.roster.get_mut(worker) else { return };
        if !std::mem::replace(&mut member.killed, true) {
            self.out.push(Action::Kill { worker });
        }
    }
}
