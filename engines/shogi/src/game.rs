//! Implements [`Game`] with rsshogi.

use crate::checks::CheckTest;
use crate::{EnteringKingRule, forbidden, movegen, repetition, setup};
use hasami_api::{Game, InvalidPosition, MoveText, Moves, ParseMoveError, Rules, Side, Start, Verdict};
use rsshogi::board::{Position, generate_sfen_with_ply, hirate_position};
use rsshogi::types::{Color, EnteringKingRule as Entering, MOVE_NONE, Move, Move32, PieceType, SQ_51, SQ_59, Square};

/// A shogi position, with the moves that led to it.
pub struct Shogi {
    position: Position,
    rules: Rules,
    /// The entering-king rule that [`Rules::own`] selects.
    entering_king: EnteringKingRule,
    /// Number of plies played before the start position.
    plies_before: u32,
}

impl Clone for Shogi {
    /// In a long game, the clone makes moves faster than the original, so searches should use a clone.
    fn clone(&self) -> Self {
        // `clone_for_search` drops the states before a pass, so moves made before it could not be taken back.
        let passed = usize::from(self.position.plies_from_null()) < self.position.state_stack_depth();
        let position = if passed { self.position.clone() } else { self.position.clone_for_search() };
        Self { position, rules: self.rules, entering_king: self.entering_king, plies_before: self.plies_before }
    }
}

impl Shogi {
    /// The current position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns a game at another position, with the rules and the ply of `self` but without history.
    pub(crate) fn at_the_same_ply(&self, position: Position) -> Self {
        Self { position, rules: self.rules, entering_king: self.entering_king, plies_before: self.ply() }
    }

    #[inline]
    pub(crate) fn pass(&mut self) {
        self.position.apply_null_move().expect("a pass is made out of check and in a game of less than 65,536 plies");
    }

    pub(crate) fn entering_king(&self) -> EnteringKingRule {
        self.entering_king
    }

    pub(crate) fn max_moves(&self) -> u32 {
        self.rules.max_moves
    }

    /// The verdict according to the rules that depend only on the position and its ply.
    #[inline]
    fn verdict_here(&self) -> Verdict {
        if self.rules.max_moves != 0 && self.ply() >= self.rules.max_moves {
            // A mate by the last allowed move takes precedence over the move limit.
            return if self.in_check() && !movegen::is_any(&self.position) { Verdict::Open } else { Verdict::Draw };
        }
        match self.entering_king {
            EnteringKingRule::None => Verdict::Open,
            EnteringKingRule::TryRule if self.opponent_has_tried() => Verdict::Loss,
            EnteringKingRule::TryRule => Verdict::Open,
            _ if self.may_declare_win() => Verdict::Win,
            _ => Verdict::Open,
        }
    }

    pub(crate) fn opponent_has_tried(&self) -> bool {
        match self.position.turn() {
            Color::BLACK => self.position.king_square(Color::WHITE) == SQ_59,
            Color::WHITE => self.position.king_square(Color::BLACK) == SQ_51,
        }
    }

    /// Returns whether the king of the side to move stands on one of the last three ranks.
    #[inline]
    fn king_has_entered(&self) -> bool {
        let us = self.position.turn();
        let king = self.position.king_square(us);
        let rank = king.rank().raw();
        !king.is_none() && if us == Color::BLACK { rank <= 2 } else { rank >= 6 }
    }
}

/// The letter that stands for a kind of piece in a drop.
const fn piece_letter(kind: PieceType) -> u8 {
    match kind {
        PieceType::PAWN => b'P',
        PieceType::LANCE => b'L',
        PieceType::KNIGHT => b'N',
        PieceType::SILVER => b'S',
        PieceType::GOLD => b'G',
        PieceType::BISHOP => b'B',
        _ => b'R',
    }
}

impl Game for Shogi {
    type Move = Move32;

    const NAME: &'static str = "shogi";

    fn new(start: &Start) -> Result<Self, InvalidPosition> {
        let (mut position, plies_before) = match &start.text {
            Some(text) if start.rules == Rules::OF_DEFENCES => setup::parse_problem(text)?,
            Some(text) => setup::parse(text)?,
            None => (hirate_position(), 0),
        };
        position.init_stack();
        let entering_king = EnteringKingRule::of(start.rules);
        position.set_entering_king_rule(match entering_king {
            // Under the try rule, the king's move itself wins, without a declaration.
            EnteringKingRule::None | EnteringKingRule::TryRule => Entering::None,
            EnteringKingRule::CsaRule24 => Entering::Point24,
            EnteringKingRule::CsaRule24H => Entering::Point24Handicap,
            EnteringKingRule::CsaRule27 => Entering::Point27,
            EnteringKingRule::CsaRule27H => Entering::Point27Handicap,
        });
        Ok(Self { position, rules: start.rules, entering_king, plies_before })
    }

    fn check_play(&self) -> Result<(), InvalidPosition> {
        let lacks = |color: &Color| self.position.king_square(*color).is_none();
        match [Color::BLACK, Color::WHITE].iter().find(|color| lacks(color)) {
            None => Ok(()),
            Some(&color) => Err(InvalidPosition::kingless(if color == Color::BLACK { "Black" } else { "White" })),
        }
    }

    fn to_text(&self) -> String {
        format!("{} {}", generate_sfen_with_ply(&self.position, None), self.ply().saturating_add(1))
    }

    fn parse_move(&self, text: &str) -> Result<Move32, ParseMoveError> {
        let wanted = Move::from_usi(text).filter(|m| m.is_normal());
        let wanted = wanted.ok_or_else(|| ParseMoveError::Notation(text.into()))?;
        let mut moves = Moves::new();
        self.legal_moves(&mut moves);
        let found = moves.iter().copied().find(|m| m.to_move() == wanted);
        found.ok_or_else(|| match forbidden::rule(&self.position, wanted) {
            Some(rule) => ParseMoveError::Forbidden(text.into(), rule),
            None => ParseMoveError::Illegal(text.into()),
        })
    }

    fn format_move(&self, m: Move32) -> MoveText {
        // A search formats every root move, and rsshogi would allocate a string for each of them.
        let square = |square: Square| [b'1' + square.raw() as u8 / 9, b'a' + square.raw() as u8 % 9];
        let [file, rank] = square(m.to_sq());
        let text = match m.dropped_piece() {
            Some(kind) => [piece_letter(kind), b'*', file, rank, b'+'],
            None => {
                let [from_file, from_rank] = square(m.from_sq());
                [from_file, from_rank, file, rank, b'+']
            }
        };
        let text = if m.is_promotion() { &text[..] } else { &text[..4] };
        let text = std::str::from_utf8(text).expect("USI notation is ASCII");
        text.parse().expect("a move in USI notation has four or five characters")
    }

    #[inline]
    fn side(&self) -> Side {
        match self.position.turn() {
            Color::BLACK => Side::First,
            Color::WHITE => Side::Second,
        }
    }

    #[inline]
    fn ply(&self) -> u32 {
        self.plies_before.saturating_add(self.position.state_stack_depth() as u32)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.position.key().low_u64()
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.position.is_in_check()
    }

    #[inline]
    fn legal_moves(&self, out: &mut Moves<Move32>) {
        movegen::legal(&self.position, out);
    }

    #[inline]
    fn count_moves(&self) -> usize {
        movegen::count(&self.position)
    }

    #[inline]
    fn make(&mut self, m: Move32) {
        let gives_check = CheckTest::new(&self.position).gives_check(m);
        self.position.apply_move32_with_gives_check(m, gives_check);
    }

    #[inline]
    fn unmake(&mut self) {
        // Right after a pass and at the start, rsshogi counts zero plies since the last pass.
        if self.position.plies_from_null() == 0 {
            self.position.undo_null_move().expect("a move was made before it is taken back");
        } else {
            let m = self.position.last_move();
            // SAFETY: moves were made since the start position, and `m` is the last of them.
            unsafe { self.position.undo_move32_unchecked(m) };
        }
    }

    fn verdict(&self) -> Verdict {
        self.verdict_in_search(0)
    }

    #[inline]
    fn verdict_in_search(&self, plies: usize) -> Verdict {
        match repetition::verdict(&self.position, plies) {
            Verdict::Open => self.verdict_here(),
            repeated => repeated,
        }
    }

    fn verdict_without_moves(&self) -> Verdict {
        Verdict::Loss
    }

    #[inline]
    fn may_declare_win(&self) -> bool {
        self.king_has_entered() && self.position.declaration_win_move() != MOVE_NONE
    }
}

#[cfg(test)]
mod tests;
