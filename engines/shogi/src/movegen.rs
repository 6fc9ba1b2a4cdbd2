//! Fills move lists with rsshogi's move generators.
//!
//! rsshogi's own lists hold 600 moves, enough for one set of pieces (at most 593 moves) but not for every position that
//! `setup` accepts. rsshogi's generators therefore write into [`Moves`], which a test proves to be large enough for any
//! position.

use hasami_api::Moves;
use rsshogi::board::{Legal, LegalAll, Position, generate_moves_move32_into};
use rsshogi::movegen::{ChecksAll, Move32Sink};
use rsshogi::types::{Bitboard, Color, Move32, PieceType};

/// A move sink that appends to a list only the moves for which `keep` returns true.
struct MoveFilter<'a, F: Fn(Move32) -> bool> {
    out: &'a mut Moves<Move32>,
    keep: F,
}

impl<F: Fn(Move32) -> bool> Move32Sink for MoveFilter<'_, F> {
    #[inline]
    fn push_move32(&mut self, m: Move32) {
        if (self.keep)(m) {
            self.out.push(m);
        }
    }

    fn retain_unordered<G: FnMut(Move32) -> bool>(&mut self, keep: G) {
        self.out.retain(keep);
    }
}

/// A move sink that counts moves without storing them.
#[derive(Default)]
struct Count(usize);

impl Move32Sink for Count {
    #[inline]
    fn push_move32(&mut self, _: Move32) {
        self.0 += 1;
    }

    fn retain_unordered<G: FnMut(Move32) -> bool>(&mut self, _: G) {}

    #[inline]
    fn push_drop_targets(&mut self, _: PieceType, targets: Bitboard, _: Color) {
        self.0 += targets.count() as usize;
    }
}

/// A move sink that counts the moves on the board, and collects the target squares of drops.
struct AnswerSink {
    moves: usize,
    squares: Bitboard,
}

impl Move32Sink for AnswerSink {
    #[inline]
    fn push_move32(&mut self, m: Move32) {
        if m.is_drop() {
            self.squares.set(m.to_sq());
        } else {
            self.moves += 1;
        }
    }

    fn retain_unordered<G: FnMut(Move32) -> bool>(&mut self, _: G) {}

    #[inline]
    fn push_drop_targets(&mut self, _: PieceType, targets: Bitboard, _: Color) {
        self.squares |= targets;
    }
}

/// A move sink that only records whether it received any move.
#[derive(Default)]
struct Any(bool);

impl Move32Sink for Any {
    fn push_move32(&mut self, _: Move32) {
        self.0 = true;
    }

    fn retain_unordered<G: FnMut(Move32) -> bool>(&mut self, _: G) {}

    fn stop(&self) -> bool {
        self.0
    }

    fn push_drop_targets(&mut self, _: PieceType, targets: Bitboard, _: Color) {
        self.0 |= !targets.is_empty();
    }
}

#[inline]
pub fn legal(position: &Position, out: &mut Moves<Move32>) {
    generate_moves_move32_into::<LegalAll, _>(position, &mut MoveFilter { out, keep: |_| true });
}

/// Appends the legal moves, except non-promotions of pawns, bishops, rooks, and lances on the second rank.
#[inline]
pub fn useful(position: &Position, out: &mut Moves<Move32>) {
    generate_moves_move32_into::<Legal, _>(position, &mut MoveFilter { out, keep: |_| true });
}

#[inline]
pub fn count(position: &Position) -> usize {
    let mut count = Count::default();
    generate_moves_move32_into::<LegalAll, _>(position, &mut count);
    count.0
}

/// Counts the legal moves; all drops on the same square count as one move.
#[inline]
pub fn count_answers(position: &Position) -> usize {
    let mut answers = AnswerSink { moves: 0, squares: Bitboard::EMPTY };
    generate_moves_move32_into::<LegalAll, _>(position, &mut answers);
    answers.moves + answers.squares.count() as usize
}

/// Returns whether there is any legal move.
pub fn is_any(position: &Position) -> bool {
    let mut any = Any::default();
    generate_moves_move32_into::<LegalAll, _>(position, &mut any);
    any.0
}

/// Appends every legal move that gives check.
pub fn checking(position: &Position, out: &mut Moves<Move32>) {
    // rsshogi's generator of checking moves considers neither pins nor a check to the king of the side to move.
    if position.is_in_check() {
        let keep = |m| position.gives_check_move32(m);
        generate_moves_move32_into::<LegalAll, _>(position, &mut MoveFilter { out, keep });
        return;
    }
    let keep = |m| position.is_legal_after_pseudo_move32(m);
    generate_moves_move32_into::<ChecksAll, _>(position, &mut MoveFilter { out, keep });
}
