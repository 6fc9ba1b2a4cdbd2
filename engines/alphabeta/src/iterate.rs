//! Iterative deepening with aspiration windows.

use crate::params::{INFINITE, MAX_DEPTH, aspiration_depth, aspiration_divisor, aspiration_window};
use crate::report::RootLine;
use crate::state::SearchState;
use crate::value::is_decisive;
use crate::variant::{reorder, skips};
use hasami_api::{Answer, Bound, Evaluator, Score, SearchGame, Task};

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// Searches with increasing depth until a limit is reached, the search is stopped, or a mate is found that a deeper
    /// search cannot improve.
    pub(crate) fn iterate(&mut self, task: &Task) -> Answer {
        let lines_wanted = usize::from(task.multipv.max(1)).min(self.roots.len());
        let max_depth = task.limits.depth.map_or(MAX_DEPTH, |depth| i32::from(depth).clamp(1, MAX_DEPTH));
        let mut lines = vec![self.first_guess()];
        reorder(task.variant, &mut self.roots);
        // A search may skip depths only if it works alone and on one line: a team shares each iteration, and several
        // lines need values from the same depth.
        let is_free = self.team.is_alone() && lines_wanted == 1;
        let skips = |depth| depth != max_depth && is_free && skips(task.variant, depth);
        for depth in (1..=max_depth).filter(|&depth| !skips(depth)) {
            self.root_depth = depth;
            self.team.deepen(depth);
            if self.team.is_alone() {
                self.seldepth = 0;
            } // In a team, a member knows only part of an iteration, so it keeps the largest depth reached so far.
            let mut finished = Vec::with_capacity(lines_wanted);
            // The first move stays the best one of the last iteration. The other variants keep the order that
            // distinguishes them.
            if is_free && task.variant == 0 && depth > 1 {
                self.order_roots(1, 0);
            }
            for first in 0..lines_wanted {
                self.aspirate(depth, first, lines_wanted == 1, &mut lines);
                if self.stopped {
                    break;
                }
                finished.push(RootLine::of(&self.roots[first], depth));
            }
            if self.stopped {
                break;
            }
            finished.sort_by_key(|line| std::cmp::Reverse(line.score));
            self.roots[..lines_wanted].sort_by_key(|root| std::cmp::Reverse(root.score));
            lines = finished;
            self.last_line.clone_from(&lines[0].pv);
            self.complete(&mut lines);
            self.report_lines(&lines);
            // The callback that received the last report may have stopped the search.
            if self.is_settled(task, &lines[0]) || self.must_stop() || self.stop.is_stopped() {
                break;
            }
        }
        self.exchange_news();
        self.report_lines(&lines);
        self.answer(&lines[0])
    }

    /// Returns a result without a search: the first move in the move order, with the static evaluation.
    fn first_guess(&mut self) -> RootLine<G::Move> {
        let hit = self.lookup(self.game.key(), 0);
        self.order_roots(0, hit.mv);
        let mut line = RootLine::of(&self.roots[0], 0);
        line.score = self.static_value(0);
        line
    }

    /// Sorts the root moves from the index `from` on as the moves of other nodes are ordered, beginning with the move
    /// whose packed form is `table_move` unless this is 0.
    fn order_roots(&mut self, from: usize, table_move: u16) {
        let mut picker = self.pick_all((table_move, self.unpack(table_move)), self.game.in_check(), MAX_DEPTH, 0);
        let mut place = from;
        while let Some(m) = self.next_move(&mut picker) {
            if let Some(i) = self.roots[place..].iter().position(|root| root.mv == m) {
                self.roots[place..=place + i].rotate_right(1);
                place += 1;
            }
        }
        self.memory.arena.truncate(picker.start());
    }

    /// Searches one line at one depth, in an aspiration window around the line's average value, and widens the window
    /// until it contains the new value.
    fn aspirate(&mut self, depth: i32, first: usize, single: bool, lines: &mut [RootLine<G::Move>]) {
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut delta = INFINITE;
        if depth >= aspiration_depth::<G>()
            && let Some((mean, squares)) = self.roots[first].mean
            && !is_decisive(mean)
        {
            delta =
                self.margin(aspiration_window::<G>()).max(1) + squares.abs() / self.margin(aspiration_divisor::<G>());
            (alpha, beta) = (mean - delta, mean + delta);
        }
        let mut lowered = 0;
        loop {
            self.root_window = beta - alpha;
            let value = self.search_root((depth - lowered).max(1), alpha, beta, first);
            if self.stopped {
                if single || lines[0].depth == 0 {
                    self.take_unfinished(depth, alpha, beta, lines);
                }
                return;
            }
            let bound = if value <= alpha {
                beta = alpha;
                alpha = value - delta;
                lowered = 0;
                Bound::Upper
            } else if value >= beta {
                alpha = alpha.max(beta - delta);
                beta = value + delta;
                lowered = (lowered + 1).min(3);
                if single {
                    lines[0] = RootLine { bound: Bound::Lower, ..RootLine::of(&self.roots[0], depth) };
                }
                Bound::Lower
            } else {
                self.roots[first].settled = value;
                return;
            };
            self.report_bound(first, value, bound);
            delta += (delta / 3).max(1);
            if is_decisive(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            (alpha, beta) = (alpha.max(-INFINITE), beta.min(INFINITE));
        }
    }

    /// Adopts the best move of an unfinished search if its value is exact, although an unsearched move might be better.
    fn take_unfinished(&self, depth: i32, alpha: i32, beta: i32, lines: &mut [RootLine<G::Move>]) {
        let best = &self.roots[0];
        if best.score > alpha && best.score < beta && best.score > -INFINITE {
            lines[0] = RootLine::of(best, depth).so_far();
        }
    }

    /// Is a deeper search useless, because the mate found is within the requested length or far shorter than the search
    /// depth?
    fn is_settled(&self, task: &Task, line: &RootLine<G::Move>) -> bool {
        let distance = Score::MATE - line.score.abs();
        let asked = task.limits.mate.is_some_and(|plies| line.score > 0 && distance <= i32::from(plies));
        let enough = task.limits.depth.is_none() && task.multipv <= 1 && self.root_depth > 2 * distance + 10;
        asked || (enough && is_decisive(line.score))
    }

    fn answer(&mut self, line: &RootLine<G::Move>) -> Answer {
        let pv = self.texts(&line.pv);
        let ponder = pv.get(1).copied().or_else(|| self.expected_reply(line.pv[0]));
        Answer::Best { best: pv.first().copied(), ponder }
    }
}
