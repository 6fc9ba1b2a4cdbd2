//! Implements [`SearchGame`], the interface of the alpha-beta search.

use crate::checks::CheckTest;
use crate::{Shogi, mate_in_one, movegen, see, stages, values};
use hasami_api::{Game, MoveFacts, Moves, SearchGame};
use rsshogi::board::zobrist::Zobrist;
use rsshogi::types::{Color, HandPiece, Move32, PieceType, RepetitionState};
use std::cmp::Ordering;

const BOARD_KINDS: u8 = 14;
const HAND_KINDS: u8 = 7;
const SQUARES: u8 = 81;

impl SearchGame for Shogi {
    const PIECES: usize = 2 * BOARD_KINDS as usize;
    const ORIGINS: usize = (SQUARES + HAND_KINDS) as usize;
    const SQUARES: usize = SQUARES as usize;
    const VICTIMS: usize = BOARD_KINDS as usize + 1;
    const PAWN: i32 = 100;
    const STAGED: bool = true;
    const FINDS_MATES: bool = true;

    #[inline]
    fn search_moves(&self, out: &mut Moves<Move32>) {
        movegen::useful(self.position(), out);
    }

    #[inline]
    fn noisy_moves(&self, out: &mut Moves<Move32>) {
        stages::noisy(self.position(), out);
    }

    #[inline]
    fn minor_promotions(&self, out: &mut Moves<Move32>) {
        stages::minor_promotions(self.position(), out);
    }

    #[inline]
    fn quiet_moves(&self, out: &mut Moves<Move32>) {
        stages::quiet(self.position(), out);
    }

    /// Only captures are noisy: promotions that do not capture are ordered among the quiet moves.
    #[inline]
    fn is_noisy(facts: MoveFacts) -> bool {
        facts.victim != 0
    }

    #[inline]
    fn repeats_with(&self, plies: usize) -> Ordering {
        let is_near = || usize::try_from(self.position().repetition_distance()).is_ok_and(|distance| distance <= plies);
        match self.position().repetition_type() {
            RepetitionState::Superior if is_near() => Ordering::Greater,
            RepetitionState::Inferior if is_near() => Ordering::Less,
            _ => Ordering::Equal,
        }
    }

    #[inline]
    fn mate_in_one(&self) -> Option<Move32> {
        mate_in_one::find(self.position())
    }

    #[inline]
    fn facts(&self, m: Move32) -> MoveFacts {
        let origin = match m.dropped_piece() {
            Some(kind) => SQUARES + kind.raw() as u8 - 1,
            None => m.from_sq().raw() as u8,
        };
        let offset = if self.position().turn() == Color::BLACK { 0 } else { BOARD_KINDS };
        MoveFacts {
            // The kind that the piece has after the move, whether promoted or not.
            piece: offset + m.piece_after_move().piece_type().raw() as u8 - 1,
            origin,
            to: m.to_sq().raw() as u8,
            victim: self.position().piece_on(m.to_sq()).piece_type().raw() as u8,
            promotes: m.is_promotion(),
        }
    }

    #[inline]
    fn gives_check(&self, m: Move32) -> bool {
        CheckTest::new(self.position()).gives_check(m)
    }

    #[inline]
    fn check_test(&self) -> impl Fn(Move32) -> bool + '_ {
        let test = CheckTest::new(self.position());
        move |m| test.gives_check(m)
    }

    #[inline]
    fn see_at_least(&self, m: Move32, threshold: i32) -> bool {
        see::at_least(self.position(), m, threshold)
    }

    #[inline]
    fn victim_value(victim: u8) -> i32 {
        if victim == 0 { 0 } else { values::captured(PieceType::new(victim as i8)) }
    }

    #[inline]
    fn pack(m: Move32) -> u16 {
        m.to_move().raw()
    }

    #[inline]
    fn unpack(&self, packed: u16) -> Option<Move32> {
        stages::unpack(self.position(), packed)
    }

    #[inline]
    fn key_after(&self, m: Move32) -> u64 {
        let position = self.position();
        let (us, to) = (position.turn(), m.to_sq());
        let key = position.key() ^ Zobrist::side() ^ Zobrist::psq(to, m.piece_after_move());
        let count = |kind| HandPiece::from_piece_type(kind).map_or(0, |piece| position.hand(us).count(piece));
        let key = match m.dropped_piece() {
            Some(kind) => key ^ Zobrist::hand_delta(us, kind, count(kind), count(kind) - 1),
            None => key ^ Zobrist::psq(m.from_sq(), position.piece_on(m.from_sq())),
        };
        let victim = position.piece_on(to);
        if victim.is_empty() {
            return key.low_u64();
        }
        let kind = victim.piece_type().demote();
        (key ^ Zobrist::psq(to, victim) ^ Zobrist::hand_delta(us, kind, count(kind), count(kind) + 1)).low_u64()
    }

    #[inline]
    fn feature_keys(&self) -> [u64; 4] {
        let keys = self.position().partial_keys();
        [keys.pawn.low_u64(), keys.minor.low_u64(), keys.non_pawn[0].low_u64(), keys.non_pawn[1].low_u64()]
    }

    /// Always true: zugzwang is very rare in shogi, since pieces in hand nearly always offer a useful move.
    #[inline]
    fn null_move_is_safe(&self) -> bool {
        true
    }

    #[inline]
    fn make_null(&mut self) {
        self.pass();
    }

    #[inline]
    fn draw_clock(&self) -> (u32, u32) {
        match self.max_moves() {
            0 => (0, 0),
            limit => (self.ply(), limit),
        }
    }
}
