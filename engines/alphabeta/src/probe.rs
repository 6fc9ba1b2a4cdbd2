//! The first phase of a node: is the game over here, does the table know it, what is it worth at a glance.

use crate::params::{MAX_DEPTH, MAX_PLY, margin, worsening_margin};
use crate::search::SearchNode;
use crate::state::SearchState;
use crate::table::{Kind, NO_EVAL, TtEntry};
use hasami_api::{Evaluator, Score, SearchGame, Side, Verdict};
use std::ops::ControlFlow::{self, Break, Continue};

/// Table cut-offs are not safe when so few plies are left to a draw by "no progress".
const DRAW_CLOCK_RESERVE: u32 = 10;

/// The evaluation loses half its weight over the last plies before a draw by "no progress".
const DAMPED_PLIES: u32 = 100;

/// A win that endgame tables know: more than any evaluation, less than a mate.
const TABLE_WIN: i32 = 20_000;

/// What they know is worth a search so many plies deeper.
const TABLE_DEPTH: i32 = 6;

/// Seen from the side to move at `ply`.
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

/// A value at `ply` as the table stores it, relative to its own position.
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
    /// The inverse of [`to_table`]; a mate that the draw clock would forestall is not one.
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

    /// Value of a position in which the game is over by repetition, counters, material or declaration.
    #[inline]
    pub(crate) fn ended(&mut self, ply: usize) -> Option<i32> {
        match self.game.verdict_in_search(ply) {
            Verdict::Open => None,
            Verdict::Win if self.game.may_declare_win() => Some(-mated_at(ply + 1)),
            Verdict::Win => Some(-mated_at(ply)),
            Verdict::Loss => Some(mated_at(ply)),
            // Mate on the board goes before the move counter.
            Verdict::Draw if self.game.in_check() && self.game.count_moves() == 0 => Some(self.without_moves(ply)),
            Verdict::Draw => Some(self.draw()),
        }
    }

    /// Value of a draw for the side to move.
    #[inline]
    pub(crate) fn draw(&self) -> i32 {
        if self.game.side() == Side::First { self.draw_of_first } else { -self.draw_of_first }
    }

    /// Value of a position that endgame tables know.
    #[cold]
    #[inline(never)]
    fn by_tables(&mut self, key: u64, hit: TtEntry, depth: i32, ply: usize) -> Option<i32> {
        let verdict = self.tables?.probe(&self.game, depth)?;
        self.table_hits += 1;
        let score = self.value_of(verdict, ply);
        let depth = (depth + TABLE_DEPTH).min(MAX_DEPTH);
        self.store(key, TtEntry { mv: hit.mv, score, depth, kind: Kind::Exact, pv: hit.pv, ..TtEntry::EMPTY });
        Some(score)
    }

    /// What endgame tables know as a score: a shorter way into them is better.
    pub(crate) fn value_of(&self, verdict: Verdict, ply: usize) -> i32 {
        match verdict {
            Verdict::Win => TABLE_WIN - ply as i32,
            Verdict::Loss => ply as i32 - TABLE_WIN,
            Verdict::Draw | Verdict::Open => self.draw(),
        }
    }

    /// Value of a position without legal moves.
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

    /// The draw clock leaves room enough to trust what the table says about another path here.
    pub(crate) fn table_is_safe(&self) -> bool {
        let (clock, limit) = self.game.draw_clock();
        limit == 0 || clock + DRAW_CLOCK_RESERVE < limit
    }

    /// Evaluation with correction history, damped as the draw clock runs out.
    pub(crate) fn correct(&self, raw: i32) -> i32 {
        let side = side_index(self.game.side());
        let corrected = raw + self.memory.history.correction(side, self.game.feature_keys());
        let (clock, limit) = self.game.draw_clock();
        let (left, whole) = (limit.saturating_sub(clock).min(DAMPED_PLIES) as i32, DAMPED_PLIES as i32);
        let damped = if limit == 0 { corrected } else { corrected * (whole + left) / (2 * whole) };
        damped.clamp(-Score::MAX_CP, Score::MAX_CP)
    }

    /// Everything before the first move: a value that settles the node, or the node opened.
    #[inline]
    pub(crate) fn enter<const PV: bool>(
        &mut self,
        depth: i32,
        window: (i32, i32),
        ply: usize,
        cut: bool,
    ) -> ControlFlow<i32, SearchNode<G::Move>> {
        let (mut alpha, mut beta) = window;
        let excluded = self.frame(ply).excluded;
        if excluded.is_none() {
            if let Some(value) = self.ended(ply) {
                return Break(value);
            }
            if ply >= MAX_PLY - 1 {
                return Break(self.glance());
            }
            alpha = alpha.max(mated_at(ply));
            beta = beta.min(-mated_at(ply + 1));
            if alpha >= beta {
                return Break(alpha);
            }
        }
        let key = self.game.key();
        let hit = self.lookup(key, ply);
        if excluded.is_none() && self.settles::<PV>(hit, depth, (alpha, beta), cut) {
            if !PV && hit.score >= beta {
                self.reward_table_move(hit.mv, depth, ply);
            }
            return Break(hit.score);
        }
        if self.tables.is_some()
            && excluded.is_none()
            && let Some(value) = self.by_tables(key, hit, depth, ply)
        {
            return Break(value);
        }
        let mut node = SearchNode::new(depth, (alpha, beta), ply, cut, key, hit, excluded);
        node.in_check = self.game.in_check();
        node.was_pv = PV || hit.pv;
        self.appraise(&mut node);
        Continue(node)
    }

    /// Does the table's entry end the search of its node?
    ///
    /// On a principal variation only what this team has found since it began to search this root does: there a cut-off
    /// costs the line, and hides repetitions.
    #[inline]
    fn settles<const PV: bool>(&self, hit: TtEntry, depth: i32, (alpha, beta): (i32, i32), cut: bool) -> bool {
        if hit.depth < depth {
            return false;
        }
        if PV {
            let outside = hit.score <= alpha || hit.score >= beta;
            let decides = hit.kind == Kind::Exact || (outside && hit.kind.decides(hit.score, beta));
            return decides && hit.generation == self.generation && !self.team.is_alone() && self.table_is_safe();
        }
        let trusts = hit.score >= beta || !cut || hit.depth > depth || !self.team.is_alone();
        trusts && hit.kind.decides(hit.score, beta) && self.table_is_safe()
    }

    /// The value of a node whose moves are being tried, if another of the team has found it meanwhile.
    pub(crate) fn overtaken<const PV: bool>(&self, node: &SearchNode<G::Move>) -> Option<i32> {
        let hit = self.lookup(node.key, node.ply);
        self.settles::<PV>(hit, node.depth, (node.alpha, node.beta), node.cut).then_some(hit.score)
    }

    /// Static evaluation where the line cannot go on.
    pub(crate) fn glance(&mut self) -> i32 {
        if self.game.in_check() {
            return 0;
        }
        let raw = self.evaluator.evaluate(&self.game);
        self.correct(raw)
    }

    /// Raw, corrected and refined evaluation, and whether things get better for the side to move.
    fn appraise(&mut self, node: &mut SearchNode<G::Move>) {
        let ply = node.ply;
        self.frame_mut(ply + 2).cutoffs = 0;
        self.frame_mut(ply + 1).killers = if node.excluded.is_none() { [0; 2] } else { self.frame(ply + 1).killers };
        if node.in_check {
            self.frame_mut(ply).eval = NO_EVAL;
            return;
        }
        if node.excluded.is_some() {
            node.eval = self.frame(ply).eval;
            node.refined = node.eval;
        } else {
            node.raw = if node.hit.eval == NO_EVAL { self.evaluator.evaluate(&self.game) } else { node.hit.eval };
            node.eval = self.correct(node.raw);
            node.refined = refine(node.eval, node.hit);
            self.frame_mut(ply).eval = node.eval;
        }
        if node.excluded.is_none() {
            self.judge_last_move(ply, node.eval);
        }
        let before = match self.earlier(ply, 2).eval {
            NO_EVAL => self.earlier(ply, 4).eval,
            eval => eval,
        };
        node.improving = before != NO_EVAL && node.eval > before;
        node.worsening = before != NO_EVAL && node.eval < before - margin::<G>(worsening_margin::<G>());
    }
}

/// The table's score is a better evaluation where its bound allows.
pub(crate) fn refine(eval: i32, hit: TtEntry) -> i32 {
    let usable = hit.kind != Kind::None && !is_decisive(hit.score) && hit.kind.decides(hit.score, eval + 1);
    if usable { hit.score } else { eval }
}

#[inline]
pub(crate) const fn side_index(side: Side) -> usize {
    side.index()
}
