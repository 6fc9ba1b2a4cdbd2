//! Computes values that need no search, from the rules, the transposition table, endgame tables or the static
//! evaluation.

use crate::history::CorrectionKeys;
use crate::params::{MAX_DEPTH, exchange_unit};
use crate::state::SearchState;
use crate::table::{Kind, TtEntry};
use hasami_api::{Evaluator, Score, SearchGame, Side, Verdict};
use std::cmp::Ordering;

/// Transposition table cut-offs are unsafe when at most this many plies are left before a draw by lack of progress.
const DRAW_CLOCK_RESERVE: u32 = 10;

/// Over this many plies before a draw by lack of progress, the weight of the evaluation falls to one half.
const DAMPED_PLIES: u32 = 100;

/// Value of a win according to endgame tables: larger than usual evaluations, smaller than any mate.
const TABLE_WIN: i32 = 20_000;

/// Value for a side that repeats a board with better pieces in hand; larger than usual evaluations.
const BETTER_HANDS: i32 = 20_000;

/// Number of plies added to the depth of the table entries that store results of endgame tables.
const TABLE_DEPTH: i32 = 6;

/// Returns the value for the side to move if it is mated at `ply`.
#[inline]
pub(crate) const fn mated_at(ply: usize) -> i32 {
    -Score::MATE + ply as i32
}

pub(crate) const fn is_decisive(value: i32) -> bool {
    value.abs() > Score::MAX_CP
}

pub(crate) const fn is_loss(value: i32) -> bool {
    value < -Score::MAX_CP
}

pub(crate) const fn is_win(value: i32) -> bool {
    value > Score::MAX_CP
}

/// Converts a value at `ply` to the form stored in the transposition table, which counts mate distances from the stored
/// position.
pub(crate) const fn to_table(value: i32, ply: usize) -> i32 {
    if value > Score::MAX_CP {
        value + ply as i32
    } else if value < -Score::MAX_CP {
        value - ply as i32
    } else {
        value
    }
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// The inverse of [`to_table`]. A mate that the draw clock would forestall becomes the largest evaluation.
    pub(crate) fn at_ply(&self, stored: i32, ply: usize) -> i32 {
        if !is_decisive(stored) {
            return stored;
        }
        let (clock, limit) = self.game.draw_clock();
        let distance = (Score::MATE - stored.abs()) as u32;
        let value = stored - stored.signum() * ply as i32;
        let forestalled = limit > 0 && clock + distance > limit;
        if forestalled || !is_decisive(value) { Score::MAX_CP * stored.signum() } else { value }
    }

    /// Returns the value of a position in which the game is over by repetition, move counters, insufficient material or
    /// declaration.
    #[inline]
    pub(crate) fn ended(&mut self, ply: usize) -> Option<i32> {
        // A position equal to the root may be left by another move, so that only positions after the root count.
        let plies = ply.saturating_sub(1);
        match self.game.verdict_in_search(plies) {
            Verdict::Open => match self.game.repeats_with(plies) {
                Ordering::Equal => None,
                Ordering::Greater => Some(BETTER_HANDS),
                Ordering::Less => Some(-BETTER_HANDS),
            },
            Verdict::Win if self.game.may_declare_win() => Some(-mated_at(ply + 1)),
            Verdict::Win => Some(-mated_at(ply)),
            Verdict::Loss => Some(mated_at(ply)),
            // Checkmate takes precedence over the limit of the move counter.
            Verdict::Draw if self.game.in_check() && self.game.count_moves() == 0 => Some(self.without_moves(ply)),
            Verdict::Draw => Some(self.draw()),
        }
    }

    /// Returns the value of a draw for the side to move.
    #[inline]
    pub(crate) fn draw(&self) -> i32 {
        if self.game.side() == Side::First { self.draw_of_first } else { -self.draw_of_first }
    }

    /// Returns the value of the current position according to endgame tables, if they know it.
    #[cold]
    #[inline(never)]
    pub(crate) fn by_tables(&mut self, key: u64, hit: TtEntry, depth: i32, ply: usize) -> Option<i32> {
        let verdict = self.tables?.probe(&self.game, depth)?;
        self.table_hits += 1;
        let score = self.value_of(verdict, ply);
        let depth = (depth + TABLE_DEPTH).min(MAX_DEPTH);
        self.store(key, TtEntry { mv: hit.mv, score, depth, kind: Kind::Exact, pv: hit.pv, ..TtEntry::EMPTY });
        Some(score)
    }

    /// Returns the value of an endgame table verdict. The closer a win or loss is to the root, the more it counts.
    pub(crate) fn value_of(&self, verdict: Verdict, ply: usize) -> i32 {
        match verdict {
            Verdict::Win => TABLE_WIN - ply as i32,
            Verdict::Loss => ply as i32 - TABLE_WIN,
            Verdict::Draw | Verdict::Open => self.draw(),
        }
    }

    pub(crate) fn without_moves(&self, ply: usize) -> i32 {
        match self.game.verdict_without_moves() {
            Verdict::Win => -mated_at(ply),
            Verdict::Loss => mated_at(ply),
            Verdict::Draw | Verdict::Open => 0,
        }
    }

    pub(crate) fn lookup(&self, key: u64, ply: usize) -> TtEntry {
        match self.table.probe(key) {
            Some(entry) => TtEntry { score: self.at_ply(entry.score, ply), ..entry },
            None => TtEntry::EMPTY,
        }
    }

    /// Is the draw clock so far from its limit that table entries found on other paths can be trusted?
    pub(crate) fn table_is_safe(&self) -> bool {
        let (clock, limit) = self.game.draw_clock();
        limit == 0 || clock + DRAW_CLOCK_RESERVE < limit
    }

    /// Converts a search margin to a difference of evaluations.
    #[inline]
    pub(crate) fn margin(&self, units: i32) -> i32 {
        (i64::from(units) * i64::from(self.unit) / 100) as i32
    }

    /// Converts a difference of evaluations to a threshold for the static exchange evaluation.
    #[inline]
    pub(crate) fn exchange_of_value(&self, value: i32) -> i32 {
        value * exchange_unit::<G>() / self.unit
    }

    /// The keys that select the corrections to the static evaluation at `ply`.
    #[inline]
    pub(crate) fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        let last = self.earlier(ply, 1);
        let before = [2, 4].map(|back| self.earlier(ply, back).correction_row);
        let moves = last.mv.is_some().then_some((last.correction_row, before));
        CorrectionKeys::new(self.game.feature_keys(), self.game.side().index(), moves)
    }

    /// Correction of the static evaluation at `ply`, in 1,024ths of a unit of the search margins.
    #[inline]
    pub(crate) fn correction(&self, ply: usize) -> i32 {
        self.memory.history.correction(self.correction_keys(ply))
    }

    /// Applies the correction to an evaluation, and scales the evaluation down near a draw by lack of progress.
    pub(crate) fn correct(&self, raw: i32, correction: i32) -> i32 {
        let corrected = raw + self.margin(correction / 16) / 64;
        let (clock, limit) = self.game.draw_clock();
        let (left, whole) = (limit.saturating_sub(clock).min(DAMPED_PLIES) as i32, DAMPED_PLIES as i32);
        let damped = if limit == 0 { corrected } else { corrected * (whole + left) / (2 * whole) };
        damped.clamp(-Score::MAX_CP, Score::MAX_CP)
    }

    /// Corrected static evaluation of the current position; 0 in check.
    pub(crate) fn static_value(&mut self, ply: usize) -> i32 {
        if self.game.in_check() {
            return 0;
        }
        let raw = self.evaluator.evaluate(&self.game);
        self.correct(raw, self.correction(ply))
    }
}

/// Returns the score of the table entry if its bound makes it a better estimate than the static evaluation `eval`, and
/// `eval` otherwise. The score of a mate counts at any depth, because it is nearly always proved.
pub(crate) fn refine(eval: i32, hit: TtEntry) -> i32 {
    if hit.kind != Kind::None && hit.kind.decides(hit.score, eval + 1) { hit.score } else { eval }
}
