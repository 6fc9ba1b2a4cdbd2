//! The search of a `go`: the request, its progress, and its only answer.

mod answer;
mod due;
mod ponder;

pub(super) use answer::{ChosenLine, UNKNOWN};

use super::assign::Request;
use super::clock::Plan;
use super::core::{Manager, Phase};
use super::fallback::SearchService;
use super::handicap::Handicap;
use super::mate::MateQuestion;
use super::position::GuiPosition;
use super::report::{Blocks, Lines, ReportState};
use hasami_api::perft;
use hasami_api::{Game, Limits, MoveText, Score};
use hasami_protocol::{Go, MateLimit, Output};
use hasami_tree::event::{Time, WorkerId};
use hasami_tree::{NodeId, Source};
use hasami_words::shortened;
use std::time::Duration;

/// A `go` that waits for its move.
pub(super) struct MoveSearch {
    pub request: Request,
    /// Whether the answer must wait for `stop` or `ponderhit`.
    pub held: bool,
    /// The handicap of a weakened player.
    pub handicap: Option<Handicap>,
    /// The question of `go mate` with a number of moves.
    pub question: Option<MateQuestion>,
    /// The best move, which has been the best one since `best_since`.
    pub best: Option<MoveText>,
    best_since: Time,
    /// The last exact value and its variation.
    exact_choice: Option<ChosenLine>,
    first_score: Option<Score>,
    /// Time for which the tree's root had been searched before this `go`.
    carried: Duration,
    /// Time of the next check of the clock.
    check_at: Option<Time>,
    /// What the GUI has seen of the search.
    pub shown: ReportState,
    /// Whether the workers do what the request asks for.
    pub service: SearchService,
    /// The lines that the root's worker reported, with MultiPV.
    pub lines: Lines,
    /// The lines of the root's worker, as complete blocks.
    pub blocks: Blocks,
}

impl MoveSearch {
    pub fn next_look(&self) -> Option<Time> {
        [self.check_at, self.shown.due_at, self.service.wake_at].into_iter().flatten().min()
    }
}

impl<G: Game> Manager<G> {
    pub(super) fn on_go(&mut self, now: Time, mut go: Go) {
        if let Some(unread) = go.unread.as_ref().filter(|unread| !unread.unknown.is_empty()) {
            self.message(format!("go: expected limits and searchmoves, found {}: ignored", shown(&unread.unknown)));
        }
        // A search of no nodes is treated as a search of one node.
        go.nodes = go.nodes.map(|nodes| nodes.max(1));
        // A `go` during a search is an error of the GUI, but the earlier `go` still has to be answered.
        self.finish(now);
        self.take_settings(now);
        if self.position.refused {
            return self.go_unplaced(now, go);
        }
        self.position.draw_time(now, &mut go, self.options.valid.overhead);
        let handicap = self.take_handicap(&mut go);
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
        self.begin_thinking(now, go, handicap);
    }

    /// Applies the limits of a weaker player: fewer nodes, and more lines to choose from.
    fn take_handicap(&mut self, go: &mut Go) -> Option<Handicap> {
        let handicap = Handicap::of(&self.options.valid, go);
        if let Some(Handicap { nodes, .. }) = handicap {
            go.nodes = Some(go.nodes.map_or(nodes, |asked| asked.min(nodes)));
        }
        self.options.set_lines(handicap.map_or(0, |handicap| handicap.lines));
        handicap
    }

    /// Handles a `go` after a refused position, which is answered without a move as soon as an answer is permitted.
    fn go_unplaced(&mut self, now: Time, go: Go) {
        self.end_pondering(now);
        if matches!(go.mate, Some(MateLimit::Time(_) | MateLimit::Infinite)) {
            return self.say(Output::MateRefused);
        }
        if go.perft.is_some() {
            return self.message("perft: expected a position, found one that was refused");
        }
        let is_open = go.infinite || go.ponder;
        self.phase = Phase::Unplaced(go);
        if !is_open {
            self.finish(now);
        }
    }

    fn begin_thinking(&mut self, now: Time, go: Go, handicap: Option<Handicap>) {
        let only = self.allowed(&go.search_moves);
        self.tell_illegal(&go, only.is_empty());
        let exact = self.exact_limits(&go).filter(|_| only.is_empty() || self.assignment.roster.can_restrict());
        let focus = match self.ponder_before_reply(now, &go, &only) {
            Some(focus) => focus,
            None => {
                let in_groups = self.assignment.in_groups(&self.options.valid);
                self.root_at_position(now, &only, exact.is_some() || go.depth.is_some() && in_groups)
            }
        };
        self.assignment.release_removed(now);
        self.assignment.tree.set_multi_pv(self.options.valid.multi_pv > 1);
        self.assignment.tree.keep_open(self.is_repeatable(exact));
        self.assignment.tree.begin_search();
        // Running tasks are cancelled, because the number of lines and the share of a limit are set when a task begins.
        if exact.is_none() && (self.options.valid.multi_pv > 1 || go.nodes.is_some()) {
            self.assignment.cancel_all(now);
        }
        self.assignment.roster.forget_given_up(None);
        self.assignment.roster.forget_reaches();
        if go.nodes.is_some() {
            self.assignment.roster.forget_grants();
        }
        self.assignment.requeue();
        let nodes = self.assignment.roster.nodes;
        let search = MoveSearch {
            held: go.infinite || go.ponder,
            handicap,
            question: MateQuestion::of(&go),
            best: None,
            best_since: now,
            exact_choice: None,
            first_score: self.assignment.tree.node(focus).value.map(|value| value.score),
            carried: self.carried(now, focus),
            check_at: None,
            shown: ReportState::from(nodes),
            service: SearchService::default(),
            lines: Lines::default(),
            blocks: Blocks::default(),
            request: Request {
                clock_from: (!go.ponder).then_some(now),
                began: now,
                plan: Plan::new(&go, &self.options.valid, self.position.standing()),
                only,
                exact,
                done: false,
                nodes_before: nodes,
                table_hits_before: self.assignment.roster.table_hits,
                focus,
                go,
            },
        };
        self.phase = Phase::Thinking(Box::new(search));
        self.begin_trust(now);
        self.assign_solver(now);
    }

    /// Moves the tree's root to the requested position. A search with exact limits does not use earlier findings.
    fn root_at_position(&mut self, now: Time, only: &[MoveText], anew: bool) -> NodeId {
        let moves: Vec<G::Move> = only.iter().filter_map(|text| self.position.game.parse_move(text).ok()).collect();
        if anew || self.assignment.tree.anticipates != self.assignment.anticipates(&self.options.valid) {
            let GuiPosition { line, game, .. } = &self.position;
            self.assignment.plant(now, line.clone(), game.clone(), &self.options.valid);
        } else {
            self.follow_position(now);
        }
        if !moves.is_empty() {
            // The worker at the root is cancelled, because it was searching other moves.
            self.cancel_at_root(now);
        }
        self.assignment.tree.restrict(&moves);
        self.assignment.tree.root()
    }

    /// Gives each of the `searchmoves` its own node if no worker supports the option `searchmoves`. The lack of support
    /// may become known only when the first worker arrives, or when the last supporting worker leaves.
    pub(super) fn split_search_moves(&mut self) {
        let Phase::Thinking(search) = &mut self.phase else { return };
        let (root, request) = (self.assignment.tree.root(), &mut search.request);
        let is_whole = request.only.is_empty() || !self.assignment.tree.node(root).has_others();
        if is_whole || self.assignment.roster.can_restrict() {
            return;
        }
        // Exact limits apply only to one worker that searches all of the moves.
        request.exact = None;
        for m in request.only.iter().filter_map(|text| self.position.game.parse_move(text).ok()) {
            self.assignment.tree.add_child(root, m);
        }
        self.assignment.requeue();
    }

    fn cancel_at_root(&mut self, now: Time) {
        let root = self.assignment.tree.root();
        let at_root: Vec<WorkerId> = self
            .assignment
            .roster
            .busy()
            .filter(|(_, job)| job.work.node() == Some(root))
            .map(|(worker, _)| worker)
            .collect();
        for worker in at_root {
            self.assignment.cancel(now, worker);
        }
    }

    /// The time for which the position or its best line had been searched before this `go`.
    fn carried(&self, now: Time, focus: NodeId) -> Duration {
        let mut longest = Duration::ZERO;
        let mut at = self.assignment.tree.searched(focus);
        loop {
            let node = self.assignment.tree.node(at);
            if let Some(assigned) = node.worker {
                longest = longest.max(now.saturating_sub(assigned.since));
            }
            match node.value.map(|value| value.source) {
                Some(Source::Child(child)) => at = self.assignment.tree.searched(child),
                _ => return longest,
            }
        }
    }

    /// The legal moves among the GUI's `searchmoves`, in the game's notation.
    fn allowed(&self, wanted: &[MoveText]) -> Vec<MoveText> {
        let parse = |text: &MoveText| self.position.game.parse_move(text).ok();
        let mut moves: Vec<MoveText> =
            wanted.iter().filter_map(parse).map(|m| self.position.game.format_move(m)).collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// Reports the illegal moves among the GUI's `searchmoves`, which are left out. If no legal move remains, all moves
    /// are searched.
    fn tell_illegal(&mut self, go: &Go, is_all: bool) {
        let is_illegal = |text: &&MoveText| self.position.game.parse_move(text).is_err();
        let illegal = go.search_moves.iter().filter(is_illegal).map(ToString::to_string);
        let illegal: Vec<String> = illegal.chain(go.unread.iter().flat_map(|unread| unread.moves.clone())).collect();
        if !illegal.is_empty() {
            let instead = if is_all { "all moves are searched" } else { "left out" };
            self.message(format!("searchmoves: expected legal moves, found {}: {instead}", shown(&illegal)));
        }
    }

    /// The limits that a single player keeps by itself, so that it searches exactly the requested number of nodes.
    fn exact_limits(&self, go: &Go) -> Option<Limits> {
        let limits = Limits { depth: go.depth, nodes: go.nodes, mate: MateQuestion::plies(go) };
        let alone = match self.assignment.roster.players() {
            0 => self.options.valid.threads <= 1 && self.options.valid.children.is_none(),
            players => players == 1,
        };
        (limits != Limits::default() && alone).then_some(limits)
    }

    /// Returns whether a single worker searches exactly this number of nodes without interruption, so that the search
    /// can be repeated in a game.
    pub(super) fn is_repeatable(&self, exact: Option<Limits>) -> bool {
        exact.is_some_and(|limits| limits.nodes.is_some() && limits.mate.is_none()) && !self.options.valid.analyse_mode
    }

    /// Moves the tree to the position in `go`, keeping the nodes that still belong to it.
    fn follow_position(&mut self, now: Time) {
        let GuiPosition { line, game, .. } = &self.position;
        self.assignment.follow(now, line, game, &self.options.valid);
    }

    /// Answers `go perft` with leaf counts in the format of Stockfish.
    fn count_leaves(&mut self, depth: u32) {
        let counts = perft::divide(&mut self.position.game, depth);
        let total: u64 = counts.iter().map(|&(_, count)| count).sum();
        let lines: String = counts.iter().map(|(text, count)| format!("{text}: {count}\n")).collect();
        self.say(Output::Text(format!("{lines}\nNodes searched: {total}\n")));
    }
}

/// The words in one line, shortened to a readable length.
fn shown(words: &[String]) -> String {
    const LONGEST: usize = 80;
    shortened(&words.join(" "), LONGEST)
}
