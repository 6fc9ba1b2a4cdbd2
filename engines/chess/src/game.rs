//! A chess game as a stack of positions with their keys, and the verdict of the rules on the current position.

#![deny(clippy::unwrap_used, clippy::panic)]

use crate::{Move, count, keys::Keys, movegen, setup};
use hasami_api::{Game, InvalidPosition, MateUnit, MoveText, Moves, ParseMoveError, Rules, Side, Start, Verdict};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess as Standard, Color, EnPassantMode, Position, Role};

/// Number of plies without a capture or pawn move after which the fifty-move rule makes the game a draw.
pub(crate) const CLOCK_LIMIT: u32 = 100;

/// A position with its keys, and the number of earlier positions that it may repeat.
#[derive(Clone, Debug)]
pub(crate) struct PositionState {
    pub position: Standard,
    pub keys: Keys,
    /// Plies since the last capture, pawn move or null move, or since the first position on the stack.
    reversible: u32,
}

/// A chess position with its history, in which each move pushes a copy of the position onto a stack.
#[derive(Clone, Debug)]
pub struct Chess {
    /// The positions since the start, ending with the current position; never empty.
    stack: Vec<PositionState>,
    /// How castling moves are written.
    notation: CastlingMode,
}

impl Chess {
    /// Sets up the position of a FEN. Castling is written as king takes rook only if the position is one of Chess960.
    pub fn from_fen(fen: &str) -> Result<Self, InvalidPosition> {
        setup::parse(fen).map(|position| Self::from_position(position, false))
    }

    fn from_position(position: Standard, chess960: bool) -> Self {
        let notation = if chess960 { CastlingMode::Chess960 } else { position.castles().mode() };
        let keys = Keys::of(&position);
        let mut stack = Vec::with_capacity(256);
        stack.push(PositionState { position, keys, reversible: 0 });
        Self { stack, notation }
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &Standard {
        &self.now().position
    }

    /// The key under which Polyglot books list the current position.
    pub fn polyglot_key(&self) -> u64 {
        self.position().zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
    }

    #[inline]
    pub(crate) fn now(&self) -> &PositionState {
        self.stack.last().expect("the start position is never popped")
    }

    /// Pushes a copy of the current position onto the stack, so that a move can be made in the copy.
    #[inline]
    fn push(&mut self) -> &mut PositionState {
        self.stack.extend_from_within(self.stack.len() - 1..);
        self.stack.last_mut().expect("just pushed")
    }

    /// Makes a null move; the side to move must not be in check.
    pub(crate) fn pass(&mut self) {
        let state = self.push();
        pass(&mut state.position);
        state.keys.pass();
        state.reversible = 0;
    }

    /// Returns the distances in plies to the earlier occurrences of the current position, the nearest first.
    fn repetitions(&self) -> impl Iterator<Item = usize> + '_ {
        let last = self.stack.len() - 1;
        let PositionState { keys, reversible, .. } = self.now();
        (4..=*reversible as usize)
            .step_by(2)
            .filter(move |&back| self.stack[last - back].keys.position == keys.position)
    }

    /// Has the current position occurred before?
    pub(crate) fn has_repeated(&self) -> bool {
        self.repetitions().next().is_some()
    }

    fn drawn_by_material_or_clock(&self) -> bool {
        let position = self.position();
        lacks_material(position) || (position.halfmoves() >= CLOCK_LIMIT && !position.is_checkmate())
    }
}

/// Makes a null move in `position`: the king "moves" to its own square as a knight that "promotes" to a king. The null
/// move affects neither castling rights nor pawns, only the side to move, the half-move clock and en passant.
fn pass(position: &mut Standard) {
    let square = position.board().king_of(position.turn()).expect("both sides have a king");
    position.play_unchecked(Move::Normal {
        role: Role::Knight,
        from: square,
        capture: None,
        to: square,
        promotion: Some(Role::King),
    });
}

#[inline]
fn lacks_material(position: &Standard) -> bool {
    let board = position.board();
    (board.pawns() | board.rooks_and_queens()).is_empty() && position.is_insufficient_material()
}

impl Game for Chess {
    type Move = Move;

    const NAME: &'static str = "chess";
    const MATE_UNIT: MateUnit = MateUnit::Moves;
    const CLOCK_SHARES: [u32; 2] = [35, 12];

    fn new(start: &Start) -> Result<Self, InvalidPosition> {
        let position = match &start.text {
            Some(text) => setup::parse(text)?,
            None => Standard::default(),
        };
        Ok(Self::from_position(position, start.rules.chess960))
    }

    fn rules_of(start: &Start) -> Rules {
        let demands = start.text.as_deref().is_some_and(setup::is_of_chess960);
        Rules { chess960: start.rules.chess960 || demands, ..start.rules }
    }

    fn to_text(&self) -> String {
        Fen::from_position(self.position(), EnPassantMode::Legal).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let uci = UciMove::from_ascii(text.to_ascii_lowercase().as_bytes())
            .ok()
            .filter(|uci| uci.is_normal())
            .ok_or_else(|| ParseMoveError::Notation(text.to_owned()))?;
        uci.to_move(self.position()).map_err(|_| ParseMoveError::Illegal(text.to_owned()))
    }

    fn format_move(&self, m: Move) -> MoveText {
        m.to_uci(self.notation).to_string().parse().expect("a move in UCI notation has four or five characters")
    }

    #[inline]
    fn side(&self) -> Side {
        match self.position().turn() {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }

    fn ply(&self) -> u32 {
        let position = self.position();
        let black = u32::from(position.turn() == Color::Black);
        (position.fullmoves().get() - 1).saturating_mul(2).saturating_add(black)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.now().keys.position
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.position().is_check()
    }

    #[inline]
    fn legal_moves(&self, out: &mut Moves<Move>) {
        movegen::legal(self.position(), out);
    }

    #[inline]
    fn count_moves(&self) -> usize {
        count::legal(self.position())
    }

    #[inline]
    fn make(&mut self, m: Move) {
        let state = self.push();
        state.keys.play(&mut state.position, m);
        state.reversible = if m.is_zeroing() { 0 } else { state.reversible + 1 };
    }

    #[inline]
    fn unmake(&mut self) {
        debug_assert!(self.stack.len() > 1, "unmake without make");
        self.stack.pop();
    }

    fn verdict(&self) -> Verdict {
        let draw = self.repetitions().nth(1).is_some() || self.drawn_by_material_or_clock();
        if draw { Verdict::Draw } else { Verdict::Open }
    }

    #[inline]
    fn verdict_in_search(&self, plies: usize) -> Verdict {
        let mut earlier = self.repetitions();
        let repeated = earlier.next().is_some_and(|back| back <= plies || earlier.next().is_some());
        if repeated || self.drawn_by_material_or_clock() { Verdict::Draw } else { Verdict::Open }
    }

    fn verdict_without_moves(&self) -> Verdict {
        if self.in_check() { Verdict::Loss } else { Verdict::Draw }
    }
}

#[cfg(test)]
mod tests;
