//! Implements [`SearchGame`] for the alpha-beta search and [`MateGame`] for the mate solver.

use crate::{Chess, Move, checks, game::CLOCK_LIMIT, movegen, see, unpack};
use hasami_api::{MateGame, MoveFacts, Moves, SearchGame};
use shakmaty::{CastlingSide, Color, Position, Role, Square};

/// Values of captured pieces in centipawns, indexed by [`MoveFacts::victim`].
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
    /// The search parameters of Stockfish in August 2026, in units of 1/361 of its pawn value.
    const SEARCH_NUMBERS: &[(&str, i32)] = &[
        ("value_unit", 28),
        ("exchange_unit", 42),
        ("table_cut_depth", 4),
        ("table_cut_bonus", 112),
        ("table_cut_bonus_offset", 0),
        ("table_cut_bonus_limit", 695),
        ("table_cut_prior_malus", 2210),
        ("eval_change_bonus", 11),
        ("eval_change_pawn_bonus", 13),
        ("hindsight_margin", 166),
        ("razor_base", 483),
        ("razor_per_depth_squared", 318),
        ("futility_depth", 19),
        ("futility_base", 45),
        ("futility_per_ply", 4),
        ("futility_most", 85),
        ("futility_unknown", 20),
        ("futility_improving", 2789),
        ("futility_worsening", 335),
        ("futility_correction", 66),
        ("futility_return", 363),
        ("null_move_base", 365),
        ("null_move_per_ply", 13),
        ("null_move_improving", 47),
        ("null_move_value_step", 256),
        ("internal_reduction_prior", 20),
        ("probcut_margin", 241),
        ("probcut_improving", 64),
        ("probcut_reduction", 3),
        ("probcut_improving_reduction", 5),
        ("small_probcut_margin", 428),
        ("lmr_scale", 2872),
        ("lmr_window", 577),
        ("lmr_not_improving", 197),
        ("lmr_base", 982),
        ("lmr_was_pv", 929),
        ("lmr_was_pv_search", 3023),
        ("lmr_pv", 1004),
        ("lmr_pv_above", 885),
        ("lmr_pv_deep", 816),
        ("lmr_pv_deep_cut", 940),
        ("lmr_search", 697),
        ("lmr_correction", 498),
        ("lmr_cut", 4026),
        ("lmr_cut_unknown", 933),
        ("lmr_table_capture", 1079),
        ("lmr_cutoffs", 264),
        ("lmr_many_cutoffs", 1095),
        ("lmr_all_cutoffs", 1138),
        ("lmr_table_move", 2179),
        ("lmr_victim", 873),
        ("lmr_history", 439),
        ("lmr_all", 276),
        ("lmr_unknown", 1127),
        ("lmr_one_ply", 5234),
        ("lmr_two_plies", 5487),
        ("deeper_margin", 53),
        ("shallower_margin", 8),
        ("searched_again_bonus", 1334),
        ("futile_capture_depth", 8),
        ("futile_capture_base", 234),
        ("futile_capture_per_ply", 247),
        ("futile_capture_history", 134),
        ("exchange_per_ply", 177),
        ("exchange_ahead", 0),
        ("history_pruning_per_ply", 4136),
        ("late_main_history", 69),
        ("late_history", 3000),
        ("futile_quiet_depth", 12),
        ("futile_quiet_base", 164),
        ("futile_quiet_no_best", 0),
        ("futile_quiet_per_ply", 119),
        ("futile_quiet_above", 90),
        ("exchange_quiet_per_ply_squared", 23),
        ("singular_margin", 52),
        ("singular_was_pv", 58),
        ("singular_double_base", -2),
        ("singular_double_pv", 204),
        ("singular_double_quiet", 152),
        ("singular_triple_base", 70),
        ("singular_triple_pv", 279),
        ("singular_triple_quiet", 188),
        ("singular_triple_was_pv", 81),
        ("singular_table_moves", 84),
        ("singular_below", 40),
        ("singular_cut", 3),
        ("raised_reduction", 3),
        ("raised_depth", 12),
        ("quiescence_margin", 306),
        ("quiescence_loss", 74),
        ("history_bonus", 133),
        ("history_bonus_offset", 81),
        ("history_bonus_limit", 1487),
        ("history_bonus_table", 364),
        ("history_bonus_prior", 28),
        ("history_malus", 968),
        ("history_malus_offset", 235),
        ("history_malus_limit", 2244),
        ("history_quiet_bonus", 899),
        ("history_quiet_malus", 1159),
        ("history_quiet_decay", 921),
        ("history_capture_bonus", 1427),
        ("history_capture_malus", 1489),
        ("history_prior_malus", 713),
        ("history_first_plies", 712),
        ("history_continuation", 820),
        ("history_pawns", 1104),
        ("history_pawns_malus", 459),
        ("history_near", 73),
        ("prior_capture_bonus", 892),
        ("prior_scale", 241),
        ("prior_history", 98),
        ("prior_per_ply_limit", 420),
        ("prior_late", 186),
        ("prior_surprise", 142),
        ("prior_second_surprise", 159),
        ("prior_bonus", 150),
        ("prior_bonus_limit", 1337),
        ("prior_continuation", 263),
        ("prior_main", 215),
        ("prior_pawns", 324),
        ("correction_pawns", 120),
        ("correction_minor", 83),
        ("correction_pieces", 101),
        ("correction_continuation", 68),
        ("correction_learn_low", 18),
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

    /// Packs the origin and the destination (for castling, the squares of king and rook) into six bits each, followed
    /// by the promotion.
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
    fn feature_keys(&self) -> [u64; 4] {
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

/// Returns the squares of the moved piece (for castling, of the king) before and after the move.
#[inline]
fn endpoints(us: Color, m: Move) -> (Square, Square) {
    match m {
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
        Move::Castle { king, rook } => (king, CastlingSide::from_queen_side(rook < king).king_to(us)),
        Move::Put { to, .. } => (to, to),
    }
}
