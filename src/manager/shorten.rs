//! Where a position is analysed, the mate that decides it is not the last word: a solver looks for a shorter one.

use super::core::{Manager, Phase};
use super::mate::Question;
use crate::event::Time;
use hasami_api::{Game, ScoreKind};

impl<G: Game> Manager<G> {
    /// Asks whether a shorter mate than the root's is there. The workers are free by now, and a game is not kept waiting.
    pub(super) fn seek_shorter(&mut self, now: Time) {
        let Phase::Thinking(think) = &self.phase else { return };
        let analyses = think.go.infinite || self.settings.analyse_mode && think.plan.hard().is_some();
        if !analyses || think.question.is_some() || think.exact.is_some() {
            return;
        }
        let root = self.tree.node(self.tree.searched(think.focus));
        let score = root.value.filter(|_| root.settled.is_settled()).map(|value| value.score.kind());
        let Some(ScoreKind::Mate(plies @ 3..)) = score else { return };
        let Phase::Thinking(think) = &mut self.phase else { return };
        think.question = u16::try_from(plies - 2).ok().map(Question::within);
        self.assign_solver(now);
    }

    /// The solver is at it.
    pub(super) fn is_shortening(&self) -> bool {
        matches!(&self.phase, Phase::Thinking(think) if think.question.as_ref().is_some_and(Question::is_open))
    }
}
