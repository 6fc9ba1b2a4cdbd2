//! Searches a node: transposition table, static evaluation, razoring, futility pruning, null move, ProbCut, internal
//! reductions, the loop over the moves with pruning, extensions and reductions, and the update of the histories.
//!
//! The search is a fail-soft principal variation search (Marsland and Campbell 1982). The search techniques are those
//! of YaneuraOu 9.70 for shogi and Stockfish of August 2026 for chess, which largely agree. The values in `params` were
//! first taken from YaneuraOu and Stockfish.

use crate::history::{CORRECTION_STEP, FIRST_PLIES, History, Row, TABLE_MOVES_LIMIT};
use crate::order::Picker;
use crate::params::*;
use crate::state::SearchState;
use crate::table::{Kind, NO_EVAL, TtEntry, UNSEARCHED};
use crate::team::place;
use crate::value::{is_decisive, is_loss, is_win, mated_at, refine, to_table};
use hasami_api::{Evaluator, MoveFacts, SearchGame};
use std::collections::VecDeque;
use std::ops::ControlFlow::{self, Break, Continue};

/// Number of plies added to the depth of a table entry that stores a mate found by the rules without a search.
const KNOWN_DEPTH: i32 = 6;
/// Maximum number of moves per node, besides the best move, from which the histories learn.
const REMEMBERED: usize = 32;

/// State that is passed from one phase of a node's search to the next.
#[derive(Clone, Copy)]
pub(crate) struct Node<M> {
    pub(crate) depth: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) ply: usize,
    /// Whether the node is expected to fail high (cut node).
    pub(crate) cut: bool,
    /// Whether the node is expected to fail low (all node) and is not on the principal variation.
    pub(crate) all: bool,
    pub(crate) key: u64,
    /// The node's transposition table entry, with the score relative to the root.
    pub(crate) hit: TtEntry,
    /// The move in the transposition table entry, if it could be unpacked without generating moves.
    pub(crate) table_move: Option<M>,
    /// Whether the move in the transposition table entry is noisy.
    pub(crate) table_captures: bool,
    pub(crate) excluded: Option<M>,
    pub(crate) in_check: bool,
    /// Static evaluation before corrections, or `NO_EVAL`.
    pub(crate) raw: i32,
    /// Correction of the static evaluation, in 1,024ths of a unit of the search margins.
    pub(crate) correction: i32,
    /// Corrected static evaluation; in check, the evaluation two plies earlier.
    pub(crate) eval: i32,
    /// `eval`, or the score of the table entry if it is a better estimate.
    pub(crate) estimate: i32,
    /// Whether the static evaluation is higher than at the previous turn of the side to move.
    pub(crate) improving: bool,
    /// Whether the opponent's static evaluation is lower than at the opponent's last turn.
    pub(crate) worsening: bool,
    /// Number of plies by which the search of this node was reduced.
    pub(crate) reduction: i32,
}

impl<M> Node<M> {
    pub(crate) fn new(depth: i32, (alpha, beta): (i32, i32), ply: usize, key: u64, hit: TtEntry) -> Self {
        Self {
            depth,
            alpha,
            beta,
            ply,
            cut: false,
            all: false,
            key,
            hit,
            table_move: None,
            table_captures: false,
            excluded: None,
            in_check: false,
            raw: NO_EVAL,
            correction: 0,
            eval: NO_EVAL,
            estimate: NO_EVAL,
            improving: false,
            worsening: false,
            reduction: 0,
        }
    }

    /// Absolute value of the static evaluation's correction, in units of the search margins.
    fn correction_size(&self) -> i32 {
        self.correction.abs() / 1024
    }
}

/// The move that a node's move loop is trying.
#[derive(Clone, Copy)]
pub(crate) struct TriedMove<M> {
    pub(crate) mv: M,
    pub(crate) facts: MoveFacts,
    /// Position of the move among the moves tried at its node, counted from 1.
    pub(crate) number: usize,
    /// Extension of the move, in plies. A negative extension is a reduction.
    pub(crate) extension: i32,
    /// One less than the node's depth, which a move tried earlier may have reduced.
    pub(crate) depth: i32,
    /// Base reduction of the move, in 1,024ths of a ply.
    pub(crate) reduction: i32,
}

#[derive(Clone, Copy)]
struct Found<M> {
    best: i32,
    /// The last move that raised alpha, if any.
    mv: Option<(M, MoveFacts)>,
    count: usize,
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// Returns the value of the position for the side to move: exact between `alpha` and `beta`, a bound outside this
    /// window. The returned value is meaningless if `stopped` is set.
    pub(crate) fn search<const PV: bool>(&mut self, depth: i32, alpha: i32, beta: i32, ply: usize, cut: bool) -> i32 {
        if PV {
            self.memory.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if depth <= 0 {
            return self.quiesce::<PV>(alpha, beta, ply);
        }
        let node = match self.enter::<PV>(depth.min(MAX_DEPTH), (alpha, beta), ply, cut) {
            Continue(node) => node,
            Break(value) => return value,
        };
        self.visit::<PV>(node)
    }

    /// Searches a node that [`Self::enter`] did not settle.
    #[inline(always)]
    fn visit<const PV: bool>(&mut self, mut node: Node<G::Move>) -> i32 {
        self.evaluate_node(&mut node);
        if !node.in_check
            && let Some(value) = self.prune::<PV>(&mut node)
        {
            return value;
        }
        if let Some(value) = self.small_probcut(&node) {
            return value;
        }
        let alpha = node.alpha;
        match self.try_moves::<PV>(&mut node) {
            Break(value) => value,
            Continue(_) if self.stopped => 0,
            Continue((found, tried)) => self.conclude::<PV>(&node, found, tried, alpha),
        }
    }

    // ---- Values that need no search of the node.

    /// Returns a value that makes a search of the node unnecessary, or else the node to be searched.
    #[inline]
    fn enter<const PV: bool>(
        &mut self,
        depth: i32,
        window: (i32, i32),
        ply: usize,
        cut: bool,
    ) -> ControlFlow<i32, Node<G::Move>> {
        let (mut alpha, mut beta) = window;
        let excluded = self.frame(ply).excluded;
        if excluded.is_none() {
            if let Some(value) = self.ended(ply) {
                return Break(value);
            }
            if ply >= MAX_PLY - 1 {
                return Break(self.static_value(ply));
            }
            // Mate distance pruning: the node is cut off if a shorter mate is already known elsewhere in the tree.
            alpha = alpha.max(mated_at(ply));
            beta = beta.min(-mated_at(ply + 1));
            if alpha >= beta {
                return Break(alpha);
            }
        }
        let key = self.game.key();
        let hit = self.lookup(key, ply);
        let mut node = Node { cut, all: !PV && !cut, excluded, ..Node::new(depth, (alpha, beta), ply, key, hit) };
        node.in_check = self.game.in_check();
        node.table_move = self.unpack(hit.mv);
        let table_move = node.table_move.map(|m| self.game.facts(m));
        node.table_captures = table_move.is_some_and(G::is_noisy);
        self.open_frame::<PV>(&mut node);
        if excluded.is_some() {
            return Continue(node);
        }
        if self.settles::<PV>(hit, depth, (alpha, beta), cut) {
            if !PV && hit.score >= beta {
                self.reward_table_move(table_move, depth, ply);
            }
            return Break(hit.score);
        }
        if self.tables.is_some()
            && let Some(value) = self.by_tables(key, hit, depth, ply)
        {
            return Break(value);
        }
        match self.mate_in_one(&node, (depth + KNOWN_DEPTH).min(MAX_DEPTH)) {
            Some(value) => Break(value),
            None => Continue(node),
        }
    }

    /// Initializes the frame of the node from the frame of the last move, and resets the cut-off counter two plies
    /// deeper.
    #[inline]
    fn open_frame<const PV: bool>(&mut self, node: &mut Node<G::Move>) {
        let ply = node.ply;
        let before = *self.earlier(ply, 1);
        node.reduction = before.reduction;
        let follows = before.follows
            && before.mv.map(|(m, _)| m) == ply.checked_sub(1).and_then(|i| self.last_line.get(i)).copied();
        if ply > 0 {
            self.frame_mut(ply - 1).reduction = 0;
        }
        self.frame_mut(ply + 2).cutoffs = 0;
        let frame = self.frame_mut(ply);
        frame.in_check = node.in_check;
        frame.known = node.is_known();
        frame.follows = follows;
        frame.merit = 0;
        frame.number = 0;
        if node.excluded.is_none() {
            frame.was_pv = PV || node.hit.pv;
        }
    }

    /// Does the transposition table entry `hit` end the search of its node?
    ///
    /// On a principal variation, a table entry ends the search only in a team and only if it is of the current
    /// generation, because a cut-off shortens the principal variation and hides repetitions.
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
        // In a team, an entry as deep as the node suffices, because another member may have found it with the same
        // window.
        let trusts = !self.team.is_alone()
            || ((hit.depth > depth || hit.score <= beta)
                && (cut == (hit.score >= beta) || depth > table_cut_depth::<G>()));
        trusts && hit.kind.decides(hit.score, beta) && self.table_is_safe()
    }

    /// Returns the value of the node if another team member has stored it since this member began to try the node's
    /// moves.
    fn found_by_team<const PV: bool>(&self, node: &Node<G::Move>) -> Option<i32> {
        let hit = self.lookup(node.key, node.ply);
        self.settles::<PV>(hit, node.depth, (node.alpha, node.beta), node.cut).then_some(hit.score)
    }

    /// Updates the histories after a table entry has settled the node: a bonus for the entry's move, and a malus for
    /// the move that led to the node if it was quiet and among the first moves tried at the parent.
    fn reward_table_move(&mut self, table_move: Option<MoveFacts>, depth: i32, ply: usize) {
        let Some(facts) = table_move else { return };
        if !G::is_noisy(facts) {
            let bonus = table_cut_bonus::<G>() * depth - table_cut_bonus_offset::<G>();
            self.update_quiet(ply, facts, bonus.min(table_cut_bonus_limit::<G>()));
        }
        if let Some((_, last)) = self.earlier(ply, 1).mv
            && self.earlier(ply, 1).number <= 4
            && last.victim == 0
            && ply > 0
        {
            self.update_continuations(ply - 1, last, -table_cut_prior_malus::<G>());
        }
    }

    /// If the transposition table has no entry for the node, asks the game whether there is a mate in one.
    #[inline]
    pub(crate) fn mate_in_one(&mut self, node: &Node<G::Move>, depth: i32) -> Option<i32> {
        if !G::FINDS_MATES || node.is_known() || node.in_check {
            return None;
        }
        let m = self.game.mate_in_one()?;
        let score = -mated_at(node.ply + 1);
        let (mv, pv) = (G::pack(m), self.frame(node.ply).was_pv);
        let entry = TtEntry { mv, score: to_table(score, node.ply), depth, kind: Kind::Exact, pv, ..TtEntry::EMPTY };
        self.store(node.key, entry);
        Some(score)
    }

    // ---- The static evaluation and its corrections.

    /// Computes the raw, corrected and refined evaluations, and whether the position improves for the side to move.
    fn evaluate_node(&mut self, node: &mut Node<G::Move>) {
        let ply = node.ply;
        node.correction = self.correction(ply);
        if node.in_check {
            node.eval = self.earlier(ply, 2).eval;
            node.estimate = node.eval;
            self.frame_mut(ply).eval = node.eval;
            return;
        }
        if node.excluded.is_some() {
            node.eval = self.frame(ply).eval;
            node.estimate = node.eval;
        } else {
            node.raw = if node.hit.eval == NO_EVAL { self.evaluator.evaluate(&self.game) } else { node.hit.eval };
            node.eval = self.correct(node.raw, node.correction);
            node.estimate = refine(node.eval, node.hit);
            self.frame_mut(ply).eval = node.eval;
            if !node.is_known() {
                let pv = self.frame(ply).was_pv;
                self.store(node.key, TtEntry { eval: node.raw, depth: UNSEARCHED, pv, ..TtEntry::EMPTY });
            }
        }
        self.judge_last_move(node);
        let before = [1, 2].map(|back| self.earlier(ply, back).eval);
        node.improving = before[1] != NO_EVAL && node.eval > before[1];
        node.worsening = before[0] == NO_EVAL || node.eval > -before[0];
    }

    /// Updates the histories of a quiet move that led to the node, according to its gain in static evaluation.
    fn judge_last_move(&mut self, node: &Node<G::Move>) {
        let last = *self.earlier(node.ply, 1);
        let Some((_, facts)) = last.mv else { return };
        if last.in_check || facts.victim != 0 || last.eval == NO_EVAL {
            return;
        }
        let gain = (-(last.eval + node.eval) * 100 / self.unit).clamp(-214, 171) + 60;
        let history = &self.memory.history;
        history.update_main(1 - self.game.side().index(), facts, gain * eval_change_bonus::<G>());
        if !node.is_known() && is_learned_by_pawns::<G>(facts) {
            let key = self.game.feature_keys()[0];
            history.update_pawns(key, History::<G>::row(facts), gain * eval_change_pawn_bonus::<G>());
        }
    }

    // ---- Pruning: finding the value of the node without trying all moves. In check, only small ProbCut is used.

    #[inline]
    fn prune<const PV: bool>(&mut self, node: &mut Node<G::Move>) -> Option<i32> {
        self.adjust_depth_in_hindsight(node);
        if !PV {
            if let Some(value) = self.razor(node).or_else(|| self.futility(node)) {
                return Some(value);
            }
            if let Some(value) = self.null_move(node) {
                return Some(value);
            }
        }
        node.improving |= node.eval >= node.beta;
        // Internal iterative reduction (Schroeder): without a table move, move ordering is poor, so the depth is
        // reduced.
        let is_reduced = !self.frame(node.ply).follows
            && !node.all
            && node.depth >= internal_reduction_depth::<G>()
            && node.hit.mv == 0
            && node.reduction <= internal_reduction_prior::<G>();
        node.depth -= i32::from(is_reduced);
        self.probcut(node)
    }

    /// If the last move was reduced, adjusts the depth of the node, since the static evaluations before and after the
    /// move show whether it deserved the reduction.
    fn adjust_depth_in_hindsight(&self, node: &mut Node<G::Move>) {
        let before = self.earlier(node.ply, 1).eval;
        if node.reduction >= 3 && !node.worsening {
            node.depth += 1;
        }
        if node.reduction >= 2
            && node.depth >= 2
            && before != NO_EVAL
            && node.eval + before > self.margin(hindsight_margin::<G>())
        {
            node.depth -= 1;
        }
    }

    /// Razoring: if the static evaluation is far below alpha, only captures could help, so quiescence search suffices.
    fn razor(&mut self, node: &Node<G::Move>) -> Option<i32> {
        let slack = razor_base::<G>() + razor_per_depth_squared::<G>() * node.depth * node.depth;
        if is_decisive(node.alpha) || node.estimate >= node.alpha - self.margin(slack) {
            return None;
        }
        Some(self.quiesce::<false>(node.alpha, node.beta, node.ply))
    }

    /// Reverse futility pruning: a search is unlikely to find a value below beta if the static evaluation is far above
    /// it.
    fn futility(&self, node: &Node<G::Move>) -> Option<i32> {
        let ready = node.depth < futility_depth::<G>()
            && node.estimate >= node.beta
            && !self.frame(node.ply).was_pv
            && (node.hit.mv == 0 || node.table_captures)
            && !is_loss(node.beta)
            && !is_win(node.estimate);
        if !ready {
            return None;
        }
        let step = (futility_base::<G>() + futility_per_ply::<G>() * node.depth).min(futility_most::<G>())
            - if node.is_known() { 0 } else { futility_unknown::<G>() };
        let discount = if node.improving { futility_improving::<G>() } else { 0 }
            + if node.worsening { futility_worsening::<G>() } else { 0 };
        let slack =
            step * node.depth - discount * step / 1024 + node.correction_size() * futility_correction::<G>() / 100;
        let enough = node.estimate - self.margin(slack) >= node.beta;
        enough.then(|| node.beta + (node.estimate - node.beta) * futility_return::<G>() / 1024)
    }

    /// Null move pruning: cuts the node off if beta is exceeded even after a null move (Goetsch and Campbell 1990). At
    /// large depths, where an error in zugzwang would be costly, a search without null moves verifies the result.
    fn null_move(&mut self, node: &Node<G::Move>) -> Option<i32> {
        let Node { depth, beta, ply, .. } = *node;
        let slack = null_move_base::<G>()
            - null_move_per_ply::<G>() * depth
            - if node.improving { null_move_improving::<G>() } else { 0 };
        let worth_it = node.cut
            && node.excluded.is_none()
            && node.eval >= beta + self.margin(slack)
            && !is_loss(beta)
            && ply >= self.no_null_above
            && self.earlier(ply, 1).mv.is_some()
            && self.game.null_move_is_safe();
        if !worth_it || self.must_stop() {
            return None;
        }
        let by_value = match null_move_value_step::<G>() {
            0 => 0,
            step => ((node.eval - beta) / self.margin(step)).max(0),
        };
        let reduction = null_move_reduction::<G>() + depth / null_move_depth_divisor::<G>() + by_value;
        self.make_null(ply);
        let value = -self.search::<false>(depth - reduction, -beta, -beta + 1, ply + 1, false);
        self.unmake_null();
        if self.stopped {
            return Some(0);
        }
        if value < beta || is_win(value) {
            return None;
        }
        if self.no_null_above > 0 || depth < null_verification_depth::<G>() {
            return Some(value);
        }
        self.no_null_above = ply + 3 * (depth - reduction).max(1) as usize / 4;
        let verified = self.search::<false>(depth - reduction, beta - 1, beta, ply, false);
        self.no_null_above = 0;
        (self.stopped || verified >= beta).then_some(value)
    }

    /// ProbCut (Buro 1995): cuts the node off if a shallow search of a good capture finds a value far above beta.
    fn probcut(&mut self, node: &Node<G::Move>) -> Option<i32> {
        let slack = probcut_margin::<G>() - if node.improving { probcut_improving::<G>() } else { 0 };
        let target = node.beta + self.margin(slack);
        let refuted = node.hit.kind != Kind::None && node.hit.score < target;
        if node.depth < probcut_depth::<G>() || is_decisive(node.beta) || refuted {
            return None;
        }
        let by = if node.improving { probcut_improving_reduction::<G>() } else { probcut_reduction::<G>() };
        let depth = node.depth - by;
        let threshold = self.exchange_of_value(target - node.eval);
        let mut picker = self.pick_captures((node.hit.mv, node.table_move), node.ply);
        let mut result = None;
        while let Some(m) = self.next_move(&mut picker) {
            if node.excluded == Some(m) || !self.game.see_at_least(m, threshold) {
                continue;
            }
            let value = self.probe_capture(node, m, depth, target);
            if self.stopped {
                result = Some(0);
                break;
            }
            if value < target {
                continue;
            }
            let (mv, score, pv) = (G::pack(m), to_table(value, node.ply), self.frame(node.ply).was_pv);
            let kind = Kind::Lower;
            let entry = TtEntry { mv, score, eval: node.raw, depth: (depth + 1).max(1), kind, pv, ..TtEntry::EMPTY };
            if node.excluded.is_none() {
                self.store(node.key, entry);
            }
            if !is_decisive(value) {
                result = Some(value - (target - node.beta));
                break;
            }
        }
        self.memory.arena.truncate(picker.start());
        result
    }

    fn probe_capture(&mut self, node: &Node<G::Move>, m: G::Move, depth: i32, target: i32) -> i32 {
        if self.must_stop() {
            return 0;
        }
        self.prefetch_after(m);
        let facts = self.game.facts(m);
        self.make(m, facts, node.ply);
        let mut value = -self.quiesce::<false>(-target, -target + 1, node.ply + 1);
        if value >= target && depth > 0 && !self.stopped {
            value = -self.search::<false>(depth, -target, -target + 1, node.ply + 1, !node.cut);
        }
        self.unmake();
        value
    }

    /// Small ProbCut: cuts the node off if its table entry, at most four plies shallower, has a score far above beta.
    fn small_probcut(&self, node: &Node<G::Move>) -> Option<i32> {
        let target = node.beta + self.margin(small_probcut_margin::<G>());
        let holds = matches!(node.hit.kind, Kind::Lower | Kind::Exact)
            && node.hit.depth >= node.depth - 4
            && node.hit.score >= target
            && !is_decisive(node.beta)
            && !is_decisive(node.hit.score);
        holds.then_some(target)
    }

    // ---- The loop over the moves.

    /// Tries the moves in order until a move causes a cut-off. Returns `Break` with a value if a singular-extension
    /// search or another member of the team settles the node, or if the node has no moves. Without a `Break`, returns
    /// the best value and the index in `tried` of this node's first move.
    fn try_moves<const PV: bool>(&mut self, node: &mut Node<G::Move>) -> ControlFlow<i32, (Found<G::Move>, usize)> {
        let mut picker = self.pick_all((node.hit.mv, node.table_move), node.in_check, node.depth, node.ply);
        let tried = self.memory.tried.len();
        let result = self.run_moves::<PV>(node, &mut picker, tried);
        self.memory.arena.truncate(picker.start());
        match result {
            Continue(found) if found.count == 0 => {
                Break(if node.excluded.is_some() { node.alpha } else { self.without_moves(node.ply) })
            }
            Continue(found) => Continue((found, tried)),
            Break(value) => {
                self.memory.tried.truncate(tried);
                Break(value)
            }
        }
    }

    fn run_moves<const PV: bool>(
        &mut self,
        node: &mut Node<G::Move>,
        picker: &mut Picker<G::Move>,
        tried: usize,
    ) -> ControlFlow<i32, Found<G::Move>> {
        let mut found = Found { best: -INFINITE, mv: None, count: 0 };
        let depth = node.depth;
        let is_shared = node.excluded.is_none() && self.team.shares_moves(depth);
        // All moves of an expected all node probably need a search, so each team member begins with a different move.
        let spreads = is_shared && node.all;
        let mut deferred: VecDeque<(TriedMove<G::Move>, bool)> = VecDeque::new();
        let mut is_first_round = true;
        loop {
            let mut c = match self.next_move(picker) {
                Some(m) => {
                    if node.excluded == Some(m) {
                        continue;
                    }
                    found.count += 1;
                    let c = self.candidate(node, m, found.count);
                    if !is_loss(found.best) && self.skip::<PV>(node, &mut found, &c, picker) {
                        continue;
                    }
                    if found.count > 1 && (spreads || (is_shared && self.is_busy(node, m))) {
                        deferred.push_back((c, !spreads));
                        continue;
                    }
                    c
                }
                None => {
                    if spreads && is_first_round && !deferred.is_empty() {
                        deferred.rotate_left(self.team.first_of(deferred.len()));
                    }
                    is_first_round = false;
                    match deferred.pop_front() {
                        Some((c, false)) if self.is_busy(node, c.mv) => {
                            deferred.push_back((c, true));
                            continue;
                        }
                        Some((c, _)) => c,
                        None => break,
                    }
                }
            };
            if G::pack(c.mv) == node.hit.mv {
                c.extension = self.singularity::<PV>(node, &c)?;
            }
            let shared = (is_shared && c.number > 1).then(|| (place(node.key, G::pack(c.mv)), depth));
            let value = self.play_shared::<PV>(node, &c, found.best, shared);
            if self.stopped {
                break;
            }
            if self.note::<PV>(node, &mut found, &c, value) {
                break;
            }
            if found.mv.map(|(m, _)| m) != Some(c.mv) && self.memory.tried.len() - tried < REMEMBERED {
                self.memory.tried.push(c.facts);
            }
            if is_shared && let Some(value) = self.found_by_team::<PV>(node) {
                if PV {
                    self.memory.pv[node.ply].clear();
                }
                return Break(value);
            }
        }
        Continue(found)
    }

    /// Is another member of the team searching this move?
    fn is_busy(&self, node: &Node<G::Move>, m: G::Move) -> bool {
        self.team.is_busy(place(node.key, G::pack(m)))
    }

    /// Records the value of a move, and returns true if it causes a cut-off.
    #[inline]
    fn note<const PV: bool>(
        &mut self,
        node: &mut Node<G::Move>,
        found: &mut Found<G::Move>,
        c: &TriedMove<G::Move>,
        value: i32,
    ) -> bool {
        // To add variety near the leaves, a move of equal value sometimes replaces the best move.
        let is_tie_won = value == found.best
            && node.ply as i32 + 2 >= self.root_depth
            && self.nodes & 14 == 0
            && !is_win(value.abs() + 1);
        let counts = value + i32::from(is_tie_won);
        if counts <= found.best {
            return false;
        }
        found.best = value;
        if counts <= node.alpha {
            return false;
        }
        found.mv = Some((c.mv, c.facts));
        if PV {
            self.extend_pv(node.ply, c.mv);
        }
        if value >= node.beta {
            let frame = self.frame_mut(node.ply);
            frame.cutoffs = frame.cutoffs.saturating_add(u8::from(c.extension < 2 || PV));
            return true;
        }
        // Once a move has raised alpha, the remaining moves are less likely to matter, so their depth is reduced.
        let less = raised_reduction::<G>();
        if node.depth > less && node.depth < raised_depth::<G>() && !is_decisive(value) {
            node.depth -= less;
        }
        node.alpha = value;
        false
    }

    #[inline]
    pub(crate) fn candidate(&self, node: &Node<G::Move>, mv: G::Move, number: usize) -> TriedMove<G::Move> {
        let was_pv = if self.frame(node.ply).was_pv { lmr_was_pv::<G>() } else { 0 };
        let window = (node.beta - node.alpha) * lmr_window::<G>() / self.root_window.max(1);
        let reduction = self.memory.reductions.get::<G>(node.improving, node.depth, number) - window + was_pv;
        TriedMove { mv, facts: self.game.facts(mv), number, extension: 0, depth: node.depth - 1, reduction }
    }

    /// Should the move be pruned? A move is pruned if it is quiet and comes late, cannot reach alpha, has a bad
    /// history, or loses material. The caller has already searched a move that does not lose by force.
    fn skip<const PV: bool>(
        &mut self,
        node: &Node<G::Move>,
        found: &mut Found<G::Move>,
        c: &TriedMove<G::Move>,
        picker: &mut Picker<G::Move>,
    ) -> bool {
        if !self.game.null_move_is_safe() {
            return false;
        }
        let late = late_moves_base::<G>() + node.depth * node.depth;
        if c.number as i32 >= if node.improving { late } else { late / 2 } {
            picker.skip_quiets();
        }
        let depth = c.depth - c.reduction / 1024;
        let is_capture = G::is_noisy(c.facts);
        let checks = picker.checks().unwrap_or_else(|| self.game.gives_check(c.mv));
        if is_capture || checks {
            return self.is_futile_capture(node, c, depth, checks);
        }
        if PV && self.frame(node.ply).follows {
            return false;
        }
        self.is_futile_quiet(node, found, c, depth)
    }

    /// Can a capture or a check be pruned? `depth` is the move's reduced search depth.
    fn is_futile_capture(&self, node: &Node<G::Move>, c: &TriedMove<G::Move>, depth: i32, checks: bool) -> bool {
        let history = self.memory.history.capture(c.facts);
        if !checks && depth < futile_capture_depth::<G>() && node.eval != NO_EVAL {
            let hope = futile_capture_base::<G>()
                + futile_capture_per_ply::<G>() * depth
                + victim_units::<G>(c.facts.victim)
                + futile_capture_history::<G>() * history / 1024;
            if node.eval + self.margin(hope) <= node.alpha {
                return true;
            }
        }
        let loss = exchange_per_ply::<G>() * node.depth + history * exchange_history::<G>() / 1024;
        (exchange_ahead::<G>() == 0 || node.alpha >= self.draw())
            && !self.game.see_at_least(c.mv, exchange::<G>(-loss.max(0)))
    }

    fn is_futile_quiet(
        &self,
        node: &Node<G::Move>,
        found: &mut Found<G::Move>,
        c: &TriedMove<G::Move>,
        depth: i32,
    ) -> bool {
        let (history, row) = (&self.memory.history, History::<G>::row(c.facts));
        let after: i32 = [1, 2].map(|back| history.continuation(self.earlier(node.ply, back).row, row)).iter().sum();
        let record = after + history.pawns(self.game.feature_keys()[0]).get(row as usize);
        if record < -history_pruning_per_ply::<G>() * node.depth {
            return true;
        }
        let main = history.main(self.game.side().index(), c.facts);
        let depth = depth + (record + late_main_history::<G>() * main / 32) / late_history::<G>();
        if !node.in_check && depth < futile_quiet_depth::<G>() {
            let slack = futile_quiet_base::<G>()
                + futile_quiet_per_ply::<G>() * depth
                + if found.mv.is_none() { futile_quiet_no_best::<G>() } else { 0 }
                + if node.eval > node.alpha { futile_quiet_above::<G>() } else { 0 };
            let hope = node.eval + self.margin(slack);
            if hope <= node.alpha {
                if found.best <= hope && !is_decisive(found.best) && !is_win(hope) {
                    found.best = hope;
                }
                return true;
            }
        }
        let depth = depth.max(0);
        !self.game.see_at_least(c.mv, exchange::<G>(-exchange_quiet_per_ply_squared::<G>() * depth * depth))
    }

    // ---- Extensions.

    /// Singular extension: is the table move better than every other move (Anantharaman, Campbell and Hsu 1988)?
    /// Returns the extension in plies, where a negative extension is a reduction. Returns `Break` with a value if the
    /// other moves exceed beta too, which settles the node.
    fn singularity<const PV: bool>(
        &mut self,
        node: &mut Node<G::Move>,
        c: &TriedMove<G::Move>,
    ) -> ControlFlow<i32, i32> {
        let Node { depth, ply, beta, hit, .. } = *node;
        let was_pv = self.frame(ply).was_pv;
        let doubtful = node.excluded.is_some()
            || depth < singular_depth::<G>() + i32::from(was_pv)
            || is_decisive(hit.score)
            || !matches!(hit.kind, Kind::Lower | Kind::Exact)
            || hit.depth < depth - 3
            || self.is_shuffling(node, c.facts);
        if doubtful {
            return Continue(0);
        }
        let step = singular_margin::<G>() + if was_pv && !PV { singular_was_pv::<G>() } else { 0 };
        let bar = hit.score - self.margin(step * depth / 55);
        self.frame_mut(ply).excluded = Some(c.mv);
        let value = self.search::<false>(c.depth / 2, bar - 1, bar, ply, node.cut);
        self.frame_mut(ply).excluded = None;
        if self.stopped {
            return Continue(0);
        }
        if value < bar {
            node.depth += 1;
            return Continue(1 + self.extra_plies::<PV>(node, bar - value));
        }
        if value >= beta && !is_decisive(value) {
            self.memory.history.update_table_moves((-424 - 107 * depth).max(-3375));
            return Break(value);
        }
        Continue(if hit.score >= beta {
            -singular_negative::<G>()
        } else if node.cut {
            -singular_cut::<G>()
        } else {
            0
        })
    }

    /// How many extra plies the singular table move is extended, if the other moves are `lead` below the bound.
    fn extra_plies<const PV: bool>(&self, node: &Node<G::Move>, lead: i32) -> i32 {
        let is_below = node.ply as i32 > self.root_depth;
        let of = |condition: bool, units: i32| if condition { units } else { 0 };
        let less = node.correction_size() * 62 / 100
            + self.memory.history.table_moves() * singular_table_moves::<G>() / TABLE_MOVES_LIMIT
            + of(is_below, singular_below::<G>());
        let double = singular_double_base::<G>() + of(PV, singular_double_pv::<G>())
            - of(!node.table_captures, singular_double_quiet::<G>())
            - less;
        let triple = singular_triple_base::<G>()
            + of(PV, singular_triple_pv::<G>())
            + of(self.frame(node.ply).was_pv, singular_triple_was_pv::<G>())
            - of(!node.table_captures, singular_triple_quiet::<G>())
            - node.correction_size() * 62 / 100
            - of(is_below, singular_below::<G>());
        i32::from(lead > self.margin(double)) + i32::from(lead > self.margin(triple))
    }

    /// Is the node far from the root, and is the move the third in a row by the same piece?
    fn is_shuffling(&self, node: &Node<G::Move>, facts: MoveFacts) -> bool {
        if node.ply < 18 || G::is_noisy(facts) {
            return false;
        }
        let [second, fourth] = [2, 4].map(|back| self.earlier(node.ply, back).mv.map(|(_, facts)| facts));
        matches!((second, fourth), (Some(second), Some(fourth))
            if facts.origin == second.to && second.origin == fourth.to)
    }

    // ---- Reductions and searches.

    /// Makes the move, searches it to its extended or reduced depth, and takes it back. Returns the value of the move
    /// for the side that made it. `best` is the value of the best move searched so far at this node.
    pub(crate) fn play<const PV: bool>(&mut self, node: &Node<G::Move>, c: &TriedMove<G::Move>, best: i32) -> i32 {
        if self.must_stop() {
            return 0;
        }
        self.prefetch_after(c.mv);
        let (alpha, ply) = (node.alpha, node.ply);
        let mut depth = c.depth + c.extension;
        let merit = self.merit(node, c);
        let r = self.reduction::<PV>(node, c, merit);
        let frame = self.frame_mut(ply);
        frame.number = c.number;
        frame.merit = merit;
        self.make(c.mv, c.facts, ply);
        if PV {
            self.memory.pv[ply + 1].clear();
        }
        let mut value = alpha + 1;
        if node.depth >= 2 && c.number > 1 {
            let reduced = (depth - r / 1024).min(depth + 2).max(1) + i32::from(PV);
            self.frame_mut(ply).reduction = depth - reduced;
            value = -self.search::<false>(reduced, -(alpha + 1), -alpha, ply + 1, true);
            self.frame_mut(ply).reduction = 0;
            if value > alpha && !self.stopped {
                depth += i32::from(reduced < depth && value > best + self.margin(deeper_margin::<G>()));
                depth -= i32::from(value < best + self.margin(shallower_margin::<G>()));
                if depth > reduced {
                    value = -self.search::<false>(depth, -(alpha + 1), -alpha, ply + 1, !node.cut);
                }
                self.update_continuations(ply, c.facts, searched_again_bonus::<G>());
            }
        } else if !PV || c.number > 1 {
            let r = r + if node.hit.mv == 0 { lmr_unknown::<G>() } else { 0 };
            let less = i32::from(r > lmr_one_ply::<G>()) + i32::from(r > lmr_two_plies::<G>() && depth > 2);
            value = -self.search::<false>(depth - less, -(alpha + 1), -alpha, ply + 1, !node.cut);
        }
        if PV && (c.number == 1 || value > alpha) && !self.stopped {
            // The table move is searched at least one ply deep, so that it is not left to quiescence search.
            if G::pack(c.mv) == node.hit.mv && node.hit.depth > i32::from(!is_decisive(node.hit.score)) {
                depth = depth.max(1);
            }
            value = -self.search::<true>(depth, -node.beta, -alpha, ply + 1, false);
        }
        self.unmake();
        value
    }

    /// Score of the move, computed from its histories and from the captured piece.
    fn merit(&self, node: &Node<G::Move>, c: &TriedMove<G::Move>) -> i32 {
        let history = &self.memory.history;
        if G::is_noisy(c.facts) {
            return lmr_victim::<G>() * victim_units::<G>(c.facts.victim) / 128 + history.capture(c.facts);
        }
        let row = History::<G>::row(c.facts);
        let after: i32 = [1, 2].map(|back| history.continuation(self.earlier(node.ply, back).row, row)).iter().sum();
        2 * history.main(self.game.side().index(), c.facts) + after
    }

    /// Final reduction of the move, in 1,024ths of a ply.
    fn reduction<const PV: bool>(&self, node: &Node<G::Move>, c: &TriedMove<G::Move>, merit: i32) -> i32 {
        let Node { hit, cut, all, .. } = *node;
        let of = |condition: bool, r: i32| if condition { r } else { 0 };
        let is_known = hit.kind != Kind::None;
        let mut r = c.reduction + lmr_search::<G>();
        if self.frame(node.ply).was_pv {
            r -= lmr_was_pv_search::<G>()
                + of(PV, lmr_pv::<G>())
                + of(!is_known || hit.score > node.alpha, lmr_pv_above::<G>())
                + of(is_known && hit.depth >= node.depth, lmr_pv_deep::<G>() + of(cut, lmr_pv_deep_cut::<G>()));
        }
        r -= c.number as i32 * lmr_per_move::<G>();
        r -= node.correction_size() * lmr_correction::<G>() / 100;
        r += of(cut, lmr_cut::<G>() + of(hit.mv == 0, lmr_cut_unknown::<G>()));
        r += of(node.table_captures, lmr_table_capture::<G>());
        let cutoffs = self.frame(node.ply + 1).cutoffs;
        r += of(
            cutoffs > 1,
            lmr_cutoffs::<G>() + of(cutoffs > 2, lmr_many_cutoffs::<G>()) + of(all, lmr_all_cutoffs::<G>()),
        );
        r -= of(hit.mv != 0 && G::pack(c.mv) == hit.mv, lmr_table_move::<G>());
        r -= merit * lmr_history::<G>() / 4096;
        r + of(all, r * lmr_all::<G>() / (256 * node.depth + 260))
    }

    // ---- Storing the result of the node, and learning from it.

    /// Stores the result of the node and updates the histories. `alpha` is the node's initial alpha, and `tried` is the
    /// index of the first move tried at the node.
    fn conclude<const PV: bool>(
        &mut self,
        node: &Node<G::Move>,
        mut found: Found<G::Move>,
        tried: usize,
        alpha: i32,
    ) -> i32 {
        if found.best >= node.beta && !is_decisive(found.best) && !is_decisive(node.alpha) {
            found.best = (found.best * node.depth + node.beta) / (node.depth + 1);
        }
        match found.mv {
            Some((m, facts)) => {
                let is_table_move = G::pack(m) == node.hit.mv;
                self.reward(node, facts, is_table_move, tried);
                if !PV {
                    self.memory.history.update_table_moves(if is_table_move { 805 } else { -787 });
                }
            }
            None => self.reward_last_move(node, found.best),
        }
        self.memory.tried.truncate(tried);
        let ply = node.ply;
        if found.best <= alpha && ply > 0 {
            self.frame_mut(ply).was_pv |= self.earlier(ply, 1).was_pv;
        }
        if node.excluded.is_none() {
            let kind = match found.best {
                best if best >= node.beta => Kind::Lower,
                _ if PV && found.mv.is_some() => Kind::Exact,
                _ => Kind::Upper,
            };
            let (score, pv) = (to_table(found.best, ply), self.frame(ply).was_pv);
            let mv = found.mv.map_or(0, |(m, _)| G::pack(m));
            self.store(node.key, TtEntry { mv, score, eval: node.raw, depth: node.depth, kind, pv, ..TtEntry::EMPTY });
        }
        self.learn_correction(node, found);
        found.best
    }

    /// Updates the histories with a bonus for the best move and a malus for the moves tried before it. The quiet move
    /// that led to this node also gets a malus if it was the first move tried after any table move.
    pub(crate) fn reward(&mut self, node: &Node<G::Move>, best: MoveFacts, is_table_move: bool, tried: usize) {
        let (ply, depth) = (node.ply, node.depth);
        let last = *self.earlier(ply, 1);
        let bonus = (history_bonus::<G>() * depth - history_bonus_offset::<G>()).min(history_bonus_limit::<G>())
            + if is_table_move { history_bonus_table::<G>() } else { 0 }
            + last.merit / history_bonus_prior::<G>();
        let malus = (history_malus::<G>() * depth - history_malus_offset::<G>()).min(history_malus_limit::<G>());
        let quiet = !G::is_noisy(best);
        if quiet {
            self.update_quiet(ply, best, bonus * history_quiet_bonus::<G>() / 1024);
        } else {
            self.memory.history.update_capture(best, bonus * history_capture_bonus::<G>() / 1024);
        }
        let mut left = malus * history_quiet_malus::<G>() / 1024;
        for i in tried..self.memory.tried.len() {
            let other = self.memory.tried[i];
            if G::is_noisy(other) {
                self.memory.history.update_capture(other, -malus * history_capture_malus::<G>() / 1024);
            } else if quiet {
                left = left * history_quiet_decay::<G>() / 1024;
                self.update_quiet(ply, other, -left);
            }
        }
        if let Some((_, facts)) = last.mv
            && ply > 0
            && facts.victim == 0
            && last.number == 1 + usize::from(last.known)
        {
            self.update_continuations(ply - 1, facts, -malus * history_prior_malus::<G>() / 1024);
        }
    }

    /// Gives a history bonus to the move that led to the node, because the node failed low.
    fn reward_last_move(&mut self, node: &Node<G::Move>, value: i32) {
        let last = *self.earlier(node.ply, 1);
        let Some((_, facts)) = last.mv.filter(|_| node.ply > 0) else { return };
        if facts.victim != 0 {
            self.memory.history.update_capture(facts, prior_capture_bonus::<G>());
            return;
        }
        let of = |condition: bool, scale: i32| if condition { scale } else { 0 };
        let is_below = |eval: i32, units: i32| eval != NO_EVAL && value <= eval - self.margin(units);
        let scale = -prior_scale::<G>() - last.merit / prior_history::<G>()
            + (prior_per_ply::<G>() * node.depth).min(prior_per_ply_limit::<G>())
            + of(last.number > 8, prior_late::<G>())
            + of(!node.in_check && is_below(node.eval, 110), prior_surprise::<G>())
            + of(!last.in_check && last.eval != NO_EVAL && is_below(-last.eval, 73), prior_second_surprise::<G>());
        let bonus = (prior_bonus::<G>() * node.depth - 80).min(prior_bonus_limit::<G>()) * scale.max(0);
        self.update_continuations(node.ply - 1, facts, bonus * prior_continuation::<G>() / 16_384);
        let history = &self.memory.history;
        history.update_main(1 - self.game.side().index(), facts, bonus * prior_main::<G>() / 32_768);
        if is_learned_by_pawns::<G>(facts) {
            let key = self.game.feature_keys()[0];
            history.update_pawns(key, History::<G>::row(facts), bonus * prior_pawns::<G>() / 8192);
        }
    }

    /// Updates the correction histories with the error of the static evaluation, unless tactics explain the error or
    /// the value is a bound that is consistent with the evaluation.
    fn learn_correction(&mut self, node: &Node<G::Move>, found: Found<G::Move>) {
        let is_tactical = node.in_check
            || found.mv.is_some_and(|(_, facts)| facts.victim != 0)
            || (found.best > node.eval) != found.mv.is_some();
        if !is_tactical {
            let step = if found.mv.is_some() { correction_learn::<G>() } else { correction_learn_low::<G>() };
            let error = i64::from(found.best - node.eval) * 100 / i64::from(self.unit);
            let limit = i64::from(CORRECTION_STEP);
            let bonus = (error * i64::from(node.depth * step) / 128).clamp(-limit, limit) as i32;
            self.memory.history.update_correction(self.correction_keys(node.ply), bonus);
        }
    }

    /// Updates all histories of a quiet move made at ply `ply`.
    fn update_quiet(&mut self, ply: usize, facts: MoveFacts, bonus: i32) {
        let history = &self.memory.history;
        history.update_main(self.game.side().index(), facts, bonus);
        if ply < FIRST_PLIES {
            history.update_first_plies(ply, facts, bonus * history_first_plies::<G>() / 1024);
        }
        let by_pawns = if bonus > 0 { history_pawns::<G>() } else { history_pawns_malus::<G>() };
        history.update_pawns(self.game.feature_keys()[0], History::<G>::row(facts), bonus * by_pawns / 1024);
        self.update_continuations(ply, facts, bonus * history_continuation::<G>() / 1024);
    }

    /// Updates the continuation histories of a move made at ply `ply`.
    fn update_continuations(&mut self, ply: usize, facts: MoveFacts, bonus: i32) {
        let (row, in_check): (Row, bool) = (History::<G>::row(facts), self.frame(ply).in_check);
        for (back, weight) in [(1, 1157), (2, 648), (3, 288), (4, 576), (5, 140), (6, 441)] {
            if in_check && back > 2 {
                break;
            }
            let before = self.earlier(ply, back);
            if before.mv.is_some() {
                let near = if back < 2 { history_near::<G>() } else { 0 };
                self.memory.history.update_continuation(before.row, row, bonus * weight / 1024 + near);
            }
        }
    }
}

impl<M> Node<M> {
    /// Did the transposition table have an entry for the node, even one that holds only a static evaluation?
    pub(crate) const fn is_known(&self) -> bool {
        self.hit.depth >= UNSEARCHED
    }
}

/// Does the pawn history learn from a move with the properties `facts`? The pawn history does not learn from pawn moves
/// and promotions, because they change the pawn structure.
fn is_learned_by_pawns<G: SearchGame>(facts: MoveFacts) -> bool {
    usize::from(facts.piece) % (G::PIECES / 2) != 0 && !facts.promotes
}
