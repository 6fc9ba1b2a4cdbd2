//! The hand-crafted evaluation. The evaluation is linear in its weights, which `scripts/tune` learns, and is
//! interpolated between opening and endgame.
//!
//! Material and placement are updated with every move, pawn structure is cached, and the rest is computed at each call.
//! Every term goes through a `Sink`, so that the sum and the tuner's list of features come from the same
//! code.

mod endgame;
mod info;
mod king;
mod layout;
mod masks;
mod passed;
mod pawns;
mod pieces;
mod sink;
mod threats;
mod trace;

pub use layout::GROUPS as WEIGHT_GROUPS;
pub use trace::{Trace, trace};

/// The weights in use, in text form.
pub const WEIGHTS_TEXT: &str = include_str!("../../data/weights.txt");

use crate::{Chess, Move, see};
use hasami_api::{Evaluator, Score};
use info::AttackMaps;
use layout::{PLACE, Pair, TEMPO, ending, opening};
use pawns::Passed;
use shakmaty::{Bitboard, CastlingSide, Chess as Standard, Color, Piece, Position, Role, Square};
use sink::{Sink, Sum, WEIGHTS, Weights};

/// The phase of the initial position. Minor pieces count 1, rooks 2, and queens 4.
const FULL_PHASE: i32 = 24;
/// Number of entries of the pawn cache; a power of two.
const PAWN_ENTRIES: usize = 1 << 13;

/// Material and placement of a position, which are updated with every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Base {
    /// Sum of White's weights minus the sum of Black's weights.
    total: Pair,
    phase: i32,
}

#[derive(Clone, Copy)]
struct PawnEntry {
    key: u64,
    total: Pair,
    passed: Passed,
}

/// The evaluator of chess, with incremental material and placement and a cache of pawn structures.
#[derive(Clone)]
pub struct ChessEval {
    weights: &'static Weights,
    /// One entry for each position since the last refresh. The list is never empty.
    bases: Vec<Base>,
    pawns: Box<[PawnEntry]>,
}

impl Default for ChessEval {
    fn default() -> Self {
        Self::new()
    }
}

impl ChessEval {
    /// An evaluator for any position, after [`Evaluator::refresh`].
    pub fn new() -> Self {
        // A position has key 0 only because of a hash collision, which costs no more than one wrong value.
        let empty = PawnEntry { key: 0, total: 0, passed: [Bitboard::EMPTY; 2] };
        Self {
            weights: &WEIGHTS,
            bases: vec![Base { total: 0, phase: 0 }],
            pawns: vec![empty; PAWN_ENTRIES].into_boxed_slice(),
        }
    }

    #[inline]
    fn base(&self) -> Base {
        *self.bases.last().expect("refresh puts the first one there")
    }

    /// The sum of the pawn terms, and the passed pawns, from the cache if possible.
    #[inline]
    fn pawn_terms(&mut self, game: &Chess, kings: [Square; 2]) -> (Pair, Passed) {
        let places = u64::from(kings[0]) | u64::from(kings[1]) << 6 | 1 << 12;
        let key = game.now().keys.parts[0] ^ places.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry = &mut self.pawns[(key >> 40) as usize & (PAWN_ENTRIES - 1)];
        if entry.key != key {
            let mut sum = Sum { weights: self.weights, total: 0 };
            let passed = pawns::terms(game.position().board(), kings, &mut sum);
            *entry = PawnEntry { key, total: sum.total, passed };
        }
        (entry.total, entry.passed)
    }
}

impl Evaluator<Chess> for ChessEval {
    fn refresh(&mut self, game: &Chess) {
        self.bases.clear();
        self.bases.push(Base::of(self.weights, game.position()));
    }

    #[inline]
    fn make(&mut self, before: &Chess, m: Move) {
        let mut base = self.base();
        base.play(self.weights, before.position().turn(), m);
        self.bases.push(base);
    }

    #[inline]
    fn make_null(&mut self) {
        self.bases.push(self.base());
    }

    #[inline]
    fn unmake(&mut self, _null: bool) {
        self.bases.pop();
    }

    fn evaluate(&mut self, game: &Chess) -> i32 {
        let position = game.position();
        if is_beyond_pairs(position) {
            return material(position);
        }
        let kings = kings(position);
        let (pawn_total, passed) = self.pawn_terms(game, kings);
        let base = self.base();
        let mut info = AttackMaps::new(position.board(), kings);
        let mut sum = Sum { weights: self.weights, total: base.total + pawn_total };
        piece_terms(&mut info, passed, &mut sum);
        sum.add(position.turn(), TEMPO, 1);
        let value = tapered(sum.total, base.phase, &info) + endgame::mop_up(&info);
        let value = position.turn().fold_wb(value, -value);
        value.clamp(-Score::MAX_CP, Score::MAX_CP)
    }
}

impl Base {
    fn of(weights: &Weights, position: &Standard) -> Self {
        let mut base = Self { total: 0, phase: 0 };
        for (square, piece) in position.board() {
            base.put(weights, square, piece);
        }
        base
    }

    #[inline]
    fn put(&mut self, weights: &Weights, square: Square, piece: Piece) {
        let value = weights[place(square, piece)];
        self.total = self.total.wrapping_add(piece.color.fold_wb(value, -value));
        self.phase += phase(piece.role);
    }

    #[inline]
    fn take(&mut self, weights: &Weights, square: Square, piece: Piece) {
        let value = weights[place(square, piece)];
        self.total = self.total.wrapping_sub(piece.color.fold_wb(value, -value));
        self.phase -= phase(piece.role);
    }

    #[inline]
    fn play(&mut self, weights: &Weights, us: Color, m: Move) {
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                self.take(weights, from, role.of(us));
                if let Some(victim) = capture {
                    self.take(weights, to, victim.of(us.other()));
                }
                self.put(weights, to, promotion.unwrap_or(role).of(us));
            }
            Move::EnPassant { from, to } => {
                self.take(weights, from, us.pawn());
                self.take(weights, Square::from_coords(to.file(), from.rank()), us.other().pawn());
                self.put(weights, to, us.pawn());
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                self.take(weights, king, us.king());
                self.take(weights, rook, us.rook());
                self.put(weights, side.king_to(us), us.king());
                self.put(weights, side.rook_to(us), us.rook());
            }
            Move::Put { role, to } => self.put(weights, to, role.of(us)),
        }
    }
}

/// Does a side have so many pieces that a sum of [`Pair`]s might overflow?
#[inline]
fn is_beyond_pairs(position: &Standard) -> bool {
    position.us().count().max(position.them().count()) > 16
}

/// The material balance in centipawns for the side to move.
#[cold]
fn material(position: &Standard) -> i32 {
    let board = position.board();
    let sum = |side: Bitboard| -> i32 {
        Role::ALL
            .into_iter()
            .filter(|&role| role != Role::King)
            .map(|role| see::value(role) * (board.by_role(role) & side).count() as i32)
            .sum()
    };
    (sum(position.us()) - sum(position.them())).clamp(-Score::MAX_CP, Score::MAX_CP)
}

/// The feature of a piece on a square.
#[inline]
fn place(square: Square, piece: Piece) -> usize {
    let seen = usize::from(u8::from(square) ^ piece.color.fold_wb(0, 0x38));
    PLACE + 64 * (piece.role as usize - 1) + seen
}

#[inline]
const fn phase(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

#[inline]
fn kings(position: &Standard) -> [Square; 2] {
    [Color::White, Color::Black].map(|color| position.board().king_of(color).expect("both sides have a king"))
}

/// Adds the terms that are neither incremental nor cached.
#[inline]
fn piece_terms(info: &mut AttackMaps, passed: Passed, sink: &mut impl Sink) {
    for us in [Color::White, Color::Black] {
        pieces::terms(us, info, sink);
    }
    for us in [Color::White, Color::Black] {
        king::terms(us, info, sink);
        threats::terms(us, info, sink);
        passed::terms(us, passed[info::index(us)], info, sink);
        pieces::space(us, info, sink);
    }
}

/// The value in centipawns for White: opening and endgame interpolated by phase, with the endgame first scaled by
/// [`endgame::scale`].
#[inline]
fn tapered(total: Pair, phase: i32, info: &AttackMaps) -> i32 {
    let phase = phase.min(FULL_PHASE);
    let ending = ending(total);
    let strong = if ending >= 0 { Color::White } else { Color::Black };
    let ending = ending * endgame::scale(strong, info) / endgame::FULL;
    (opening(total) * phase + ending * (FULL_PHASE - phase)) / FULL_PHASE
}

#[cfg(test)]
mod tests;
