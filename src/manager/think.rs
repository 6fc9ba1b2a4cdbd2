//! `go`, and when its answer is due.

use super::answer::Choice;
use super::blocks::Blocks;
use super::clock::{Plan, Standing};
use super::core::{Manager, Phase};
use super::lines::Lines;
use super::mate::{self, Question};
use crate::event::{Time, WorkerId};
use crate::protocol::{Go, MateLimit};
use crate::tree::{NodeId, Source};
use hasami_api::perft;
use hasami_api::{Game, Limits, MoveText, Score};
use std::time::Duration;

/// Plies of a usual game.
const GAME_PLIES: u32 = 130;

/// One `go` that waits for its move.
pub(super) struct Think {
    pub go: Go,
    /// When `go` arrived; after a ponder hit still that of the `go ponder`.
    pub began: Time,
    /// When our clock began to run; `None` while pondering.
    pub clock_from: Option<Time>,
    pub plan: Plan,
    /// The moves allowed at the root; empty: all.
    pub only: Vec<MoveText>,
    /// No answer before `stop` or `ponderhit`.
    pub held: bool,
    /// Limits that the only worker keeps by itself, exactly.
    pub exact: Option<Limits>,
    /// The worker that kept them is done.
    pub done: bool,
    /// Of `go mate` with a number of moves.
    pub question: Option<Question>,
    /// Nodes of the crew when `go` arrived.
    pub nodes_before: u64,
    /// The best move and since when it has been the best.
    pub best: Option<MoveText>,
    pub best_since: Time,
    /// The last exact value and its variation.
    pub exact_choice: Option<Choice>,
    pub first_score: Option<Score>,
    /// When the tree's root was first searched, before this `go` perhaps.
    pub carried: Duration,
    /// When to ask the clock again.
    pub check_at: Option<Time>,
    /// When the next info line may go out, if one waits.
    pub info_at: Option<Time>,
    pub last_info: Option<Time>,
    /// Depth, score and move that the GUI saw last.
    pub shown: Option<(u16, Score, Option<MoveText>)>,
    /// The depth of the best line, and since when it has that.
    pub first_heard: Option<(u16, Time)>,
    /// Nodes of the crew when the last line was shown.
    pub shown_nodes: u64,
    /// The node of the asked position: the root, or below it the reply that is pondered on.
    pub focus: NodeId,
    /// Since when there is no worker at all, and when a reserve is called for that.
    pub lonely_since: Option<Time>,
    pub reserve_at: Option<Time>,
    /// Some worker has searched, not only glanced.
    pub is_served: bool,
    /// Some worker has failed or told an untruth.
    pub has_faults: bool,
    /// The lines that the root's worker reported, with MultiPV.
    pub lines: Lines,
    /// The same as whole blocks.
    pub blocks: Blocks,
}

impl Think {
    /// The move may be answered.
    pub fn allows(&self, text: MoveText) -> bool {
        self.only.is_empty() || self.only.contains(&text)
    }

    pub fn next_look(&self) -> Option<Time> {
        [self.check_at, self.info_at, self.reserve_at].into_iter().flatten().min()
    }
}

impl<G: Game> Manager<G> {
    pub(super) fn on_go(&mut self, now: Time, mut go: Go) {
        // A search of no nodes is answered from one.
        go.nodes = go.nodes.map(|nodes| nodes.max(1));
        // A `go` during a search is an error of the GUI; the first one is still owed its answer.
        self.finish(now);
        self.take_settings(now);
        if self.refused {
            return self.go_unplaced(now, go);
        }
        self.draw_time(now, &mut go);
        if matches!(go.mate, Some(MateLimit::Time(_) | MateLimit::Infinite)) {
            return self.begin_mate(now, go);
        }
        if let Some(depth) = go.perft {
            return self.count_leaves(depth);
        }
        let held = go.infinite || go.ponder;
        if !held && self.answer_without_search(now, &go) {
            return;
        }
        self.begin_thinking(now, go);
    }

    fn begin_thinking(&mut self, now: Time, go: Go) {
        let only = self.allowed(&go.search_moves);
        self.tell_illegal(&go.search_moves, only.is_empty());
        let exact = self.exact_limits(&go).filter(|_| only.is_empty() || self.crew.can_restrict());
        let focus = match self.ponder_beside(now, &go, &only) {
            Some(focus) => focus,
            None => self.root_at_position(now, &only, exact.is_some() || go.depth.is_some() && self.in_teams()),
        };
        self.release_removed(now);
        self.tree.want_lines(self.settings.multi_pv > 1);
        self.tree.keep_open(false);
        self.tree.begin_search();
        // Lines, and shares of a limit, are asked for when a task begins.
        if exact.is_none() && (self.settings.multi_pv > 1 || go.nodes.is_some()) {
            self.leave_all(now);
        }
        self.crew.forget_given_up(None);
        if go.nodes.is_some() {
            self.crew.forget_grants();
        }
        self.frontier.rebuild(&self.tree, self.model.as_ref());
        let think = Think {
            held: go.infinite || go.ponder,
            clock_from: (!go.ponder).then_some(now),
            began: now,
            plan: Plan::new(&go, &self.settings, self.standing()),
            only,
            exact,
            done: false,
            question: Question::of(&go),
            nodes_before: self.crew.nodes,
            best: None,
            best_since: now,
            exact_choice: None,
            first_score: self.tree.node(focus).value.map(|value| value.score),
            carried: self.carried(now, focus),
            check_at: None,
            info_at: None,
            last_info: None,
            shown: None,
            first_heard: None,
            shown_nodes: self.crew.nodes,
            focus,
            lonely_since: None,
            reserve_at: None,
            is_served: false,
            has_faults: false,
            lines: Lines::default(),
            blocks: Blocks::default(),
            go,
        };
        self.phase = Phase::Thinking(Box::new(think));
        self.assign_solver(now);
    }

    /// The tree's root becomes the asked position. A search with exact limits owes nothing to what was found before.
    fn root_at_position(&mut self, now: Time, only: &[MoveText], anew: bool) -> NodeId {
        let moves: Vec<G::Move> = only.iter().filter_map(|text| self.game.parse_move(text).ok()).collect();
        if anew || self.tree.is_ahead() != self.looks_ahead() {
            self.plant(now, self.line.clone(), self.game.clone());
        } else {
            self.take_up_position(now);
        }
        if !moves.is_empty() {
            // Whoever searches the root does so with other moves.
            self.leave_root(now);
        }
        self.tree.restrict(&moves);
        self.tree.root()
    }

    /// Where nobody understands `searchmoves`, each of the moves gets a node of its own. That may turn out only once the
    /// first worker comes, or when the last one that understood them goes.
    pub(super) fn split_search_moves(&mut self) {
        let Phase::Thinking(think) = &mut self.phase else { return };
        let root = self.tree.root();
        if think.only.is_empty() || !self.tree.node(root).has_others() || self.crew.can_restrict() {
            return;
        }
        // The limits were for one worker that searches them all.
        think.exact = None;
        for m in think.only.iter().filter_map(|text| self.game.parse_move(text).ok()) {
            self.tree.add_child(root, m);
        }
        self.frontier.rebuild(&self.tree, self.model.as_ref());
    }

    fn leave_root(&mut self, now: Time) {
        let root = self.tree.root();
        let at_root: Vec<WorkerId> =
            self.crew.busy().filter(|(_, job)| job.work.node() == Some(root)).map(|(worker, _)| worker).collect();
        for worker in at_root {
            self.cancel(now, worker);
        }
    }

    /// The node of the position that `go` asked about.
    pub(super) fn focus(&self) -> NodeId {
        match &self.phase {
            Phase::Thinking(think) => think.focus,
            _ => self.tree.root(),
        }
    }

    /// How long the position or its best line has been searched already.
    fn carried(&self, now: Time, focus: NodeId) -> Duration {
        let mut longest = Duration::ZERO;
        let mut at = self.tree.searched(focus);
        loop {
            let node = self.tree.node(at);
            if let Some(seat) = node.seat {
                longest = longest.max(now.saturating_sub(seat.since));
            }
            match node.value.map(|value| value.source) {
                Some(Source::Child(child)) => at = self.tree.searched(child),
                _ => return longest,
            }
        }
    }

    /// The legal ones of the GUI's `searchmoves`, as the game writes them.
    fn allowed(&self, wanted: &[MoveText]) -> Vec<MoveText> {
        let parse = |text: &MoveText| self.game.parse_move(text).ok();
        let mut moves: Vec<MoveText> = wanted.iter().filter_map(parse).map(|m| self.game.format_move(m)).collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// Names the moves of the GUI's `searchmoves` that are left out; without any other all moves are searched.
    fn tell_illegal(&mut self, wanted: &[MoveText], is_all: bool) {
        let illegal: Vec<&str> =
            wanted.iter().filter(|text| self.game.parse_move(text).is_err()).map(|text| &**text).collect();
        if !illegal.is_empty() {
            let instead = if is_all { "all moves are searched" } else { "left out" };
            self.message(format!("searchmoves: expected legal moves, found {}: {instead}", illegal.join(" ")));
        }
    }

    pub(super) fn standing(&self) -> Standing {
        Standing { side: self.game.side(), ply: self.game.ply(), game_plies: GAME_PLIES }
    }

    /// With one player the limits are its own, and a fixed number of nodes means exactly that.
    fn exact_limits(&self, go: &Go) -> Option<Limits> {
        let limits = Limits { depth: go.depth, nodes: go.nodes, mate: mate::plies_of(go) };
        let alone = match self.crew.players() {
            0 => self.settings.threads <= 1 && self.settings.children.is_none(),
            players => players == 1,
        };
        (limits != Limits::default() && alone).then_some(limits)
    }

    /// Moves the tree to the position of `go`, keeping what still belongs to it.
    pub(super) fn take_up_position(&mut self, now: Time) {
        // Where the side changes, nodes that were searched whole are to be divided, and the other way round.
        let (is_ahead, replies) = (self.tree.is_ahead(), usize::from(self.tree.awaits_reply()));
        let keeps_sides = |moves: &&[MoveText]| !is_ahead || (moves.len() + replies).is_multiple_of(2);
        let Some(moves) = self.line.since(&self.tree_line).filter(keeps_sides) else {
            return self.plant(now, self.line.clone(), self.game.clone());
        };
        let mut game = self.tree.game().clone();
        let mut played = Vec::with_capacity(moves.len());
        for text in moves {
            let Ok(m) = game.parse_move(text) else { break };
            game.make(m);
            played.push(m);
        }
        self.tree.reroot(&played);
        self.tree_line = self.line.clone();
    }

    /// `go perft`: leaf counts, as engines print them.
    fn count_leaves(&mut self, depth: u32) {
        let counts = perft::divide(&mut self.game, depth);
        for (text, count) in &counts {
            self.message(format!("{text}: {count}"));
        }
        let total: u64 = counts.iter().map(|&(_, count)| count).sum();
        self.message(format!("perft {depth}: {total}"));
    }
}
