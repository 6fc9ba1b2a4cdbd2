//! The referee of a match: applies the rules of any game, with moves and positions as text.

use super::counted::plies_of_line;
use super::typed::read_move;
use super::{GameError, MoveError};
use hasami_api::{
    Ending, Game, Line, MateGame, MoveText, Outcome, ParseMoveError, Records, Render, Rules, Side, Verdict,
};
use hasami_mate::MateRules;

/// An error in a variation that an engine printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PvFault {
    /// The move at this index is illegal.
    Illegal(usize),
    /// The game ends before the move at this index.
    PastEnd(usize),
}

/// The referee of a game in progress, which enforces the rules.
pub trait Referee: Send {
    fn side(&self) -> Side;

    /// Number of plies since the initial position; the start position's move number tells how many preceded it.
    fn ply(&self) -> u32;

    /// Plays a move and returns it in the protocol's notation.
    fn play(&mut self, text: &str) -> Result<MoveText, ParseMoveError>;

    /// Parses a move that a person has typed, in the protocol's or the players' notation.
    fn read(&mut self, text: &str) -> Result<MoveText, MoveError>;

    /// Returns the result and its reason if the rules have ended the game. The right to declare a win does not end a
    /// game until the win is declared.
    fn end(&mut self) -> Option<(Outcome, Ending)>;

    /// Returns whether the side to move has the right to declare a win.
    fn may_declare_win(&mut self) -> bool;

    fn in_check(&mut self) -> bool;

    /// Returns whether the side to move is mated. By the rules of problems, a side with only futile interpositions is
    /// mated.
    fn is_mated(&mut self, rules: MateRules) -> bool;

    /// Counts the plies from the current position to the mate at the end of `moves`, which may be in any notation;
    /// `None` if the line does not end in mate. Like composers, does not count interpositions that the line shows to be
    /// futile. `attacks` states whether the side to move is the attacker.
    fn plies_for_composers(&mut self, moves: &[String], attacks: bool) -> Option<usize>;

    /// Number of legal moves in the current position.
    fn count_moves(&mut self) -> usize;

    fn plies_without_progress(&mut self) -> Option<u32>;

    /// The current position as FEN or SFEN.
    fn to_text(&mut self) -> String;

    /// Checks a variation from the current position. Moves at the beginning that the last variation also had are not
    /// checked again.
    fn check_pv(&mut self, pv: &[MoveText]) -> Option<PvFault>;
}

/// A source of proven position values, such as endgame tables.
pub trait Oracle: Send + Sync {
    /// Returns the value of a position, given as FEN or SFEN, for the side to move.
    fn probe(&self, position: &str) -> Option<Verdict>;
}

/// Implements [`Referee`] for any game.
pub struct Arbiter<G: Game> {
    /// The game state after the moves in `ahead`.
    game: G,
    line: Line,
    /// The moves of a variation that [`Referee::check_pv`] has played after the moves of the game.
    ahead: Vec<MoveText>,
}

impl<G: Records + MateGame + Render> Arbiter<G> {
    /// Creates a referee for the game after `line`. If a move in the line is illegal, the error names that move.
    pub fn new(line: &Line) -> Result<Self, GameError> {
        let game = G::new(&line.start)?;
        let mut arbiter =
            Self { game, line: Line { start: line.start.clone(), moves: Vec::with_capacity(256) }, ahead: Vec::new() };
        for (index, text) in line.moves.iter().enumerate() {
            arbiter.play(text).map_err(|error| MoveError::from(error).at(index + 1))?;
        }
        Ok(arbiter)
    }

    /// Takes back the moves that [`Referee::check_pv`] has played, except for the first `keep`.
    fn rewind(&mut self, keep: usize) {
        while self.ahead.len() > keep {
            self.game.unmake();
            self.ahead.pop();
        }
    }

    /// Returns the verdict by all rules except win by declaration, so that a mere right to declare hides no other
    /// verdict.
    fn verdict(&self) -> Verdict {
        match self.game.verdict() {
            Verdict::Win if self.game.may_declare_win() => self.verdict_without_declaration(),
            verdict => verdict,
        }
    }

    fn verdict_without_declaration(&self) -> Verdict {
        let mut line = self.line.clone();
        line.start.rules.own = Rules::NONE;
        Self::new(&line).map_or(Verdict::Open, |arbiter| arbiter.game.verdict())
    }

    /// Returns whether the game has ended by a rule that engines know, which excludes a match's move limit. A position
    /// without legal moves is detected only when the next move is tried.
    fn is_over(&self) -> bool {
        self.verdict() != Verdict::Open && self.game.ending().is_known_to_engines()
    }
}

impl<G: Records + MateGame + Render> Referee for Arbiter<G> {
    fn side(&self) -> Side {
        if self.ahead.len().is_multiple_of(2) { self.game.side() } else { self.game.side().other() }
    }

    fn ply(&self) -> u32 {
        self.game.ply() - self.ahead.len() as u32
    }

    fn play(&mut self, text: &str) -> Result<MoveText, ParseMoveError> {
        self.rewind(0);
        let m = self.game.parse_move(text)?;
        let text = self.game.format_move(m);
        self.game.make(m);
        self.line.moves.push(text);
        Ok(text)
    }

    fn read(&mut self, text: &str) -> Result<MoveText, MoveError> {
        self.rewind(0);
        Ok(self.game.format_move(read_move(&self.game, text)?))
    }

    fn end(&mut self) -> Option<(Outcome, Ending)> {
        self.rewind(0);
        let verdict = match self.verdict() {
            Verdict::Open if self.game.count_moves() == 0 => self.game.verdict_without_moves(),
            Verdict::Open => return None,
            verdict => verdict,
        };
        let us = self.game.side();
        let outcome = match verdict {
            Verdict::Win => Outcome::Win(us),
            Verdict::Loss => Outcome::Win(us.other()),
            Verdict::Draw | Verdict::Open => Outcome::Draw,
        };
        Some((outcome, self.game.ending()))
    }

    fn may_declare_win(&mut self) -> bool {
        self.rewind(0);
        self.game.may_declare_win()
    }

    fn in_check(&mut self) -> bool {
        self.rewind(0);
        self.game.in_check()
    }

    fn is_mated(&mut self, rules: MateRules) -> bool {
        self.rewind(0);
        rules.is_mated(&self.game)
    }

    fn plies_for_composers(&mut self, moves: &[String], attacks: bool) -> Option<usize> {
        self.rewind(0);
        let mut game = self.game.clone();
        let read = |text: &String| {
            let m = read_move(&game, text).ok()?;
            let text = game.format_move(m);
            game.make(m);
            Some(text)
        };
        let moves: Vec<MoveText> = moves.iter().map_while(read).collect();
        plies_of_line(&self.game, &moves, attacks)
    }

    fn count_moves(&mut self) -> usize {
        self.rewind(0);
        self.game.count_moves()
    }

    fn plies_without_progress(&mut self) -> Option<u32> {
        self.rewind(0);
        self.game.plies_without_progress()
    }

    fn to_text(&mut self) -> String {
        self.rewind(0);
        self.game.to_text()
    }

    fn check_pv(&mut self, pv: &[MoveText]) -> Option<PvFault> {
        let common = self.ahead.iter().zip(pv).take_while(|(old, new)| old == new).count();
        self.rewind(common);
        let mut fault = None;
        for (index, text) in pv.iter().enumerate().skip(common) {
            if self.is_over() {
                fault = Some(PvFault::PastEnd(index));
                break;
            }
            let Ok(m) = self.game.parse_move(text) else {
                let over = self.game.count_moves() == 0;
                fault = Some(if over { PvFault::PastEnd(index) } else { PvFault::Illegal(index) });
                break;
            };
            self.game.make(m);
            self.ahead.push(*text);
        }
        fault
    }
}
