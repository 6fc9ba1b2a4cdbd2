//! Pondering: while the opponent thinks, the tree is kept and its workers continue.

use super::MoveSearch;
use crate::clock::Plan;
use crate::core::{Manager, Phase};
use hasami_api::{Game, MoveText};
use hasami_protocol::{Clock, Go};
use hasami_tree::NodeId;
use hasami_tree::event::{Time, WorkerId};
use std::time::Duration;

/// With at least this many players, replies other than the expected one are searched as well.
const MOST_TOGETHER: usize = 4;
/// Longest time to ponder.
const LONGEST_PONDER: Duration = Duration::from_secs(6 * 3600);

impl<G: Game> Manager<G> {
    /// Handles `go ponder` on the expected reply. With enough workers, the root stays at the position before the reply,
    /// so that other replies are searched too, and no work is lost if the opponent plays one of them. Returns the node
    /// of the expected reply.
    pub(super) fn ponder_before_reply(&mut self, now: Time, go: &Go, only: &[MoveText]) -> Option<NodeId> {
        let beside = self.options.valid.ponder
            && self.options.valid.multi_pv <= 1
            && self.assignment.roster.players() >= MOST_TOGETHER;
        if !go.ponder || !beside || !only.is_empty() || self.position.line.since(&self.assignment.root_line)?.len() != 1
        {
            return None;
        }
        // With anticipation, a tree with the engine to move at the root cannot be used for the opponent's move.
        if self.assignment.tree.anticipates && !self.assignment.tree.replies {
            return None;
        }
        let reply = self.assignment.tree.game().parse_move(self.position.line.moves.last()?).ok()?;
        let child = self.assignment.tree.add_child(self.assignment.tree.root(), reply);
        if self.assignment.tree.node(child).settled.is_settled() || self.assignment.tree.is_dead(child) {
            return None;
        }
        self.assignment.tree.set_reply_awaited();
        self.assignment.tree.expect_move(child);
        self.rescope_root(now);
        Some(child)
    }

    /// Cancels the root's worker if a move has just been given its own node, which the worker must now leave out.
    fn rescope_root(&mut self, now: Time) {
        let root = self.assignment.tree.root();
        let Some(assigned) = self.assignment.tree.node(root).worker else { return };
        let worker = WorkerId(assigned.worker);
        let left_out = self.assignment.tree.left_out(root);
        let knows = self.assignment.roster.get(worker).and_then(|m| m.job()).is_some_and(|job| *job.except == left_out);
        if !knows {
            self.assignment.cancel(now, worker);
        }
    }

    pub(crate) fn on_ponder_hit(&mut self, now: Time, clock: Option<Clock>) {
        let standing = self.position.standing();
        let Phase::Thinking(search) = &self.phase else { return self.hit_unplaced(now) };
        if !search.request.go.ponder || search.request.clock_from.is_some() {
            return;
        }
        if search.request.focus != self.assignment.tree.root() {
            self.follow_position(now);
            self.assignment.release_removed(now);
            self.assignment.requeue();
        }
        let root = self.assignment.tree.root();
        let Phase::Thinking(search) = &mut self.phase else { return };
        search.request.focus = root;
        search.request.plan = Plan::on_ponder_hit(&search.request.go, clock, &self.options.valid, standing);
        search.request.clock_from = Some(now);
        search.carried += now.saturating_sub(search.request.began);
        search.held = search.request.go.infinite;
        if let Some(clock) = clock {
            search.request.go.clock = clock;
        }
    }

    /// Handles a `ponderhit` when there is no valid position to search.
    fn hit_unplaced(&mut self, now: Time) {
        if matches!(&self.phase, Phase::Unplaced(go) if go.ponder && !go.infinite) {
            self.finish(now);
        }
    }

    /// Continues the search while the opponent thinks, or stops the workers until the next `go`.
    pub(super) fn after_move(&mut self, now: Time, search: &MoveSearch, best: MoveText) {
        self.phase = Phase::Idle;
        // The newest settings apply here, because pondering may have been switched off during the search.
        let settings = self.options.newest();
        if !settings.ponder || search.handicap.is_some() || settings.analyse_mode || search.request.go.infinite {
            return self.assignment.cancel_all(now);
        }
        if search.request.go.ponder && search.request.clock_from.is_none() {
            return self.after_miss(now, search);
        }
        let Ok(m) = self.assignment.tree.game().parse_move(&best) else { return self.assignment.cancel_all(now) };
        self.assignment.tree.reroot_before_reply(&[m]);
        self.assignment.root_line = self.assignment.root_line.with(best);
        self.assignment.release_removed(now);
        self.assignment.requeue();
        self.phase = Phase::Pondering(now + self.longest_ponder(search));
    }

    /// Handles an unexpected reply: the GUI has ended pondering, and will send the position after the reply.
    fn after_miss(&mut self, now: Time, search: &MoveSearch) {
        if search.request.focus == self.assignment.tree.root() {
            return self.assignment.cancel_all(now);
        }
        self.phase = Phase::Pondering(now + self.longest_ponder(search));
    }

    /// The longest time to ponder, after which the opponent is assumed to have left.
    fn longest_ponder(&self, search: &MoveSearch) -> Duration {
        let clock = &search.request.go.clock;
        let opponent = self.position.game.side().other();
        let left = clock.time_of(opponent).map(|time| time + clock.increment_of(opponent) + clock.byoyomi);
        left.map_or(Duration::from_secs(600), |left| left.min(LONGEST_PONDER) + Duration::from_secs(5))
    }

    pub(crate) fn end_pondering(&mut self, now: Time) {
        if matches!(self.phase, Phase::Pondering(_)) {
            self.phase = Phase::Idle;
            self.assignment.cancel_all(now);
        }
    }
}
