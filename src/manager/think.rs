//! `go`, and when its answer is due.

use super::clock::{Plan, Signs, Standing, Step};
use super::core::{Manager, Phase};
use crate::event::{Action, Time, WorkerId};
use crate::protocol::{BestMove, Clock, Go, MateLimit, Output};
use crate::tree::{NodeId, Source, legal_moves};
use hasami_api::{Game, Limits, MoveText, Report, Score};
use std::time::Duration;

/// Plies of a usual game.
const GAME_PLIES: u32 = 130;

/// With fewer players than this all of them ponder on the expected reply.
const PONDER_CREW: usize = 4;

const LONGEST_PONDER: Duration = Duration::from_secs(6 * 3600);

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
    /// Nodes of the crew when `go` arrived.
    pub nodes_before: u64,
    /// The best move and since when it has been the best.
    pub best: Option<MoveText>,
    pub best_since: Time,
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
    /// The node of the asked position: the root, or below it the reply that is pondered on.
    pub focus: NodeId,
    /// Since when there is no worker at all, and when a reserve is called for that.
    pub lonely_since: Option<Time>,
    pub reserve_at: Option<Time>,
    /// The lines that the root's worker reported, best first, with MultiPV.
    pub lines: Vec<Report>,
}

impl Think {
    pub fn next_look(&self) -> Option<Time> {
        [self.check_at, self.info_at, self.reserve_at].into_iter().flatten().min()
    }
}

impl<G: Game> Manager<G> {
    pub(super) fn on_go(&mut self, now: Time, go: Go) {
        // A `go` during a search is an error of the GUI; the first one is still owed its answer.
        self.finish(now);
        self.take_settings(now);
        if matches!(go.mate, Some(MateLimit::Time(_) | MateLimit::Infinite)) {
            return self.begin_mate(now, go);
        }
        if let Some(depth) = go.perft {
            return self.count_leaves(depth);
        }
        let held = go.infinite || go.ponder;
        if !held && let Some(best) = self.answer_without_search(now, &go) {
            return self.say(Output::Best(best));
        }
        self.begin_thinking(now, go);
    }

    fn begin_thinking(&mut self, now: Time, go: Go) {
        let only = self.allowed(&go.search_moves);
        let exact = self.exact_limits(&go).filter(|_| only.is_empty() || self.crew.can_restrict());
        let focus = match self.ponder_beside(now, &go, &only) {
            Some(focus) => focus,
            None => self.root_at_position(now, &only, exact.is_some()),
        };
        self.release_removed(now);
        if exact.is_none() && self.settings.multi_pv > 1 {
            self.leave_all(now);
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
            nodes_before: self.crew.nodes,
            best: None,
            best_since: now,
            first_score: self.tree.node(focus).value.map(|value| value.score),
            carried: self.carried(now, focus),
            check_at: None,
            info_at: None,
            last_info: None,
            shown: None,
            focus,
            lonely_since: None,
            reserve_at: None,
            lines: Vec::new(),
            go,
        };
        self.phase = Phase::Thinking(Box::new(think));
    }

    /// The tree's root becomes the asked position. An exact search owes nothing to what was found before.
    fn root_at_position(&mut self, now: Time, only: &[MoveText], exact: bool) -> NodeId {
        let moves: Vec<G::Move> = only.iter().filter_map(|text| self.game.parse_move(text).ok()).collect();
        if exact {
            self.plant(now, self.line.clone(), self.game.clone());
        } else {
            self.take_up_position(now);
        }
        self.tree.restrict(&moves);
        if !moves.is_empty() && !self.crew.can_restrict() {
            // Nobody understands `searchmoves`: each of the moves gets a node of its own.
            for m in moves {
                self.tree.add_child(self.tree.root(), m);
            }
        }
        self.tree.root()
    }

    /// `go ponder` on the reply that we expect: with enough workers the root stays before the reply, so that the other
    /// replies are searched too and a miss loses nothing. Returns the node of the expected reply.
    fn ponder_beside(&mut self, now: Time, go: &Go, only: &[MoveText]) -> Option<NodeId> {
        let beside = self.settings.ponder && self.settings.multi_pv <= 1 && self.crew.players() >= PONDER_CREW;
        if !go.ponder || !beside || !only.is_empty() || self.line.since(&self.tree_line)?.len() != 1 {
            return None;
        }
        let reply = self.tree.game().parse_move(self.line.moves.last()?).ok()?;
        let child = self.tree.add_child(self.tree.root(), reply);
        if self.tree.node(child).settled.is_settled() || self.tree.is_dead(child) {
            return None;
        }
        self.tree.expect_move(child);
        self.rescope_root(now);
        Some(child)
    }

    /// The root's worker must leave out a move that has just got a node.
    fn rescope_root(&mut self, now: Time) {
        let root = self.tree.root();
        let Some(seat) = self.tree.node(root).seat else { return };
        let worker = WorkerId(seat.worker);
        let children: Vec<MoveText> =
            self.tree.node(root).children.iter().filter_map(|&child| self.tree.node(child).text()).collect();
        let knows = self.crew.get(worker).and_then(|m| m.job()).is_some_and(|job| job.except == children);
        if !knows {
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

    pub(super) fn standing(&self) -> Standing {
        Standing { side: self.game.side(), ply: self.game.ply(), game_plies: GAME_PLIES }
    }

    /// With one player the limits are its own, and a fixed number of nodes means exactly that.
    fn exact_limits(&self, go: &Go) -> Option<Limits> {
        let mate = match go.mate {
            Some(MateLimit::Moves(moves)) => Some((moves.min(1000) * 2).saturating_sub(1) as u16),
            _ => None,
        };
        let limits = Limits { depth: go.depth, nodes: go.nodes, mate };
        let alone = match self.crew.players() {
            0 => self.settings.threads <= 1 && self.settings.children.is_none(),
            players => players == 1,
        };
        (limits != Limits::default() && alone).then_some(limits)
    }

    /// Moves the tree to the position of `go`, keeping what still belongs to it.
    fn take_up_position(&mut self, now: Time) {
        let Some(moves) = self.line.since(&self.tree_line) else {
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

    /// Mate, a declared win, a book move: nothing to search.
    fn answer_without_search(&mut self, now: Time, go: &Go) -> Option<BestMove> {
        if legal_moves(&self.game).is_empty() {
            return Some(BestMove::None);
        }
        if self.game.may_declare_win() {
            return Some(BestMove::Win);
        }
        if !self.settings.own_book || !go.search_moves.is_empty() {
            return None;
        }
        let moves = self.opening.as_ref()?.moves(&self.line);
        let best = self.draw(now, &moves)?;
        Some(BestMove::Move { best: self.game.format_move(best), ponder: None })
    }

    /// Draws a legal book move by weight. The time makes games differ; nothing else here is random.
    fn draw(&self, now: Time, moves: &[(MoveText, u32)]) -> Option<G::Move> {
        let parse =
            |&(text, weight): &(MoveText, u32)| self.game.parse_move(&text).ok().map(|m| (m, u64::from(weight)));
        let legal: Vec<(G::Move, u64)> = moves.iter().filter_map(parse).collect();
        let sum: u64 = legal.iter().map(|&(_, weight)| weight).sum();
        let noise = (now.as_nanos() as u64 ^ self.game.key()).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16;
        let mut rest = noise.checked_rem(sum).unwrap_or(0);
        for &(m, weight) in &legal {
            if rest < weight {
                return Some(m);
            }
            rest -= weight;
        }
        legal.first().map(|&(m, _)| m)
    }

    pub(super) fn on_ponder_hit(&mut self, now: Time, clock: Option<Clock>) {
        let standing = self.standing();
        let Phase::Thinking(think) = &self.phase else { return };
        if !think.go.ponder || think.clock_from.is_some() {
            return;
        }
        if think.focus != self.tree.root() {
            self.take_up_position(now);
            self.release_removed(now);
            self.frontier.rebuild(&self.tree, self.model.as_ref());
        }
        let root = self.tree.root();
        let Phase::Thinking(think) = &mut self.phase else { return };
        think.focus = root;
        think.plan = Plan::on_ponder_hit(&think.go, clock, &self.settings, standing);
        think.clock_from = Some(now);
        think.carried += now.saturating_sub(think.began);
        think.held = think.go.infinite;
        if let Some(clock) = clock {
            think.go.clock = clock;
        }
    }

    /// Asks the clock and the limits; called after every event.
    pub(super) fn step(&mut self, now: Time) {
        self.note_best(now);
        let Phase::Thinking(think) = &self.phase else { return };
        if !think.held && self.is_due(now) {
            return self.finish(now);
        }
        self.inform(now);
    }

    fn is_due(&mut self, now: Time) -> bool {
        let signs = self.signs(now);
        let limit = self.limit_reached();
        let Phase::Thinking(think) = &mut self.phase else { return false };
        let elapsed = now.saturating_sub(think.clock_from.unwrap_or(now));
        let step = think.plan.step(elapsed, &signs);
        think.check_at = match step {
            Step::CheckAt(at) => think.clock_from.map(|from| from + at),
            Step::GoOn | Step::Stop => None,
        };
        step == Step::Stop || limit || (signs.settled && signs.known && think.plan == Plan::Unlimited)
    }

    fn limit_reached(&self) -> bool {
        let Phase::Thinking(think) = &self.phase else { return false };
        if think.exact.is_some() {
            return think.done;
        }
        let value = self.tree.node(self.tree.searched(self.focus())).value;
        let nodes = think.go.nodes.is_some_and(|limit| self.crew.nodes - think.nodes_before >= limit);
        let depth = think.go.depth.is_some_and(|limit| value.is_some_and(|value| value.depth >= limit));
        let mate = match think.go.mate {
            Some(MateLimit::Moves(moves)) => {
                let wanted = Score::win_in((moves as i32).saturating_mul(2) - 1);
                value.is_some_and(|value| value.score >= wanted)
            }
            _ => false,
        };
        nodes || depth || mate
    }

    /// Remembers since when the best move has been the best.
    fn note_best(&mut self, now: Time) {
        if !matches!(self.phase, Phase::Thinking(_)) {
            return;
        }
        let best = self.tree.best_move(self.tree.searched(self.focus()));
        let score = self.tree.node(self.tree.searched(self.focus())).value.map(|value| value.score);
        let Phase::Thinking(think) = &mut self.phase else { return };
        if think.best != best {
            (think.best, think.best_since) = (best, now);
        }
        think.first_score = think.first_score.or(score);
    }

    fn signs(&self, now: Time) -> Signs {
        let Phase::Thinking(think) = &self.phase else { return Signs::default() };
        let root = self.tree.node(self.tree.searched(self.focus()));
        let drop = match (think.first_score, root.value) {
            (Some(first), Some(value)) => first.raw() - value.score.raw(),
            _ => 0,
        };
        let nothing_left = root.exhausted && root.value.is_some() && self.crew.busy().next().is_none();
        Signs {
            known: think.best.is_some(),
            forced: root.legal == 1,
            settled: root.settled.is_settled() || nothing_left,
            stable_for: now.saturating_sub(think.best_since),
            drop_cp: drop,
            gap_cp: self.gap_to_second(),
            share: self.share_of_best(),
            carried: think.carried,
        }
    }

    /// Centipawns between the best and the second best move at the root, where both are known.
    fn gap_to_second(&self) -> Option<i32> {
        let siblings = self.tree.siblings(self.tree.searched(self.focus()));
        let mut scores: Vec<Score> = siblings.scores.into_iter().chain([siblings.others]).flatten().collect();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        (scores.len() >= 2).then(|| scores[0].raw() - scores[1].raw())
    }

    /// Part of the root worker's effort that went below its best move.
    fn share_of_best(&self) -> Option<f64> {
        let own = self.tree.node(self.tree.searched(self.focus())).finding()?;
        let best = own.pv.first()?;
        let effort = own.ranking.iter().find(|ranked| ranked.text == *best)?.nodes;
        let all: u64 = own.ranking.iter().map(|ranked| ranked.nodes).sum();
        (all > 0).then(|| effort as f64 / all as f64)
    }

    /// The tree goes on while the opponent thinks, or rests until the next `go`.
    pub(super) fn after_move(&mut self, now: Time, think: &Think, best: MoveText) {
        self.phase = Phase::Idle;
        if think.go.ponder && think.clock_from.is_none() {
            return self.after_miss(now, think);
        }
        if !self.settings.ponder || self.settings.analyse_mode || think.go.infinite {
            return self.leave_all(now);
        }
        let Ok(m) = self.tree.game().parse_move(&best) else { return self.leave_all(now) };
        self.tree.reroot(&[m]);
        self.tree_line = self.tree_line.with(best);
        self.release_removed(now);
        self.frontier.rebuild(&self.tree, self.model.as_ref());
        self.phase = Phase::Pondering(now + self.longest_ponder(think));
    }

    /// The opponent did not play what we pondered on; what they did play comes next.
    fn after_miss(&mut self, now: Time, think: &Think) {
        if think.focus == self.tree.root() {
            return self.leave_all(now);
        }
        self.phase = Phase::Pondering(now + self.longest_ponder(think));
    }

    /// An opponent who is not heard of for so long has left, whatever the GUI says.
    fn longest_ponder(&self, think: &Think) -> Duration {
        let clock = &think.go.clock;
        let opponent = self.game.side().other();
        let left = clock.time_of(opponent).map(|time| time + clock.increment_of(opponent) + clock.byoyomi);
        left.map_or(Duration::from_secs(600), |left| left.min(LONGEST_PONDER) + Duration::from_secs(5))
    }

    pub(super) fn end_pondering(&mut self, now: Time) {
        if matches!(self.phase, Phase::Pondering(_)) {
            self.phase = Phase::Idle;
            self.leave_all(now);
        }
    }

    /// `go perft`: leaf counts, as engines print them.
    fn count_leaves(&mut self, depth: u32) {
        let mut game = self.game.clone();
        let mut total = 0;
        for &m in legal_moves(&self.game).iter() {
            let text = game.format_move(m);
            game.make(m);
            let count = leaves(&mut game, depth.saturating_sub(1));
            game.unmake();
            total += count;
            self.message(format!("{text}: {count}"));
        }
        self.message(format!("perft {depth}: {total}"));
        self.out.push(Action::Log(log::Level::Info, format!("perft {depth}: {total}")));
    }
}

fn leaves<G: Game>(game: &mut G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.count_moves() as u64,
        _ => {
            let moves = legal_moves(game);
            let mut sum = 0;
            for &m in moves.iter() {
                game.make(m);
                sum += leaves(game, depth - 1);
                game.unmake();
            }
            sum
        }
    }
}
