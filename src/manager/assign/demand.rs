//! The current demand for workers: what the GUI has requested, and the settings.

use super::super::clock::Plan;
use hasami_api::{Game, Limits, MoveText};
use hasami_protocol::{Go, Settings};
use hasami_tree::event::Time;
use hasami_tree::{MasterTree, NodeId};
use std::time::Duration;

/// The parts of a `go` that concern the workers.
pub struct Request {
    pub go: Go,
    /// Time at which `go`, or the `go ponder` before a ponder hit, arrived.
    pub began: Time,
    /// Time at which the engine's clock began to run; `None` while pondering.
    pub clock_from: Option<Time>,
    pub plan: Plan,
    /// The moves allowed at the root; empty if all moves are allowed.
    pub only: Vec<MoveText>,
    /// The limits that a lone worker enforces exactly on its own; `None` if the manager enforces the limits.
    pub exact: Option<Limits>,
    /// True if the worker that enforces the `exact` limits has finished.
    pub done: bool,
    /// Number of nodes that all workers had searched when `go` arrived.
    pub nodes_before: u64,
    /// Number of positions that had been found in endgame tables when `go` arrived.
    pub table_hits_before: u64,
    /// The node of the requested position: the root, or the root's child for the reply being pondered on.
    pub focus: NodeId,
}

impl Request {
    /// Returns whether the search may answer with this move.
    pub fn allows(&self, text: MoveText) -> bool {
        self.only.is_empty() || self.only.contains(&text)
    }

    /// Returns whether a lone worker searches this node and enforces the limits on its own.
    pub fn is_exact_at(&self, node: NodeId) -> bool {
        self.exact.is_some() && self.focus == node
    }

    /// Returns whether only the GUI can end the search, for example while a user analyses a position.
    pub fn is_endless(&self) -> bool {
        self.go.infinite
    }

    /// The remaining search time that the clock allows; `None` if the clock does not limit the search.
    pub fn time_left(&self, now: Time) -> Option<Duration> {
        Some(self.plan.aim()?.saturating_sub(now.saturating_sub(self.clock_from?)))
    }
}

/// The request and the settings that determine what the workers search.
#[derive(Clone, Copy)]
pub struct Demand<'a> {
    pub settings: &'a Settings,
    /// The `go` request that still awaits a move, if any.
    pub request: Option<&'a Request>,
    /// True if workers must search the tree, either for an answer or while the opponent thinks.
    pub is_searching: bool,
}

impl Demand<'_> {
    /// The node of the position that `go` searches.
    pub fn focus<G: Game>(self, tree: &MasterTree<G>) -> NodeId {
        self.request.map_or_else(|| tree.root(), |request| request.focus)
    }

    /// Returns whether a lone worker enforces the limits on its own.
    pub fn is_exact(self) -> bool {
        self.request.is_some_and(|request| request.exact.is_some())
    }

    /// Returns whether the worker that enforces the `exact` limits has finished.
    pub fn is_done(self) -> bool {
        self.request.is_some_and(|request| request.done)
    }

    /// Returns whether the search is an analysis, outside of a timed game.
    pub fn is_analysis(self) -> bool {
        self.settings.analyse_mode || self.request.is_some_and(Request::is_endless)
    }

    /// The approximate search time that the clock allows; `None` if the clock does not limit the search.
    pub fn clock_time(self) -> Option<Duration> {
        self.request?.plan.aim()
    }
}
