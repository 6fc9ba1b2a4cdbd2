//! `go nodes`: every task gets a share of the remaining nodes, so that all workers together search about as many nodes
//! as were requested. A worker that searches alone and enforces the limit itself gets all nodes that are left, which
//! are fewer than requested if a lost worker has already spent some.

use super::{Assignment, Demand, Request};
use hasami_api::Game;

/// A task for fewer nodes than this is not worth starting.
const SMALLEST: u64 = 1_000;
/// At most the node limit divided by this number may remain unspent when the answer is sent.
const REST: u64 = 20;

/// The nodes that a search may still spend under its node limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    limit: u64,
    /// Number of nodes neither spent nor granted to a running task.
    left: u64,
    /// Number of nodes granted to running tasks and not spent yet.
    granted: u64,
    players: u64,
}

impl Budget {
    /// The node limit of the next task; `None` if too few nodes are left for another task.
    pub fn share(&self) -> Option<u64> {
        let smallest = SMALLEST.max(self.limit / (REST * self.players));
        let least = if self.granted > 0 { smallest } else { SMALLEST.min(self.limit / REST).max(1) };
        if self.left < least {
            return None;
        }
        let share = (self.left / self.players).max(smallest);
        Some(if self.left < share + smallest { self.left } else { share })
    }

    /// Returns whether too few nodes are left for a task, and no running task can give any back.
    pub fn is_spent(&self) -> bool {
        self.granted == 0 && self.share().is_none()
    }
}

impl<G: Game> Assignment<G> {
    /// The budget of a search with a node limit; `None` for other searches.
    pub fn budget(&self, demand: Demand) -> Option<Budget> {
        let request = demand.request?;
        let limit = request.go.nodes?;
        let granted = self.roster.granted;
        let left = limit.saturating_sub(self.spent(request)).saturating_sub(granted);
        // Threads that have not started yet are counted as players.
        let players = (self.roster.players() as u64).max(demand.settings.threads.into()).max(1);
        Some(Budget { limit, left, granted, players: if request.exact.is_some() { 1 } else { players } })
    }

    /// Number of nodes searched since `go`.
    pub fn spent(&self, request: &Request) -> u64 {
        self.roster.nodes - request.nodes_before
    }

    /// Returns whether all requested nodes were spent or granted.
    pub fn is_granted(&self, demand: Demand) -> bool {
        self.budget(demand).is_some_and(|budget| budget.share().is_none())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn budget(limit: u64, left: u64, granted: u64, players: u64) -> Budget {
        Budget { limit, left, granted, players }
    }

    #[test]
    fn shares_sum_up_to_the_limit() {
        for limit in [1, 7, 100, 999, 1_000, 1_999, 20_000, 20_001, 1_000_000, u64::MAX / 64] {
            for players in [1, 2, 4, 32, 256] {
                let (mut left, mut granted, mut tasks) = (limit, 0, 0);
                while let Some(share) = budget(limit, left, granted, players).share() {
                    assert!(share > 0 && share <= left, "{share} of {left}");
                    (left, granted, tasks) = (left - share, granted + share, tasks + 1);
                }
                assert!(left <= limit / REST, "{left} of {limit} are left for {players}");
                assert!(tasks <= 8 * players, "{limit} nodes for {players} in {tasks} tasks");
            }
        }
    }

    #[test]
    fn a_small_rest_is_granted_only_when_no_task_is_running() {
        assert_eq!(budget(20_000, 900, 5_000, 4).share(), None);
        assert!(!budget(20_000, 900, 5_000, 4).is_spent());
        assert!(budget(20_000, 900, 0, 4).is_spent());
        assert_eq!(budget(800, 300, 0, 4).share(), Some(300));
        assert!(budget(800, 39, 0, 4).is_spent());
        assert!(budget(10, 0, 0, 4).is_spent());
    }
}
