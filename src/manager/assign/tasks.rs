//! Creates the tasks of workers, in a form that each worker understands.

use super::super::roster::{AssignedTask, TaskKind, limits};
use super::{Assignment, Demand};
use hasami_api::{Game, Goal, Limits, MoveText, Task};
use hasami_tree::event::{Action, TaskId, Time, WorkerId};
use hasami_tree::{NodeId, legal_moves};
use std::time::Duration;

/// Longest time for a mate engine to probe a leaf. A mate engine is asked to search for at most 3.2 s, but some engines
/// overrun.
const LONGEST_PROBE: Duration = Duration::from_secs(5);

impl<G: Game> Assignment<G> {
    /// Starts a search of the moves assigned to a node, by the node's own worker or by one that joins that worker.
    pub(super) fn start_work(&mut self, now: Time, worker: WorkerId, work: TaskKind, demand: Demand) {
        let Some(node) = work.node() else { return };
        let except = self.tree.left_out(node);
        let mut task = self.task(worker, node, &except, demand);
        if let Some(budget) = self.budget(demand) {
            task.limits.nodes = budget.share();
        }
        if matches!(work, TaskKind::Joint(_)) {
            task.variant = (worker.0 % u32::from(u16::MAX)) as u16 + 1;
        }
        if self.in_groups(demand.settings) {
            task.team = self.tree.node(node).key.max(1);
            task.news = self.model.rules().shared_entries.saturating_mul(1024);
        }
        let limit = task.limits.nodes;
        self.hand_out(now, worker, work, task, except);
        self.roster.look_again_at(now + limits::SILENCE, worker);
        if let Some(limit) = limit {
            self.roster.look_again_at(now + limits::task_time_limit(limit), worker);
        }
    }

    /// Gives a task to a free worker. `except` lists the moves that have their own nodes.
    pub fn hand_out(
        &mut self,
        now: Time,
        worker: WorkerId,
        work: TaskKind,
        task: Task,
        except: Vec<MoveText>,
    ) -> TaskId {
        let id = self.out.next_task();
        let grant = task.limits.nodes.filter(|_| work.node().is_some() || work.claim().is_some());
        let is_ours = self.roster.get(worker).is_some_and(|member| member.profile.is_ours());
        let until = (matches!(work, TaskKind::Probe(..)) && !is_ours).then_some(now + LONGEST_PROBE);
        self.roster.begin(
            worker,
            AssignedTask {
                id,
                work,
                started: now,
                cancelled: None,
                nodes: 0,
                table_hits: 0,
                depth: 0,
                reports: 0,
                believed: false,
                lies: 0,
                grant,
                until,
                except: except.into(),
            },
        );
        self.out.push(Action::Start { worker, id, task });
        id
    }

    /// The task of searching the moves assigned to a node, in a form that the worker understands.
    pub fn task(&mut self, worker: WorkerId, node: NodeId, except: &[MoveText], demand: Demand) -> Task {
        let is_root = node == demand.focus(&self.tree);
        let line = self.line_to(node);
        let profile = self.roster.get(worker).map(|member| &member.profile);
        let (can_except, can_only) = profile.map_or((false, false), |p| (p.can_except, p.can_only));
        let root_only = demand.request.filter(|_| is_root).map_or_else(Vec::new, |request| request.only.clone());
        let mut task = Task { line, goal: Goal::Best, multipv: 1, ..Task::default() };
        if !root_only.is_empty() {
            task.only = root_only.into_iter().filter(|text| !except.contains(text)).collect();
        } else if can_except {
            task.except = except.to_vec();
        } else if can_only && !except.is_empty() {
            let all =
                self.tree.at(node, |game| legal_moves(game).iter().map(|&m| game.format_move(m)).collect::<Vec<_>>());
            task.only = all.into_iter().filter(|text| !except.contains(text)).collect();
        }
        if is_root {
            (task.multipv, task.limits) = self.root_limits(except.len(), demand);
        }
        task
    }

    /// The number of lines and the limits for the task of the root's worker.
    fn root_limits(&self, children: usize, demand: Demand) -> (u16, Limits) {
        let Some(request) = demand.request else { return (1, Limits::default()) };
        let lines = usize::from(demand.settings.multi_pv).saturating_sub(children).max(1);
        let limits = request.exact.unwrap_or(Limits { depth: self.group_depth(demand), ..Limits::default() });
        (lines as u16, limits)
    }

    /// Frees the node of a worker whose task has ended.
    pub fn vacate(&mut self, worker: WorkerId, job: &AssignedTask) {
        let Some(node) = job.work.own_node() else { return };
        if self.tree.get(node).is_some_and(|node| node.worker.is_some_and(|assigned| assigned.worker == worker.0)) {
            self.tree.set_worker(node, None);
            self.reopen(node);
        }
    }
}
