//! `nodestime`: a clock that counts nodes instead of time, so that games are the same on slow and on fast machines.

use super::{Plan, Standing};
use hasami_protocol::{Clock, Go, Settings};
use std::time::Duration;

/// Our node budget in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodeTime {
    /// The remaining nodes; `None` before the first move.
    left: Option<u64>,
}

impl NodeTime {
    /// Converts the clock of a `go` to a number of nodes. The clock of the first move determines the budget. Later
    /// clocks run with the machine's time, so they are used only for their increment and to limit the time of the move.
    pub fn take(&mut self, go: &mut Go, settings: &Settings, at: Standing) {
        let per_ms = u64::from(settings.nodes_per_ms);
        let is_timed = !go.clock.is_empty() || go.move_time.is_some();
        if per_ms == 0 || !is_timed || go.infinite || go.mate.is_some() {
            return;
        }
        let plan = match go.move_time {
            Some(_) => Plan::new(&Go { ponder: false, ..go.clone() }, settings, at),
            None => self.plan(go, settings, at),
        };
        let Some(aim) = plan.aim() else { return };
        let nodes = nodes_in(aim, per_ms).max(1);
        go.nodes = Some(go.nodes.map_or(nodes, |asked| asked.min(nodes)));
        let whole = go.clock.time_of(at.side).unwrap_or_default() + go.clock.byoyomi;
        if go.move_time.is_none() {
            (go.move_time, go.clock) = (Some(whole), Clock::default());
        }
    }

    fn plan(&mut self, go: &Go, settings: &Settings, at: Standing) -> Plan {
        let per_ms = u64::from(settings.nodes_per_ms);
        let told = nodes_in(go.clock.time_of(at.side).unwrap_or_default(), per_ms);
        let left = *self.left.get_or_insert(told);
        self.left = Some(left.saturating_add(nodes_in(go.clock.increment_of(at.side), per_ms)));
        let mut time = [None; 2];
        time[at.side.index()] = Some(Duration::from_millis(left / per_ms));
        let clock = Clock { time, ..go.clock };
        Plan::new(&Go { ponder: false, clock, ..go.clone() }, settings, at)
    }

    /// Subtracts the nodes of a move.
    pub fn spend(&mut self, nodes: u64) {
        self.left = self.left.map(|left| left.saturating_sub(nodes));
    }
}

fn nodes_in(time: Duration, per_ms: u64) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_mul(per_ms)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::Side;

    const AT: Standing = Standing { side: Side::First, ply: 0, shares: [35, 12] };

    fn at_rate(nodes_per_ms: u32) -> Settings {
        Settings { nodes_per_ms, ..Settings::default() }
    }

    fn clock(ms: u64, increment: u64) -> Go {
        let time = [Some(Duration::from_millis(ms)); 2];
        let clock = Clock { time, increment: [Duration::from_millis(increment); 2], ..Clock::default() };
        Go { clock, ..Go::default() }
    }

    #[test]
    fn a_clock_becomes_a_number_of_nodes_and_still_limits_the_time() {
        let (mut nodes, mut go) = (NodeTime::default(), clock(60_000, 600));
        let by_clock = Plan::new(&go, &Settings::default(), AT).aim().unwrap();
        nodes.take(&mut go, &at_rate(100), AT);
        assert_eq!(go.nodes, Some(by_clock.as_millis() as u64 * 100));
        assert_eq!((go.move_time, go.clock), (Some(Duration::from_secs(60)), Clock::default()));
    }

    #[test]
    fn the_budget_depends_only_on_the_nodes_spent() {
        let mut grants = Vec::new();
        for shown in [[60_000, 59_000, 58_000], [60_000, 31_000, 9_000]] {
            let mut nodes = NodeTime::default();
            let granted = shown.map(|ms| {
                let mut go = clock(ms, 0);
                nodes.take(&mut go, &at_rate(50), AT);
                nodes.spend(1_000_000);
                go.nodes.unwrap()
            });
            assert!(granted.is_sorted_by(|a, b| a > b), "{granted:?}");
            grants.push(granted);
        }
        assert_eq!(grants[0], grants[1]);
    }

    #[test]
    fn searches_without_a_clock_or_a_rate_get_no_node_limit() {
        for (rate, go) in [(0, clock(60_000, 0)), (100, Go { depth: Some(3), ..Go::default() })] {
            let (mut nodes, mut taken) = (NodeTime::default(), go.clone());
            nodes.take(&mut taken, &at_rate(rate), AT);
            assert_eq!(taken, go);
        }
        let mut go = Go { move_time: Some(Duration::from_millis(1_000)), ..Go::default() };
        NodeTime::default().take(&mut go, &at_rate(10), AT);
        assert_eq!(go.nodes, Some(9_700), "a thousand milliseconds minus the overhead");
    }
}
