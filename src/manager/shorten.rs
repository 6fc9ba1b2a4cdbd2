//! Where no game is played, the mate that decides a position is not the last word. A solver looks for a shorter one; where
//! it does not find out, and where the mate is against the side to move, the players search on within the limit.

use super::core::{Manager, Phase};
use super::mate::Question;
use super::think::Think;
use crate::event::Time;
use hasami_api::{Game, ScoreKind};

/// Nodes of the solver in a search that is not limited by them, at least.
const LEAST: u64 = 1_000_000;

impl<G: Game> Manager<G> {
    /// Asks whether a shorter mate than the root's is there. A game is not kept waiting.
    pub(super) fn seek_shorter(&mut self, now: Time) {
        let Phase::Thinking(think) = &self.phase else { return };
        if !self.wants_shortest(think) {
            return;
        }
        let root = self.tree.node(self.tree.searched(think.focus));
        let Some(ScoreKind::Mate(plies)) = root.value.map(|value| value.score.kind()) else { return };
        let (is_settled, is_kept_open) = (root.settled.is_settled(), self.tree.is_kept_open());
        match &think.question {
            None if is_settled && plies >= 3 => self.ask_for_shorter(now, plies.unsigned_abs()),
            None if is_settled && plies <= -4 => self.search_on(),
            Some(question) if question.is_solved_by(plies) && is_kept_open => {
                self.tree.keep_open(false);
                self.release_dead(now);
            }
            Some(question) if is_settled && !question.is_solved_by(plies) && !self.is_shortening() => self.search_on(),
            _ => {}
        }
    }

    /// The limit is one of work, or there is none; or the GUI analyses. A number of moves was not asked for.
    fn wants_shortest(&self, think: &Think) -> bool {
        let is_game = think.plan.hard().is_some() || think.go.ponder;
        let is_limited = think.go.infinite || think.go.nodes.is_some() || think.go.depth.is_some();
        let is_analysis = self.settings.analyse_mode && think.plan.hard().is_some();
        (is_limited && !is_game || is_analysis) && think.go.mate.is_none()
    }

    fn ask_for_shorter(&mut self, now: Time, plies: u32) {
        let Phase::Thinking(think) = &self.phase else { return };
        let spent = self.spent(think);
        // Half of what is left: the players may need the rest.
        let half = |limit: u64| limit.saturating_sub(spent) / 2;
        let nodes = think.go.nodes.map_or(spent.max(LEAST), half);
        let plies = u16::try_from(plies - 2).unwrap_or(u16::MAX).min(think.go.depth.unwrap_or(u16::MAX));
        if let Phase::Thinking(think) = &mut self.phase {
            think.question = Some(Question::within(plies).limited(nodes));
        }
        self.assign_solver(now);
        if !self.is_shortening() {
            self.search_on();
        }
    }

    /// The mate stands, and the root is searched as if it were none.
    fn search_on(&mut self) {
        if !self.tree.is_kept_open() {
            self.tree.keep_open(true);
            self.frontier.rebuild(&self.tree, self.model.as_ref());
        }
    }

    /// The solver is at it, or will be as soon as it comes back from a leaf.
    pub(super) fn is_shortening(&self) -> bool {
        let Phase::Thinking(think) = &self.phase else { return false };
        let Some(question) = &think.question else { return false };
        question.is_open() || question.is_new() && self.crew.is_looking()
    }
}
