//! The rules of minishogi.

use crate::board::{Kind, Position, SQUARES};
use crate::text;
use hasami_api::{Game, InvalidPosition, MoveText, Moves, ParseMoveError, Rules, Side, Start, Verdict};

/// The value of [`Rules::own`] that makes the fourth occurrence of a position a draw.
pub const REPETITION_DRAWS: u8 = 1;

/// A move of a piece on the board, or a drop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The square from which the piece moves; for a drop, 25 plus the kind of the piece.
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) promotes: bool,
}

impl Move {
    pub(crate) fn drop(kind: Kind, to: u8) -> Self {
        Self { from: SQUARES as u8 + kind as u8, to, promotes: false }
    }

    pub(crate) fn dropped(self) -> Option<Kind> {
        Kind::ALL.get(usize::from(self.from).checked_sub(SQUARES)?).copied()
    }
}

/// A position in the history of a game, with its key, and whether the side to move is in check.
#[derive(Clone)]
pub(crate) struct Moment {
    pub position: Position,
    pub key: u64,
    pub is_check: bool,
}

impl Moment {
    fn new(position: Position) -> Self {
        Self { key: position.key(), is_check: position.is_checked(position.side), position }
    }
}

#[derive(Clone)]
pub struct Minishogi {
    past: Vec<Moment>,
    now: Moment,
    /// Number of plies that were played before the start position.
    plies_before: u32,
    rules: Rules,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repetition {
    /// All moves of one side gave check, so that side loses; `by_us` tells whether it is the side to move.
    PerpetualCheck { by_us: bool },
    /// A repetition without perpetual check: the first player loses unless the rules make it a draw.
    Plain,
}

impl Minishogi {
    pub(crate) fn position(&self) -> &Position {
        &self.now.position
    }

    /// Returns the position `plies` plies ago; `None` if the game is shorter.
    fn before(&self, plies: usize) -> Option<&Moment> {
        self.past.iter().rev().nth(plies.checked_sub(1)?)
    }

    /// For each earlier occurrence of the current position, the latest first, returns how many plies ago it was.
    fn occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let past = self.past.iter().rev().zip(1..);
        past.filter(|(moment, _)| moment.key == self.now.key).map(|(_, plies)| plies)
    }

    /// Returns the kind of repetition if the current position has occurred for the fourth time.
    pub(crate) fn repetition(&self) -> Option<Repetition> {
        self.occurrences().nth(2).map(|plies| self.repetition_since(plies))
    }

    fn repetition_since(&self, plies: usize) -> Repetition {
        // The side that was to move an even number of plies ago is also to move now.
        let checked = |from: usize| (from..plies).step_by(2).all(|back| self.at(back).is_check);
        match (checked(0), checked(1)) {
            (true, _) => Repetition::PerpetualCheck { by_us: false },
            (_, true) => Repetition::PerpetualCheck { by_us: true },
            _ => Repetition::Plain,
        }
    }

    fn at(&self, plies: usize) -> &Moment {
        self.before(plies).unwrap_or(&self.now)
    }

    fn verdict_on(&self, repetition: Repetition) -> Verdict {
        let loses = match repetition {
            Repetition::Plain if self.rules.own == REPETITION_DRAWS => return Verdict::Draw,
            Repetition::PerpetualCheck { by_us } => by_us,
            Repetition::Plain => self.side() == Side::First,
        };
        if loses { Verdict::Loss } else { Verdict::Win }
    }

    fn go_on(&mut self, position: Position) {
        self.past.push(std::mem::replace(&mut self.now, Moment::new(position)));
    }

    pub(crate) fn pass(&mut self) {
        let position = self.now.position.clone();
        self.go_on(Position { side: position.side.other(), ..position });
    }
}

impl Game for Minishogi {
    type Move = Move;

    const NAME: &'static str = "minishogi";

    fn new(start: &Start) -> Result<Self, InvalidPosition> {
        let (position, plies_before) =
            text::read(start.text.as_deref().unwrap_or(text::START)).map_err(InvalidPosition)?;
        Ok(Self { past: Vec::new(), now: Moment::new(position), plies_before, rules: start.rules })
    }

    fn check_play(&self) -> Result<(), InvalidPosition> {
        let kings = [Side::First, Side::Second].map(|side| self.position().king(side).is_some());
        match kings.iter().position(|has_king| !has_king) {
            None => Ok(()),
            Some(side) => Err(InvalidPosition::kingless(["Black", "White"][side])),
        }
    }

    fn to_text(&self) -> String {
        text::write(self.position(), self.ply())
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let m = text::read_move(text).ok_or_else(|| ParseMoveError::Notation(text.into()))?;
        let mut moves = Moves::new();
        self.legal_moves(&mut moves);
        if moves.contains(&m) { Ok(m) } else { Err(ParseMoveError::Illegal(text.into())) }
    }

    fn format_move(&self, m: Move) -> MoveText {
        text::write_move(m)
    }

    fn side(&self) -> Side {
        self.position().side
    }

    fn ply(&self) -> u32 {
        self.plies_before + self.past.len() as u32
    }

    fn key(&self) -> u64 {
        self.now.key
    }

    fn in_check(&self) -> bool {
        self.now.is_check
    }

    fn legal_moves(&self, out: &mut Moves<Move>) {
        self.position().each_move(|m| out.push(m));
    }

    fn make(&mut self, m: Move) {
        self.go_on(self.position().after(m));
    }

    fn unmake(&mut self) {
        if let Some(moment) = self.past.pop() {
            self.now = moment;
        }
    }

    fn verdict(&self) -> Verdict {
        self.repetition().map_or(Verdict::Open, |repetition| self.verdict_on(repetition))
    }

    fn verdict_in_search(&self, plies: usize) -> Verdict {
        match self.occurrences().next().filter(|&back| back <= plies) {
            Some(back) => self.verdict_on(self.repetition_since(back)),
            None => self.verdict(),
        }
    }

    /// Returns the verdict for a side without legal moves: a loss, whether in check or not.
    fn verdict_without_moves(&self) -> Verdict {
        Verdict::Loss
    }
}
