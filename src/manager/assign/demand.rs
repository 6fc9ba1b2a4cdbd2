//! The purpose of the workers.

use super::super::clock::Plan;
use hasami_api::{Game, Limits, MoveText};
use hasami_protocol::{Go, Settings};
use hasami_tree::event::Time;
use hasami_tree::{MasterTree, NodeId};
use std::time::Duration;

/// The request of a `go` to the workers.
pub struct Request {
    pub go: Go,
    /// When `go` arrived; after a ponder hit still that of the `go ponder`.
    pub began: Time,
    /// When our clock began to run; `None` while pondering.
    pub clock_from: Option<Time>,
    pub plan: Plan,
    /// The moves allowed at the root; empty: all.
    pub only: Vec<MoveText>,
    /// Limits that the only worker keeps by itself, exactly.
    pub exact: Option<Limits>,
    /// The worker that kept them is done.
    pub done: bool,
    /// Nodes of the roster when `go` arrived.
    pub nodes_before: u64,
    /// The same of positions that endgame tables knew.
    pub table_hits_before: u64,
    /// The node of the asked position: the root, or below it the reply that is pondered on.
    pub focus: NodeId,
}

impl Request {
    /// The move may be answered.
    pub fn allows(&self, text: MoveText) -> bool {
        self.only.is_empty() || self.only.contains(&text)
    }

    /// The only worker keeps the limits by itself, at this node.
    pub fn is_exact_at(&self, node: NodeId) -> bool {
        self.exact.is_some() && self.focus == node
    }

    /// The GUI ends the search, as whoever studies a position does.
    pub fn is_endless(&self) -> bool {
        self.go.infinite
    }

    /// Time left by the clock; `None`: it has no say.
    pub fn time_left(&self, now: Time) -> Option<Duration> {
        Some(self.plan.aim()?.saturating_sub(now.saturating_sub(self.clock_from?)))
    }
}

/// The purpose of the workers at the moment, and the settings for it.
#[derive(Clone, Copy)]
pub struct Demand<'a> {
    pub settings: &'a Settings,
    /// The request of the search for a move, if one runs.
    pub request: Option<&'a Request>,
    /// The tree is to be searched: for an answer, or while the opponent thinks.
    pub is_searching: bool,
}

impl Demand<'_> {
    /// The node of the position that `go` asked about.
    pub fn focus<G: Game>(self, tree: &MasterTree<G>) -> NodeId {
        self.request.map_or_else(|| tree.root(), |request| request.focus)
    }

    /// One worker keeps the limits by itself.
    pub fn is_exact(self) -> bool {
        self.request.is_some_and(|request| request.exact.is_some())
    }

    /// That worker is done.
    pub fn is_done(self) -> bool {
        self.request.is_some_and(|request| request.done)
    }

    /// Somebody studies the position, and no clock of a game runs.
    pub fn is_analysis(self) -> bool {
        self.settings.analyse_mode || self.request.is_some_and(Request::is_endless)
    }

    /// About how long the search takes by the clock; `None`: it has no say.
    pub fn clock_time(self) -> Option<Duration> {
        self.request?.plan.aim()
    }
}
