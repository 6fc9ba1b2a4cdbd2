//! Handles the positions that the GUI sends. A new position is accepted at once, refused, or kept until the end of a
//! search that only the GUI may end.
//!
//! If a position is rejected, nothing is searched: a move for a different position would be worse than no move.

use super::clock::Standing;
use super::core::{Manager, Phase};
use hasami_api::{Game, InvalidPosition, Line, MoveText, Rules, Start};
use hasami_protocol::Go;
use hasami_tree::event::Time;
use std::time::Duration;

/// Tracks the position that the GUI has set.
pub(super) struct GuiPosition<G: Game> {
    /// The last valid line that the GUI sent.
    pub line: Line,
    pub game: G,
    /// True if the last position was refused; nothing is searched until the GUI sends a valid one.
    pub refused: bool,
    /// A position that arrived during a search that only the GUI may end; it takes effect after that search.
    pub next: Option<(Line, G)>,
}

impl<G: Game> GuiPosition<G> {
    pub fn initial(rules: Rules) -> Result<Self, InvalidPosition> {
        let line = Line { start: Start { text: None, rules }, moves: Vec::new() };
        Ok(Self { game: G::new(&line.start)?, line, refused: false, next: None })
    }

    /// Returns the game after the moves of `line`. If the line continues the current one, only the new moves are
    /// played.
    fn follow(&self, line: &Line) -> Result<G, String> {
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

    /// Changes the rules of the game, provided that the current position is valid under the new rules.
    pub fn change_rules(&mut self, rules: Rules) {
        self.line.start.rules = rules;
        self.line.start.rules = G::rules_of(&self.line.start);
        if let Ok(game) = self.follow(&self.line) {
            self.game = game;
        }
    }

    /// Refuses a position: the current search continues, but no new search begins.
    pub fn refuse(&mut self) {
        self.refused = true;
        self.next = None;
    }

    /// The last position that the GUI sent, unless it was refused.
    pub fn newest(&self) -> Option<&Line> {
        let newest = self.next.as_ref().map_or(&self.line, |(line, _)| line);
        (!self.refused).then_some(newest)
    }

    /// Accepts the position that arrived during a search that has now ended.
    pub fn take_next(&mut self) {
        if let Some(next) = self.next.take() {
            (self.line, self.game) = next;
        }
    }

    /// For `go rtime`, chooses the time for the move at random.
    pub fn draw_time(&self, now: Time, go: &mut Go, overhead: Duration) {
        if let Some(least) = go.random_time {
            let more = least / 2_000 * (self.noise(now) % 1_001) as u32;
            go.move_time = Some(least + more + overhead);
        }
    }

    /// A number derived from the time and used as a random seed, so that games differ. Everything else in the manager
    /// is deterministic.
    pub fn noise(&self, now: Time) -> u64 {
        (now.as_nanos() as u64 ^ self.game.key()).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16
    }

    /// Chooses a legal book move at random, with probabilities proportional to the weights.
    pub fn draw_move(&self, now: Time, moves: &[(MoveText, u32)]) -> Option<G::Move> {
        let parse =
            |&(text, weight): &(MoveText, u32)| self.game.parse_move(&text).ok().map(|m| (m, u64::from(weight)));
        let legal: Vec<(G::Move, u64)> = moves.iter().filter_map(parse).collect();
        let sum: u64 = legal.iter().map(|&(_, weight)| weight).sum();
        let mut rest = self.noise(now).checked_rem(sum).unwrap_or(0);
        for &(m, weight) in &legal {
            if rest < weight {
                return Some(m);
            }
            rest -= weight;
        }
        legal.first().map(|&(m, _)| m)
    }

    /// The facts about the game that time management depends on.
    pub fn standing(&self) -> Standing {
        Standing { side: self.game.side(), ply: self.game.ply(), shares: G::CLOCK_SHARES }
    }
}

impl<G: Game> Manager<G> {
    /// Accepts a position if all its moves are legal.
    pub(super) fn on_position(&mut self, now: Time, mut line: Line) {
        line.start.rules = self.options.newest().rules;
        line.start.rules = G::rules_of(&line.start);
        match self.position.follow(&line) {
            Ok(game) => self.accept_position(now, line, game),
            Err(why) => {
                self.position.refuse();
                self.message(why);
            }
        }
    }

    fn accept_position(&mut self, now: Time, line: Line, game: G) {
        self.position.refused = false;
        match &self.phase {
            // The protocol forbids an answer before `stop` or `ponderhit`, so the position is kept until then.
            Phase::Thinking(search) if search.held => self.position.next = Some((line, game)),
            Phase::Unplaced(_) => (self.position.line, self.position.game) = (line, game),
            _ => {
                // GUIs must not send `position` during a search; if one does, the running `go` is answered for the old
                // position.
                self.finish(now);
                (self.position.line, self.position.game) = (line, game);
            }
        }
    }
}
