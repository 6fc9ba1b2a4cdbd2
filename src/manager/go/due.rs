//! Decides when the answer is due, from the clock, the state of the root, and the limits of `go`.

use super::MoveSearch;
use super::answer::ChosenLine;
use crate::clock::{Plan, Signs, Step};
use crate::core::{Manager, Phase};
use crate::mate::MateQuestion;
use hasami_api::{Bound, Game, Limits, Score, ScoreKind};
use hasami_tree::event::Time;
use hasami_tree::{NodeId, NodeValue, Source, TreeNode};
use std::collections::HashSet;

/// If the solver finds no mate, the search must reach this depth in plies before it answers.
const SENSIBLE: u16 = 9;

/// In a search without a node limit, a solver that looks for a shorter mate gets at least this many nodes.
const LEAST_FOR_MATE: u64 = 1_000_000;

impl<G: Game> Manager<G> {
    /// Checks the clock and the limits after every event, and sends the answer or an info line if one is due.
    pub(crate) fn answer_if_due(&mut self, now: Time) {
        self.note_best(now);
        self.seek_shorter_mate(now);
        let (is_free, until) = match &self.phase {
            Phase::Thinking(search) => (!search.held, None),
            Phase::Mating(search) => (false, search.until),
            Phase::Pondering(until) => (false, Some(*until)),
            Phase::Idle | Phase::Unplaced(_) => (false, None),
        };
        if until.is_some_and(|until| until <= now) {
            self.finish(now);
            self.end_pondering(now);
        } else if is_free && self.is_due(now) {
            self.finish(now);
        } else {
            self.send_info_if_due(now);
        }
    }

    fn is_due(&mut self, now: Time) -> bool {
        let signs = self.signs(now);
        let limit = self.limit_reached();
        let Phase::Thinking(search) = &mut self.phase else { return false };
        let elapsed = now.saturating_sub(search.request.clock_from.unwrap_or(now));
        let step = search.request.plan.step(elapsed, &signs);
        search.check_at = match step {
            Step::CheckAt(at) => search.request.clock_from.map(|from| from + at),
            Step::GoOn | Step::Stop => None,
        };
        step == Step::Stop || limit || (signs.settled && signs.known && search.request.plan == Plan::Unlimited)
    }

    fn limit_reached(&self) -> bool {
        let Phase::Thinking(search) = &self.phase else { return false };
        let value = self.assignment.asked_node(self.demand()).value;
        if let Some(question) = search.question.as_ref().filter(|_| search.request.go.mate.is_some()) {
            let wanted = Score::win_in(question.plies.into());
            let is_found = value.is_some_and(|value| value.score >= wanted && value.bound == Bound::Exact);
            if is_found || question.refuted && self.depth_reached(SENSIBLE) {
                return true;
            }
        }
        let is_spent = self.assignment.budget(self.demand()).is_some_and(|budget| budget.is_spent());
        if search.request.exact.is_some() {
            // A worker that enforces the limits ends its task on its own. If that worker was lost, too few nodes may be
            // left for another one.
            let is_left = is_spent && self.assignment.tree.node(self.focus()).worker.is_none();
            return search.request.done || is_left || self.is_ignored(search);
        }
        let nodes =
            is_spent || search.request.go.nodes.is_some_and(|limit| self.assignment.spent(&search.request) >= limit);
        let depth =
            search.request.go.depth.is_some_and(|limit| self.depth_reached(limit) && self.has_block(search, limit));
        nodes || depth
    }

    /// With MultiPV, returns whether all lines have reached the depth limit, or no worker is searching them any more.
    /// Each member of a search group ends at the depth limit with a complete block of lines.
    fn has_block(&self, search: &MoveSearch, limit: u16) -> bool {
        let is_wanted = self.assignment.group_depth(self.demand()).is_some()
            && self.assignment.lines_of_one_worker(self.demand()).is_some();
        let is_searched = self.assignment.asked_node(self.demand()).worker.is_some();
        !(is_wanted && is_searched) || search.blocks.depth() >= limit
    }

    /// Returns whether the worker that should enforce the limits has gone far beyond them, which shows that it does not
    /// support limits.
    fn is_ignored(&self, search: &MoveSearch) -> bool {
        let nodes = |limit: u64| self.assignment.spent(&search.request) >= Limits::far_beyond(limit);
        let depth = |limit: u16| self.depth_reached(limit.saturating_add(1));
        search.request.go.nodes.is_some_and(nodes) || search.request.go.depth.is_some_and(depth)
    }

    /// Returns whether the best line in the tree has reached the depth limit. If the best line can get no deeper,
    /// because it reaches the end of the game or no worker continues it, the deepest line in the tree counts.
    fn depth_reached(&self, limit: u16) -> bool {
        let root = self.assignment.asked_node(self.demand());
        let (mut end, mut depth) = (root, root.value.map_or(0, finished));
        while let Some(Source::Child(child)) = end.value.map(|value| value.source) {
            end = self.assignment.tree.node(self.assignment.tree.searched(child));
        }
        if end.settled.is_settled() || end.exhausted {
            let reach = |(id, node): (NodeId, &TreeNode<G::Move>)| {
                let own = node.finding()?;
                Some(self.assignment.tree.depth(id) as u16 + own.bound.finished(own.depth))
            };
            depth = self.assignment.tree.iter().filter_map(reach).max().unwrap_or(depth);
        }
        depth >= limit
    }

    /// Records the best move, and the time at which it last changed.
    fn note_best(&mut self, now: Time) {
        if !matches!(self.phase, Phase::Thinking(_)) {
            return;
        }
        let best = self.assignment.tree.best_move(self.assignment.tree.searched(self.focus()));
        let score = self.assignment.asked_node(self.demand()).value.map(|value| value.score);
        let Phase::Thinking(search) = &mut self.phase else { return };
        if search.best != best {
            (search.best, search.best_since) = (best, now);
        }
        if let Some((best, score)) = best.zip(score) {
            self.trust.accept(best, score);
        }
        search.first_score = search.first_score.or(score);
        self.note_exact();
    }

    /// Records the root's value and variation whenever the value is exact, for the info line before the answer.
    fn note_exact(&mut self) {
        let focus = self.focus();
        let Some(value) = self.assignment.tree.node(focus).value.filter(|value| value.bound == Bound::Exact) else {
            return;
        };
        let Phase::Thinking(search) = &self.phase else { return };
        if search.exact_choice.as_ref().is_some_and(|known| known.value == value) {
            return;
        }
        let line = self.assignment.tree.variation(focus);
        self.assignment.tree.note_exact(focus, &value.as_report(&line));
        if let Phase::Thinking(search) = &mut self.phase {
            search.exact_choice = Some(ChosenLine { line, value });
        }
    }

    fn signs(&self, now: Time) -> Signs {
        let Phase::Thinking(search) = &self.phase else { return Signs::default() };
        let root = self.assignment.asked_node(self.demand());
        let drop = match (search.first_score, root.value) {
            (Some(first), Some(value)) => first.raw() - value.score.raw(),
            _ => 0,
        };
        let nothing_left = root.exhausted
            && root.value.is_some()
            && self.assignment.roster.busy().all(|(_, job)| job.work.node().is_none());
        Signs {
            known: search.best.is_some(),
            // In an analysis, even a position with a single legal move is searched, for its value.
            forced: root.legal == 1 && !self.options.valid.analyse_mode,
            ponders: self.options.valid.ponder,
            settled: root.settled.is_settled() && !self.is_shortening() || nothing_left || self.has_all_lines(search),
            stable_for: now.saturating_sub(search.best_since),
            drop_cp: drop,
            gap_cp: self.gap_to_second(),
            share: self.share_of_best(),
            carried: search.carried,
        }
    }

    /// With MultiPV, returns whether the best move is proved, and enough moves have a line of depth [`SENSIBLE`] or a
    /// decisive score.
    fn has_all_lines(&self, search: &MoveSearch) -> bool {
        if self.options.valid.multi_pv <= 1 || !self.assignment.tree.is_decided() {
            return false;
        }
        let root = self.assignment.tree.node(self.assignment.tree.root());
        let is_sensible = |score: Score, depth: u16| score.is_decisive() || depth >= SENSIBLE;
        let reported = search.lines.iter().filter(|line| is_sensible(line.score, line.depth));
        let children = root.children.iter().map(|&child| self.assignment.tree.node(child));
        let known = children.filter(|node| node.value.is_some_and(|value| is_sensible(value.score, value.depth)));
        let moves = reported.filter_map(|line| line.pv.first().copied()).chain(known.filter_map(TreeNode::text));
        moves.collect::<HashSet<_>>().len() >= usize::from(self.options.valid.multi_pv.min(root.legal))
    }

    /// Centipawns between the best and the second best move at the root, if both are known.
    fn gap_to_second(&self) -> Option<i32> {
        let siblings = self.assignment.tree.siblings(self.assignment.tree.searched(self.focus()));
        let mut scores: Vec<Score> = siblings.scores.into_iter().chain([siblings.others]).flatten().collect();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        (scores.len() >= 2).then(|| scores[0].raw() - scores[1].raw())
    }

    /// Share of the root worker's nodes that were searched below its best move.
    fn share_of_best(&self) -> Option<f64> {
        let own = self.assignment.asked_node(self.demand()).finding()?;
        let best = own.pv.first()?;
        let is_known = own.ranking.iter().any(|effort| effort.share() > 0.0);
        own.ranking.iter().find(|effort| effort.text == *best).filter(|_| is_known).map(|effort| effort.share())
    }

    // Outside of games, a proved mate does not end the search: a solver looks for a shorter mate. If no shorter mate
    // exists, or if the mate is against the side to move, the players keep searching within the limit.

    /// Asks a solver whether there is a shorter mate than the known one at the root. No solver is asked in a game with
    /// a clock.
    fn seek_shorter_mate(&mut self, now: Time) {
        let Phase::Thinking(search) = &self.phase else { return };
        if !self.wants_shortest(search) {
            return;
        }
        let root = self.assignment.asked_node(self.demand());
        let Some(ScoreKind::Mate(plies)) = root.value.map(|value| value.score.kind()) else { return };
        let (is_settled, is_kept_open) = (root.settled.is_settled(), self.assignment.tree.stays_open);
        match &search.question {
            None if is_settled && plies >= 3 => self.ask_for_shorter(now, plies.unsigned_abs()),
            None if is_settled && plies <= -4 => self.search_on(),
            Some(question) if question.is_solved_by(plies) && is_kept_open => {
                self.assignment.tree.keep_open(false);
                self.assignment.release_settled(now);
            }
            Some(question) if is_settled && !question.is_solved_by(plies) && !self.is_shortening() => self.search_on(),
            _ => {}
        }
    }

    /// Returns whether the shortest mate is wanted: in a search that is unlimited, limited by nodes or depth, or in
    /// analysis mode, unless it looks for a mate of a given length or must be reproducible.
    fn wants_shortest(&self, search: &MoveSearch) -> bool {
        let is_game = search.request.plan.hard().is_some() || search.request.go.ponder;
        let is_limited =
            search.request.go.infinite || search.request.go.nodes.is_some() || search.request.go.depth.is_some();
        let is_analysis = self.options.valid.analyse_mode && search.request.plan.hard().is_some();
        let is_wanted = (is_limited && !is_game || is_analysis) && !self.is_repeatable(search.request.exact);
        is_wanted && search.request.go.mate.is_none() && search.handicap.is_none()
    }

    fn ask_for_shorter(&mut self, now: Time, plies: u32) {
        let Phase::Thinking(search) = &self.phase else { return };
        let spent = self.assignment.spent(&search.request);
        // The solver gets half of the remaining nodes, because the players may need the other half.
        let half = |limit: u64| limit.saturating_sub(spent) / 2;
        let nodes = search.request.go.nodes.map_or(spent.max(LEAST_FOR_MATE), half);
        let plies = u16::try_from(plies - 2).unwrap_or(u16::MAX).min(search.request.go.depth.unwrap_or(u16::MAX));
        if let Phase::Thinking(search) = &mut self.phase {
            search.question = Some(MateQuestion::within(plies).limited(nodes));
        }
        self.assign_solver(now);
        if !self.is_shortening() {
            self.search_on();
        }
    }

    /// Lets workers keep searching the root even though a proved mate has settled it.
    fn search_on(&mut self) {
        if !self.assignment.tree.stays_open {
            self.assignment.tree.keep_open(true);
            self.assignment.requeue();
        }
    }

    /// Returns whether the solver is looking for a shorter mate, or will look for one after its current probe.
    fn is_shortening(&self) -> bool {
        let Phase::Thinking(search) = &self.phase else { return false };
        let Some(question) = &search.question else { return false };
        question.is_open() || question.is_new() && self.assignment.roster.is_probing()
    }
}

/// The depth of the last finished iteration, which may be less than the depth of the last report.
fn finished(value: NodeValue) -> u16 {
    value.bound.finished(value.depth)
}
