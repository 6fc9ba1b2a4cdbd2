//! Turns the lines that a search finds into reports.

use crate::state::{RootMove, SearchState};
use crate::value::is_decisive;
use hasami_api::{Bound, Evaluator, Game, MoveText, Moves, RankedMove, Report, Score, SearchGame, Verdict};

/// Number of nodes between two progress reports; searching them takes at most a tenth of a second.
pub(crate) const PROGRESS_PERIOD: u64 = 1 << 16;

/// Changes of the best move are reported only from this node count on, since earlier iterations take little time.
const FIRST_REPORTED_CHANGE: u64 = 1 << 14;

/// The principal variation and the score of a root move.
#[derive(Clone)]
pub(crate) struct RootLine<M> {
    pub(crate) pv: Vec<M>,
    pub(crate) score: i32,
    pub(crate) bound: Bound,
    /// Whether the score, exact for the first move, is only a bound on the value of the position.
    pub(crate) of_move: bool,
    pub(crate) depth: i32,
    pub(crate) seldepth: u16,
}

impl<M: Copy> RootLine<M> {
    pub(crate) fn of(root: &RootMove<M>, depth: i32) -> Self {
        let (pv, seldepth) = (root.pv.clone(), root.seldepth);
        Self { pv, score: root.score, bound: Bound::Exact, of_move: false, depth, seldepth }
    }

    /// Marks the line as the best line found so far in an unfinished iteration.
    pub(crate) fn so_far(self) -> Self {
        Self { bound: Bound::Lower, of_move: true, ..self }
    }
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    pub(crate) fn report_lines(&mut self, lines: &[RootLine<G::Move>]) {
        for (i, line) in lines.iter().enumerate() {
            self.report_line(line, i);
        }
    }

    pub(crate) fn report_bound(&mut self, index: usize, value: i32, bound: Bound) {
        let pv = self.roots[index].pv.clone();
        let (depth, seldepth) = (self.root_depth, self.seldepth as u16);
        let line = RootLine { pv, score: value, bound, of_move: false, depth, seldepth };
        self.report_line(&line, index);
    }

    /// Reports that the root move `index` is now the best move of the unfinished iteration.
    pub(crate) fn report_change(&mut self, index: usize) {
        if self.nodes >= FIRST_REPORTED_CHANGE {
            let line = RootLine::of(&self.roots[index], self.root_depth);
            self.report_line(&line.so_far(), 0);
        }
    }

    fn report_line(&mut self, line: &RootLine<G::Move>, index: usize) {
        // A value from endgame tables is certain, and only a mate score is more informative.
        let score = match self.known {
            Some(verdict) if !is_decisive(line.score) => self.value_of(verdict, 0),
            _ => line.score,
        };
        let report = Report {
            depth: line.depth as u16,
            seldepth: line.seldepth.max(line.depth as u16),
            multipv: index as u16 + 1,
            score: Score::from_raw(score),
            bound: line.bound,
            of_move: line.of_move,
            nodes: self.nodes,
            hashfull: self.table.full(self.generation),
            table_hits: self.table_hits,
            pv: self.texts(&line.pv),
            ranking: self.ranking(),
        };
        if index == 0 {
            self.last_report = Some(report.clone());
        }
        (self.tell)(report);
    }

    /// Sends the last report again with the current node count.
    #[cold]
    pub(crate) fn report_progress(&mut self) {
        self.next_progress_report = self.nodes + PROGRESS_PERIOD;
        let Some(last_report) = self.last_report.clone() else { return };
        let (nodes, hashfull, ranking) = (self.nodes, self.table.full(self.generation), self.ranking());
        (self.tell)(Report { nodes, hashfull, ranking, table_hits: self.table_hits, ..last_report });
    }

    /// Formats the moves of `pv` in the notation of the game's protocol.
    pub(crate) fn texts(&mut self, pv: &[G::Move]) -> Vec<MoveText> {
        let mut texts = Vec::with_capacity(pv.len());
        for &m in pv {
            texts.push(self.game.format_move(m));
            self.game.make(m);
        }
        for _ in pv {
            self.game.unmake();
        }
        texts
    }

    /// Returns the root moves with their node counts, including the nodes of the unfinished search of the current move.
    fn ranking(&self) -> Vec<RankedMove> {
        let (trying, since) = self.trying;
        let ranked = |(i, root): (usize, &RootMove<G::Move>)| {
            let unfinished = if i == trying { self.nodes - since } else { 0 };
            RankedMove { text: root.text, nodes: root.nodes + unfinished }
        };
        let mut ranking: Vec<_> = self.roots.iter().enumerate().map(ranked).collect();
        ranking.sort_by_key(|ranked| std::cmp::Reverse(ranked.nodes));
        ranking
    }

    /// Returns the transposition table's reply to the move `m`, if this reply is legal.
    pub(crate) fn expected_reply(&mut self, m: G::Move) -> Option<MoveText> {
        self.game.make(m);
        let reply = match self.game.verdict() {
            Verdict::Open => self.table_move().map(|reply| self.game.format_move(reply)),
            _ => None,
        };
        self.game.unmake();
        reply
    }

    /// The transposition table's move for the current position, if it is legal.
    fn table_move(&self) -> Option<G::Move> {
        let packed = self.table.probe(self.game.key())?.mv;
        find_packed(&self.game, packed)
    }

    /// Uses moves from the transposition table to extend lines that cut-offs have shortened. A mating line is extended
    /// up to the mate if the transposition table contains all its moves. In a team, every line is extended up to the
    /// depth of its iteration, because a value that another member found comes without its line.
    pub(crate) fn complete(&mut self, lines: &mut [RootLine<G::Move>]) {
        for line in lines {
            let (known, is_forced) = (line.pv.len(), is_decisive(line.score));
            let length = match is_forced {
                true => (Score::MATE - line.score.abs()) as usize,
                false if self.team.is_alone() => continue,
                false => line.depth as usize,
            };
            if !self.follow_table(&mut line.pv, length) && is_forced {
                line.pv.truncate(known);
            }
        }
    }

    /// Extends `line` to `length` moves, if the transposition table has enough of them. Returns true if `line` then has
    /// `length` moves and ends the game.
    fn follow_table(&mut self, line: &mut Vec<G::Move>, length: usize) -> bool {
        for &m in line.iter() {
            self.game.make(m);
        }
        while line.len() < length && self.game.verdict() == Verdict::Open {
            let Some(m) = self.table_move() else { break };
            self.game.make(m);
            line.push(m);
        }
        let complete = line.len() == length && is_over(&self.game);
        for _ in line.iter() {
            self.game.unmake();
        }
        complete
    }
}

fn is_over<G: Game>(game: &G) -> bool {
    game.verdict() != Verdict::Open || game.count_moves() == 0
}

fn find_packed<G: SearchGame>(game: &G, packed: u16) -> Option<G::Move> {
    let mut moves = Moves::new();
    game.search_moves(&mut moves);
    moves.iter().copied().find(|&m| G::pack(m) == packed)
}
