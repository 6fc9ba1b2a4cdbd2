//! Chess as an alpha-beta search and a mate solver see it.

use crate::{Chess, Move, checks, game::CLOCK_LIMIT, movegen, see, unpack};
use hasami_api::{MateGame, MoveFacts, Moves, SearchGame};
use shakmaty::{CastlingSide, Color, Position, Role, Square};

/// Victims by number, as in [`MoveFacts::victim`].
const VICTIM_VALUES: [i32; 6] = [
    0,
    see::value(Role::Pawn),
    see::value(Role::Knight),
    see::value(Role::Bishop),
    see::value(Role::Rook),
    see::value(Role::Queen),
];

impl SearchGame for Chess {
    const PIECES: usize = 12;
    const ORIGINS: usize = 64;
    const SQUARES: usize = 64;
    const VICTIMS: usize = 6;
    const PAWN: i32 = 100;
    const STAGED: bool = true;
    /// Tuned by `hasami tune`: scripts/experiments/2026-11-25-search-ideas.md.
    const SEARCH_NUMBERS: &[(&str, i32)] = &[
        ("lmr_quiet_base", 750),
        ("lmr_quiet_divisor", 228),
        ("lmr_cut", 1781),
        ("lmr_not_improving", 589),
        ("lmr_was_pv", 160),
        ("lmr_quiet_history", 14_258),
        ("reverse_futility_per_ply", 43),
        ("null_move_base", 74),
        ("futile_quiet_base", 98),
        ("futile_quiet_per_ply", 103),
        ("see_quiet_per_ply_squared", 19),
        ("history_pruning_per_ply", 5856),
        ("history_malus", 211),
        ("correction_scale", 17),
    ];

    fn noisy_moves(&self, out: &mut Moves<Move>) {
        movegen::noisy(self.position(), out);
    }

    fn quiet_moves(&self, out: &mut Moves<Move>) {
        movegen::quiet(self.position(), out);
    }

    #[inline]
    fn facts(&self, m: Move) -> MoveFacts {
        let color = self.position().turn().fold_wb(0, 6);
        let (origin, to) = endpoints(self.position().turn(), m);
        MoveFacts {
            piece: color + m.role() as u8 - 1,
            origin: u8::from(origin),
            to: u8::from(to),
            victim: m.capture().map_or(0, |role| role as u8),
            promotes: m.is_promotion(),
        }
    }

    #[inline]
    fn gives_check(&self, m: Move) -> bool {
        checks::gives_check(self.position(), m)
    }

    #[inline]
    fn check_test(&self) -> impl Fn(Move) -> bool + '_ {
        let checks = checks::Checks::of(self.position());
        move |m| checks.contain(m)
    }

    #[inline]
    fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        see::at_least(self.position(), m, threshold)
    }

    #[inline]
    fn victim_value(victim: u8) -> i32 {
        VICTIM_VALUES[usize::from(victim)]
    }

    /// Origin, destination (castling: the rook), promotion.
    #[inline]
    fn pack(m: Move) -> u16 {
        let from = m.from().map_or(0, u16::from);
        let promotion = m.promotion().map_or(0, |role| role as u16);
        from | u16::from(m.to()) << 6 | promotion << 12
    }

    #[inline]
    fn unpack(&self, packed: u16) -> Option<Move> {
        unpack::unpack(self.position(), packed)
    }

    #[inline]
    fn key_after(&self, m: Move) -> u64 {
        self.now().keys.nearly_after(self.position().turn(), m)
    }

    #[inline]
    fn feature_keys(&self) -> [u64; 3] {
        self.now().keys.parts
    }

    #[inline]
    fn null_move_is_safe(&self) -> bool {
        let board = self.position().board();
        (self.position().us() & !(board.pawns() | board.kings())).any()
    }

    #[inline]
    fn make_null(&mut self) {
        self.pass();
    }

    #[inline]
    fn draw_clock(&self) -> (u32, u32) {
        (self.position().halfmoves(), CLOCK_LIMIT)
    }
}

impl MateGame for Chess {
    fn checking_moves(&self, out: &mut Moves<Move>) {
        let position = self.position();
        let mut moves = Moves::new();
        movegen::legal(position, &mut moves);
        out.extend(moves.iter().copied().filter(|&m| checks::gives_check(position, m)));
    }
}

/// Where the piece (castling: the king) stands before and after.
#[inline]
fn endpoints(us: Color, m: Move) -> (Square, Square) {
    match m {
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
        Move::Castle { king, rook } => (king, CastlingSide::from_queen_side(rook < king).king_to(us)),
        Move::Put { to, .. } => (to, to),
    }
}
