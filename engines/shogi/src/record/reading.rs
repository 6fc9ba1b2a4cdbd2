//! Plays the moves of one game while a record is read.

use super::men::Men;
use crate::{Shogi, typed};
use hasami_api::{Game, GameFault, Line, ReadGame, RecordError, Side, Start};
use rsshogi::board::InitialPosition;

/// The moves read so far, and the position after them.
pub(super) struct Reading {
    line: Line,
    /// The game; `None` if the start position cannot be played.
    game: Option<Shogi>,
    fault: Option<GameFault>,
}

impl Reading {
    pub fn from(men: &Men) -> Self {
        let sfen = men.to_sfen();
        let text = (sfen != InitialPosition::Standard.to_sfen()).then(|| sfen.into());
        let start = Start { text, ..Start::default() };
        let (game, fault) = match Shogi::new(&start) {
            Ok(game) => (Some(game), None),
            Err(why) => (None, Some(GameFault { why: RecordError::Position(why), is_last: false })),
        };
        Self { line: Line { start, moves: Vec::new() }, game, fault }
    }

    /// Plays a move in any notation. At the first text that is not a legal move, the rest of the game is ignored.
    pub fn play(&mut self, text: &str, line: usize) {
        if let Some(fault) = &mut self.fault {
            fault.is_last = false;
            return;
        }
        let Some(game) = &mut self.game else { return };
        let ply = self.line.moves.len() + 1;
        let is_others = marked_side(text).is_some_and(|side| side != game.side());
        let why = match typed::moves(game, text).as_deref() {
            None => RecordError::no_move(ply, text),
            Some([]) => RecordError::illegal(ply, text),
            Some(_) if is_others => RecordError::illegal(ply, text),
            Some([m]) => {
                self.line.moves.push(game.format_move(*m));
                game.make(*m);
                return;
            }
            Some([one, other, ..]) => {
                let moves = [one, other].map(|m| game.format_move(*m));
                RecordError::Ambiguous { ply, found: text.to_owned(), moves }
            }
        };
        self.fault = Some(GameFault { why: why.at_line(line), is_last: true });
    }

    /// Completes the game, which is number `number` in the file, counted from 1.
    pub fn finish(self, number: usize) -> ReadGame {
        let of_game = |fault: GameFault| GameFault { why: RecordError::Game(number, Box::new(fault.why)), ..fault };
        ReadGame { line: self.line, fault: self.fault.map(of_game) }
    }
}

/// Returns the side named by the symbol before a move (`▲` or `△`).
fn marked_side(text: &str) -> Option<Side> {
    match text.chars().next()? {
        '▲' | '☗' | '▼' | '+' => Some(Side::First),
        '△' | '☖' | '▽' | '-' => Some(Side::Second),
        _ => None,
    }
}
