//! The search that a `go` starts: the request, its progress, and its only answer.

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

/// The search for the move that answers a `go`.
pub(super) struct MoveSearch {
    pub request: Request,
    /// True if the protocol forbids an answer before `stop` or `ponderhit`.
    pub held: bool,
    /// The handicap, if Hasami plays below full strength.
    pub handicap: Option<Handicap>,
    /// The question for a mate solver, from UCI's `go mate` or about a mate shorter than the known one.
    pub question: Option<MateQuestion>,
    /// The current best move, which became the best at `best_since`.
    pub best: Option<MoveText>,
    best_since: Time,
    /// The last exact value of the root, and its variation.
    exact_choice: Option<ChosenLine>,
    first_score: Option<Score>,
    /// How long the tree's root had been searched before this `go`.
    carried: Duration,
    /// When to check the clock next.
    check_at: Option<Time>,
    /// What the GUI was last shown of the search.
    pub shown: ReportState,
    /// Tracks whether the workers are really searching for the answer.
    pub service: SearchService,
    /// With MultiPV, the lines reported for the root.
    pub lines: Lines,
    /// With MultiPV, complete blocks of lines reported for the root.
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
        // `go nodes 0` is treated as `go nodes 1`.
        go.nodes = go.nodes.map(|nodes| nodes.max(1));
        // GUIs must not send `go` during a search; if one does, the earlier `go` still has to be answered.
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

    /// Applies the limits of the handicap, if any: fewer nodes, and more lines to choose from.
    fn take_handicap(&mut self, go: &mut Go) -> Option<Handicap> {
        let handicap = Handicap::of(&self.options.valid, go);
        if let Some(Handicap { nodes, .. }) = handicap {
            go.nodes = Some(go.nodes.map_or(nodes, |asked| asked.min(nodes)));
        }
        self.options.set_lines(handicap.map_or(0, |handicap| handicap.lines));
        handicap
    }

    /// Handles a `go` that follows a rejected position: answers, without a move, as soon as the protocol permits.
    fn go_unplaced(&mut self, now: Time, go: Go) {
        self.end_pondering(now);
        if matches!(go.mate, Some(MateLimit::Time(_) | MateLimit::Infinite)) {
            return self.say(Output::MateRefused);
        }
        if go.perft.is_some() {
            return self.message("perft: the last position was refused");
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
        // Running tasks are cancelled, because a task's number of lines and node limit cannot change after its start.
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

    /// Moves the tree's root to the requested position. If `anew`, starts a new tree without earlier findings.
    fn root_at_position(&mut self, now: Time, only: &[MoveText], anew: bool) -> NodeId {
        let moves: Vec<G::Move> = only.iter().filter_map(|text| self.position.game.parse_move(text).ok()).collect();
        if anew || self.assignment.tree.anticipates != self.assignment.anticipates(&self.options.valid) {
            let GuiPosition { line, game, .. } = &self.position;
            self.assignment.plant(now, line.clone(), game.clone(), &self.options.valid);
        } else {
            self.follow_position(now);
        }
        if !moves.is_empty() {
            // The root's workers are cancelled, because they were searching other moves.
            self.cancel_at_root(now);
        }
        self.assignment.tree.restrict(&moves);
        self.assignment.tree.root()
    }

    /// Gives each of the `searchmoves` its own node if no worker supports the option `searchmoves`. Support for
    /// `searchmoves` may change during a search, as workers join and leave.
    pub(super) fn split_search_moves(&mut self) {
        let Phase::Thinking(search) = &mut self.phase else { return };
        let (root, request) = (self.assignment.tree.root(), &mut search.request);
        let is_whole = request.only.is_empty() || !self.assignment.tree.node(root).has_others();
        if is_whole || self.assignment.roster.can_restrict() {
            return;
        }
        // No worker can enforce the limits alone once the moves are split among several nodes.
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

    /// How long a worker had already searched the position, or a node on its best line, before this `go`.
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

    /// Reports the illegal moves among the GUI's `searchmoves`, which are ignored. If none of the `searchmoves` is
    /// legal, all moves are searched.
    fn tell_illegal(&mut self, go: &Go, is_all: bool) {
        let is_illegal = |text: &&MoveText| self.position.game.parse_move(text).is_err();
        let illegal = go.search_moves.iter().filter(is_illegal).map(ToString::to_string);
        let illegal: Vec<String> = illegal.chain(go.unread.iter().flat_map(|unread| unread.moves.clone())).collect();
        if !illegal.is_empty() {
            let instead = if is_all { "all moves are searched" } else { "left out" };
            self.message(format!("searchmoves: expected legal moves, found {}: {instead}", shown(&illegal)));
        }
    }

    /// The limits that a lone player enforces on its own, for example to search exactly the requested number of nodes.
    fn exact_limits(&self, go: &Go) -> Option<Limits> {
        let limits = Limits { depth: go.depth, nodes: go.nodes, mate: MateQuestion::plies(go) };
        let alone = match self.assignment.roster.players() {
            0 => self.options.valid.threads <= 1 && self.options.valid.children.is_none(),
            players => players == 1,
        };
        (limits != Limits::default() && alone).then_some(limits)
    }

    /// Returns whether the search must be reproducible in a game: a lone worker searches exactly the requested number
    /// of nodes, uninterrupted.
    pub(super) fn is_repeatable(&self, exact: Option<Limits>) -> bool {
        exact.is_some_and(|limits| limits.nodes.is_some() && limits.mate.is_none()) && !self.options.valid.analyse_mode
    }

    /// Moves the tree's root to the GUI's position, keeping the nodes that still belong to the tree.
    fn follow_position(&mut self, now: Time) {
        let GuiPosition { line, game, .. } = &self.position;
        self.assignment.follow(now, line, game, &self.options.valid);
    }

    /// Answers `go perft` with leaf counts in Stockfish's format.
    fn count_leaves(&mut self, depth: u32) {
        let counts = perft::divide(&mut self.position.game, depth);
        let total: u64 = counts.iter().map(|&(_, count)| count).sum();
        let lines: String = counts.iter().map(|(text, count)| format!("{text}: {count}\n")).collect();
        self.say(Output::Text(format!("{lines}\nNodes searched: {total}\n")));
    }
}

/// Joins words into one line, shortened to a readable length.
fn shown(words: &[String]) -> String {
    const LONGEST: usize = 80;
    shortened(&words.join(" "), LONGEST)
}
