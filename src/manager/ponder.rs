//! Thinking while the opponent thinks: the tree simply stays, and its workers go on.

use super::clock::Plan;
use super::core::{Manager, Phase};
use super::think::Think;
use crate::event::{Time, WorkerId};
use crate::protocol::{Clock, Go};
use crate::tree::NodeId;
use hasami_api::{Game, MoveText};
use std::time::Duration;

/// With fewer players than this all of them ponder on the expected reply.
const PONDER_CREW: usize = 4;
/// Nobody is waited for longer than this.
const LONGEST_PONDER: Duration = Duration::from_secs(6 * 3600);

impl<G: Game> Manager<G> {
    /// `go ponder` on the reply that we expect: with enough workers the root stays before the reply, so that the other
    /// replies are searched too and a miss loses nothing. Returns the node of the expected reply.
    pub(super) fn ponder_beside(&mut self, now: Time, go: &Go, only: &[MoveText]) -> Option<NodeId> {
        let beside = self.settings.ponder && self.settings.multi_pv <= 1 && self.crew.players() >= PONDER_CREW;
        if !go.ponder || !beside || !only.is_empty() || self.line.since(&self.tree_line)?.len() != 1 {
            return None;
        }
        // Whoever searches the root as ours does not search it as theirs.
        if self.tree.is_ahead() && !self.tree.awaits_reply() {
            return None;
        }
        let reply = self.tree.game().parse_move(self.line.moves.last()?).ok()?;
        let child = self.tree.add_child(self.tree.root(), reply);
        if self.tree.node(child).settled.is_settled() || self.tree.is_dead(child) {
            return None;
        }
        self.tree.await_reply();
        self.tree.expect_move(child);
        self.rescope_root(now);
        Some(child)
    }

    /// The root's worker must leave out a move that has just got a node.
    fn rescope_root(&mut self, now: Time) {
        let root = self.tree.root();
        let Some(seat) = self.tree.node(root).seat else { return };
        let worker = WorkerId(seat.worker);
        let left_out = self.tree.left_out(root);
        let knows = self.crew.get(worker).and_then(|m| m.job()).is_some_and(|job| *job.except == left_out);
        if !knows {
            self.cancel(now, worker);
        }
    }

    pub(super) fn on_ponder_hit(&mut self, now: Time, clock: Option<Clock>) {
        let standing = self.standing();
        let Phase::Thinking(think) = &self.phase else { return self.hit_unplaced(now) };
        if !think.go.ponder || think.clock_from.is_some() {
            return;
        }
        if think.focus != self.tree.root() {
            self.take_up_position(now);
            self.release_removed(now);
            self.frontier.rebuild(&self.tree, self.model.as_ref());
        }
        let root = self.tree.root();
        let Phase::Thinking(think) = &mut self.phase else { return };
        think.focus = root;
        think.plan = Plan::on_ponder_hit(&think.go, clock, &self.settings, standing);
        think.clock_from = Some(now);
        think.carried += now.saturating_sub(think.began);
        think.held = think.go.infinite;
        if let Some(clock) = clock {
            think.go.clock = clock;
        }
    }

    /// The tree goes on while the opponent thinks, or rests until the next `go`.
    pub(super) fn after_move(&mut self, now: Time, think: &Think, best: MoveText) {
        self.phase = Phase::Idle;
        // What was switched off during the search does not begin, or go on, after it.
        let settings = self.newest_settings();
        if !settings.ponder || settings.analyse_mode || think.go.infinite {
            return self.leave_all(now);
        }
        if think.go.ponder && think.clock_from.is_none() {
            return self.after_miss(now, think);
        }
        let Ok(m) = self.tree.game().parse_move(&best) else { return self.leave_all(now) };
        self.tree.reroot(&[m]);
        self.tree.await_reply();
        self.tree_line = self.tree_line.with(best);
        self.release_removed(now);
        self.frontier.rebuild(&self.tree, self.model.as_ref());
        self.phase = Phase::Pondering(now + self.longest_ponder(think));
    }

    /// The opponent did not play what we pondered on; what they did play comes next.
    fn after_miss(&mut self, now: Time, think: &Think) {
        if think.focus == self.tree.root() {
            return self.leave_all(now);
        }
        self.phase = Phase::Pondering(now + self.longest_ponder(think));
    }

    /// An opponent who is not heard of for so long has left, whatever the GUI says.
    fn longest_ponder(&self, think: &Think) -> Duration {
        let clock = &think.go.clock;
        let opponent = self.game.side().other();
        let left = clock.time_of(opponent).map(|time| time + clock.increment_of(opponent) + clock.byoyomi);
        left.map_or(Duration::from_secs(600), |left| left.min(LONGEST_PONDER) + Duration::from_secs(5))
    }

    pub(super) fn end_pondering(&mut self, now: Time) {
        if matches!(self.phase, Phase::Pondering(_)) {
            self.phase = Phase::Idle;
            self.leave_all(now);
        }
    }
}
