//! The position that the GUI sends: taken at once, kept until a search ends that only the GUI may end, or refused.
//!
//! After a refused position nothing is searched: a move of another position would be worse than none.

use super::core::{Manager, Phase};
use crate::event::Time;
use crate::protocol::{BestMove, Go, MateLimit, Output};
use hasami_api::{Game, Line};

impl<G: Game> Manager<G> {
    /// Takes a position if every move of it is legal.
    pub(super) fn on_position(&mut self, now: Time, mut line: Line) {
        line.start.rules = self.newest_settings().rules;
        match self.follow(&line) {
            Ok(game) => self.accept_position(now, line, game),
            Err(why) => self.refuse_position(why),
        }
    }

    fn accept_position(&mut self, now: Time, line: Line, game: G) {
        self.refused = false;
        match &self.phase {
            // Before `stop` or `ponderhit` nobody expects an answer.
            Phase::Thinking(think) if think.held => self.next_position = Some((line, game)),
            Phase::Unplaced(_) => (self.line, self.game) = (line, game),
            _ => {
                // A `position` during a search is an error of the GUI; the `go` is still owed its answer in the old one.
                self.finish(now);
                (self.line, self.game) = (line, game);
            }
        }
    }

    /// What is being searched is searched on, and what comes next is not.
    pub(super) fn refuse_position(&mut self, why: String) {
        self.refused = true;
        self.next_position = None;
        self.message(why);
    }

    /// The search that a position has waited for has ended.
    pub(super) fn take_next_position(&mut self) {
        if let Some(next) = self.next_position.take() {
            (self.line, self.game) = next;
        }
    }

    /// `go` after a refused position: no move, as soon as an answer may come.
    pub(super) fn go_unplaced(&mut self, now: Time, go: Go) {
        self.end_pondering(now);
        if matches!(go.mate, Some(MateLimit::Time(_) | MateLimit::Infinite)) {
            return self.say(Output::MateRefused);
        }
        if go.perft.is_some() {
            return self.message("perft: expected a position, found one that was refused");
        }
        let is_open = go.infinite || go.ponder;
        self.phase = Phase::Unplaced(go);
        if !is_open {
            self.finish(now);
        }
    }

    /// `ponderhit` where there is nothing to search.
    pub(super) fn hit_unplaced(&mut self, now: Time) {
        if matches!(&self.phase, Phase::Unplaced(go) if go.ponder && !go.infinite) {
            self.finish(now);
        }
    }

    pub(super) fn answer_unplaced(&mut self) {
        self.say(Output::Best(BestMove::None));
    }

    /// The game at the end of a line, played on from the present position where it continues it.
    pub(super) fn follow(&self, line: &Line) -> Result<G, String> {
        let (mut game, known) = match line.since(&self.line) {
            Some([_, ..]) => (self.game.clone(), self.line.moves.len()),
            _ => (G::new(&line.start).map_err(|error| format!("position: {error}"))?, 0),
        };
        for (index, text) in line.moves.iter().enumerate().skip(known) {
            let m = game.parse_move(text).map_err(|error| format!("position: move {}: {error}", index + 1))?;
            game.make(m);
        }
        Ok(game)
    }
}
