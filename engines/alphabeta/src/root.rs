//! Searches the root, where the moves keep their order and their node counts between iterations.

use crate::node::Node;
use crate::params::{INFINITE, raised_depth, raised_reduction};
use crate::state::SearchState;
use crate::table::{Kind, NO_EVAL, TtEntry};
use crate::team::place;
use crate::value::{is_decisive, refine, to_table};
use hasami_api::{Evaluator, SearchGame};
use std::collections::VecDeque;

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// Searches the root moves from index `first` on (lower indices belong to better lines), and sorts them by value
    /// with a stable sort. A move gets a `score` only if it raised alpha or was searched first.
    pub(crate) fn search_root(&mut self, depth: i32, alpha: i32, beta: i32, first: usize) -> i32 {
        let mut node = self.root_node(depth, alpha, beta, first);
        let tried = self.memory.tried.len();
        let mut good = None;
        let mut best = -INFINITE;
        for root in &mut self.roots[first..] {
            root.score = -INFINITE;
        }
        let is_shared = self.team.shares_moves(depth);
        let is_whole = first == 0 && !self.restricted;
        let mut order: VecDeque<_> = (first..self.roots.len()).map(|i| (i, false)).collect();
        while let Some((i, was_deferred)) = order.pop_front() {
            if is_whole && let Some(value) = self.adopt(depth, alpha, beta) {
                return value;
            }
            let m = self.roots[i].mv;
            let shared = (is_shared && i > first).then(|| place(node.key, G::pack(m)));
            if !was_deferred && shared.is_some_and(|place| self.team.is_busy(place)) {
                order.push_back((i, true));
                continue;
            }
            let candidate = self.candidate(&node, m, i - first + 1);
            self.trying = (i, self.nodes);
            let shared = shared.map(|place| (place, depth));
            let value = self.play_shared::<true>(&node, &candidate, best, shared);
            self.roots[i].nodes += self.nodes - self.trying.1;
            self.trying.1 = self.nodes;
            if self.stopped {
                break;
            }
            self.roots[i].note(value);
            if i == first || value > node.alpha {
                self.roots[i].score = value;
            }
            best = best.max(value);
            if value > node.alpha {
                good = Some((m, candidate.facts));
                if value < beta
                    && node.depth > raised_reduction::<G>()
                    && node.depth < raised_depth::<G>()
                    && !is_decisive(value)
                {
                    node.depth -= raised_reduction::<G>();
                }
                node.alpha = value;
                self.keep_root_line(i);
                if i > 0 && first == 0 && value < beta {
                    self.report_change(i);
                }
            }
            if value >= beta {
                break;
            }
            if good.map(|(m, _)| m) != Some(m) {
                self.memory.tried.push(candidate.facts);
            }
        }
        if let Some((m, facts)) = good
            && !self.stopped
        {
            self.reward(&node, facts, G::pack(m) == node.hit.mv, tried);
        }
        self.memory.tried.truncate(tried);
        self.roots[first..].sort_by_key(|root| std::cmp::Reverse(root.score));
        if !self.stopped && is_whole {
            self.store_root(&Node { depth, ..node }, best, alpha);
        }
        best
    }

    /// If another member of the team has already found the value of the root, returns it and puts that member's best
    /// move first.
    fn adopt(&mut self, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        let found = self.team.root_found()?;
        let score = self.at_ply(found.score, 0);
        let fits = match found.kind {
            Kind::None => false,
            Kind::Upper => score <= alpha,
            Kind::Lower => score >= beta,
            Kind::Exact => true,
        };
        if !fits || found.depth < depth {
            return None;
        }
        if found.kind != Kind::Upper {
            let i = self.roots.iter().position(|root| G::pack(root.mv) == found.mv)?;
            self.roots[..=i].rotate_right(1);
            for root in &mut self.roots {
                root.score = -INFINITE;
            }
            self.roots[0].score = score;
            self.roots[0].pv.truncate(1);
            self.roots[0].seldepth = self.seldepth as u16;
        }
        Some(score)
    }

    fn keep_root_line(&mut self, i: usize) {
        let root = &mut self.roots[i];
        root.pv.truncate(1);
        root.pv.extend_from_slice(&self.memory.pv[1]);
        root.seldepth = self.seldepth as u16;
    }

    fn root_node(&mut self, depth: i32, alpha: i32, beta: i32, first: usize) -> Node<G::Move> {
        let key = self.game.key();
        // The best move of the current iteration is more reliable than the move in the transposition table.
        let (hit, expected) = (self.lookup(key, 0), self.roots[first].mv);
        let hit = TtEntry { mv: G::pack(expected), ..hit };
        let mut node = Node::new(depth, (alpha, beta), 0, key, hit);
        node.in_check = self.game.in_check();
        node.table_captures = G::is_noisy(self.game.facts(expected));
        node.correction = self.correction(0);
        if !node.in_check {
            node.raw = self.evaluator.evaluate(&self.game);
            node.eval = self.correct(node.raw, node.correction);
            node.estimate = refine(node.eval, hit);
            node.improving = node.eval >= beta;
        }
        self.frame_mut(1).cutoffs = 0;
        self.frame_mut(2).cutoffs = 0;
        let frame = self.frame_mut(0);
        (frame.eval, frame.in_check) = (if node.in_check { NO_EVAL } else { node.eval }, node.in_check);
        (frame.was_pv, frame.known, frame.follows) = (true, node.is_known(), true);
        node
    }

    fn store_root(&mut self, node: &Node<G::Move>, best: i32, alpha: i32) {
        let kind = match best {
            best if best >= node.beta => Kind::Lower,
            best if best > alpha => Kind::Exact,
            _ => Kind::Upper,
        };
        let mv = if kind == Kind::Upper { 0 } else { G::pack(self.roots[0].mv) };
        let score = to_table(best, 0);
        let (eval, depth) = (node.raw, node.depth);
        self.store(node.key, TtEntry { mv, score, eval, depth, kind, pv: true, ..TtEntry::EMPTY });
    }
}
